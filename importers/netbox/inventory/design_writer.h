// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/topology/rack_units.h"
#include "core/design/build/device_sockets.h"
#include "core/foundation/catalog/catalog.h"
#include "importers/netbox/inventory/parts.h"
#include "importers/netbox/inventory/places.h"

#include <map>
#include <set>

namespace hw::importers::netbox_in {

/// Whether a text has one of these words.
[[nodiscard]] bool contains(const std::string& text, std::initializer_list<std::string_view> words);

/// Writes an inventory into a design. Its functions are in writer_*.cpp, by subject.
class DesignWriter {
public:
    DesignWriter(Snapshot& design, Inventory& inventory, const Wiring& wiring, ChosenParts& parts, const Catalog& catalog);
    void run();

private:
    /// What a port of a device that is written is to be.
    struct Cage {
        DeviceSocket socket;
        int split = 1;
        std::map<int, int> subs; ///< of a cage whose ports NetBox has as interfaces of their own: their numbers, and the links of each
        /// The place of a port among them; they are counted from 0 or 1.
        [[nodiscard]] int laneOf(int sub) const { return sub - (subs.empty() || subs.begin()->first == 0 ? 0 : 1); }
        [[nodiscard]] int needed() const
        {
            int most = 1;
            for (const auto& [sub, links] : subs) most = std::max(most, laneOf(sub) + links);
            return most;
        }
    };
    struct Written {
        std::optional<DeviceId> id;
        bool isNew = false;
        std::shared_ptr<const Part> part;
        std::size_t tier = 0; ///< in m_tiers
        std::map<std::uint16_t, Cage> cages;
    };
    struct Tier {
        std::string name;
        TierKind kind = TierKind::Other;
        NetworkKind network = NetworkKind::Backend; ///< of a switch tier
        std::optional<TierId> id;
        int level = 0;
        std::int32_t next = 0; ///< running number of its devices
    };
    /// A power feed of NetBox, or anything that is not one of its devices.
    struct Supply {
        DeviceId id{};
        std::shared_ptr<const Part> part;
        std::uint16_t cage = 1; ///< of the outlet that a cable of the feed is on
    };

    // names and tiers
    /// Ports that only cables name are for management where their type says so.
    void findManagement();
    void nameDevices();
    std::size_t tierOf(const std::string& role, TierKind kind);
    void chooseTiers();
    /// Servers are level 0; a tier of switches is one above what it is cabled to, seen from the servers.
    void chooseLevels();
    /// Switches whose role does not tell belong to the network of those that they are cabled to.
    void chooseNetworks(const std::set<std::pair<std::size_t, std::size_t>>& cabled);
    NetworkId networkId(NetworkKind kind);
    void writeTier(Tier& tier);

    // devices
    void findUnits();
    /// Of a type that is in the design by now.
    [[nodiscard]] std::shared_ptr<const Part> partOf(PartTypeId id);
    /// The lowest unit of a device in its rack, from 1 at the bottom; 0: none that is in it.
    [[nodiscard]] int unitOf(const Device& device, const DeviceSpec& spec);
    void addDevice(std::size_t i);
    void place(std::size_t i, const DeviceSpec& spec, NewDevice& row);
    void placeFree(std::size_t i, const DeviceSpec& spec, NewDevice& row);
    /// Over a row: in the row's own frame.
    void placeOver(RowId over, const DeviceSpec& spec, int quarter, std::int32_t x, std::int32_t y, NewDevice& row);
    /// A device that the design has: where it differs.
    void compare(std::size_t i, const NewDevice& row);

    // panels, feeds and cooling sources: no devices in NetBox
    TierId supplyTier(const char* name, TierKind kind);
    std::optional<Supply> addSupply(const std::string& name, const char* tierName, TierKind kind, std::shared_ptr<const Part> part, std::size_t site,
                                    std::size_t location);
    static std::string sizeFact(const char* key, int mm);
    void addSupplies();
    /// A panel whose description names a utility of the catalog, as an export of a design writes it: its feeds are outlets of that part.
    bool addKnownPanel(const PowerPanel& panel, const std::vector<std::size_t>& feeds);
    void addFeed(std::size_t i, const Supply& board, std::size_t number, bool sided);

    // ports
    /// Sockets with the ports that cables and interfaces of NetBox divide them into, their networks and roles.
    void planPorts();
    /// The least number of ports that an interface's type breaks it out into and that has room for so many; that number where none has.
    [[nodiscard]] static int allowedSplit(const Written& written, std::uint16_t number, int needed);
    /// A port of 800G on one of 400G is one of two that its cage is broken out into, where its type allows that.
    void evenRates(PortAt own, PortAt other);
    /// Of an interface of a device that is made here.
    [[nodiscard]] Cage* cageOf(PortAt at);
    void planEnd(PortAt own, int split, PortAt other);
    void addPorts();
    /// By device, cage and lane; the index is made anew when ports were added.
    [[nodiscard]] std::optional<PortId> portAt(DeviceId device, std::uint16_t cage, int lane);
    [[nodiscard]] bool isUsed(PortId port);
    void use(LinkId link) { m_used[m_s.links.from[link]] = link, m_used[m_s.links.to[link]] = link; }

    // links
    /// The port of the design at an end of a link.
    [[nodiscard]] std::optional<PortId> endOf(PortAt at, int lane);
    CableId cableOf(std::size_t cable, Medium medium);
    /// Cables of one bundle between rear ports that are labeled BUNDLE/1, BUNDLE/2 … are connectors of one trunk; empty: none of a trunk.
    [[nodiscard]] static std::string trunkOf(const Cable& cable);
    void addLinks();
    void addLink(const WholeLink& link, PortId a, PortId b);

    // cooling (4.7)
    void addCooling();
    std::optional<Supply> addSource(const CoolingSource& source, std::size_t ways);

    // what else there is
    static bool isMac(const std::string& text);
    void addNumbers();
    /// Tags of what is new; what the design has already keeps those that it has.
    void addTags();
    /// The device that a feed is, else the link from the outlet of its panel.
    [[nodiscard]] EntityRef feedEntity(std::size_t i);
    /// Modules and cables that a planner can choose from, where the project has none.
    void offerParts();
    /// A new building with switches and no servers is a network building where another one has the servers.
    void findNetworkBuildings();
    void tell();

    Snapshot& m_s;
    DesignBuilder m_build;
    Inventory& m;
    const Wiring& m_wiring;
    ChosenParts& m_parts;
    const Catalog& m_catalog;
    Places m_places;
    std::vector<std::string> m_names; ///< by device
    std::vector<Written> m_written;   ///< by device
    std::vector<Tier> m_tiers;
    std::vector<std::optional<Supply>> m_feeds; ///< by power feed
    std::map<std::string, DeviceId> m_known;    ///< of the design, by name
    std::map<NetworkKind, NetworkId> m_networks;
    std::map<RackId, RackUnits> m_units;
    std::map<RackId, int> m_zeroU;
    std::map<PartTypeId, std::shared_ptr<const Part>> m_types;
    std::map<std::tuple<std::uint32_t, std::uint16_t, std::uint8_t>, PortId> m_ports;
    std::map<PortId, LinkId> m_used;
    std::map<std::size_t, CableId> m_cables;
    std::map<std::string, CableId> m_trunks;
    std::map<EntityKind, std::uint32_t> m_before; ///< rows that the design had
    std::uint32_t m_portsSeen = 0, m_linksSeen = 0;
    std::size_t m_dataLinks = 0, m_powerLinks = 0, m_followed = 0, m_there = 0, m_linksThere = 0, m_children = 0, m_loose = 0, m_besides = 0,
                m_noUnit = 0, m_outside = 0, m_halves = 0, m_rates = 0, m_halved = 0, m_direct = 0, m_unmade = 0;
    std::string m_unitWhere, m_rateWhere, m_unmadeWhere;
};

} // namespace hw::importers::netbox_in
