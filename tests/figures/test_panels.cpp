// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cabling/cable_label.h"
#include "core/derived/cabling/cable_why.h"
#include "core/derived/rules/check.h"
#include "core/output/exchange/bom.h"
#include "core/output/exchange/bom_spares.h"
#include "core/output/exchange/cable_schedule.h"
#include "core/output/exchange/cable_work.h"
#include "tests/exchange/written_text.h"
#include "tests/figures/panel_hall.h"
#include "tests/figures/same_figures.h"

#include <QTest>

#include <set>

using namespace hw;
using test::PanelHall;

namespace {

std::string slugOf(const Figures& f, Maybe<PartTypeId> type) { return type ? (*f.parts)[*type].slug : std::string(); }

/// Messages of a rule, a line each, gravest first: "error …".
QStringList said(const Figures& f, const char* rule)
{
    QStringList all;
    const CheckResult result = check(f, {{rule}, {}}).value();
    for (const auto& finding : result.findings)
        all << (finding.severity == Severity::Error ? "error " : "warning ") + QString::fromStdString(words(finding.message));
    return all;
}

Channel channel(const Figures& f, CableId first) { return channelOf(*f.snapshot, *f.parts, *f.cabling, FiberLoss::of(*f.snapshot), first); }

std::vector<std::vector<std::string>> csvRows(const std::string& text)
{
    std::vector<std::vector<std::string>> rows(1, std::vector<std::string>(1));
    bool quoted = false;
    for (const char c : text) {
        if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            rows.back().emplace_back();
        else if (c == '\n' && !quoted)
            rows.emplace_back(1);
        else
            rows.back().back() += c;
    }
    rows.pop_back();
    return rows;
}

} // namespace

class TestPanels : public QObject {
    Q_OBJECT

private slots:
    void withoutPanelsNothingChanges();
    void lengthsAndLossByHand_data();
    void lengthsAndLossByHand();
    void onePanelTakesAStraightCord();
    void cassettesDivideATrunk();
    void cassettesWantTheirTrunk();
    void breakoutsGoOnUndivided_data();
    void breakoutsGoOnUndivided();
    void spliceAndModulePairsCount();
    void lossBoundsTheChoice();
    void lossRule();
    void connectorsMeet();
    void polarityIsOdd();
    void positionsAreUsedOnce();
    void trunksFillTheTray();
    void billHasPanelsAndTrunks();
    void sparesAndPacks();
    void scheduleKnowsTheWholeWay();
    void labelsAreUnique();
    void pullSchedule();
    void workOrder();
    void reasonsNameTheRunnerUp();
    void ledThroughATray();
    void builtInOpticsAreNotBought();
    void movesFollow();
};

void TestPanels::withoutPanelsNothingChanges()
{
    PanelHall h(1);
    const auto f = h.figures();
    const Channel c = channel(*f, h.cables[0]);
    QCOMPARE(c.panels, 0);
    QCOMPARE(c.jointsMdb, 0);
    QCOMPARE(c.lengthMm, std::int64_t((*f->cabling)[h.cables[0]].lengthMm));
    QVERIFY(said(*f, "N6").isEmpty());
    QVERIFY(said(*f, "N7").isEmpty());
}

void TestPanels::lengthsAndLossByHand_data()
{
    QTest::addColumn<QString>("trunk");
    QTest::addColumn<QString>("cord");
    QTest::addColumn<QString>("module");
    QTest::addColumn<int>("fibre"); // 1/1000 dB, every cable rounded up
    QTest::addColumn<int>("budget");
    // 3 m and 3 m at 0.4 dB/km are 1.2, 50 m are 20; at 3 dB/km 9 and 150.
    QTest::newRow("single-mode") << "trunk-mpo12-os2-24"
                                 << "mpo12-os2"
                                 << "400g-dr4" << 2 + 20 + 2 << 3000;
    QTest::newRow("multimode") << "trunk-mpo12-om4-24"
                               << "mpo12-om4"
                               << "400g-sr4" << 9 + 150 + 9 << 1800;
}

void TestPanels::lengthsAndLossByHand()
{
    QFETCH(QString, trunk);
    PanelHall h(3);
    const RoutedOverPanels led = h.lead("panel-mpo12-24", trunk.toStdString());
    QCOMPARE(led.links, std::size_t(3));
    QCOMPARE(led.panels, std::size_t(2));
    QCOMPARE(led.trunks, std::size_t(2)); // of two connectors each
    QCOMPARE(led.spare, std::size_t(1));
    const auto f = h.figures();
    for (int i = 0; i < 3; ++i) {
        const auto cables = h.cablesOf(h.link(i));
        QCOMPARE(cables.size(), std::size_t(3));
        QCOMPARE((*f->cabling)[cables[0]].routeMm, 2023 + 800);
        QCOMPARE((*f->cabling)[cables[0]].lengthMm, 3000);
        QCOMPARE((*f->cabling)[cables[1]].routeMm, 40'000 + 2 * 1089);
        QCOMPARE((*f->cabling)[cables[1]].lengthMm, 50'000);
        QCOMPARE((*f->cabling)[cables[2]].lengthMm, 3000);
        QCOMPARE(QString::fromStdString(slugOf(*f, (*f->cabling)[cables[1]].type)), trunk);
        for (const CableId cord : {cables[0], cables[2]}) QTEST(QString::fromStdString(slugOf(*f, (*f->cabling)[cord].type)), "cord");
        QTEST(QString::fromStdString(slugOf(*f, (*f->cabling)[cables[0]].moduleFrom)), "module");
        const Channel c = channel(*f, h.cables[std::size_t(i)]);
        QCOMPARE(c.lengthMm, std::int64_t(56'000));
        QTEST(c.fiberMdb, "fibre");
        QCOMPARE(c.jointsMdb, 2 * 350); // as the panels state
        QTEST(*c.budgetMdb, "budget");
    }
    QVERIFY(said(*f, "N6").isEmpty());
    QVERIFY(said(*f, "N7").isEmpty());
    QCOMPARE(f->cabling->transceivers().begin()->second, std::int64_t(6)); // two for every link, not for every cable
}

void TestPanels::onePanelTakesAStraightCord()
{
    PanelHall h(1);
    (void)h.part("mpo12-om4-a");
    (void)h.lead("panel-mpo12-24", "");
    const auto f = h.figures();
    const auto cables = h.cablesOf(h.link(0));
    QCOMPARE(cables.size(), std::size_t(2));
    QCOMPARE(QString::fromStdString(slugOf(*f, (*f->cabling)[cables[0]].type)), QString("mpo12-om4"));
    QCOMPARE(QString::fromStdString(slugOf(*f, (*f->cabling)[cables[1]].type)), QString("mpo12-om4-a"));
    QVERIFY(said(*f, "N7").isEmpty());
}

void TestPanels::spliceAndModulePairsCount()
{
    PanelHall h(1);
    (void)h.lead();
    h.s.putSetting("cabling.trunk_splices", "2");
    h.s.putSetting("cabling.splice_db", "0.3");
    h.s.putSetting("cabling.module_pairs", "2");
    h.s.putSetting("cabling.mpo_db", "0.75"); // at the modules; the panels state their own
    const auto f = h.figures();
    QCOMPARE(channel(*f, h.cables[0]).jointsMdb, 2 * 350 + 2 * 300 + 2 * 750);
}

void TestPanels::lossBoundsTheChoice()
{
    // 400G SR4 bears 1.8 dB: with 0.35 in each of two panels 1.1 dB are left, 366 m and so no bound; with 0.35 + 2 x 0.65 of splices nothing
    // is left, and DR4 cannot take over: the trunk is multimode.
    PanelHall h(1);
    (void)h.lead("panel-mpo12-24", "trunk-mpo12-om4-24");
    QVERIFY(!(*h.figures()->cabling)[h.cables[0]].reachExceeded);
    h.s.putSetting("cabling.trunk_splices", "2");
    h.s.putSetting("cabling.splice_db", "0.65");
    const auto f = h.figures();
    QVERIFY((*f->cabling)[h.cables[0]].reachExceeded);
    QVERIFY(said(*f, "N5").isEmpty()); // 56 m are within the reach of 100 m: it is the light
    QCOMPARE(said(*f, "N6").size(), 1);
    QVERIFY(said(*f, "N6").front().startsWith("error"));
}

void TestPanels::lossRule()
{
    PanelHall h(2);
    (void)h.lead("panel-mpo12-24", "trunk-mpo12-om4-24");
    // 0.168 of fiber and 0.700 of panels; with splices of 0.5 dB 1.368 of 1.8 dB: 0.432 left
    h.s.putSetting("cabling.trunk_splices", "1");
    h.s.putSetting("cabling.splice_db", "0.5");
    auto found = said(*h.figures(), "N6");
    QCOMPARE(found.size(), 1);
    QVERIFY2(found.front().startsWith("warning 2 cables"), qPrintable(found.front()));
    QVERIFY2(found.front().contains("0.43 dB"), qPrintable(found.front()));
    h.s.putSetting("rule.n6.margin_db", "0.4");
    QVERIFY(said(*h.figures(), "N6").isEmpty());
    h.s.putSetting("cabling.splice_db", "1.0"); // 1.868
    found = said(*h.figures(), "N6");
    QCOMPARE(found.size(), 1);
    QVERIFY2(found.front().startsWith("error") && found.front().contains("1.87 dB") && found.front().contains("1.80 dB"), qPrintable(found.front()));
}

void TestPanels::connectorsMeet()
{
    PanelHall h(1);
    (void)h.lead();
    DeviceId panel;
    h.s.runs.forEach([&](RunId run) { panel = h.s.runs.panel[run]; });
    h.s.devices.type.set(panel, h.part("panel-mpo16-24"));
    const auto found = said(*h.figures(), "N7");
    QCOMPARE(found.size(), 1);
    QVERIFY2(found.front().contains("mpo-12-apc does not mate with mpo-16-apc"), qPrintable(found.front()));
    // Another medium behind the panel
    PanelHall other(1);
    (void)other.lead();
    other.s.cables.type.set(other.cablesOf(other.link(0)).back(), Maybe<PartTypeId>(other.part("mpo12-om4")));
    const auto media = said(*other.figures(), "N7");
    QCOMPARE(media.size(), 1);
    QVERIFY2(media.front().contains("smf-os2 continues as mmf-om4"), qPrintable(media.front()));
    // Flat ends on angled ones
    PanelHall flat(1);
    const PartTypeId cord = flat.part("mpo12-os2");
    std::string definition = flat.s.partTypes.definition[cord];
    definition.replace(definition.find("mpo-12-apc"), 10, "mpo-12-upc");
    flat.s.partTypes.definition.set(cord, definition);
    flat.s.cables.type.set(flat.cables[0], Maybe<PartTypeId>(cord));
    const auto polish = said(*flat.figures(), "N7");
    QCOMPARE(polish.size(), 1);
    QVERIFY2(polish.front().contains("angled and flat end faces do not mate"), qPrintable(polish.front()));
    // LC ends are flat unless angled is said
    PanelHall lc(1);
    const PartTypeId angled = lc.part("lc-os2");
    std::string lcDefinition = lc.s.partTypes.definition[angled];
    lcDefinition.replace(lcDefinition.find("lc-duplex"), 9, "lc-duplex-apc");
    lc.s.partTypes.definition.set(angled, lcDefinition);
    const auto parts = ProjectParts::of(lc.s.partTypes);
    QVERIFY2(parts, parts ? "" : parts.error().text().c_str());
    lc.s.cables.type.set(lc.cables[0], Maybe<PartTypeId>(angled));
    lc.s.cages.forEach([&](CageId cage) { lc.s.cages.module.set(cage, lc.part("400g-fr4")); });
    const auto lcPolish = said(*lc.figures(), "N7");
    QCOMPARE(lcPolish.size(), 1);
    QVERIFY2(lcPolish.front().contains("lc-duplex is connected to lc-duplex-apc: angled and flat"), qPrintable(lcPolish.front()));
}

void TestPanels::polarityIsOdd()
{
    PanelHall h(1);
    (void)h.lead();
    QVERIFY(said(*h.figures(), "N7").isEmpty()); // three crossings
    h.s.cables.type.set(h.cables[0], Maybe<PartTypeId>(h.part("mpo12-os2-a")));
    h.s.cables.type.set(h.cablesOf(h.link(0)).back(), Maybe<PartTypeId>(h.part("mpo12-os2")));
    const auto found = said(*h.figures(), "N7"); // the straight cord leaves two
    QCOMPARE(found.size(), 1);
    QVERIFY2(found.front().contains("2 times over 3 cables"), qPrintable(found.front()));
    PanelHall direct(1);
    direct.s.cables.type.set(direct.cables[0], Maybe<PartTypeId>(direct.part("mpo12-om4-a")));
    QCOMPARE(said(*direct.figures(), "N7").size(), 1);
}

void TestPanels::positionsAreUsedOnce()
{
    PanelHall h(3);
    (void)h.lead();
    std::set<std::pair<DeviceId, int>> used;
    std::size_t runs = 0;
    h.s.runs.forEach([&](RunId run) {
        used.emplace(h.s.runs.panel[run], h.s.runs.position[run]);
        ++runs;
    });
    QCOMPARE(used.size(), runs);
    const RunId first = h.s.runs.ids().front(), third = h.s.runs.ids()[4];
    h.s.runs.position.set(third, h.s.runs.position[first]);
    auto found = said(*h.figures(), "N7");
    QCOMPARE(found.size(), 1);
    QVERIFY2(found.front().contains("is used by two channels; route one of them over another position"), qPrintable(found.front()));
    h.s.runs.position.set(third, 24);
    found = said(*h.figures(), "N7");
    QCOMPARE(found.size(), 1);
    QVERIFY2(found.front().contains("has 24 positions"), qPrintable(found.front()));
    // A trunk of two connectors for three
    h.s.runs.position.set(third, 10);
    h.s.runs.cable.set(third, h.s.runs.cable[first]);
    found = said(*h.figures(), "N7");
    QCOMPARE(found.size(), 1);
    QVERIFY2(found.front().contains("carries 3 channels, but has connectors for 2"), qPrintable(found.front()));
}

void TestPanels::trunksFillTheTray()
{
    PanelHall direct(12), led(12);
    (void)led.lead("panel-mpo12-24", "trunk-mpo12-os2-144");
    const auto load = [](const Figures& f) {
        TrayLoad::Of most;
        for (const TrayLoad& tray : f.get<TrayLoadNode>())
            if (const auto& data = tray.of[std::size_t(Medium::Data)]; data.areaUm2 > most.areaUm2) most = data;
        return most;
    };
    const auto before = load(*direct.figures()), after = load(*led.figures());
    QCOMPARE(before.cables, 12);
    QCOMPARE(before.areaUm2, std::int64_t(12 * 7'068'583)); // 3 mm each
    QCOMPARE(after.cables, 1);
    QCOMPARE(after.areaUm2, std::int64_t(95'033'178)); // 11 mm
}

void TestPanels::billHasPanelsAndTrunks()
{
    PanelHall h(3);
    (void)h.lead();
    std::map<std::string, std::int64_t> quantity;
    const auto f = h.figures();
    for (const auto& line : makeBom(*f).lines) quantity[line.part] += line.quantity;
    QCOMPARE(quantity.at("panel-mpo12-24"), std::int64_t(2));
    QCOMPARE(quantity.at("trunk-mpo12-os2-24"), std::int64_t(2));
    QCOMPARE(quantity.at("mpo12-os2"), std::int64_t(6));
    QCOMPARE(quantity.at("400g-dr4"), std::int64_t(6));
}

void TestPanels::sparesAndPacks()
{
    PanelHall h(25, 20'000);
    const auto order = [&] {
        const auto f = h.figures();
        const auto orders = cableOrders(*f->snapshot, *f->parts, *f->cabling, *f->routing);
        return orders.begin()->second;
    };
    QVERIFY((order() == CableOrder{25, 0, 0}));
    h.s.putSetting("cabling.spare_percent", "5"); // 1.25 rounded up
    QVERIFY((order() == CableOrder{25, 2, 0}));
    h.s.putSetting("cabling.pack_size", "12");
    QVERIFY((order() == CableOrder{25, 2, 9}));
    std::int64_t bought = 0;
    Text text;
    const auto f = h.figures();
    for (const auto& line : makeBom(*f).lines)
        if (line.group == Bom::Group::Cables) bought += line.quantity, text = line.description;
    QCOMPARE(bought, std::int64_t(36));
    QVERIFY2(QString::fromStdString(words(text)).contains("2 spare and 9 to fill packs"), words(text).c_str());
    // Per pair of racks the rounding is done for each of them
    const RackId c = h.addRack(h.row, 10'000);
    const DeviceId third = h.addSwitch(h.torTier, c, 1);
    h.s.putSetting("cabling.pack_size", "1");
    for (int i = 0; i < 5; ++i) (void)h.join(third, h.upper);
    const auto spares = [&] {
        const auto now = h.figures();
        std::int64_t sum = 0;
        for (const auto& [key, one] : cableOrders(*now->snapshot, *now->parts, *now->cabling, *now->routing)) sum += one.spare;
        return sum;
    };
    h.s.putSetting("cabling.spares_per", "racks");
    QCOMPARE(spares(), std::int64_t(2 + 1));
}

void TestPanels::scheduleKnowsTheWholeWay()
{
    PanelHall h(3);
    (void)h.lead();
    const auto rows = csvRows(test::cableScheduleCsv(*h.figures(), true));
    QCOMPARE(rows.size(), std::size_t(4));
    QCOMPARE(rows[0].size(), kCableColumns.size() + kReasonColumns.size());
    const std::string trunk = std::to_string(h.cablesOf(h.link(0))[1].value + 1);
    for (std::size_t i = 1; i <= 2; ++i) {
        QCOMPARE(rows[i][18], std::string("56"));
        QCOMPARE(rows[i][22], trunk); // both share it
        QCOMPARE(rows[i][23], std::string("3"));
        QCOMPARE(rows[i][24], std::string("2"));
        QCOMPARE(rows[i][25], std::string("0.724"));
        QCOMPARE(rows[i][26], std::string("3.000"));
    }
    QCOMPARE(csvRows(test::cableScheduleCsv(*h.figures()))[0].size(), kCableColumns.size());
}

/// Twelve LC cords share the two MPO of a trunk of 24 fibers: six behind each.
void TestPanels::cassettesDivideATrunk()
{
    PanelHall h(7);
    const RoutedOverPanels led = h.lead("panel-cassette-lc-72", "trunk-mpo12-os2-24");
    QCOMPARE(led.links, std::size_t(7));
    QCOMPARE(led.panels, std::size_t(2));
    QCOMPARE(led.trunks, std::size_t(1));
    QCOMPARE(led.spare, std::size_t(5));
    h.s.putSetting("cabling.mpo_db", "0.3"), h.s.putSetting("cabling.lc_db", "0.25");
    const auto f = h.figures();
    for (int i = 0; i < 7; ++i) {
        const auto cables = h.cablesOf(h.link(i));
        QCOMPARE(slugOf(*f, (*f->cabling)[cables[0]].type), std::string("lc-os2"));
        QCOMPARE(slugOf(*f, (*f->cabling)[cables[1]].type), std::string("trunk-mpo12-os2-24"));
        QCOMPARE(slugOf(*f, (*f->cabling)[cables[2]].type), std::string("lc-os2"));
        QCOMPARE(slugOf(*f, (*f->cabling)[cables[0]].moduleFrom), std::string("400g-fr4"));
        QCOMPARE(channel(*f, cables[0]).jointsMdb, 2 * (300 + 250)); // each cassette has a pair of either kind
    }
    QVERIFY(said(*f, "N6").isEmpty());
    QVERIFY2(said(*f, "N7").isEmpty(), qPrintable(said(*f, "N7").join('\n')));
    std::set<std::string> labels;
    const auto rows = csvRows(test::tableCsv(labelTable(*f)));
    for (std::size_t i = 1; i < rows.size(); ++i) labels.insert(rows[i][4]);
    QVERIFY(labels.contains("rack-a-48:r1-2/rack-b-48:r1-2")); // two connectors behind, whatever is in front
    QVERIFY(labels.contains("rack-a-01:port7/rack-a-48:f7"));
    // A way beyond the last position is found.
    const RunId last = h.s.runs.ids().back(), first = h.s.runs.ids().front();
    h.s.runs.position.set(h.s.runs.number[last] == 1 ? last : first, 72);
    QVERIFY(said(*h.figures(), "N7").join('\n').contains("has 72 positions, but a cable is at position 73"));
}

void TestPanels::cassettesWantTheirTrunk()
{
    PanelHall h(2);
    const auto lead = [&](const std::string& panel, const std::string& trunk) {
        PanelRouting what;
        h.s.links.forEach([&](LinkId link) { what.links.push_back(link); });
        what.panel = h.part(panel);
        if (!trunk.empty()) what.trunk = h.part(trunk);
        Snapshot copy = h.s;
        const auto led = leadOverPanels(copy, *ProjectParts::of(copy.partTypes).value(), what);
        return led ? std::string() : led.error().text();
    };
    const auto says = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
    QVERIFY(says(lead("panel-cassette-lc-72", ""), "has mpo-12-apc at the rear and lc-duplex at the front"));
    QVERIFY(says(lead("panel-cassette-lc-72", "trunk-lc-os2-24"), "has lc-duplex, but panel panel-cassette-lc-72 takes mpo-12-apc"));
    QVERIFY(lead("panel-cassette-lc-72", "trunk-mpo12-os2-144").empty());
}

void TestPanels::breakoutsGoOnUndivided_data()
{
    QTest::addColumn<bool>("legsBelow");
    QTest::newRow("legs at the lower end") << true;
    QTest::newRow("legs at the upper end") << false;
}

/// One port of 400G that is two of 200G: the breakout lies where its legs are, trunk and other cord are undivided.
void TestPanels::breakoutsGoOnUndivided()
{
    QFETCH(bool, legsBelow);
    PanelHall h(0);
    const RackId rack = legsBelow ? h.a : h.b;
    const std::array hosts{h.addServer(rack, 10), h.addServer(rack, 20)};
    const PortId whole = h.addPort(legsBelow ? h.upper : h.lower, legsBelow ? PortRole::Down : PortRole::Up, 200, 2);
    const CableId cable = h.addCable();
    std::vector<LinkId> links;
    for (std::uint32_t i = 0; i < 2; ++i) {
        const PortId host = h.addPort(hosts[i], PortRole::Host, 200), lane(whole.value + i);
        links.push_back(legsBelow ? h.connect(host, lane, cable) : h.connect(lane, host, cable));
    }
    QCOMPARE(slugOf(*h.figures(), (*h.figures()->cabling)[cable].type), std::string("mpo12-om4-y2"));
    const RoutedOverPanels led = h.lead("panel-mpo12-24", "trunk-mpo12-om4-24");
    QCOMPARE(led.links, std::size_t(2));
    QCOMPARE(led.left, std::size_t(0));
    QCOMPARE(led.trunks, std::size_t(1));
    QCOMPARE(led.spare, std::size_t(1));
    const auto f = h.figures();
    const auto cables = h.cablesOf(links[0]);
    QCOMPARE(h.cablesOf(links[1]), cables);
    const CableId divided = legsBelow ? cables[0] : cables[2], undivided = legsBelow ? cables[2] : cables[0];
    QCOMPARE(slugOf(*f, (*f->cabling)[divided].type), std::string("mpo12-om4-y2"));
    QCOMPARE(slugOf(*f, (*f->cabling)[cables[1]].type), std::string("trunk-mpo12-om4-24"));
    QCOMPARE(slugOf(*f, (*f->cabling)[undivided].type), std::string("mpo12-om4"));
    // Hosts of 8 U at units 10 and 20 have their middles at 677 and 1,121 mm; the panel's is at 2,211 mm.
    QCOMPARE((*f->cabling)[divided].routeMm, 2211 - 677 + 800); // the longer leg decides
    QCOMPARE((*f->cabling)[undivided].routeMm, 2023 + 800);
    QVERIFY2(said(*f, "N7").isEmpty(), qPrintable(said(*f, "N7").join('\n')));
    QVERIFY(said(*f, "N6").isEmpty());
    QCOMPARE(f->cabling->transceivers().size(), std::size_t(2)); // one of 400G and two of 200G
    std::int64_t modules = 0;
    for (const auto& [type, count] : f->cabling->transceivers()) modules += count;
    QCOMPARE(modules, std::int64_t(3));
    // A label pair for either leg, the trunk and the other cord.
    QCOMPARE(csvRows(test::tableCsv(labelTable(*f))).size(), std::size_t(1 + 2 + 1 + 1));
}

void TestPanels::labelsAreUnique()
{
    PanelHall h(3);
    (void)h.lead();
    const auto f = h.figures();
    const auto rows = csvRows(test::tableCsv(labelTable(*f)));
    QCOMPARE(rows.size(), std::size_t(1 + 6 + 2)); // two cords a link, two trunks
    std::set<std::string> labels;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        labels.insert(rows[i][4]);
        labels.insert(rows[i][5]);
    }
    QCOMPARE(labels.size(), std::size_t(2 * 8));
    QCOMPARE(rows[1][4], std::string("rack-a-01:port1/rack-a-48:f1"));
    QCOMPARE(rows[1][5], std::string("rack-a-48:f1/rack-a-01:port1"));
    QVERIFY(labels.contains("rack-a-48:r1-2/rack-b-48:r1-2"));
    QVERIFY(said(*f, "D1").isEmpty());
    h.s.putSetting("cabling.label", "{rack}");
    const auto found = said(*h.figures(), "D1");
    QCOMPARE(found.size(), 1);
    QVERIFY2(found.front().contains("14 cable ends"), qPrintable(found.front()));
    QVERIFY(!CableLabels::fault("{where}").empty());
    QVERIFY(!CableLabels::fault("{far_rack}").empty());
    QVERIFY(CableLabels::fault("{cable} {far_port}").empty());
}

void TestPanels::pullSchedule()
{
    PanelHall h(3);
    auto rows = csvRows(test::tableCsv(pullTable(*h.figures())));
    QCOMPARE(rows.size(), std::size_t(2));
    QCOMPARE(rows[1][8], std::string("tray"));
    QCOMPARE(rows[1][12], std::string("3"));
    QCOMPARE(rows[1][14], std::string("150"));
    (void)h.lead();
    rows = csvRows(test::tableCsv(pullTable(*h.figures())));
    QCOMPARE(rows.size(), std::size_t(2)); // cords within the racks are not pulled
    QCOMPARE(rows[1][10], std::string("trunk-mpo12-os2-24"));
    QCOMPARE(rows[1][12], std::string("2"));
    QCOMPARE(rows[1][15], std::string("2.8")); // 100 m of 28 g/m
    PanelHall many(12);
    QCOMPARE(csvRows(test::tableCsv(pullTable(*many.figures())))[1][16], std::string("yes"));
}

void TestPanels::workOrder()
{
    PanelHall h(2);
    (void)h.lead();
    std::map<std::string, int> steps;
    for (const auto& row : csvRows(test::tableCsv(workTable(*h.figures())))) ++steps[row[0] + " " + row[2]];
    QCOMPARE(steps["rack-a mount"], 2);
    QCOMPARE(steps["rack-a module"], 2);
    QCOMPARE(steps["rack-b module"], 2);
    QCOMPARE(steps["rack-a connect"], 2 + 2 + 1); // cords at the switch and at the panel, the trunk
    QCOMPARE(steps["rack-b connect"], 5);
}

void TestPanels::reasonsNameTheRunnerUp()
{
    PanelHall h(1);
    const auto f = h.figures();
    CableReasons reasons(*f->snapshot, *f->parts, *f->cabling);
    const CableWhy why = reasons.of(h.cables[0]);
    QVERIFY2(words(why.reason).starts_with("the lowest-cost of 3 options that reach"), words(why.reason).c_str());
    QVERIFY2(words(why.runnerUp).find("400g-dr4") != std::string::npos, words(why.runnerUp).c_str());
    QVERIFY(why.extra.count() > 0);
    // What the runner-up would cost, by making it the choice
    h.s.cables.type.set(h.cables[0], Maybe<PartTypeId>(h.part("mpo12-os2")));
    const auto other = h.figures();
    CableReasons byHand(*other->snapshot, *other->parts, *other->cabling);
    QVERIFY2(words(byHand.of(h.cables[0]).reason).find("mpo12-os2 was selected manually") != std::string::npos,
             words(byHand.of(h.cables[0]).reason).c_str());
    const auto cost = [](const Figures& figures) { return figures.get<CableTotalsNode>().cost; };
    QCOMPARE((cost(*other) - cost(*f)).count(), why.extra.count());
}

void TestPanels::ledThroughATray()
{
    // Two rows side by side, and two spines across them: at 1 m, which is shorter, and at 20 m.
    test::SmallHall h;
    const RowId one = h.addRow(0, 1000), two = h.addRow(0, 9000);
    (void)h.addRowTray(one, 30'000);
    (void)h.addRowTray(two, 30'000);
    const TrayId near = h.addSpine(h.hall, {1000, 0, 3300}, {1000, 20'000, 3300}),
                 far = h.addSpine(h.hall, {20'000, 0, 3300}, {20'000, 20'000, 3300});
    const RackId a = h.addRack(one, 0), b = h.addRack(two, 0);
    const CableId first = h.join(h.addSwitch(h.torTier, a, 1), h.addSwitch(h.aggTier, b, 1));
    const CableId second = h.join(h.addSwitch(h.torTier, a, 10), h.addSwitch(h.aggTier, b, 10));
    const auto through = [](const Figures& f, CableId cable, TrayId tray) {
        for (const auto section : f.routing->sectionsOf(f.routing->pairOf(cable)))
            if (f.routing->sections()[section].tray == tray) return true;
        return false;
    };
    const auto before = h.figures();
    QVERIFY(through(*before, first, near) && !through(*before, first, far));
    const auto lead = [&](CableId cable, TrayId tray) {
        const WaypointId point = h.s.waypoints.insert();
        h.s.waypoints.cable.set(point, cable);
        h.s.waypoints.number.set(point, 1);
        h.s.waypoints.tray.set(point, tray);
        return point;
    };
    const WaypointId point = lead(first, far);
    const auto after = h.figures();
    QVERIFY(through(*after, first, far) && !through(*after, first, near));
    QVERIFY(through(*after, second, near)); // the other stays
    const std::int32_t longer = (*after->cabling)[first].routeMm - (*before->cabling)[first].routeMm;
    QCOMPARE(longer, 2 * 19'000); // there and back along the rows
    QVERIFY(said(*after, "K6").isEmpty());
    QCOMPARE(after->get<TrayLoadNode>()[far.value].of[std::size_t(Medium::Data)].cables, 1);
    // A tray that nothing leads to
    const HallId elsewhere = h.addHall(h.building, 0, 31'000, 50'000, 8000);
    h.s.waypoints.tray.set(point, h.addSpine(elsewhere, {0, 0, 3300}, {10'000, 0, 3300}));
    const auto cut = h.figures();
    QVERIFY((*cut->cabling)[first].noRoute);
    QCOMPARE(said(*cut, "K6").size(), 1);
    h.s.waypoints.erase(point);
    QCOMPARE((*h.figures()->cabling)[first].routeMm, (*before->cabling)[first].routeMm);
}

void TestPanels::builtInOpticsAreNotBought()
{
    PanelHall h(1);
    for (const char* slug : {"engine-800g-dr8", "800g-dr8", "mpo16-os2"}) (void)h.part(slug);
    const PartTypeId type = h.part("switch-51t-64x800g");
    std::string definition = h.s.partTypes.definition[type];
    for (std::size_t at = 0; (at = definition.find("800gbase-x-osfp", at)) != std::string::npos;) definition.replace(at, 15, "800gbase-dr8");
    h.s.partTypes.definition.set(type, definition);
    for (const DeviceId device : {h.lower, h.upper}) h.s.devices.type.set(device, type);
    h.s.ports.forEach([&](PortId port) { h.s.ports.rate.set(port, Gbps(800)); });
    const auto f = h.figures();
    const auto& cable = (*f->cabling)[h.cables[0]];
    QCOMPARE(QString::fromStdString(slugOf(*f, cable.moduleFrom)), QString("engine-800g-dr8"));
    QCOMPARE(QString::fromStdString(slugOf(*f, cable.type)), QString("mpo16-os2"));
    for (const auto& line : makeBom(*f).lines) QVERIFY(line.group != Bom::Group::Transceivers);
    QCOMPARE(f->get<CableTotalsNode>().optics, std::int64_t(0));
    QVERIFY(said(*f, "N4").isEmpty());
}

void TestPanels::movesFollow()
{
    PanelHall h(5);
    (void)h.lead();
    auto figures = computeFigures(h.snapshot()).value();
    for (const int along : {30'000, 12'345, 39'000}) {
        Snapshot next = *figures->snapshot;
        next.racks.along.set(h.b, Millimeters(along));
        const auto after = std::make_shared<const Snapshot>(std::move(next));
        const auto updated = updateFigures(figures, after, difference(*figures->snapshot, *after, "move")).value();
        QVERIFY(test::sameFigures(*updated, *computeFigures(after).value()));
        QVERIFY((*updated->cabling)[h.cablesOf(h.link(0))[1]].lengthMm < 50'000 || along > 35'000);
        figures = updated;
    }
}

QTEST_APPLESS_MAIN(TestPanels)
#include "test_panels.moc"
