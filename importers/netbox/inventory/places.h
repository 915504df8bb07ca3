// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/build/design_builder.h"
#include "importers/netbox/inventory/parts.h"

namespace hw::importers::netbox_in {

/// Sites, buildings, halls, rows and racks of an inventory in a design.
class Places {
public:
    Places(Snapshot& design, DesignBuilder& builder, Inventory& inventory, const ChosenParts& parts);
    void write();

    /// Nothing: the rack was left out.
    [[nodiscard]] std::optional<RackId> rack(std::size_t rack) const { return m_racks[rack]; }
    /// The hall of a location, else of a site; nothing where it has neither racks nor equipment.
    [[nodiscard]] std::optional<HallId> hall(std::size_t site, std::size_t location) const;
    /// What a site or location itself became; None: nothing.
    [[nodiscard]] EntityRef siteEntity(std::size_t site) const;
    [[nodiscard]] EntityRef locationEntity(std::size_t location) const;
    [[nodiscard]] bool isNew(BuildingId building) const { return m_made.contains(building); }
    /// A row by the name that NetBox has for it.
    [[nodiscard]] std::optional<RowId> row(HallId hall, const std::string& name) const;
    /// A free place beside the rows of a hall that was made here, for equipment of that size; nothing: the hall is of the design.
    [[nodiscard]] std::optional<std::pair<std::int32_t, std::int32_t>> besides(HallId hall, std::int32_t width, std::int32_t depth);
    /// Grows the halls that were made here, and their buildings, around all that stands in them.
    void finish();

private:
    struct Hall {
        HallId id{};
        bool isNew = false, isSized = false; ///< sized: custom fields state its size
        std::int32_t farX = 0, farY = 0;     ///< of what stands in it
        std::int32_t stripX = 0, stripY = 0;
        std::vector<std::size_t> placed, unplaced; ///< racks
    };
    using Key = std::pair<std::size_t, std::size_t>; ///< site, location; kNone: none

    void nameRacks();
    Hall& hallOf(Key key);
    BuildingId buildingOf(Key key);
    SiteId siteOf(std::size_t site);
    void writePlaced(Hall& hall);
    void writeRows(Hall& hall);
    void addRack(std::size_t rack, RowId row, std::int32_t along);
    [[nodiscard]] std::string rowName(const Hall& hall, const std::string& group);
    [[nodiscard]] const RackSpec* spec(std::size_t rack) const;

    Snapshot& m_s;
    DesignBuilder& m_build;
    Inventory& m;
    const ChosenParts& m_parts;
    std::vector<std::optional<RackId>> m_racks;
    std::vector<std::string> m_rackNames;
    std::map<Key, Hall> m_halls;
    std::map<std::string, std::size_t> m_rowNumbers; ///< by hall
    std::set<std::string> m_rowNames;
    std::set<BuildingId> m_made;
    std::set<BuildingId> m_given; ///< whose place custom fields state
    std::map<std::size_t, SiteId> m_sites;
    std::map<std::size_t, BuildingId> m_buildings; ///< of locations
    std::size_t m_turned = 0, m_inRows = 0;
};

/// A name that nothing in a table has yet: as wanted, else with a number behind it.
template <class T>
[[nodiscard]] std::string freeName(const T& table, const std::string& wanted)
{
    std::set<std::string> taken;
    table.forEach([&](auto id) { taken.insert(table.name[id]); });
    std::string name = wanted;
    for (int n = 2; taken.contains(name); ++n) name = wanted + "-" + std::to_string(n);
    return name;
}
template <class T>
[[nodiscard]] auto findNamed(const T& table, const std::string& name) -> std::optional<typename T::IdType>
{
    std::optional<typename T::IdType> found;
    table.forEach([&](auto id) {
        if (!found && table.name[id] == name) found = id;
    });
    return found;
}

} // namespace hw::importers::netbox_in
