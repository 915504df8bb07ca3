// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/rounding.h"
#include "importers/netbox_export/inventory.h"

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>

namespace hw::netbox {

/// Writes a design as the objects of NetBox, in the order of `tableList`. Its functions are in inventory_*.cpp, by subject.
class InventoryMaker {
public:
    InventoryMaker(const Figures& figures, const InventoryOptions& options);
    Result<Inventory> make(const Progress& progress);

private:
    using json = nlohmann::json;
    static constexpr std::size_t kNone = std::size_t(-1);
    static constexpr int kMostSmall = 32767; ///< small integers of NetBox: volts, amperes, millimeters

    /// Another item, as it appears in a body.
    static json ref(std::size_t item) { return {{"$", item}}; }
    /// The tag of exports, and those that an object has in the design.
    json tags(EntityRef entity) const;
    std::size_t add(std::string_view table, std::string name, json body, EntityRef source = {}, std::vector<const char*> once = {});
    /// What NetBox would refuse: names that are too long, and devices of one site whose names differ in case alone.
    void checkNames();

    // sites, locations, racks
    void makeCommon();
    std::size_t siteNamed(const std::string& name, EntityRef source);
    void makePlaces();
    static json placeFields(Millimeters x, Millimeters y, Millimeters sizeX, Millimeters sizeY);
    std::size_t manufacturer(const std::string& given);
    std::size_t rackType(PartTypeId id);
    void makeRacks();
    std::size_t siteOf(Maybe<HallId> hall) const { return hall ? m_siteOfBuilding[m_s.halls.building[*hall].value] : m_anySite; }

    // devices and their components
    std::size_t deviceType(PartTypeId id);
    std::size_t templateOf(std::size_t type, const char* table, const std::string& name, json body);
    std::size_t role(TierId tier);
    void makeDevices();
    static std::string rearName(int index) { return fmt::format("Rear {}", index + 1); }
    static std::string frontName(int index) { return fmt::format("Front {}", index + 1); }
    /// A component that no template of the device's type makes becomes an object of its own.
    Termination componentOf(const char* table, DeviceId device, const std::string& name, const std::function<void(json&)>& complete);

    // cables and power
    json cableBody(const std::string& type, std::int32_t lengthMm, const std::string& label, EntityRef cable) const;
    void addCable(std::string name, json body, std::vector<Termination> a, std::vector<Termination> b, EntityRef source);
    /// Utilities become power panels, and each of their links a feed; but not where the voltage is more than NetBox can hold.
    void makePanels();
    /// One outlet or inlet has one cable: a second one gets a component of its own.
    Termination onlyOnce(const char* table, DeviceId device, const std::string& name, const std::string& plug);
    void makePowerCables();
    void makeCords();
    /// Cables at every cage, and the first port of a cage that is on a cable: names of what a cage becomes.
    void makeComponentIndex();
    /// The interface of a port: its cage, or, where several cables leave the cage, one for each of them.
    Termination interfaceOf(PortId port, CableId cable);
    [[nodiscard]] bool isTrunk(CableId cable) const;
    Termination panelEnd(RunId run, CableId cable, bool behind);
    void makeDataCables();
    void addDataCable(CableId cable, const std::vector<std::array<Termination, 2>>& pairs, const std::map<Termination, int>& lanes, bool panel);
    /// Sources, feeds, outflows and intakes of NetBox 4.7; older ones cannot say how coolant runs.
    void makeCoolant();

    const Figures& m_f;
    const Snapshot& m_s;
    const ProjectParts& m_parts;
    const InventoryOptions& m_o;
    Inventory m_out;
    std::size_t m_tag = 0, m_anySite = 0;
    std::map<EntityRef, std::vector<std::size_t>> m_tagsOf;
    std::map<std::string, std::size_t> m_sites, m_manufacturers, m_roleSlugs;
    std::vector<std::size_t> m_types, m_roles, m_buildings, m_halls, m_racks, m_devices, m_siteOfBuilding, m_feedOfLink, m_panels;
    std::set<std::tuple<std::string, std::size_t, std::string>> m_templates; ///< table, type, name
    std::set<Termination> m_extra, m_used;
    std::vector<std::vector<std::pair<CableId, PortId>>> m_cablesOfCage;
};

/// The NetBox type of a connector of power; "other": NetBox does not know it.
[[nodiscard]] std::string powerPlug(const std::string& type, bool outlet);

} // namespace hw::netbox
