// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/check.h"
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
        d.s.corners.x.set(id, Millimetres(corners[i].first)), d.s.corners.y.set(id, Millimetres(corners[i].second));
    }
}

void moveColumn(PowerHall& d, int x, int y)
{
    for (auto* c : {&d.s.structures.x1, &d.s.structures.x2}) c->set(d.column, Millimetres(x));
    for (auto* c : {&d.s.structures.y1, &d.s.structures.y2}) c->set(d.column, Millimetres(y));
}

const Project kProjects[] = {
    {"P1-rack",
     "P1",
     E,
     [](PowerHall& d) {
         for (const DeviceId strip : d.strips[1]) d.s.devices.rack.set(strip, d.racks[3]);
     },
     {"tor1 gets no power: rack2 has neither a power strip nor a shelf"}},
    {"P1-dead", "P1", E, [](PowerHall& d) { d.s.links.erase(d.stripLinks[0][1]); }, {"nothing feeds rack1-strip-b"}},
    {"P1-dead-way", "P1", E, [](PowerHall& d) { d.s.links.erase(d.stripLinks[0][1]); }, {"1 of 2 ways of power of host1 is dead", "2 more"}},
    {"P1-side", "P1", E, [](PowerHall& d) { d.s.devices.side.set(d.strips[0][1], PowerSide::A); }, {"all 2 ways of power of host1 come from side A"}},
    {"P1-no-utility",
     "P1",
     W,
     [](PowerHall& d) {
         for (const LinkId link : d.utilityLinks) d.s.links.erase(link);
     },
     {"no utility feed is modelled"}},
    {"P1-one-utility", "P1", E, [](PowerHall& d) { d.s.links.erase(d.utilityLinks[1]); }, {"ends at transformer-b, which no utility feeds"}},
    {"P2-cord", "P2", E, [](PowerHall& d) { d.s.putSetting("rule.p2.c19_a", "5"); }, {"a power cord of host1 carries 9.2 A"}},
    {"P2-tap", "P2", E, [](PowerHall& d) { d.change("t-strip", "maximum_draw: 20000", "maximum_draw: 2500"); }, {"rack1-strip-a takes 3.0 kW"}},
    {"P2-board", "P2", E, [](PowerHall& d) { d.change("t-board", "value: 50", "value: 4"); }, {"board-a carries 5.0 kW", "may carry 4.0 kW"}},
    {"P3-busway",
     "P3",
     E,
     [](PowerHall& d) { d.change("t-busway", "value: 60,", "value: 8,"); },
     {"busway-a carries 10.0 kW when", "may carry 8.0 kW"}},
    {"P3-supplies",
     "P3",
     E,
     [](PowerHall& d) { d.change("t-host", "maximum_draw: 3000", "maximum_draw: 1500"); },
     {"host1 goes dark with one side", "the 1 of 2 supplies that are left carry 1.5 kW, it draws 2.0 kW"}},
    {"P3-one-way", "P3", E, [](PowerHall& d) { d.s.devices.rack.set(d.strips[1][1], d.racks[3]); }, {"tor1 goes dark with", "its only way"}},
    {"P3-shared",
     "P3",
     E,
     [](PowerHall& d) { d.s.links.to.set(d.stripLinks[1][1], d.s.links.to[d.stripLinks[1][0]]); },
     {"tor1 goes dark with busway-a, on which all its ways"}},
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
     {"the phases of busway-", "60 % apart"}},
    {"P5-plug",
     "P5",
     E,
     [](PowerHall& d) { d.change("t-strip", "iec-60320-c19", "iec-60320-c13"); },
     {"the plug iec-60320-c20 of host1 does not go into the outlet iec-60320-c13 of rack1-strip-a"}},
    {"P5-none-left",
     "P5",
     E,
     [](PowerHall& d) { d.change("t-strip", "  - {name: o3, type: iec-60320-c19, power_port: Input}\n", ""); },
     {"2 power cords of host3 find no free outlet"}},
    {"P6", "P6", E, [](PowerHall& d) { d.change("t-busway", "value: 60,", "value: 4,"); }, {"busway-a carries 5.0 kW", "it may carry 4.0 kW"}},
    {"P6-kva",
     "P6",
     E,
     [](PowerHall& d) { // 0.8 x 6 kVA x 0.95 = 4.56 kW
         d.change("t-busway", "power: {element: busway}", "power: {element: busway, apparent: {value: 6, unit: kVA, source: t, confidence: A}}");
     },
     {"busway-a carries 5.0 kW", "4.6 kW (80 % of 6 kVA at power factor 0.95)"}},
    {"P6-drop", "P6", E, [](PowerHall& d) { d.s.putSetting("rule.p6.busway_drop_per_100m", "1500"); }, {"of the voltage along it"}},
    {"P7", "P7", E, [](PowerHall& d) { d.change("t-ups", "value: 12", "value: 9"); }, {"carries 10.0 kW (111 % of its rating) with", "lost"}},
    {"P7-near", "P7", W, [](PowerHall& d) { d.change("t-ups", "value: 12", "value: 11"); }, {"(91 % of its rating)"}},
    {"P8",
     "P8",
     W,
     [](PowerHall& d) { d.change("t-ups", "value: 2, unit: kWh", "value: 1, unit: kWh"); },
     {"lasts 4.4 min"}}, // 60 x 0.8 x 0.95 x 0.975 / 10
    {"P8-unstated",
     "P8",
     I,
     [](PowerHall& d) { d.change("t-ups", ", battery: {value: 2, unit: kWh, source: t, confidence: A}", ""); },
     {"is not stated"}},
    {"P9", "P9", E, [](PowerHall& d) { d.change("t-generator", "value: 12", "value: 4"); }, {"generator-a carries 5.0 kW", "may carry 4.0 kW"}},
    {"P9-step",
     "P9",
     W,
     [](PowerHall& d) { d.change("t-ups", "element: ups", "element: switchboard"), d.change("t-generator", "value: 12", "value: 8"); },
     {"takes 63 % of its rating at once"}},
    {"P10", "P10", E, [](PowerHall& d) { d.change("t-transformer", "value: 20,", "value: 10,"); }, {"transformer-a carries 10.0 kW with"}},
    {"P10-near",
     "P10",
     W,
     [](PowerHall& d) {
         d.change("t-transformer", "value: 20,", "value: 10.6,");
         d.s.putSetting("rule.p10.warn_percent", "45");
     },
     {"all the time, 50 % of its rating"}},
    {"P11", "P11", W, [](PowerHall& d) { d.s.putSetting("rule.p11.limit_kw", "5"); }, {"swings building by 7.5 kW", "5.0 kW are allowed"}},
    {"P11-unstated", "P11", I, [](PowerHall& d) { d.s.putSetting("rule.p11.limit_kw", "0"); }, {"is not stated"}},
    {"P12-feed",
     "P12",
     E,
     [](PowerHall& d) { d.change("t-utility", "value: 50", "value: 8"); },
     {"utility-a is asked for 10.0 kW", "it gives 8.0 kW"}},
    {"P12-contract",
     "P12",
     E,
     [](PowerHall& d) {
         const SiteId site = d.s.sites.insert();
         d.s.sites.name.set(site, "site");
         d.s.sites.contract.set(site, watts(9'000));
         d.s.buildings.site.set(d.building, site);
     },
     {"site asks its utility for 10.0 kW", "the contract is for 9.0 kW"}},
    {"S3", "S3", E, [](PowerHall& d) { d.s.halls.floorLoad.set(d.hall, KilogramsPerSquareMetre(50)); }, {"the floor of hall bears 50"}},
    {"S5-column", "S5", E, [](PowerHall& d) { moveColumn(d, 10700, 10600); }, {"rack1 stands in column", "1 more"}},
    {"S5-door",
     "S5",
     E,
     [](PowerHall& d) {
         d.s.structures.x1.set(d.door, Millimetres(10000)), d.s.structures.x2.set(d.door, Millimetres(11200));
         for (auto* y : {&d.s.structures.y1, &d.s.structures.y2}) y->set(d.door, Millimetres(9000));
     },
     {"rack1 blocks door"}},
    {"S5-corner", "S5", E, addCorners, {"does not stand within the walls of hall"}},
    {"S5-equipment",
     "S5",
     E,
     [](PowerHall& d) {
         d.s.devices.x.set(d.transformer[0], Millimetres(11000));
         d.s.devices.y.set(d.transformer[0], Millimetres(10500));
     },
     {"transformer-a and rack", "stand in the same place"}},
    {"S6", "S6", E, [](PowerHall& d) { d.s.structures.height.set(d.door, Millimetres(1500)); }, {"goes through no door of hall"}},
    {"S6-height", "S6", E, [](PowerHall& d) { d.s.halls.clearHeight.set(d.hall, Millimetres(1500)); }, {"hall has 1.5 m clear"}},
    {"S7", "S7", W, [](PowerHall& d) { d.s.racks.along.set(d.racks[3], Millimetres(1950)); }, {"150 mm are open between rack3 and rack4"}},
    {"S8",
     "S8",
     E,
     [](PowerHall& d) { d.s.devices.y.set(d.transformer[0], Millimetres(900)); },
     {"transformer-a has no free working space", "the wall of hall"}},
    {"S8-column", "S8", E, [](PowerHall& d) { moveColumn(d, 6000, 2300); }, {"column is in the way"}},
    {"N9-rack",
     "N9",
     E,
     [](PowerHall& d) { d.s.devices.rack.set(d.tor[1], d.racks[1]); },
     {"the loss of rack2 takes tor1, tor2, all switches of 4 network cards"}},
    {"N9-busway",
     "N9",
     E,
     [](PowerHall& d) {
         for (const std::size_t r : {1u, 2u}) d.s.links.to.set(d.stripLinks[r][1], d.s.links.to[d.stripLinks[r][0]]);
     },
     {"the loss of busway-a takes tor1, tor2"}},
    {"N9-coolant",
     "N9",
     E,
     [](PowerHall& d) {
         const DeviceId cdu = d.add("cdu", d.powerTier, "t-board");
         d.s.devices.hall.set(cdu, d.hall);
         for (const DeviceId tor : d.tor) d.feed(tor, cdu, Medium::Coolant);
     },
     {"the loss of cdu takes tor1, tor2"}},
    {"N9-backup",
     "N9",
     W,
     [](PowerHall& d) {
         d.s.devices.rack.set(d.backup, d.racks[0]);
         d.s.devices.u.set(d.backup, 20);
     },
     {"the loss of rack1 takes 3 hosts and all 1 backup hosts"}},
    {"K4", "K4", W, [](PowerHall& d) { d.s.devices.z.set(d.busway[0], Millimetres(3300)); }, {"busway-a runs 50 mm beside tray1, 200 mm are wanted"}},
    {"K7",
     "K7",
     W,
     [](PowerHall& d) {
         d.s.trays.erase(d.trays[1]);
         d.s.trays.plane.set(d.trays[0], -1);
     },
     {"tray1 carries cables between switches of planes 1 and 2 of backend"}},
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

    /// Thresholds decide: what each of these rules says ends when its setting allows it.
    void thresholdsAreSettings()
    {
        PowerHall d;
        d.change("t-ups", "value: 12", "value: 11");
        QCOMPARE(checked(*d.figures(), {{"P7"}, {}}).warnings, std::size_t(1));
        d.s.putSetting("rule.p7.warn_percent", "95");
        QCOMPARE(checked(*d.figures(), {{"P7"}, {}}).warnings, std::size_t(0));
        d.s.devices.z.set(d.busway[0], Millimetres(3300));
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
        QCOMPARE(json["rules"].size(), allRules().size());
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
