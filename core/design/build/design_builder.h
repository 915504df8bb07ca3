// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/build/device_sockets.h"

#include <map>

namespace hw {

// What a new row is given. A key is the template's; rows made by hand have none. What is left out takes the column's default.

struct NewNetwork {
    std::string key{}, name{}, label{};
    std::int16_t planes = 1, rails = 1;
    std::uint32_t color = 0x3b82f6; ///< 0xRRGGBB
    NetworkKind kind = NetworkKind::Backend;
    std::int32_t domain = 0;
    Gbps acceleratorRate{};
};
struct NewSite {
    std::string key{}, name{};
    Milliwatts contract{};
};
struct NewBuilding {
    std::string key{}, name{};
    Maybe<SiteId> site{};
    BuildingKind kind = BuildingKind::Pod;
    Millimeters x{}, y{}, sizeX{}, sizeY{}, sizeZ{};
    Milliwatts itLimit{};
};
struct NewHall {
    std::string key{}, name{};
    BuildingId building{};
    Millimeters x{}, y{}, sizeX{}, sizeY{}, sizeZ{};
    RoomKind kind = RoomKind::Hall;
    FloorKind floor = FloorKind::Slab;
    KilogramsPerSquareMeter floorLoad{};
    Millimeters clearHeight{};
    Milliwatts itLimit{};
};
struct NewStructure {
    std::string key{}, name{};
    HallId hall{};
    StructureKind kind = StructureKind::Wall;
    Millimeters x1{}, y1{}, x2{}, y2{}, width{}, height{};
};
struct NewRow {
    std::string key{}, name{};
    HallId hall{};
    Millimeters x{}, y{};
    std::int16_t angle = 0; ///< degrees, a multiple of 90
    std::int32_t cell = 0;
    Containment containment = Containment::None;
};
struct NewRack {
    std::string key{}, name{};
    RowId row{};
    PartTypeId type{};
    Millimeters along{}, across{};
    Milliwatts powerLimit{};
};
struct NewTray {
    std::string key{}, name{};
    TrayKind kind = TrayKind::Row;
    Maybe<RowId> row{};
    Maybe<HallId> hall{};
    PartTypeId type{};
    Millimeters x1{}, y1{}, z1{}, x2{}, y2{}, z2{};
    std::int16_t plane = -1, count = 1;
    Carries carries = Carries::Any;
    PowerSide side = PowerSide::None;
    bool barrier = false;
};
struct NewTier {
    std::string key{}, name{}, label{};
    TierKind kind = TierKind::Switch;
    Maybe<NetworkId> network{};
    std::int16_t level = 0;
};
struct NewDevice {
    std::string key{}, name{};
    TierId tier{};
    PartTypeId type{};
    DeviceRole role = DeviceRole::Active;
    Maybe<RackId> rack{};
    std::int16_t u = 0;
    Maybe<RowId> row{};
    Maybe<HallId> hall{};
    Millimeters x{}, y{}, z{};
    std::int16_t angle = 0;
    Face face = Face::Front;
    PowerSide side = PowerSide::None;
    std::int16_t pod = -1, segment = -1, rail = -1, plane = -1;
    std::int32_t index = 0;
};
/// One kind of ports of a device: each cage in `cages` is broken out into `split` ports.
struct NewPorts {
    std::uint8_t split = 1;
    std::uint16_t firstNumber = 0; ///< running number of the first within (device, role, network)
    Gbps rate{};                   ///< of one port
    PortRole role = PortRole::Host;
    Maybe<NetworkId> network{};
    Medium medium = Medium::Data;
};
struct NewLinkRule {
    std::string key{};
    Maybe<NetworkId> network{};
    TierId from{}, to{};
    Medium medium = Medium::Data;
};
struct NewLink {
    Maybe<LinkRuleId> rule{};
    PortId from{}, to{}; ///< from the lower to the higher tier
    Maybe<CableId> cable{};
    std::uint16_t ordinal = 0;
    LinkRole role = LinkRole::Active;
    std::uint8_t overridden = 0;
};

/// The one place that makes rows of a design, with all that they need: generator, layout, edits, importers and tests
/// build with it. Writes into a snapshot that is being made, or into a transaction's working copy; checks nothing that
/// its caller knows better. Cheap: no look-up by name but for part types, which are found in a map.
class DesignBuilder {
public:
    explicit DesignBuilder(Snapshot& design) : m_design(design) {}

    [[nodiscard]] Snapshot& design() { return m_design; }

    /// The project's own copy of a part type, added when it has none of this slug.
    PartTypeId partType(const Part& part);
    [[nodiscard]] std::optional<PartTypeId> findPartType(const std::string& slug);

    NetworkId network(NewNetwork row);
    SiteId site(NewSite row);
    BuildingId building(NewBuilding row);
    HallId hall(NewHall row);
    /// The corners of a room's wall, in mm of its own frame.
    void corners(HallId hall, std::span<const std::pair<std::int32_t, std::int32_t>> points);
    StructureId structure(NewStructure row);
    UnderlayId underlay(HallId hall, std::string name, std::string source, std::string lines);
    RowId row(NewRow row);
    RackId rack(NewRack row);
    TrayId tray(NewTray row);
    TierId tier(NewTier row);
    /// The bare device; its sockets follow with `ports` or `allPorts`.
    DeviceId device(NewDevice row);

    /// Cages (interface numbers of the device's type) with their ports, cage by cage. Returns the first port; the others follow it.
    PortId ports(DeviceId device, std::span<const std::uint16_t> cages, const NewPorts& kind);
    /// The same for `count` cages from number `first` on.
    PortId ports(DeviceId device, std::uint16_t first, std::uint32_t count, const NewPorts& kind);
    /// Every socket of the device's type, as `socketsOf` lists them.
    void allPorts(DeviceId device, const DeviceSpec& spec, TierKind tier, Maybe<NetworkId> network);
    void allPorts(DeviceId device, std::span<const DeviceSocket> sockets);

    LinkRuleId linkRule(NewLinkRule row);
    CableId cable(Medium medium);
    LinkId link(const NewLink& row);
    /// A link with a cable of its own, of the medium of its ports.
    LinkId cabledLink(NewLink row);

    WaiverId waiver(std::string finding, std::string reason, std::string author, std::string date = {});

private:
    void addCage(DeviceId device, std::uint16_t number, std::uint16_t firstPort, const NewPorts& kind);

    Snapshot& m_design;
    std::map<std::string, PartTypeId, std::less<>> m_types; ///< by slug
    std::uint32_t m_typesKnown = 0;                         ///< rows of the table that m_types has seen
};

} // namespace hw
