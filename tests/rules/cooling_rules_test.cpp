// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/rules/check.h"
#include "tests/cooling/cooling_hall.h"

#include <QtTest>

#include <algorithm>

using namespace hw;

namespace {

using Size = CoolingHall::Size;

struct Project {
    const char *name, *rule;
    Severity severity;
    Size size;
    void (*change)(CoolingHall&);
    std::initializer_list<const char*> says; ///< parts of the message of one of its findings
};

constexpr auto E = Severity::Error, W = Severity::Warning, I = Severity::Info;

/// A utility that feeds all that draws power, over a UPS (`behind`) or not.
void addPower(CoolingHall& h, bool behind)
{
    const TierId tier = h.s.tiers.insert();
    h.s.tiers.name.set(tier, "power"), h.s.tiers.key.set(tier, "power");
    h.s.tiers.kind.set(tier, TierKind::Power);
    const DeviceId utility = h.add("utility", tier, "utility-20kv-25mva"), ups = h.add("ups", tier, "ups-1250kw");
    h.feed(ups, utility);
    std::vector<DeviceId> drawing = h.cabinets;
    for (const auto* list : {&h.cdus, &h.fans, &h.pumps, &h.chillers}) drawing.insert(drawing.end(), list->begin(), list->end());
    for (const DeviceId id : drawing) h.feed(id, behind ? ups : utility);
}

const Project kProjects[] = {
    {"C1",
     "C1",
     E,
     {},
     [](CoolingHall& h) { h.erase(h.manifolds[4]); },
     {"rack5 rejects 112.0 kW to liquid, but has no coolant supply", "139 L/min of pg25"}},
    {"C1-air-cooled",
     "C1",
     E,
     {28, 0, 3, 2, 4},
     [](CoolingHall& h) {
         for (const DeviceId id : h.manifolds) h.erase(id);
     },
     {"112.0 kW", "is air-cooled: it requires a CDU loop with 139 L/min of pg25 at 30 °C (12 K)"}},
    {"C1-pumps",
     "C1",
     E,
     {},
     [](CoolingHall& h) { h.change("c-cdu", "value: 1625", "value: 700"); },
     {"receives 100 L/min of the 139 L/min required for"}},
    {"C1-head", "C1", E, {}, [](CoolingHall& h) { h.change("c-cdu", "value: 244", "value: 60"); }, {"of the 139 L/min"}},
    {"C2", "C2", E, {28, 3, 3, 2, 4}, [](CoolingHall&) {}, {"hall liquid must remove 3.20 MW", "3 of 3 units required, no redundancy"}},
    {"C2-short", "C2", E, {28, 2, 3, 2, 4}, [](CoolingHall&) {}, {"insufficient capacity even with all 2 units"}},
    {"C2-flow", "C2", E, {}, [](CoolingHall& h) { h.change("c-cdu", "value: 1625", "value: 1200"); }, {"4 of 4 units required, no redundancy"}},
    {"C2-warm-water",
     "C2",
     E,
     {},
     [](CoolingHall& h) { h.s.putSetting("cooling.facility_supply_c", "29.8"); },
     {"insufficient capacity even with all 4 units"}},
    {"C2-own", "C2", W, {1, 1, 2, 2, 2}, [](CoolingHall&) {}, {"1 of 1 units required, no redundancy"}},
    {"C3-warm", "C3", E, {}, [](CoolingHall& h) { h.s.putSetting("cooling.coolant_supply_c", "46"); }, {"46.0 °C", "allows 45.0 °C maximum"}},
    {"C3-dew",
     "C3",
     E,
     {},
     [](CoolingHall& h) { h.s.putSetting("site.dew_point_c", "28.5"); },
     {"°C; at least 2.0 K above the dew point of 28.5 °C required to prevent condensation in cabinets"}},
    {"C3-coil", "C3", E, {}, [](CoolingHall& h) { h.s.putSetting("cooling.facility_supply_c", "24"); }, {"requires 22.0 °C or lower"}},
    {"C4", "C4", E, {28, 4, 2, 2, 4}, [](CoolingHall&) {}, {"784.0 kW", "2 of 2 units required, no redundancy"}},
    {"C4-flow", "C4", E, {}, [](CoolingHall& h) { h.change("c-fan", "value: 31.1", "value: 16"); }, {"3 of 3 units required, no redundancy"}},
    {"C4-none", "C4", E, {28, 4, 0, 2, 4}, [](CoolingHall&) {}, {"no fan wall or air handler"}},
    {"C5",
     "C5",
     W,
     {},
     [](CoolingHall& h) { h.s.putSetting("cooling.air_supply_c", "28"); },
     {"rack inlet air of hall: 28.0 °C", "recommended maximum 27 °C"}},
    {"C5-hot", "C5", E, {}, [](CoolingHall& h) { h.s.putSetting("cooling.air_supply_c", "36"); }, {"°C, allowable 35 °C"}},
    {"C5-coil",
     "C5",
     E,
     {},
     [](CoolingHall& h) { h.change("c-fan", "cooling:\n", "cooling:\n  approach: {value: 6, unit: K, source: t, confidence: A}\n"); },
     {"cannot supply air below 26.0 °C ("}},
    {"C6",
     "C6",
     W,
     {},
     [](CoolingHall& h) { h.change("c-cabinet", "is_full_depth: true\n", "is_full_depth: true\nairflow: rear-to-front\n"); },
     {"draws air from the hot aisle: reverse it, or use the variant with the opposite airflow direction"}},
    {"C6-turned",
     "C6",
     W,
     {},
     [](CoolingHall& h) {
         h.change("c-cabinet", "is_full_depth: true\n", "is_full_depth: true\nairflow: front-to-rear\n");
         h.s.devices.face.set(h.cabinets[2], Face::Rear);
     },
     {"cabinet3 in rack3 draws air from the hot aisle: reverse it, or use the variant with the opposite airflow direction"}},
    {"C7-header",
     "C7",
     W,
     {},
     [](CoolingHall& h) { h.change("c-header", "value: 161.5", "value: 110"); },
     {"coolant velocity in header", "maximum 1.83 m/s"}},
    {"C7-hose",
     "C7",
     W,
     {},
     [](CoolingHall& h) { h.erase(h.hoses[0]); },
     {"coolant velocity from header1 to manifold1: 4.", "139 L/min in 25 mm", "maximum 3.05 m/s"}},
    {"C7-rating",
     "C7",
     W,
     {},
     [](CoolingHall& h) { h.change("hose-lqc-1in", "rated_flow: {value: 100", "rated_flow: {value: 60"); },
     {"hose from header", "flow 69.", "exceeds the rating of the quick disconnects (60.0 L/min)"}},
    {"C7-head", "C7", W, {}, [](CoolingHall& h) { h.change("c-cdu", "value: 244", "value: 130"); }, {"kPa available; required margin 10 %"}},
    {"C7-pressure",
     "C7",
     W,
     {},
     [](CoolingHall& h) { h.change("c-cdu", "value: 244", "value: 552"); },
     {"is rated for 345 kPa", "add up to 552 kPa", "or limit the pump head"}},
    {"C7-bears",
     "C7",
     W,
     {},
     [](CoolingHall& h) {
         h.change("c-manifold", "  isolates: true\n", "  isolates: true\n  bears: {value: 200, unit: kPa, source: t, confidence: A}\n");
     },
     {"manifold", "is rated for 200 kPa", "add up to 244 kPa to a fill pressure of 50 kPa: use a higher pressure rating, or limit the pump head"}},
    {"C7-plate",
     "C7",
     W,
     {},
     [](CoolingHall& h) { h.change("c-cabinet", "cooling:\n", "cooling:\n  bears: {value: 2.5, unit: bar, source: t, confidence: A}\n"); },
     {"cabinet", "is rated for 250 kPa"}},
    {"C7-hose",
     "C7",
     W,
     {},
     [](CoolingHall& h) { h.change("hose-lqc-1in", "value: 75, unit: psi", "value: 40, unit: psi"); },
     {"hose from", "is rated for 276 kPa"}},
    {"C7-relief",
     "C7",
     W,
     {},
     [](CoolingHall& h) {
         h.change("c-cdu", "value: 244", "value: 552");
         h.change("c-cdu", "  pumps: 2\n", "  pumps: 2\n  relief: {value: 400, unit: kPa, source: t, confidence: A}\n");
     },
     {"is rated for 345 kPa", "the relief valves of", "open at 400 kPa"}},
    {"C8", "C8", E, {28, 4, 3, 2, 3}, [](CoolingHall&) {}, {"out, 3.30 MW of capacity remains at 35 °C outdoor"}},
    {"C8-hot", "C8", E, {}, [](CoolingHall& h) { h.s.putSetting("site.ambient_c", "45"); }, {"of capacity remains at 45 °C outdoor and"}},
    {"C8-beyond", "C8", E, {}, [](CoolingHall& h) { h.s.putSetting("site.ambient_c", "50"); }, {"0.0 kW of capacity remains at 50 °C outdoor"}},
    {"C8-pump", "C8", E, {28, 4, 3, 1, 4}, [](CoolingHall&) {}, {"needs 1 of its 1 units or pumps", "L/min; required redundancy: N+1"}},
    {"C8-dry",
     "C8",
     E,
     {},
     [](CoolingHall& h) {
         std::vector<LinkId> links;
         h.s.links.forEach([&](LinkId id) {
             if (h.s.ports.device[h.s.links.from[id]] == h.cdus[1]) links.push_back(id);
         });
         for (const LinkId id : links) h.erase(id);
     },
     {"cdu2 is not connected to a water loop: connect it to a facility water header"}},
    {"C9", "C9", W, {}, [](CoolingHall& h) { addPower(h, false); }, {"ride-through", "not on UPS", "610 s"}},
    {"C10",
     "C10",
     I,
     {},
     [](CoolingHall& h) { addPower(h, true), h.s.putSetting("site.pue_basis", "constant"); },
     {"result in a PUE of 1.", "limits use 1.20"}},
    {"C11-sensor", "C11", E, {}, [](CoolingHall& h) { h.change("c-manifold", "  leak_sensor: true\n", ""); }, {"rack1 has no leak sensor"}},
    {"C11-valve",
     "C11",
     E,
     {},
     [](CoolingHall& h) { h.change("c-manifold", "  isolates: true\n", ""); },
     {"rack1 cannot be isolated from hall liquid"}},
    {"C12", "C12", W, {}, [](CoolingHall& h) { h.s.rows.y.set(h.rows[0], Millimeters(500)); }, {"cold aisle of row1: 21.7 m³/s at"}},
    {"C12-coil",
     "C12",
     W,
     {},
     [](CoolingHall& h) { h.change("c-fan", "value: 12.5", "value: 5"); },
     {"air velocity through fan", "maximum 2.50 m/s"}},
    {"C14",
     "C14",
     W,
     {},
     [](CoolingHall& h) {
         const RackId rack = h.addRack(h.rows[0], 8400);
         h.s.racks.name.set(rack, "air");
         (void)h.addServer(rack, 1);
     },
     {"header1: coolant pipe above 1 air-cooled rack (air); move it"}},
    {"C14-tray",
     "C14",
     W,
     {},
     [](CoolingHall& h) {
         h.s.trays.name.set(h.addRowTray(h.rows[1], 12000, 2500), "fiber");
         const RackId a = h.addRack(h.rows[1], 9000), b = h.addRack(h.rows[1], 9600);
         (void)h.join(h.addSwitch(h.torTier, a, 10), h.addSwitch(h.aggTier, b, 10));
     },
     {"header2: coolant pipe above 1 cable tray (fiber); move it below"}},
    {"C14-power",
     "C14",
     W,
     {},
     [](CoolingHall& h) {
         const TierId power = h.s.tiers.insert();
         h.s.tiers.key.set(power, "board"), h.s.tiers.name.set(power, "board");
         h.s.tiers.kind.set(power, TierKind::Power);
         for (const int x : {36000, 40000}) {
             const DeviceId board = h.add("board" + std::to_string(x), power, "switchboard-800a");
             h.s.devices.hall.set(board, h.hall);
             h.s.devices.x.set(board, Millimeters(x)), h.s.devices.y.set(board, Millimeters(20000));
         }
         const TrayId tray = h.addSpine(h.hall, {30000, 20300, 3500}, {42000, 20300, 3500});
         h.s.trays.name.set(tray, "pipes"), h.s.trays.carries.set(tray, Carries::Coolant);
     },
     {"pipes: coolant pipe above 2 items of power equipment (for example board36000); move it"}},
    {"C15",
     "C15",
     W,
     {},
     [](CoolingHall& h) { h.change("c-cabinet", "liquid_share: {value: 80", "liquid_share: {value: 50"); },
     {"rejects 70.0 kW to air", "limit 32.1 kW (air-cooling units of hall: 900.0 kW for its racks with 1 unit out): cool 37.9 kW of it with liquid",
      "or add 3 air-cooling units"}},
    {"C15-front",
     "C15",
     W,
     {28, 4, 6, 2, 6},
     [](CoolingHall& h) { h.change("c-cabinet", "liquid_share: {value: 80", "liquid_share: {value: 70"); },
     {"rejects 42.0 kW to air", "limit 36.0 kW (front opening of 1.03 m² at 2.15 m/s, 90 % supply air without containment): cool 6.0 kW",
      "or distribute its devices over 2 racks"}},
    {"C15-open",
     "C15",
     W,
     {28, 4, 6, 2, 6},
     [](CoolingHall& h) { h.change("c-cabinet", "liquid_share: {value: 80", "liquid_share: {value: 73"); },
     {"rejects 37.8 kW to air", "or contain its aisle (limit 40.0 kW)"}},
    {"C15-contained",
     "C15",
     W,
     {28, 4, 6, 2, 6},
     [](CoolingHall& h) {
         h.change("c-cabinet", "liquid_share: {value: 80", "liquid_share: {value: 70");
         for (const RowId row : h.rows) h.s.rows.containment.set(row, Containment::HotAisle);
     },
     {"limit 40.0 kW (front opening of 1.03 m² at 2.15 m/s): cool 2.0 kW"}},
    {"C15-setting",
     "C15",
     W,
     {},
     [](CoolingHall& h) { h.s.putSetting("rule.c15.rack_kw", "25"); },
     {"rejects 28.0 kW to air", "limit 25.0 kW (project setting): cool 3.0 kW"}},
};

const char* kRules[] = {"C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "C10", "C11", "C12", "C14", "C15"};

std::vector<Finding> findings(CoolingHall& h, std::vector<std::string> rules)
{
    const auto figures = figuresOf(h.snapshot()).value();
    return check(*figures, {std::move(rules), {}}).value().findings;
}

} // namespace

class CoolingRulesTest : public QObject {
    Q_OBJECT
private slots:
    void soundDesignIsSilent()
    {
        CoolingHall h;
        for (const Finding& f : findings(h, {std::begin(kRules), std::end(kRules)})) QFAIL((f.rule + ": " + words(f.message)).c_str());
    }
    /// Every rule, one broken design at least; each speaks of its own only.
    void broken_data()
    {
        QTest::addColumn<int>("number");
        for (int i = 0; i < int(std::size(kProjects)); ++i) QTest::newRow(kProjects[i].name) << i;
    }
    void broken()
    {
        QFETCH(int, number);
        const Project& p = kProjects[number];
        CoolingHall h(p.size);
        p.change(h);
        const auto found = findings(h, {p.rule});
        std::string all;
        for (const Finding& f : found) all += words(f.message) + "\n";
        QVERIFY2(!found.empty(), "nothing found");
        const auto says = [&](const Finding& f) {
            return std::ranges::all_of(p.says, [&](const char* part) { return words(f.message).find(part) != std::string::npos; });
        };
        const auto hit = std::ranges::find_if(found, says);
        QVERIFY2(hit != found.end(), all.c_str());
        QVERIFY2(hit->severity == p.severity, all.c_str());
        QCOMPARE(hit->id.substr(0, hit->id.find('@')), std::string(p.rule));
    }
    /// A relief valve that opens below what the parts bear makes the head of the pumps harmless; a part that bears more than a setting allows, too.
    void whatIsRelievedIsSilent()
    {
        for (const char* how : {"relief", "bears"}) {
            CoolingHall h;
            h.change("c-cdu", "value: 244", "value: 552");
            const std::string fact =
                std::string("  ") + how + ": {value: " + (how[0] == 'r' ? "340" : "700") + ", unit: kPa, source: t, confidence: A}\n";
            const bool relief = how[0] == 'r';
            h.change(relief ? "c-cdu" : "c-manifold", relief ? "  pumps: 2\n" : "  isolates: true\n",
                     (relief ? "  pumps: 2\n" : "  isolates: true\n") + fact);
            if (!relief) h.change("hose-lqc-1in", "value: 75, unit: psi", "value: 100, unit: psi");
            for (const Finding& f : findings(h, {"C7"})) QFAIL((std::string(how) + ": " + words(f.message)).c_str());
        }
    }
    /// A pipe beside what would get wet, or below it, is none above it.
    void pipesBesideAndBelow()
    {
        for (const auto& [y, z] : {std::pair(17000, 3500), std::pair(20300, 100)}) {
            CoolingHall h;
            const TierId power = h.s.tiers.insert();
            h.s.tiers.kind.set(power, TierKind::Power);
            const DeviceId board = h.add("board", power, "switchboard-800a");
            h.s.devices.hall.set(board, h.hall);
            h.s.devices.x.set(board, Millimeters(36000)), h.s.devices.y.set(board, Millimeters(20000));
            h.s.trays.carries.set(h.addSpine(h.hall, {30000, y, z}, {42000, y, z}), Carries::Coolant);
            for (const Finding& f : findings(h, {"C14"})) QFAIL(words(f.message).c_str());
        }
    }
    /// C15: a larger temperature rise needs less air through the rack.
    void airOfTheHall()
    {
        CoolingHall h({28, 4, 6, 2, 6});
        h.change("c-cabinet", "liquid_share: {value: 80", "liquid_share: {value: 70");
        h.s.putSetting("cooling.air_delta_k", "20");
        for (const Finding& f : findings(h, {"C15"})) QFAIL(words(f.message).c_str());
    }
    void everyRuleIsBroken()
    {
        for (const char* rule : kRules)
            QVERIFY2(std::ranges::any_of(kProjects, [&](const Project& p) { return std::string_view(p.rule) == rule; }), rule);
    }
    /// Without anything that cools, a design leaves cooling to others.
    void designWithoutCoolingIsSilent()
    {
        test::SmallHall h;
        const RowId row = h.addRow(4000, 6000);
        (void)h.addServer(h.addRack(row, 0), 1);
        const auto figures = h.figures();
        const auto result = check(*figures, {{std::begin(kRules), std::end(kRules)}, {}});
        for (const Finding& f : result.value().findings) QFAIL(words(f.message).c_str());
    }
};

QTEST_GUILESS_MAIN(CoolingRulesTest)
#include "cooling_rules_test.moc"
