// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/build/design_builder.h"
#include "core/design/layout/layout.h"
#include "core/foundation/base/disjoint_sets.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Automatic layout, step by step: survey → groups → racks → halls → written tables → trays → power.
/// Everything up to the halls is a plan of plain values; only the last steps change the design.
namespace hw::layout {

inline constexpr std::uint32_t kNone = 0xFFFFFFFFu;

/// Place of a hall in its part of the building, and of the first rack fronts in the hall. Assumed.
inline constexpr std::int32_t kHallX = 3000, kHallY = 4000, kFirstFrontMm = 2400;
/// Fan walls leave the corners of a hall free. Assumed.
inline constexpr std::int32_t kFanWallEndMm = 1200, kFanWallBackMm = 200;
inline constexpr std::int32_t kSpineEndMm = 600; ///< from a hall's wall to the end of its spines
inline constexpr std::int32_t kDuctZ = 3600;     ///< of data ducts, as of spines. Assumed

/// Thrown inside the layout only and turned into a Result at its border.
struct Failure {
    Error error;
};
[[nodiscard]] Failure refusal(const std::string& where, Text what, Text todo);
[[nodiscard]] Failure mistake(const std::string& where, Text what, Text todo);

inline constexpr std::int32_t kRowEndMm = 4500;  ///< from a row's end to the wall: fan walls, doors, 1.2 m of passage and more
inline constexpr std::int32_t kHallEndMm = 2400; ///< from the first and last front to the wall

/// What a device, rack or building asks for. Power in mW with all pluggable modules that might be chosen.
struct Demand {
    std::int64_t units = 0, designMw = 0, nameplateMw = 0, liquidMw = 0, grams = 0, cables = 0, typicalMw = 0;
    Demand& operator+=(const Demand& other);
};
/// What a rack's power limit is compared with: the nameplate draw where air cools, as designed where coolant does.
[[nodiscard]] inline std::int64_t powerOf(const Demand& d) { return d.liquidMw > 0 ? d.designMw : d.nameplateMw; }

/// Part types of the design and of the catalog under one roof; copies into the design what is used.
class Parts {
public:
    Parts(DesignBuilder& builder, const Catalog& catalog, std::string where);
    [[nodiscard]] const DeviceSpec& device(PartTypeId type) const;
    [[nodiscard]] const DeviceSpec& device(const std::string& slug) const;
    [[nodiscard]] const RackSpec& rack(const std::string& slug) const;
    [[nodiscard]] const TraySpec& tray(const std::string& slug) const;
    [[nodiscard]] const CableSpec& cable(const std::string& slug) const;
    [[nodiscard]] bool has(const std::string& slug) const { return m_catalog.find(slug) != nullptr; }
    [[nodiscard]] const Snapshot& design() const { return m_design; }
    [[nodiscard]] PartTypeId use(const std::string& slug); ///< the row of the type in the design
    /// A UPS of the project's own: that named, with so many battery cabinets, their width, weight and price.
    [[nodiscard]] std::string withBatteries(const std::string& ups, std::int64_t cabinets);
    [[nodiscard]] const std::string& slug(PartTypeId type) const { return m_design.partTypes.slug[type]; }
    /// Worst draw of the modules that may plug into a cage of this device: typical and maximum, mW.
    struct Optics {
        std::int64_t typicalMw = 0, maximumMw = 0;
    };
    [[nodiscard]] Optics opticsOf(PartTypeId type, std::uint16_t cage) const;
    /// How many trays of a type take cables of so many mm² at the fill that is planned for (25 %, TIA-569, as rule K1).
    [[nodiscard]] std::int16_t traysFor(double area, const std::string& slug) const;
    /// Cross-section in mm² of the thickest data cable sold in this length.
    [[nodiscard]] double cableArea(std::int32_t lengthMm) const;

private:
    [[nodiscard]] const Part& find(const std::string& slug) const;
    void learnModules() const;
    DesignBuilder& m_builder;
    const Snapshot& m_design;
    const Catalog& m_catalog;
    std::string m_where;
    mutable std::map<std::string, Part> m_own;        ///< parts that only the design has
    mutable std::vector<const DeviceSpec*> m_devices; ///< by part type
    mutable bool m_learned = false;
    mutable std::map<std::pair<std::string, std::int32_t>, Optics> m_modules; ///< by cage slug and rate
    mutable std::vector<std::pair<std::int32_t, double>> m_cables;            ///< longest stocked length, area
    mutable std::vector<std::vector<Optics>> m_optics;                        ///< by part type, cage
};

/// A tier of this key, or one that an earlier layout made under this name.
[[nodiscard]] std::optional<TierId> findTier(const Snapshot& design, const std::string& key);

/// Makes rows and cells as they go into one hall, whatever power that hall may have.
void fitInto(Options& options, const HallRoom& room, const Parts& parts);

/// The devices that are not placed yet and what the wiring says about them: read off a design that is made, or
/// counted from a template (core/design/count/survey.h). Arrays by device id unless said otherwise.
struct Survey {
    struct Tier {
        std::string key;
        TierKind kind = TierKind::Other;
        std::int16_t level = 0;
        std::optional<std::uint32_t> network{}; ///< its number, in the order of the template
        std::vector<std::string> coordinates{}; ///< names, as its devices have them
    };
    std::vector<Tier> tiers;
    std::vector<Place> place;             ///< by tier
    std::vector<DeviceId> loose;          ///< in the order of ids
    std::vector<char> isLoose, isSupport; ///< support: the device's role
    std::vector<std::uint32_t> tier;
    std::vector<PartTypeId> type;
    std::vector<std::int16_t> pod, segment, plane;
    std::vector<std::uint32_t> firstCoordinate; ///< into `coordinate`: values in the order of the tier's names
    std::vector<std::int32_t> coordinate;
    std::vector<Demand> demand;
    std::vector<std::uint32_t> firstBelow, below; ///< devices at the `from` ends of the links that come to a device, ascending
    std::vector<std::uint32_t> sameBelow;         ///< device that has the same ones below it and is listed; empty: each is
    std::function<std::string(DeviceId)> name;    ///< for people

    [[nodiscard]] std::size_t devices() const { return tier.size(); }
    [[nodiscard]] const Tier& tierOf(std::uint32_t device) const { return tiers[tier[device]]; }
    [[nodiscard]] TierKind kind(std::uint32_t device) const { return tierOf(device).kind; }
    [[nodiscard]] Place placeOf(DeviceId id) const { return place[tier[id.value]]; }
    [[nodiscard]] std::uint32_t listedAs(std::uint32_t device) const { return sameBelow.empty() ? device : sameBelow[device]; }
    [[nodiscard]] std::span<const std::uint32_t> belowOf(std::uint32_t device) const
    {
        const std::uint32_t d = listedAs(device);
        return std::span(below).subspan(firstBelow[d], firstBelow[d + 1] - firstBelow[d]);
    }
    [[nodiscard]] std::span<const std::int32_t> coordinatesOf(std::uint32_t device) const
    {
        return {coordinate.data() + firstCoordinate[device], tierOf(device).coordinates.size()};
    }
    [[nodiscard]] std::string key(std::uint32_t device) const; ///< "server/pod=0/host=3"
    /// Fills `firstBelow` and `below` from (upper, lower) pairs.
    void listBelow(std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs);
};
[[nodiscard]] Survey survey(const Snapshot& design, Parts& parts, const Options& options);
/// Decides where the devices of each tier go, once everything else is known.
void placeTiers(Survey& survey, const Parts& parts, const Options& options);
/// What every device of a design asks for with what is plugged into it, by id.
[[nodiscard]] std::vector<Demand> demandsOf(const Snapshot& design, const Parts& parts);
/// What a device of this type asks for without what plugs into it.
[[nodiscard]] Demand demandOf(const DeviceSpec& device);

/// Devices that must share a rack: a server, or all servers under one in-rack switch with that switch.
struct RackGroup {
    std::vector<DeviceId> servers, switches, others;
    Demand demand;
};
/// Servers that share their first switches, with these switches: what stands together in a row.
struct Block {
    std::string key; ///< of its first server; stays when others come and go
    std::int16_t pod = -1;
    std::vector<RackGroup> groups{};
    std::vector<DeviceId> switches{}; ///< for network racks
    Demand demand{};
    std::vector<std::uint32_t> serverRacks{}, networkRacks{}; ///< numbers in the plan, once packed
};
struct Groups {
    std::vector<Block> blocks;          ///< in the order of their first servers
    std::vector<std::uint32_t> blockOf; ///< by device, kNone for the others
    std::vector<DeviceId> network;      ///< what goes to network rows and the core, by level, then id
};
[[nodiscard]] Groups group(const Survey& survey, const Options& options);

struct PlannedRack {
    std::string key, type, name{};
    std::vector<std::pair<DeviceId, int>> devices{}; ///< and their lowest unit
    Demand demand{};
    std::int32_t along = 0, width = 0;
    std::uint32_t hall = 0, row = 0, position = 0;
    RackId id{};
};
struct PlannedRow {
    std::vector<std::uint32_t> racks;
    std::int32_t widthMm = 0;        ///< from the first rack to the last, with the gaps between them
    std::int32_t x = 0, y = 0;       ///< in the hall, as Rows have it
    std::int16_t angle = 90;         ///< as Rows have it
    std::int32_t cell = 0, line = 0; ///< of cells, counted from the low corner; and its line of cells
    std::int32_t slot = 0;           ///< place of its cell in that line
    std::int32_t crossing = 0;       ///< where the spines of its line cross it, from its first rack
    std::int32_t begin = 0;          ///< of its first rack, from the end of the place that the row has in a given hall
    RowId id;
};
/// Where spines run over a line of cells: in the hall. Or, with lines for places, across several lines.
struct PlannedLine {
    std::int32_t x1 = 0, y1 = 0, x2 = 0, y2 = 0, places = 0;
    std::int32_t crossSlot = 0; ///< where the spines across all lines meet it
};
/// Floor equipment in a hall.
struct PlannedSpot {
    std::string key, name; ///< tails that tell it from its like
    std::int32_t x = 0, y = 0;
    std::int16_t angle = 0;
};
/// A hall and what stands in it. Halls with the same `site` are one building, one behind the other.
struct PlannedHall {
    std::string name, key, hallName, siteName; ///< `name` begins the names of what stands here
    std::uint32_t site = 0;
    bool core = false; ///< a building of its own for what several buildings share
    std::vector<std::uint32_t> blocks;
    std::vector<DeviceId> network;
    std::vector<std::uint32_t> networkRacks;
    Demand demand;
    std::vector<PlannedRow> rows; ///< two to a cell; one without racks is not built
    std::vector<PlannedLine> lines;
    std::optional<PlannedLine> across; ///< joins several lines
    std::vector<PlannedSpot> fanWallSpots, cduSpots;
    bool given = false; ///< it is there: `id`
    std::int32_t rowLength = 0, rackDepth = 0, pitch = 0, hallX = 0, hallY = 0;
    std::int32_t sizeX = 0, sizeY = 0, x = 0, y = 0; ///< of the part of the building around this hall, on the campus
    std::int32_t column = 0, siteX = 0, siteY = 0, siteSizeX = 0, siteSizeY = 0, siteBuiltY = 0;
    /// Racks of one row under one pair of busways, and which pair of transformers feeds it.
    struct Section {
        std::uint32_t row = 0, first = 0, count = 0, group = 0;
    };
    std::vector<Section> sections;
    int fanWalls = 0, transformerGroups = 0;
    std::string fanWall = "none", cdu = "none"; ///< of the sizes that its load asks for
    std::int32_t plantDepth = 0;                ///< of `sizeY`: kept free behind it, rooms are written once the plant is known
    HallId id;
    [[nodiscard]] int cells() const { return int(rows.size() + 1) / 2; }
};
struct Plan {
    Options options;
    std::vector<Block> blocks;
    std::vector<PlannedRack> racks;
    std::vector<PlannedHall> halls;    ///< by building; what is shared by several last
    std::vector<std::uint32_t> rackOf; ///< by device
    /// Racks that hold fewer than `servers_per_rack`, by what says why.
    std::vector<std::pair<Text, std::int64_t>> fewerServers;
    void noteFewer(const Text& why)
    {
        for (auto& [known, racks] : fewerServers)
            if (known == why) return void(++racks);
        fewerServers.emplace_back(why, 1);
    }
    std::vector<std::vector<DeviceId>> ownPdus; ///< by rack: devices of the template's own tier `pdu`
    /// Columns of buildings in pairs, each pair around a duct that runs along y at `trunks[pair]`.
    struct Campus {
        std::int32_t columns = 1, middleY = 0;
        std::vector<std::int32_t> trunks;
    } campus;
    bool othersStand = false; ///< racks elsewhere in the design
    [[nodiscard]] bool severalHalls() const { return halls.size() > 1; }
    /// Before the names of what stands in a hall.
    [[nodiscard]] std::string prefixOf(const PlannedHall& hall) const { return severalHalls() || othersStand ? hall.name + "-" : std::string(); }
};

/// Splits what is too large for a building, packs racks, divides them among halls; no rack has a place yet.
[[nodiscard]] Plan pack(const Survey& survey, Groups groups, const Parts& parts, const Options& options);
/// The same, and fills the rows of halls that are as large as they need to be.
[[nodiscard]] Plan plan(const Survey& survey, Groups groups, const Parts& parts, const Options& options);
/// Halls with their blocks and the switches above them, in buildings.
void planBuildings(Plan& plan, const Survey& survey, const Groups& groups);
/// Server racks and network racks of a block; appends to `plan.racks`.
void packBlock(Plan& plan, Block& block, const Survey& survey, const Parts& parts);
/// Network racks of a hall, and server racks for storage nodes and the like.
void packNetwork(Plan& plan, PlannedHall& hall, const Survey& survey, const Parts& parts);

/// Network racks in the middle of their servers, or after them.
[[nodiscard]] std::vector<std::uint32_t> inOneRow(const Options& options, std::span<const std::uint32_t> servers,
                                                  std::span<const std::uint32_t> network);
/// Air units of an electrical room in which so much is lost, N + 1, the smallest of the catalog's series of which few suffice; none below the limit
/// of rule C17, and without transformers or UPS.
struct RoomUnits {
    std::string slug = "none";
    std::int64_t count = 0;
    double watts = 0; ///< heat of the room
};
[[nodiscard]] RoomUnits roomUnitsFor(double itW, const Options& options, const Parts& parts);
/// The same with the sizes of air units and coolant distribution units that a room with so much heat asks for: the smallest of the catalog's series
/// of which few carry it.
[[nodiscard]] Options sizedFor(const Options& options, std::int64_t airMw, std::int64_t liquidOfCellMw, const Parts& parts);
/// Fan walls that remove so much heat from the air: N + 1 of up to four; of more N + 20 %, at least N + 2.
[[nodiscard]] int fanWallsFor(std::int64_t airMw, const Options& options, const Parts& parts);
/// Coolant distribution units for so much heat: N + 1.
[[nodiscard]] int cdusFor(std::int64_t liquidMw, const Options& options, const Parts& parts);
[[nodiscard]] std::int64_t liquidOfCell(const Plan& plan, const PlannedHall& hall, std::size_t cell);
/// Where fan walls and coolant distribution units of a hall of its own stand.
void standEquipment(const Plan& plan, PlannedHall& hall, const Parts& parts);

/// Fan walls of a hall, and how many groups of transformers its busways need, where each side alone carries the nameplate draw.
/// Makes the hall and the building large enough for them.
void planEquipment(const Plan& plan, PlannedHall& hall, const Parts& parts);
/// Rack PDUs of one side: those of the template, else as many as carry the rack's nameplate draw; 0 = none wanted.
[[nodiscard]] int pdusOfSide(const Plan& plan, std::uint32_t rack, const Parts& parts);
/// Buildings in columns, the core building in their middle.
void arrangeCampus(Plan& plan);
void writePlaces(DesignBuilder& builder, Plan& plan, Parts& parts);
/// Devices into the racks that `writePlaces` has made.
void placeDevices(Snapshot& design, const Plan& plan);
/// `planes`: of networks whose links are not in the design.
void writeTrays(DesignBuilder& builder, const Plan& plan, Parts& parts, int planes = 0);
void writeEquipment(DesignBuilder& builder, const Plan& plan, Parts& parts);

} // namespace hw::layout
