// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/table.h"
#include "core/foundation/model/words.h"

namespace hw {

enum class PartKind : std::uint8_t { Device, Rack, Cable, Transceiver, Tray };
/// Network: core room, outside the pods' site limit. Plant: substation, energy center, yard.
enum class BuildingKind : std::uint8_t { Pod, Network, Plant };
enum class RoomKind : std::uint8_t { Hall, Network, Electrical, Battery, Plant, Store, Yard };
enum class FloorKind : std::uint8_t { Slab, Raised };
enum class StructureKind : std::uint8_t { Wall, Column, Door, Ramp, KeepOut }; ///< KeepOut: nothing may stand there
enum class Containment : std::uint8_t { None, ColdAisle, HotAisle, Chimney };  ///< of the aisle that a row faces, or turns its back to
enum class TrayKind : std::uint8_t { Row, Spine, Duct, Riser };                ///< over a row, across rows, between buildings, between levels
enum class Carries : std::uint8_t { Any, Data, Power, Coolant };               ///< media that a tray is for
enum class DeviceRole : std::uint8_t { Active, Backup, Support };
enum class TierKind : std::uint8_t { Server, Switch, Power, Cooling, Other };
enum class Medium : std::uint8_t { Data, Power, Coolant }; ///< what a port, link or cable carries
enum class PortRole : std::uint8_t { Host, Down, Up, Backup, Peer };
enum class LinkRole : std::uint8_t { Active, Backup };
enum class PowerSide : std::uint8_t { None, A, B, C, D };    ///< None: not stated, follows from what it feeds
enum class Face : std::uint8_t { Front, Rear, Left, Right }; ///< where in its rack a device is mounted; Left, Right: zero-U beside it
enum class Stage : std::uint8_t { Planned, Ordered, Received, Installed, Accepted, Live }; ///< of what is bought: how far it has come
enum class Trust : std::uint8_t { Quoted, Published, Assumed };                            ///< of a price: an offer to us, a list or paper, a guess
enum class PhaseChoice : std::uint8_t { Even, L1, L2, L3, Three };                         ///< of a tap. Even: assigned so that phases carry alike
enum class Witness : std::uint8_t { Lldp, Ibnetdiscover, NetBox, Label };                  ///< what says that a link is there
enum class GateResult : std::uint8_t { Open, Passed, Failed, Waived };                     ///< of a gate of acceptance
/// What a network is for. ScaleUp: the domain of memory accesses inside a server or rack (NVLink, UALink, …).
enum class NetworkKind : std::uint8_t { Backend, Frontend, Storage, Management, ScaleUp };

/// Their words, in the order of the values: in templates, scripts, JSON and the text form.
HW_WORDS(PartKind, "device", "rack", "cable", "transceiver", "tray")
HW_WORDS(BuildingKind, "pod", "network", "plant")
HW_WORDS(RoomKind, "hall", "network", "electrical", "battery", "plant", "store", "yard")
HW_WORDS(FloorKind, "slab", "raised")
HW_WORDS(StructureKind, "wall", "column", "door", "ramp", "keep-out")
HW_WORDS(Containment, "none", "cold-aisle", "hot-aisle", "chimney")
HW_WORDS(TrayKind, "row", "spine", "duct", "riser")
HW_WORDS(Carries, "any", "data", "power", "coolant")
HW_WORDS(Stage, "planned", "ordered", "received", "installed", "accepted", "live")
HW_WORDS(Trust, "quoted", "published", "assumed")
HW_WORDS(Witness, "lldp", "ibnetdiscover", "netbox", "label")
HW_WORDS(GateResult, "open", "passed", "failed", "waived")
HW_WORDS(DeviceRole, "active", "backup", "support")
HW_WORDS(TierKind, "server", "switch", "power", "cooling", "other")
HW_WORDS(Medium, "data", "power", "coolant")
HW_WORDS(PortRole, "host", "down", "up", "backup", "peer")
HW_WORDS(LinkRole, "active", "backup")
HW_WORDS(PowerSide, "none", "a", "b", "c", "d")
HW_WORDS(Face, "front", "rear", "left", "right")
HW_WORDS(PhaseChoice, "even", "l1", "l2", "l3", "three")
HW_WORDS(NetworkKind, "backend", "frontend", "storage", "management", "scale-up")

/// Project-wide values: name, template with its text, parameters, thresholds, currency.
/// Keys are dotted: "project.name", "template.name", "template.text", "parameter.segments", "site.power_basis".
struct Settings : Table<Settings> {
    Settings();
    ~Settings() override;
    Column<SettingId, std::string> key{"key"}, value{"value"};
    HW_COLUMNS(key, value)
};

/// The part types that the design uses, with their whole definition, so that a project means the
/// same on every machine and after every catalog update.
struct PartTypes : Table<PartTypes> {
    PartTypes();
    ~PartTypes() override;
    Column<PartTypeId, std::string> slug{"slug", column::kFixed};
    Column<PartTypeId, PartKind> kind{"kind", column::kFixed};
    Column<PartTypeId, std::string> definition{"definition", column::kFixed}; ///< one YAML document, see core/foundation/catalog
    HW_COLUMNS(slug, kind, definition)
};

struct Networks : Table<Networks> {
    Networks();
    ~Networks() override;
    Column<NetworkId, std::string> key{"key", column::kKey}, name{"name", column::kName}, label{"label", column::value()};
    Column<NetworkId, std::int16_t> planes{"planes", column::value(1, 1024)},
        rails{"rails", column::value(1, 1024)};                                  ///< what a NIC port can tell apart at its ToR
    Column<NetworkId, std::uint32_t> color{"color", column::value(0, 0xFFFFFF)}; ///< 0xRRGGBB
    Column<NetworkId, NetworkKind> kind{"kind", column::value()};
    Column<NetworkId, std::int32_t> domain{"domain", column::value(0, 1'000'000)}; ///< accelerators of one scale-up domain, 0 = not stated
    Column<NetworkId, Gbps> acceleratorRate{"accelerator_rate_gbps",
                                            column::value(0, 10'000'000)}; ///< of one accelerator into it, one direction, 0 = not stated
    Column<NetworkId, std::uint32_t> overridden{"overridden", column::kOverridden};
    HW_COLUMNS(key, name, label, planes, rails, color, kind, domain, acceleratorRate, overridden)
};

/// A plot of land with its contract with the utility; buildings stand on it.
struct Sites : Table<Sites> {
    Sites();
    ~Sites() override;
    Column<SiteId, std::string> key{"key", column::kKey}, name{"name", column::kName};
    Column<SiteId, Milliwatts> contract{"contract_mw", column::kLimit}; ///< demand agreed with the utility; 0 = none stated
    Column<SiteId, std::uint32_t> overridden{"overridden", column::kOverridden};
    HW_COLUMNS(key, name, contract, overridden)
};

/// A building stands at (x, y) of the campus; everything below is relative to its parent.
struct Buildings : Table<Buildings> {
    Buildings();
    ~Buildings() override;
    Column<BuildingId, std::string> key{"key", column::kKey}, name{"name", column::kName};
    Column<BuildingId, Maybe<SiteId>> site{"site", column::kParent};
    Column<BuildingId, BuildingKind> kind{"kind", column::value()};
    Column<BuildingId, Millimeters> x{"x_mm", column::kX}, y{"y_mm", column::kY}, sizeX{"size_x_mm", column::kSize},
        sizeY{"size_y_mm", column::kSize}, sizeZ{"size_z_mm", column::kSize};
    Column<BuildingId, Milliwatts> itLimit{"it_limit_mw", column::kLimit}; ///< 0 = none stated
    Column<BuildingId, Maybe<PhaseId>> phase{"phase", column::kByHand};    ///< in which it is built, with all that is in it
    Column<BuildingId, std::uint32_t> overridden{"overridden", column::kOverridden};
    HW_COLUMNS(key, name, site, kind, x, y, sizeX, sizeY, sizeZ, itLimit, phase, overridden)
};

/// A room of a building: a hall of racks, or one for plant. A rectangle of its size, or the polygon of its corners.
struct Halls : Table<Halls> {
    Halls();
    ~Halls() override;
    Column<HallId, std::string> key{"key", column::kKey}, name{"name", column::kName};
    Column<HallId, BuildingId> building{"building", column::kParent};
    Column<HallId, Millimeters> x{"x_mm", column::kX}, y{"y_mm", column::kY}, sizeX{"size_x_mm", column::kSize}, sizeY{"size_y_mm", column::kSize},
        sizeZ{"size_z_mm", column::kSize};
    Column<HallId, RoomKind> kind{"kind", column::value()};
    Column<HallId, FloorKind> floor{"floor", column::value()};
    Column<HallId, KilogramsPerSquareMeter> floorLoad{"floor_load_kg_m2", column::value(0, 100'000)}; ///< that it bears; 0 = not stated
    Column<HallId, Millimeters> clearHeight{"clear_height_mm", column::value(0, 100'000)};            ///< under beams and ducts; 0 = its whole height
    Column<HallId, Milliwatts> itLimit{"it_limit_mw", column::kLimit};                                ///< 0 = none stated
    Column<HallId, Maybe<PhaseId>> phase{"phase", column::kByHand};                                   ///< none: as its building
    Column<HallId, std::uint32_t> overridden{"overridden", column::kOverridden};
    HW_COLUMNS(key, name, building, x, y, sizeX, sizeY, sizeZ, kind, floor, floorLoad, clearHeight, itLimit, phase, overridden)
};

/// A corner of a room that is no rectangle, in the order in which its wall runs.
struct Corners : Table<Corners> {
    Corners();
    ~Corners() override;
    Column<CornerId, HallId> hall{"hall", column::kParent};
    Column<CornerId, std::int32_t> number{"number", column::kFixed};
    Column<CornerId, Millimeters> x{"x_mm", column::kX}, y{"y_mm", column::kY};
    HW_COLUMNS(hall, number, x, y)
};

/// A piece of the building in a room: straight from (x1, y1) to (x2, y2), `width` across. A square column is as long as it is wide.
struct Structures : Table<Structures> {
    Structures();
    ~Structures() override;
    Column<StructureId, std::string> key{"key", column::kKey}, name{"name", column::kName};
    Column<StructureId, HallId> hall{"hall", column::kParent};
    Column<StructureId, StructureKind> kind{"kind", column::value()};
    Column<StructureId, Millimeters> x1{"x1_mm", column::kX}, y1{"y1_mm", column::kY}, x2{"x2_mm", column::kX}, y2{"y2_mm", column::kY},
        width{"width_mm", column::kSize}, height{"height_mm", column::value(0, 100'000)}; ///< height 0 = to the ceiling
    Column<StructureId, std::uint32_t> overridden{"overridden", column::kOverridden};
    HW_COLUMNS(key, name, hall, kind, x1, y1, x2, y2, width, height, overridden)
};

/// Lines of one layer of a drawing that lies under a room: "x1,y1,x2,y2;…" in mm of the room's frame.
struct Underlays : Table<Underlays> {
    Underlays();
    ~Underlays() override;
    Column<UnderlayId, std::string> key{"key", column::kKey}, name{"name", column::kName};
    Column<UnderlayId, HallId> hall{"hall", column::kParent};
    Column<UnderlayId, std::string> source{"source", column::kFixed}; ///< the file that it was read from
    Column<UnderlayId, std::string> lines{"lines", column::kFixed};
    Column<UnderlayId, std::uint32_t> overridden{"overridden", column::kOverridden};
    HW_COLUMNS(key, name, hall, source, lines, overridden)
};

/// A row of racks. Its origin (x, y) in the hall is where its first rack's outer corner stands;
/// racks follow along `angle` (degrees counter-clockwise from the hall's x axis, a multiple of 90).
struct Rows : Table<Rows> {
    Rows();
    ~Rows() override;
    Column<RowId, std::string> key{"key", column::kKey}, name{"name", column::kName};
    Column<RowId, HallId> hall{"hall", column::kParent};
    Column<RowId, Millimeters> x{"x_mm", column::kX}, y{"y_mm", column::kY};
    Column<RowId, std::int16_t> angle{"angle_deg", column::kAngle};
    Column<RowId, std::int32_t> cell{"cell", column::value(0, 1'000'000)}; ///< rows of one cell share a hot aisle
    Column<RowId, Containment> containment{"containment", column::value()};
    Column<RowId, Maybe<PhaseId>> phase{"phase", column::kByHand}; ///< none: as its hall
    Column<RowId, std::uint32_t> overridden{"overridden", column::kOverridden};
    HW_COLUMNS(key, name, hall, x, y, angle, cell, containment, phase, overridden)
};

/// A rack's left front corner is `along` mm down its row and `across` mm to the left of the row's direction.
struct Racks : Table<Racks> {
    Racks();
    ~Racks() override;
    Column<RackId, std::string> key{"key", column::kKey}, name{"name", column::kName};
    Column<RackId, RowId> row{"row", column::kPlacedIn};
    Column<RackId, PartTypeId> type{"type", column::kType};
    Column<RackId, Millimeters> along{"along_mm", column::listedBy(column::kX, 1)}, across{"across_mm", column::kY};
    Column<RackId, Milliwatts> powerLimit{"power_limit_mw", column::kLimit}; ///< 0 = none stated
    Column<RackId, Maybe<PhaseId>> phase{"phase", column::kByHand};          ///< none: as its row
    Column<RackId, Stage> stage{"stage", column::kByHand};
    Column<RackId, std::string> stageDate{"stage_date", column::kByHand}, serial{"serial", column::kByHand};
    Column<RackId, std::uint32_t> overridden{"overridden", column::kOverridden};
    HW_COLUMNS(key, name, row, type, along, across, powerLimit, phase, stage, stageDate, serial, overridden)
};

/// A straight piece of cable tray or duct from (x1, y1, z1) to (x2, y2, z2): in the frame of its row
/// (x along, y across) if it has one, else of its hall, else of the campus.
struct Trays : Table<Trays> {
    Trays();
    ~Trays() override;
    Column<TrayId, std::string> key{"key", column::kKey}, name{"name", column::kName};
    Column<TrayId, TrayKind> kind{"kind", column::value()};
    Column<TrayId, Maybe<RowId>> row{"row", column::kParent};
    Column<TrayId, Maybe<HallId>> hall{"hall", column::kParent};
    Column<TrayId, PartTypeId> type{"type", column::kType}; ///< cross-section
    Column<TrayId, Millimeters> x1{"x1_mm", column::kX}, y1{"y1_mm", column::kY}, z1{"z1_mm", column::kPlace}, x2{"x2_mm", column::kX},
        y2{"y2_mm", column::kY}, z2{"z2_mm", column::kPlace};
    Column<TrayId, std::int16_t> plane{"plane", column::value(-1, 1023)}; ///< fabric plane that it carries, -1 = any
    Column<TrayId, std::int16_t> count{"count", column::value(1, 64)};    ///< trays side by side or stacked
    Column<TrayId, Carries> carries{"carries", column::value()};
    Column<TrayId, PowerSide> side{"side", column::value()};              ///< of power, none = any
    Column<TrayId, std::uint8_t> barrier{"barrier", column::value(0, 1)}; ///< 1: a metal barrier parts power from data in it
    Column<TrayId, std::uint32_t> overridden{"overridden", column::kOverridden};
    HW_COLUMNS(key, name, kind, row, hall, type, x1, y1, z1, x2, y2, z2, plane, count, carries, side, barrier, overridden)
};

/// A set of like devices of one network, ordered by `level` from the servers (0) up.
struct Tiers : Table<Tiers> {
    Tiers();
    ~Tiers() override;
    Column<TierId, std::string> key{"key", column::kKey}, name{"name", column::kName}, label{"label", column::value()};
    Column<TierId, TierKind> kind{"kind", column::value()};
    Column<TierId, Maybe<NetworkId>> network{"network", column::kParent}; ///< none: servers, power and cooling equipment
    Column<TierId, std::int16_t> level{"level", column::listedBy(column::value(0, 1000), 1)};
    Column<TierId, std::uint32_t> overridden{"overridden", column::kOverridden};
    HW_COLUMNS(key, name, label, kind, network, level, overridden)
};

/// Servers, switches, PDUs … in a rack (lowest unit `u`, counted from 1, 0 = a zero-U place), over a row at (x along, y across, z),
/// or free in a hall at (x, y, z): there the lower corner of the footprint, whatever the angle. Coordinates that the fabric gives them are
/// -1 where they have none.
struct Devices : Table<Devices> {
    Devices();
    ~Devices() override;
    Column<DeviceId, std::string> key{"key", column::kKey}, name{"name", column::kName};
    Column<DeviceId, TierId> tier{"tier", column::kGroup};
    Column<DeviceId, PartTypeId> type{"type", column::kType};
    Column<DeviceId, DeviceRole> role{"role", column::value()};
    Column<DeviceId, Maybe<RackId>> rack{"rack", column::kPlacedIn};
    Column<DeviceId, std::int16_t> u{"u", column::listedBy(column::kUnit, -1)};
    Column<DeviceId, Maybe<RowId>> row{"row", column::kPlacedIn}; ///< that it hangs over and moves with
    Column<DeviceId, Maybe<HallId>> hall{"hall", column::kPlacedIn};
    Column<DeviceId, Millimeters> x{"x_mm", column::kX}, y{"y_mm", column::kY}, z{"z_mm", column::kPlace};
    Column<DeviceId, std::int16_t> angle{"angle_deg", column::kAngle}; ///< of its front, counter-clockwise
    Column<DeviceId, Face> face{"face", column::kChosenPlace};
    Column<DeviceId, PowerSide> side{"side", column::value()}; ///< of power equipment
    Column<DeviceId, std::int16_t> pod{"pod", column::value(-1, 32767)}, segment{"segment", column::value(-1, 32767)},
        rail{"rail", column::value(-1, 32767)}, plane{"plane", column::value(-1, 32767)};
    Column<DeviceId, std::int32_t> index{"index", column::value(0, 2'000'000)}; ///< running number within the tier
    Column<DeviceId, Maybe<PhaseId>> phase{"phase", column::kByHand};           ///< none: as what it stands in
    Column<DeviceId, Stage> stage{"stage", column::kByHand};
    Column<DeviceId, std::string> stageDate{"stage_date", column::kByHand}, serial{"serial", column::kByHand};
    Column<DeviceId, std::uint32_t> overridden{"overridden", column::kOverridden};
    HW_COLUMNS(key, name, tier, type, role, rack, u, row, hall, x, y, z, angle, face, side, pod, segment, rail, plane, index, phase, stage, stageDate,
               serial, overridden)
};

/// A physical socket: interface `number` (from 0) of its device's type.
struct Cages : Table<Cages> {
    Cages();
    ~Cages() override;
    Column<CageId, DeviceId> device{"device", column::kParent};
    Column<CageId, std::uint16_t> number{"number", column::kFixed};
    Column<CageId, std::uint8_t> split{"split", column::kFixed};         ///< logical ports that it is broken out into
    Column<CageId, Maybe<PartTypeId>> module{"module", column::kByHand}; ///< transceiver chosen by hand
    HW_COLUMNS(device, number, split, module)
};

/// A logical port: a whole cage, or one lane group of a cage that is split.
struct Ports : Table<Ports> {
    Ports();
    ~Ports() override;
    Column<PortId, CageId> cage{"cage", column::kParent};
    Column<PortId, DeviceId> device{"device", column::kFixed};
    Column<PortId, Maybe<NetworkId>> network{"network"};
    Column<PortId, Gbps> rate{"rate_gbps", column::kFixed};
    Column<PortId, std::uint16_t> number{"number", column::kFixed}; ///< running number within (device, role, network), from 0
    Column<PortId, std::uint8_t> lane{"lane", column::kFixed};      ///< place within the cage, from 0
    Column<PortId, PortRole> role{"role"};
    Column<PortId, Medium> medium{"medium", column::kFixed};
    HW_COLUMNS(cage, device, network, rate, number, lane, role, medium)
};

/// The rule of the template that made a link; joins two tiers.
struct LinkRules : Table<LinkRules> {
    LinkRules();
    ~LinkRules() override;
    Column<LinkRuleId, std::string> key{"key", column::kKey};
    Column<LinkRuleId, Maybe<NetworkId>> network{"network"};
    Column<LinkRuleId, TierId> from{"from"}, to{"to"};
    Column<LinkRuleId, Medium> medium{"medium"};
    HW_COLUMNS(key, network, from, to, medium)
};

/// Port to port, from the lower to the higher tier. Its key is (rule, devices, ordinal).
struct Links : Table<Links> {
    Links();
    ~Links() override;
    Column<LinkId, Maybe<LinkRuleId>> rule{"rule", column::kFixed}; ///< none: connected by hand
    Column<LinkId, PortId> from{"from", column::kParent}, to{"to", column::kFixed};
    Column<LinkId, Maybe<CableId>> cable{"cable", column::kFixed};
    Column<LinkId, std::uint16_t> ordinal{"ordinal", column::kFixed}; ///< among parallel links of one rule and device pair
    Column<LinkId, LinkRole> role{"role", column::kFixed};
    Column<LinkId, PhaseChoice> phase{"phase", column::kByHand}; ///< of a power link
    Column<LinkId, std::uint8_t> overridden{"overridden", column::kOverridden};
    HW_COLUMNS(rule, from, to, cable, ordinal, role, phase, overridden)
};

/// One physical assembly: a patch cord, or a breakout cable that several links share.
/// Length and medium follow from the geometry; what stands here was set by hand.
struct Cables : Table<Cables> {
    Cables();
    ~Cables() override;
    Column<CableId, Medium> medium{"medium", column::kFixed};
    Column<CableId, Maybe<PartTypeId>> type{"type", column::kByHand};  ///< cable type chosen by hand
    Column<CableId, Millimeters> length{"length_mm", column::kByHand}; ///< length set by hand, 0 = from the route
    Column<CableId, Stage> stage{"stage", column::kByHand};
    HW_COLUMNS(medium, type, length, stage)
};

/// A tray that a cable is led through by hand, in the order from its lower end up.
struct Waypoints : Table<Waypoints> {
    Waypoints();
    ~Waypoints() override;
    Column<WaypointId, CableId> cable{"cable", column::kParent};
    Column<WaypointId, std::int32_t> number{"number", column::kFixed};
    Column<WaypointId, TrayId> tray{"tray", column::kFixed};
    HW_COLUMNS(cable, number, tray)
};

/// What a link runs on after its first cable: where that ends at a patch panel, the next cable goes on. Many links share a trunk.
struct Runs : Table<Runs> {
    Runs();
    ~Runs() override;
    Column<RunId, LinkId> link{"link", column::kParent};
    Column<RunId, std::int32_t> number{"number", column::kFixed};     ///< from 1, from the link's lower end up
    Column<RunId, DeviceId> panel{"panel", column::kFixed};           ///< in which the run before it ends and this one begins
    Column<RunId, std::int32_t> position{"position", column::kFixed}; ///< of the panel, from 0
    Column<RunId, CableId> cable{"cable", column::kFixed};
    HW_COLUMNS(link, number, panel, position, cable)
};

/// A stage of construction: what belongs to it and to those of lower numbers stands alone.
struct Phases : Table<Phases> {
    Phases();
    ~Phases() override;
    Column<PhaseId, std::string> key{"key", column::kKey}, name{"name", column::kName};
    Column<PhaseId, std::int32_t> number{"number", column::listedBy(column::value(1, 1000), 1)};
    Column<PhaseId, std::string> date{"date", column::value()}; ///< of completion, ISO 8601; empty: none stated
    Column<PhaseId, std::uint32_t> overridden{"overridden", column::kOverridden};
    HW_COLUMNS(key, name, number, date, overridden)
};

/// What a part is bought for, from an offer or a list.
struct Prices : Table<Prices> {
    Prices();
    ~Prices() override;
    Column<PriceId, std::string> key{"key", column::kKey}, name{"name", column::kName}; ///< "price-cdu-1300kw"
    Column<PriceId, std::string> part{"part", column::value()};                         ///< slug of a part type
    Column<PriceId, Money> each{"each", column::value()};                               ///< of one piece
    Column<PriceId, Money> perMeter{"per_metre", column::value()};                      ///< and of a meter, of what is sold by length
    Column<PriceId, std::string> currency{"currency", column::value()}, source{"source", column::value()}, supplier{"supplier", column::value()},
        date{"date", column::value()}; ///< ISO 8601
    Column<PriceId, Trust> trust{"trust", column::value()};
    Column<PriceId, std::int32_t> leadDays{"lead_days", column::value(0, 10'000)}; ///< 0 = not stated
    Column<PriceId, std::uint32_t> overridden{"overridden", column::kOverridden};
    HW_COLUMNS(key, name, part, each, perMeter, currency, source, supplier, date, trust, leadDays, overridden)
};

/// Says of telemetry channels to what they belong, by their names and labels; `*` and `{name}` in a pattern stand for any text, and
/// what stood for {name} can be used in `entity` and `element`. Read by core/operations/bindings.
struct BindingRules : Table<BindingRules> {
    BindingRules();
    ~BindingRules() override;
    Column<BindingRuleId, std::string> key{"key", column::kKey}, name{"name", column::kName};
    Column<BindingRuleId, std::int32_t> number{"number", column::listedBy(column::value(1, 1'000'000), 1)}; ///< the order in which they are listed
    Column<BindingRuleId, std::string> channel{"channel", column::value()},                                 ///< pattern of the channel's name
        labels{"labels", column::value()},   ///< "Hostname={host}, gpu={gpu}": patterns of labels, all of which must match
        entity{"entity", column::value()},   ///< name of the entity: "{host}"
        element{"element", column::value()}, ///< part of it that is no entity: "gpu{gpu}"
        measure{"measure", column::value()}, ///< word of a Measure; may be "{point}"
        unit{"unit", column::value()};       ///< of the values, where the channel states none
    Column<BindingRuleId, std::uint32_t> overridden{"overridden", column::kOverridden};
    HW_COLUMNS(key, name, number, channel, labels, entity, element, measure, unit, overridden)
};

/// A channel that a person bound, whatever the rules say. Bound to nothing: set aside.
struct Bindings : Table<Bindings> {
    Bindings();
    ~Bindings() override;
    Column<BindingId, std::string> channel{"channel", column::kFixed}; ///< its whole name
    Column<BindingId, Maybe<DeviceId>> device{"device", column::kParent};
    Column<BindingId, Maybe<RackId>> rack{"rack", column::kParent};
    Column<BindingId, Maybe<RowId>> row{"row", column::kParent};
    Column<BindingId, Maybe<HallId>> hall{"hall", column::kParent};
    Column<BindingId, Maybe<PortId>> port{"port", column::kParent};
    Column<BindingId, std::string> element{"element", column::kFixed}, measure{"measure", column::kFixed}, unit{"unit", column::kFixed};
    HW_COLUMNS(channel, device, rack, row, hall, port, element, measure, unit)
};

/// A number burned into a device (MAC address, GUID), by which captures know it where names differ. Lower case, with colons or "0x".
struct HardwareIds : Table<HardwareIds> {
    HardwareIds();
    ~HardwareIds() override;
    Column<HardwareIdId, DeviceId> device{"device", column::kParent};
    Column<HardwareIdId, std::string> value{"value", column::kFixed};
    HW_COLUMNS(device, value)
};

/// A link as it was seen in the built hall: what is there today, whatever is planned.
struct Observations : Table<Observations> {
    Observations();
    ~Observations() override;
    Column<ObservationId, Witness> witness{"witness", column::kFixed};
    Column<ObservationId, std::string> fromDevice{"from_device", column::kFixed}, fromPort{"from_port", column::kFixed},
        toDevice{"to_device", column::kFixed}, toPort{"to_port", column::kFixed};                      ///< as the witness names them
    Column<ObservationId, Gbps> rate{"rate_gbps", column::kFixed};                                     ///< 0 = not stated
    Column<ObservationId, std::int32_t> lanes{"lanes", column::kFixed};                                ///< in use, 0 = not stated
    Column<ObservationId, std::string> label{"label", column::kFixed};                                 ///< of the cable, empty: not stated
    Column<ObservationId, std::string> source{"source", column::kFixed}, date{"date", column::kFixed}; ///< file, and when it was read (ISO 8601)
    HW_COLUMNS(witness, fromDevice, fromPort, toDevice, toPort, rate, lanes, label, source, date)
};

/// How a gate of acceptance went for a segment of a network.
struct Acceptances : Table<Acceptances> {
    Acceptances();
    ~Acceptances() override;
    Column<AcceptanceId, NetworkId> network{"network", column::kParent};
    Column<AcceptanceId, std::int32_t> pod{"pod", column::kFixed}, segment{"segment", column::kFixed}; ///< coordinates, -1 = none
    Column<AcceptanceId, std::int32_t> gate{"gate", column::kFixed}; ///< 1 audit, 2 per NIC, 3 collective, 4 model and faults
    Column<AcceptanceId, GateResult> result{"result", column::kFixed};
    Column<AcceptanceId, std::string> evidence{"evidence", column::kFixed}, author{"author", column::kFixed}, date{"date", column::kFixed};
    HW_COLUMNS(network, pod, segment, gate, result, evidence, author, date)
};

/// A finding that somebody accepted, with the reason.
struct Waivers : Table<Waivers> {
    Waivers();
    ~Waivers() override;
    Column<WaiverId, std::string> finding{"finding"}, reason{"reason"}, author{"author"}, date{"date"};
    HW_COLUMNS(finding, reason, author, date)
};

/// A row that the template makes and somebody removed: a regeneration does not bring it back.
struct Removals : Table<Removals> {
    Removals();
    ~Removals() override;
    Column<RemovalId, std::string> table{"table"}, key{"removed_key"}; ///< name of the row's table, and its key
    HW_COLUMNS(table, key)
};

} // namespace hw

#ifdef HW_ONE_MORE_TABLE
#include HW_ONE_MORE_TABLE_DECLARATION
#endif
