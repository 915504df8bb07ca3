// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/rules/air_rules.h"
#include "core/derived/rules/check.h"
#include "power_hall.h"

#include <QtTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

using namespace hw;

namespace {

using Change = void (*)(PowerHall&);

struct Project {
    const char *name, *rule;
    Severity severity;
    Change change;
    std::initializer_list<const char*> says; ///< parts of the message of one of its findings
};

constexpr auto E = Severity::Error, W = Severity::Warning, I = Severity::Info;

void addCorners(PowerHall& d)
{ // the room's lower right quarter is missing: the row of racks stands there
    const std::pair<int, int> corners[] = {{0, 0}, {9000, 0}, {9000, 20000}, {50000, 20000}, {50000, 30000}, {0, 30000}};
    for (int i = 0; i < int(std::size(corners)); ++i) {
        const CornerId id = d.s.corners.insert();
        d.s.corners.hall.set(id, d.hall);
        d.s.corners.number.set(id, i);
        d.s.corners.x.set(id, Millimeters(corners[i].first)), d.s.corners.y.set(id, Millimeters(corners[i].second));
    }
}

void moveColumn(PowerHall& d, int x, int y)
{
    for (auto* c : {&d.s.structures.x1, &d.s.structures.x2}) c->set(d.column, Millimeters(x));
    for (auto* c : {&d.s.structures.y1, &d.s.structures.y2}) c->set(d.column, Millimeters(y));
}

/// Two rows, joined by one spine: hosts and aggregation switches stand in the first one, ToRs in the second.
void overOneSpine(PowerHall& d)
{
    const RowId other = d.SmallHall::addRow(10000, 15000);
    d.s.rows.name.set(other, "row2");
    for (const std::size_t r : {1u, 2u}) d.s.racks.row.set(d.racks[r], other);
    d.s.trays.erase(d.trays[1]);
    d.s.trays.plane.set(d.trays[0], -1);
    d.s.trays.name.set(d.addRowTray(other, 3000, 3500), "tray-row2");
    d.s.trays.name.set(d.addSpine(d.hall, {9000, 0, 3600}, {9000, 20000, 3600}), "spine");
}

/// All cables of hosts to ToRs meet in one panel beside the aggregation switches.
void overOnePanel(PowerHall& d)
{
    const DeviceId panel = d.add("panel", d.s.devices.tier[d.strips[0][0]], d.s.partTypes.slug[d.s.devices.type[d.strips[0][0]]]);
    d.s.devices.rack.set(panel, d.racks[3]);
    std::int32_t position = 0;
    for (const LinkId id : d.s.links.ids()) {
        const DeviceId low = d.s.ports.device[d.s.links.from[id]], high = d.s.ports.device[d.s.links.to[id]];
        if (d.s.ports.medium[d.s.links.from[id]] != Medium::Data || (high != d.tor[0] && high != d.tor[1]) || low == high) continue;
        const RunId run = d.s.runs.insert();
        d.s.runs.link.set(run, id), d.s.runs.number.set(run, 1), d.s.runs.panel.set(run, panel);
        d.s.runs.position.set(run, position++), d.s.runs.cable.set(run, d.addCable());
    }
}

void link(PowerHall& d, DeviceId low, DeviceId high)
{
    const auto port = [&](DeviceId device, PortRole role) {
        const CageId cage = d.s.cages.insert();
        d.s.cages.device.set(cage, device), d.s.cages.number.set(cage, 4), d.s.cages.split.set(cage, 1);
        const PortId id = d.s.ports.insert();
        d.s.ports.cage.set(id, cage), d.s.ports.device.set(id, device), d.s.ports.role.set(id, role);
        d.s.ports.network.set(id, d.network), d.s.ports.rate.set(id, Gbps(400));
        return id;
    };
    const PortId from = port(low, PortRole::Up), to = port(high, PortRole::Down);
    d.connect(from, to, d.addCable());
}

void legs(PowerHall& d)
{
    for (const auto& [outlet, leg] : {std::pair("o1", "A"), std::pair("o2", "B"), std::pair("o3", "A")}) {
        const std::string plain = std::string("{name: ") + outlet + ", type: iec-60320-c19, power_port: Input";
        d.change("t-strip", plain + "}", plain + ", feed_leg: " + leg + "}");
    }
}

/// Both aggregation switches in one unit of their rack, from the front and from behind.
void backToBack(PowerHall& d, const char* depth)
{
    d.change("t-switch", "is_full_depth: true", "is_full_depth: false");
    d.change("t-switch", "typical_power:", std::string("depth: {value: ") + depth + ", unit: mm, source: t, confidence: A}\ntypical_power:");
    d.s.devices.u.set(d.agg[1], 1);
    d.s.devices.face.set(d.agg[1], Face::Rear);
}

/// The feeder of busway-a as a cable of this type and length.
void layToBusway(PowerHall& d, const char* slug, std::int32_t mm)
{
    d.s.links.forEach([&](LinkId link) {
        const PortId from = d.s.links.from[link], to = d.s.links.to[link];
        const bool in = (d.s.ports.device[from] == d.busway[0] && d.s.ports.role[from] == PortRole::Up) ||
                        (d.s.ports.device[to] == d.busway[0] && d.s.ports.role[to] == PortRole::Up);
        if (!in || !d.s.links.cable[link]) return;
        d.s.cables.type.set(*d.s.links.cable[link], d.part(slug)), d.s.cables.length.set(*d.s.links.cable[link], Millimeters(mm));
    });
}

const Project kProjects[] = {
    {"P1-rack",
     "P1",
     E,
     [](PowerHall& d) {
         for (const DeviceId strip : d.strips[1]) d.s.devices.rack.set(strip, d.racks[3]);
     },
     {"tor1 is unpowered: rack2 has neither a rack PDU nor a power shelf"}},
    {"P1-dead", "P1", E, [](PowerHall& d) { d.s.links.erase(d.stripLinks[0][1]); }, {"rack1-strip-b has no feed"}},
    {"P1-dead-way", "P1", E, [](PowerHall& d) { d.s.links.erase(d.stripLinks[0][1]); }, {"1 of 2 feeds of host1 is dead", "2 more"}},
    {"P1-side", "P1", E, [](PowerHall& d) { d.s.devices.side.set(d.strips[0][1], PowerSide::A); }, {"all 2 power inputs of host1 are on feed A"}},
    {"P1-no-utility",
     "P1",
     W,
     [](PowerHall& d) {
         for (const LinkId link : d.utilityLinks) d.s.links.erase(link);
     },
     {"no utility feed modeled"}},
    {"P1-one-utility",
     "P1",
     E,
     [](PowerHall& d) { d.s.links.erase(d.utilityLinks[1]); },
     {"a feed of tor1 ends at transformer-b, which has no utility feed"}},
    {"P2-cord", "P2", E, [](PowerHall& d) { d.s.putSetting("rule.p2.c19_a", "5"); }, {"power cord of host1: 9.2 A"}},
    {"P2-tap",
     "P2",
     E,
     [](PowerHall& d) { d.change("t-strip", "maximum_draw: 20000", "maximum_draw: 2500"); },
     {"rack1-strip-a draws 3.0 kW from busway-a", "input rating 2.5 kW"}},
    {"P2-board", "P2", E, [](PowerHall& d) { d.change("t-board", "value: 50", "value: 4"); }, {"board-a carries 5.0 kW", "limit 4.0 kW"}},
    {"P2-feeder",
     "P2",
     E,
     [](PowerHall& d) { d.s.putSetting("rule.p2.feeder_a", "10"); },
     {"feeder transformer-a – board-a: worst-case 15 A", "cable ampacity after derating 9 A"}}, // 10 kW / 3 / 230 V / 0.95, and 91 %
    {"P2-ampacity",
     "P2",
     E,
     [](PowerHall& d) { layToBusway(d, "power-cord-c13-c14", 5000); }, // 10 A in air of 40 °C beside others: 0.91 x 0.73
     {"feeder ups-a – busway-a: worst-case 15 A", "cable ampacity after derating 7 A"}},
    {"P3-busway",
     "P3",
     E,
     [](PowerHall& d) { d.change("t-busway", "value: 60,", "value: 8,"); },
     {"busway-a carries 10.0 kW after loss of", "limit 8.0 kW"}},
    {"P3-supplies",
     "P3",
     E,
     [](PowerHall& d) { d.change("t-host", "maximum_draw: 3000", "maximum_draw: 1500"); },
     {"host1 loses power when one feed fails", "the remaining 1 of 2 supplies deliver 1.5 kW, load 2.0 kW"}},
    {"P3-one-way", "P3", E, [](PowerHall& d) { d.s.devices.rack.set(d.strips[1][1], d.racks[3]); }, {"tor1 loses power when", "fails (single feed)"}},
    {"P3-shared",
     "P3",
     E,
     [](PowerHall& d) { d.s.links.to.set(d.stripLinks[1][1], d.s.links.to[d.stripLinks[1][0]]); },
     {"tor1 loses power when busway-a fails: all its feeds pass through it"}},
    {"P4",
     "P4",
     E,
     [](PowerHall& d) {
         d.s.putSetting("rule.p4.least_load_percent", "0");
         d.change("t-strip", "type: iec-60320-c19, power_port: Input}\n  - {name: o2",
                  "type: iec-60320-c19, power_port: Input, feed_leg: A}\n  - {name: o2");
         d.change("t-strip", "o2, type: iec-60320-c19, power_port: Input", "o2, type: iec-60320-c19, power_port: Input, feed_leg: B");
         d.change("t-strip", "o3, type: iec-60320-c19, power_port: Input", "o3, type: iec-60320-c19, power_port: Input, feed_leg: C");
     },
     {"phases of busway-", "kW, imbalance 60 % (allowable"}},
    {"P4-neutral",
     "P4",
     W,
     [](PowerHall& d) {
         d.s.putSetting("rule.p4.third_harmonic_percent", "100");
         d.s.putSetting("rule.p4.neutral_percent", "20");
     },
     {"about 23 A in the neutral of busway", "25 % of the phase current (allowable"}}, // 5 kW / 230 V / 0.95
    {"P5-plug",
     "P5",
     E,
     [](PowerHall& d) { d.change("t-strip", "iec-60320-c19", "iec-60320-c13"); },
     {"plug iec-60320-c20 of host1 does not match outlet iec-60320-c13 of rack1-strip-a"}},
    {"P5-none-left",
     "P5",
     E,
     [](PowerHall& d) { d.change("t-strip", "  - {name: o3, type: iec-60320-c19, power_port: Input}\n", ""); },
     {"2 power cords of host3 without a free outlet on"}},
    {"P5-group",
     "P5",
     E,
     [](PowerHall& d) {
         d.s.putSetting("rule.p5.group_outlets", "2");
         d.s.putSetting("rule.p5.group_a", "10");
     },
     {"outlet group 1 of rack1-strip-", "18.3 A with one feed lost, breaker limit 10 A"}},
    {"P6-leg",
     "P6",
     E,
     [](PowerHall& d) {
         legs(d);
         d.change("t-strip", "value: 20,", "value: 9,");
     },
     {"phase A of rack1-strip-", "worst-case 4.0 kW (4.2 kVA)", "limit 3.0 kW (3.2 kVA)"}},
    {"P6", "P6", E, [](PowerHall& d) { d.change("t-busway", "value: 60,", "value: 4,"); }, {"busway-a carries 5.0 kW", "limit 4.0 kW"}},
    {"P6-kva",
     "P6",
     E,
     [](PowerHall& d) { // 0.8 x 6 kVA x 0.95 = 4.56 kW
         d.change("t-busway", "power: {element: busway}", "power: {element: busway, apparent: {value: 6, unit: kVA, source: t, confidence: A}}");
     },
     {"busway-a carries 5.0 kW", "4.6 kW (80 % of 6 kVA at power factor 0.95)"}},
    {"P6-drop", "P6", E, [](PowerHall& d) { d.s.putSetting("rule.p6.busway_drop_per_100m", "1500"); }, {"% at worst-case load, allowable"}},
    {"P6-feeder", // 100 m of 6 mm2: 3.93 mOhm/m warm, 0.1 at 50 Hz; 10 kW at 398 V lose 10,000 x (0.393 + 0.01 x 0.329) / 398^2
     "P6",
     E,
     [](PowerHall& d) {
         layToBusway(d, "cable-lv-5x6", 100'000);
         d.s.putSetting("rule.p6.total_drop_percent", "2");
     },
     {"busway-a: voltage drop 2.5 % from the last transformer or UPS", "allowable 2.0 %"}},
    {"P7", "P7", E, [](PowerHall& d) { d.change("t-ups", "value: 12", "value: 9"); }, {"carries 10.0 kW (111 % of its rating) after loss of"}},
    {"P7-near", "P7", W, [](PowerHall& d) { d.change("t-ups", "value: 12", "value: 11"); }, {"(91 % of its rating)"}},
    {"P8",
     "P8",
     W,
     [](PowerHall& d) { d.change("t-ups", "value: 2, unit: kWh", "value: 1, unit: kWh"); },
     {"4.4 min at end of life with"}}, // 60 x 0.8 x 0.95 x 0.975 / 10
    {"P8-power",
     "P8",
     W,
     [](PowerHall& d) { d.change("t-ups", "value: 2, unit: kWh", "value: 1.5, unit: kWh"); },
     {"delivers up to 9.0 kW", "the worst-case load is 10.3 kW"}}, // 6 kW a kWh; 10 kW through an inverter of 97.5 %
    {"P8-start",
     "P8",
     W,
     [](PowerHall& d) { d.s.putSetting("impact.generator_start_s", "600"); },
     {"8.9 min at end of life with", "% remaining), required 10.0 min"}},
    {"P8-unstated",
     "P8",
     I,
     [](PowerHall& d) { d.change("t-ups", ", battery: {value: 2, unit: kWh, source: t, confidence: A}", ""); },
     {"battery energy of ups-a not specified: autonomy unknown"}},
    {"P9", "P9", E, [](PowerHall& d) { d.change("t-generator", "value: 12", "value: 4"); }, {"generator-a carries 5.0 kW", "limit 4.0 kW"}},
    {"P9-step",
     "P9",
     W,
     [](PowerHall& d) { d.change("t-ups", "element: ups", "element: switchboard"), d.change("t-generator", "value: 12", "value: 8"); },
     {"generator-a takes a load step of 63 % of its rating", "maximum 50 %"}},
    {"P9-prime", "P9", E, [](PowerHall& d) { d.s.putSetting("rule.p9.rating_percent", "30"); }, {"generator-a carries 5.0 kW", "limit 3.6 kW"}},
    {"P10", "P10", E, [](PowerHall& d) { d.change("t-transformer", "value: 20,", "value: 10,"); }, {"transformer-a carries 10.0 kW after loss of"}},
    {"P10-near",
     "P10",
     W,
     [](PowerHall& d) {
         d.change("t-transformer", "value: 20,", "value: 10.6,");
         d.s.putSetting("rule.p10.warn_percent", "45");
     },
     {"continuously, 50 % of its rating (recommended maximum"}},
    {"P10-harmonics",
     "P10",
     I,
     [](PowerHall& d) { d.s.putSetting("rule.p10.thd_percent", "60"); },
     {"carries a load with K-factor 7.4", "rated K-factor 4"}},
    {"P11", "P11", W, [](PowerHall& d) { d.s.putSetting("rule.p11.limit_kw", "5"); }, {"change the load of building by 7.5 kW", "allowable 5.0 kW"}},
    {"P11-ramp",
     "P11",
     W,
     [](PowerHall& d) { d.s.putSetting("rule.p11.ramp_kw_s", "3"); },
     {"change the power of building by 3.8 kW per second", "allowable 3.0 kW"}},
    {"P11-unstated", "P11", I, [](PowerHall& d) { d.s.putSetting("rule.p11.limit_kw", "0"); }, {"UPS and utility load-step limits not specified"}},
    {"P12-substations", // one of 2 x 10 kVA, one of them out: 9.5 kW; 10 kW of IT at the constant PUE
     "P12",
     W,
     [](PowerHall& d) { d.s.putSetting("site.substations", "1"), d.s.putSetting("site.substation_mva", "0.01"); },
     {"12.0 kW of facility power (design basis, PUE 1.20) exceeds what 1 substation delivers with one transformer out: 9.5 kW; 2 of this size are "
      "required, or a load of at most 79 %"}},
    {"P12-feed",
     "P12",
     E,
     [](PowerHall& d) { d.change("t-utility", "value: 50", "value: 8"); },
     {"utility-a must supply 10.0 kW", "capacity 8.0 kW"}},
    {"P12-contract",
     "P12",
     E,
     [](PowerHall& d) {
         const SiteId site = d.s.sites.insert();
         d.s.sites.name.set(site, "site");
         d.s.sites.contract.set(site, watts(9'000));
         d.s.buildings.site.set(d.building, site);
     },
     {"site draws 12.0 kW from its utility", "contracted 9.0 kW"}},
    {"P15-hall", "P15", E, [](PowerHall& d) { d.s.halls.itLimit.set(d.hall, watts(9'000)); }, {"IT load of hall: 10.0 kW", "hall limit of 9.0 kW"}},
    {"S1-depth", "S1", E, [](PowerHall& d) { backToBack(d, "700"); }, {"agg1 and agg2 are back to back in U1 of rack4", "rack depth 1.2 m"}},
    {"S1-through",
     "S1",
     E,
     [](PowerHall& d) {
         d.s.devices.u.set(d.agg[1], 1);
         d.s.devices.face.set(d.agg[1], Face::Rear);
     },
     {"agg1 (U1) and agg2 (U1) overlap"}},
    {"S3",
     "S3",
     E,
     [](PowerHall& d) { d.s.halls.floorLoad.set(d.hall, KilogramsPerSquareMeter(50)); },
     {"208 kg/m² on its footprint", "floor rating of hall: 50"}},
    {"S3-point",
     "S3",
     E,
     [](PowerHall& d) { d.s.putSetting("rule.s3.point_kg", "40"); },
     {"kg: 49 kg under the most loaded caster, floor rating"}}, // 150 / 4 x 1.3
    {"S4-end",
     "S4",
     W,
     [](PowerHall& d) {
         d.s.putSetting("rule.s4.dead_end_racks", "3");
         d.s.rows.x.set(d.row, Millimeters(800));
     },
     {"row has 4 racks and only 0.8 m to the wall at one end"}},
    {"S5-egress", "S5", E, [](PowerHall& d) { d.s.putSetting("rule.s5.egress_mm", "20000"); }, {"to the nearest door of hall; maximum 20 m"}},
    {"S5-column", "S5", E, [](PowerHall& d) { moveColumn(d, 10700, 10600); }, {"rack1 overlaps column", "1 more"}},
    {"S5-door",
     "S5",
     E,
     [](PowerHall& d) {
         d.s.structures.x1.set(d.door, Millimeters(10000)), d.s.structures.x2.set(d.door, Millimeters(11200));
         for (auto* y : {&d.s.structures.y1, &d.s.structures.y2}) y->set(d.door, Millimeters(9000));
     },
     {"rack1 blocks door"}},
    {"S5-corner", "S5", E, addCorners, {"rack1 is not within the walls of hall"}},
    {"S5-equipment",
     "S5",
     E,
     [](PowerHall& d) {
         d.s.devices.x.set(d.transformer[0], Millimeters(11000));
         d.s.devices.y.set(d.transformer[0], Millimeters(10500));
     },
     {"transformer-a and rack", "overlap"}},
    {"S6",
     "S6",
     E,
     [](PowerHall& d) { d.s.structures.height.set(d.door, Millimeters(1500)); },
     {"rack1 (0.6 m × 1.2 m × 2.3 m) fits through no door of hall"}},
    {"S6-height", "S6", E, [](PowerHall& d) { d.s.halls.clearHeight.set(d.hall, Millimeters(1500)); }, {"hall has a clear height of 1.5 m"}},
    {"S6-crate",
     "S6",
     E,
     [](PowerHall& d) { d.s.putSetting("rule.s6.crate_mm", "300"); },
     {"rack1 (0.6 m × 1.2 m × 2.3 m) fits through no door of hall"}},
    {"S6-lift", "S6", E, [](PowerHall& d) { d.s.putSetting("rule.s6.lift_kg", "120"); }, {"delivery weight 150 kg, elevator capacity 120 kg"}},
    {"S6-lift-door",
     "S6",
     E,
     [](PowerHall& d) {
         d.s.putSetting("rule.s6.crate_mm", "100");
         d.s.putSetting("rule.s6.lift_height_mm", "2350");
     },
     {"delivery height 2.4 m, elevator limit 2.35 m"}},
    {"S6-lift-depth", "S6", E, [](PowerHall& d) { d.s.putSetting("rule.s6.lift_depth_mm", "1100"); }, {"depth 1.2 m, elevator depth 1.1 m"}},
    {"S7-open", "S7", W, [](PowerHall& d) { d.s.putSetting("rule.s7.open_u", "10"); }, {"47 U of rack2 in contained row row are open"}},
    {"S7",
     "S7",
     W,
     [](PowerHall& d) { d.s.racks.along.set(d.racks[3], Millimeters(1950)); },
     {"150 mm gap between rack3 and rack4 in contained row"}},
    {"S8",
     "S8",
     E,
     [](PowerHall& d) { d.s.devices.y.set(d.transformer[0], Millimeters(900)); },
     {"no clear working space in front of transformer-a", "wall of hall"}},
    {"S8-column", "S8", E, [](PowerHall& d) { moveColumn(d, 6000, 2300); }, {"no clear working space in front of transformer-a: blocked by column"}},
    {"N9-rack",
     "N9",
     E,
     [](PowerHall& d) { d.s.devices.rack.set(d.tor[1], d.racks[1]); },
     {"loss of rack2 takes out tor1, tor2, all switches of 4 NICs"}},
    {"N9-busway",
     "N9",
     E,
     [](PowerHall& d) {
         for (const std::size_t r : {1u, 2u}) d.s.links.to.set(d.stripLinks[r][1], d.s.links.to[d.stripLinks[r][0]]);
     },
     {"loss of busway-a takes out tor1, tor2"}},
    {"N9-coolant",
     "N9",
     E,
     [](PowerHall& d) {
         const DeviceId cdu = d.add("cdu", d.powerTier, "t-board");
         d.s.devices.hall.set(cdu, d.hall);
         for (const DeviceId tor : d.tor) d.feed(tor, cdu, Medium::Coolant);
     },
     {"loss of cdu takes out tor1, tor2"}},
    {"N9-backup",
     "N9",
     W,
     [](PowerHall& d) {
         d.s.devices.rack.set(d.backup, d.racks[0]);
         d.s.devices.u.set(d.backup, 20);
     },
     {"loss of rack1 takes out 3 hosts and all 1 of their backup hosts, for example backup"}},
    {"N9-panel", "N9", W, overOnePanel, {"panel carries all links of 3 NICs"}},
    {"N9-tray", "N9", W, overOneSpine, {"spine carries all links of 4 NICs"}},
    {"K4",
     "K4",
     W,
     [](PowerHall& d) { d.s.devices.z.set(d.busway[0], Millimeters(3300)); },
     {"busway-a runs 50 mm from tray1; required separation of power and data: 200 mm"}},
    {"K7",
     "K7",
     W,
     [](PowerHall& d) {
         d.s.trays.erase(d.trays[1]);
         d.s.trays.plane.set(d.trays[0], -1);
     },
     {"tray1 carries cables between switches of planes 1 and 2 of backend"}},
    {"K7-up",
     "K7",
     W,
     [](PowerHall& d) {
         overOneSpine(d);
         d.s.networks.planes.set(d.network, 1);
         for (const std::size_t r : {0u, 1u}) link(d, d.tor[r], d.agg[1 - r]);
     },
     {"all 2 uplinks of tor1 run through", "1 more"}},
    {"K7-sides",
     "K7",
     W,
     [](PowerHall& d) { d.s.putSetting("rule.k7.busway_mm", "300"); },
     {"busway-a and busway-b are the A and B feeds of one row and 100 mm apart", "required: 300 mm"}},
};

CheckResult checked(const Figures& figures, const CheckOptions& options = {})
{
    auto result = check(figures, options);
    if (!result) throw std::runtime_error(result.error().text());
    return std::move(*result);
}

std::vector<std::string> testedRules()
{
    std::set<std::string> ids;
    for (const Project& p : kProjects) ids.insert(p.rule);
    return {ids.begin(), ids.end()};
}

QString told(const CheckResult& result)
{
    QString all;
    for (const Finding& f : result.findings)
        all += QString::fromStdString(f.rule + " " + std::string(severityName(f.severity)) + ": " + words(f.message) + "\n");
    return all;
}

} // namespace

/// Other rules that a break touches.
const std::map<std::string_view, const char*> kTouched = {
    {"P1-dead", "P3"},      {"P1-dead-way", "P3"},   {"P3-supplies", "N9"}, {"P3-one-way", "P1"}, {"P6-leg", "P4"},
    {"S5-equipment", "S8"}, {"N9-rack", "S1"},       {"N9-busway", "P3"},   {"N9-coolant", "P1"}, {"N9-backup", "P5"},
    {"N9-panel", "P1 P3"},  {"N9-tray", "K4 K7 S7"}, {"K7-up", "K4 N9 S7"}};

class PlantRulesTest : public QObject {
    Q_OBJECT

private slots:
    void soundDesignIsSilent()
    {
        const PowerHall d;
        QCOMPARE(told(checked(*d.figures(), {testedRules(), {}})), QString());
    }

    void broken_data()
    {
        QTest::addColumn<int>("project");
        for (int i = 0; i < int(std::size(kProjects)); ++i) QTest::newRow(kProjects[i].name) << i;
    }

    /// The rule speaks as it should, says the same after an update of the figures, and again under the same id.
    void broken()
    {
        QFETCH(int, project);
        const Project& p = kProjects[project];
        PowerHall sound, d;
        p.change(d);
        d.s.revision = 2;
        const FiguresPtr before = sound.figures(), after = d.figures();
        const CheckResult result = checked(*after, {{p.rule}, {}});
        bool said = false;
        for (const Finding& f : result.findings) {
            const std::string message = words(f.message);
            said = said || (f.severity == p.severity && !f.entities.empty() && f.id.starts_with(std::string(p.rule) + '@') &&
                            std::ranges::all_of(p.says, [&](const char* part) { return message.find(part) != std::string::npos; }));
        }
        QVERIFY2(said, qPrintable(told(result)));

        (void)checked(*before);
        const auto updated = updateFigures(before, after->snapshot, difference(*before->snapshot, *after->snapshot, {})).value();
        QVERIFY(checked(*updated).findings == checked(*after).findings);
    }

    void nothingElseSpeaks_data() { broken_data(); }

    /// Of all rules that this design is held against, only the broken one speaks, and those that its break touches, too.
    void nothingElseSpeaks()
    {
        QFETCH(int, project);
        const Project& p = kProjects[project];
        PowerHall d;
        p.change(d);
        std::set<std::string> others;
        for (const Finding& f : checked(*d.figures(), {testedRules(), {}}).findings)
            if (f.rule != p.rule) others.insert(f.rule);
        std::string all;
        for (const std::string& id : others) all += (all.empty() ? "" : " ") + id;
        const auto known = kTouched.find(p.name);
        QCOMPARE(QString::fromStdString(all), known == kTouched.end() ? QString() : QString::fromLatin1(known->second));
    }

    /// Both sides on one utility: only the generators cover its loss. Without these it is P3's.
    void bothFeedsOnOneUtility()
    {
        PowerHall d;
        const auto said = [&] { return told(checked(*d.figures(), {{"P20"}, {}})); };
        QCOMPARE(said(), QString());
        d.s.links.erase(d.utilityLinks[1]);
        d.utilityLinks[1] = d.feed(d.transformer[1], d.utility[0]);
        QVERIFY2(said().contains("both feeds of 10.0 kW of IT load depend on utility-a, and only the generators cover its loss"), qPrintable(said()));
        for (const DeviceId set : d.generator) d.s.devices.erase(set);
        QCOMPARE(said(), QString());
    }

    /// Sets that idle: 5 kW each with no utility, of 12 and of 20 kW.
    void setsThatIdle()
    {
        PowerHall d;
        const auto said = [&] { return told(checked(*d.figures(), {{"P19"}, {}})); };
        QCOMPARE(said(), QString());
        d.change("t-generator", "value: 12", "value: 20");
        QVERIFY2(said().contains("runs at 25 % of its rating during a utility outage (minimum 30 %)"), qPrintable(said()));
        d.s.putSetting("rule.p19.percent", "20");
        QCOMPARE(said(), QString());
    }

    /// Thresholds decide: what each of these rules says ends when its setting allows it.
    void thresholdsAreSettings()
    {
        PowerHall d;
        d.change("t-ups", "value: 12", "value: 11");
        QCOMPARE(checked(*d.figures(), {{"P7"}, {}}).warnings, std::size_t(1));
        d.s.putSetting("rule.p7.warn_percent", "95");
        QCOMPARE(checked(*d.figures(), {{"P7"}, {}}).warnings, std::size_t(0));
        d.s.devices.z.set(d.busway[0], Millimeters(3300));
        QCOMPARE(checked(*d.figures(), {{"K4"}, {}}).warnings, std::size_t(1));
        d.s.putSetting("rule.k4.separation_mm", "40");
        QCOMPARE(checked(*d.figures(), {{"K4"}, {}}).warnings, std::size_t(0));
    }

    /// Cords of a device that the loss of a side darkens carry no more than with both sides.
    void cordsOfWhatGoesDark()
    {
        PowerHall d;
        d.s.putSetting("rule.p2.c19_a", "5"); // half of 2 kW is 4.6 A
        QCOMPARE(checked(*d.figures(), {{"P2"}, {}}).errors, std::size_t(1));
        d.change("t-host", "maximum_draw: 3000", "maximum_draw: 1500");
        QCOMPARE(checked(*d.figures(), {{"P2"}, {}}).errors, std::size_t(0));
    }

    /// Many alike are one finding, whose id stays when things are renamed and changes when the group does.
    void groupsHaveStableIds()
    {
        PowerHall d;
        d.change("t-host", "maximum_draw: 3000", "maximum_draw: 1500");
        const auto id = [&] {
            const auto found = checked(*d.figures(), {{"P3"}, {}}).findings;
            return found.size() == 1 ? found[0].id : std::string("several");
        };
        const std::string first = id();
        QVERIFY(first.starts_with("P3@supplies|hall|t-host#"));
        d.s.devices.name.set(d.hosts[0], "renamed");
        QCOMPARE(id(), first);
        d.s.devices.type.set(d.hosts[2], d.part("t-switch"));
        QVERIFY(id() != first);
    }

    /// Shallow devices from both sides of a rack share its units; what lies in trays of the own row does not count.
    void soundBesideTheBroken()
    {
        PowerHall d;
        backToBack(d, "500");
        QCOMPARE(told(checked(*d.figures(), {{"S1"}, {}})), QString());
        PowerHall inRow;
        inRow.s.networks.planes.set(inRow.network, 1);
        for (const std::size_t r : {0u, 1u}) link(inRow, inRow.tor[r], inRow.agg[1 - r]);
        QCOMPARE(told(checked(*inRow.figures(), {{"K7", "N9"}, {}})), QString());
        PowerHall single; // declared to depend on side A alone
        single.s.devices.side.set(single.strips[0][1], PowerSide::A);
        for (const DeviceId host : single.hosts) single.s.devices.side.set(host, PowerSide::A);
        QCOMPARE(told(checked(*single.figures(), {{"P1"}, {}})), QString());
        PowerHall even;
        legs(even);
        QCOMPARE(told(checked(*even.figures(), {{"P6"}, {}})), QString());
    }

    /// On the nameplate basis hosts draw more: the check follows its own basis, not the project's.
    void basisOfTheCheck()
    {
        PowerHall d;
        d.change("t-host", "nameplate_power: {value: 2000", "nameplate_power: {value: 3500");
        QCOMPARE(checked(*d.figures(), {{"P3"}, {}}).errors, std::size_t(0));
        QVERIFY(checked(*d.figures(), {{"P3"}, PowerBasis::Nameplate}).errors > 0); // 3.5 kW from one supply of 3 kW
    }

    void listOfRules()
    {
        const auto json = nlohmann::json::parse(rulesJson());
        QCOMPARE(json["schema"].get<std::string>(), std::string("hallwright.rules/1"));
        QCOMPARE(json["rules"].size(), allRules().size() + airRules().size());
        std::set<std::string> ids;
        for (const auto& rule : json["rules"]) {
            ids.insert(rule["id"].get<std::string>());
            QVERIFY(!rule["title"].get<std::string>().empty());
            for (const auto& t : rule["thresholds"]) {
                QVERIFY(t["setting"].get<std::string>().starts_with("rule."));
                QVERIFY(t["value"].is_number());
                QVERIFY(!t["source"].get<std::string>().empty());
            }
        }
        for (const std::string& id : testedRules()) QVERIFY2(ids.contains(id), id.c_str());
        QVERIFY(rulesText().find("rule.p2.continuous_percent") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(PlantRulesTest)
#include "plant_rules_test.moc"
