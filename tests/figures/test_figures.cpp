// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/tray_load.h"
#include "core/design/template/template.h"
#include "core/foundation/model/document.h"
#include "tests/figures/same_figures.h"
#include "tests/figures/small_hall.h"

#include <QTest>

using namespace hw;
using test::SmallHall;

namespace {

/// Two racks of one row whose tray ways are `distance` mm long; tray at 3,300 mm.
struct TwoRacks : SmallHall {
    explicit TwoRacks(std::int32_t distance)
    {
        const RowId row = addRow(0, 1000);
        addRowTray(row, 600 + distance, 3300);
        a = addRack(row, 0);
        b = addRack(row, distance);
    }
    RackId a, b;
};

FiguresPtr designed(const char* name, const ParameterValues& values)
{
    const auto catalog = Catalog::load(HW_RESOURCES "/catalog").value();
    const auto design = Template::load(std::string(HW_RESOURCES "/templates/") + name + ".yaml").value();
    return computeFigures(instantiate(design, design.complete(values).value(), catalog).value()).value();
}

const FabricFigures::Tier& tier(const Figures& f, const std::string& name)
{
    for (const auto& t : f.fabric->networks().front().tiers)
        if (f.snapshot->tiers.name[t.id] == name) return t;
    throw std::runtime_error("unknown tier '" + name);
}

std::pair<std::int64_t, std::int64_t> links(const Figures& f, const std::string& from, const std::string& to, int rate)
{
    const auto& tiers = f.snapshot->tiers;
    for (const auto& l : f.fabric->networks().front().links)
        if (tiers.name[l.from] == from && tiers.name[l.to] == to && l.rate.count() == rate) return {l.active, l.backup};
    return {0, 0};
}

void checkUpdate(FiguresPtr& figures, Snapshot next)
{
    const auto after = std::make_shared<const Snapshot>(std::move(next));
    const auto updated = updateFigures(figures, after, difference(*figures->snapshot, *after, "edit")).value();
    QVERIFY(test::sameFigures(*updated, *computeFigures(after).value()));
    figures = updated;
}

} // namespace

class TestFigures : public QObject {
    Q_OBJECT

private slots:
    void boughtLength_data();
    void boughtLength();
    void withinOneRack();
    void breakoutNeedsThreeModules();
    void chosenByHand();
    void directCopper();
    void twistedPair();
    void cablesToTheFloor();
    void slackIsASetting();
    void powerByHand();
    void powerBasisAndRackLimit();
    void supplyOfARack();
    void trayFill();
    void dcnPlus();
    void hpnPod();
    void hpnCore_data();
    void hpnCore();
    void brokenFabricIsNotConnected();
    void randomEdits_data();
    void randomEdits();
    void editsOfThePod();
    void aMovedRowSharesTheRest();
};

void TestFigures::boughtLength_data()
{
    QTest::addColumn<int>("distance"); // between the racks along the tray
    QTest::addColumn<int>("route");
    QTest::addColumn<int>("bought");
    QTest::addColumn<QString>("module");
    QTest::addColumn<bool>("exceeded");
    // A 4U switch at unit 1 has its middle 188 mm above the floor: 3,112 mm from the tray, twice.
    QTest::newRow("short") << 1200 << 7424 << 10000 << "400g-sr4" << false;               // 7.80 m with slack
    QTest::newRow("just fits 10 m") << 3200 << 9424 << 10000 << "400g-sr4" << false;      // 9.90 m
    QTest::newRow("just not") << 3400 << 9624 << 15000 << "400g-sr4" << false;            // 10.11 m
    QTest::newRow("the pod's longest") << 63576 << 69800 << 75000 << "400g-sr4" << false; // 57.6 + 3.0 + 3.2 + 6 m
    QTest::newRow("last multimode") << 89000 << 95224 << 100000 << "400g-sr4" << false;   // 99.99 m
}

void TestFigures::boughtLength()
{
    QFETCH(int, distance);
    TwoRacks h(distance);
    const CableId cable = h.join(h.addSwitch(h.torTier, h.a, 1), h.addSwitch(h.aggTier, h.b, 1));
    const auto f = h.figures();
    const auto& c = (*f->cabling)[cable];
    QTEST(c.routeMm, "route");
    QTEST(c.lengthMm, "bought");
    QTEST(QString::fromStdString((*f->parts)[*c.moduleFrom].slug), "module");
    QTEST(c.reachExceeded, "exceeded");
    QCOMPARE(f->cabling->longestMm(), c.lengthMm);
    QCOMPARE(f->cabling->transceivers().at(*c.moduleFrom), std::int64_t(2));
    QCOMPARE(f->cabling->physicalByTypeLength().at({*c.type, c.lengthMm}), std::int64_t(1));
}

void TestFigures::withinOneRack()
{
    TwoRacks h(600);
    // Switches at units 1 and 11 are ten units apart: 444 mm, plus twice 400 mm of patching.
    const CableId cable = h.join(h.addSwitch(h.torTier, h.a, 1), h.addSwitch(h.aggTier, h.a, 11));
    const auto f = h.figures();
    QCOMPARE((*f->cabling)[cable].routeMm, 444 + 800);
    QCOMPARE((*f->cabling)[cable].lengthMm, 2000);
    QCOMPARE(f->routing->pairOf(cable), Routing::kNoPair);
}

void TestFigures::breakoutNeedsThreeModules()
{
    TwoRacks h(6000);
    const DeviceId server1 = h.addServer(h.a, 1), server2 = h.addServer(h.a, 9), tor = h.addSwitch(h.torTier, h.b, 1);
    const PortId lanes = h.addPort(tor, PortRole::Down, 200, 2);
    const CableId cable = h.addCable();
    h.connect(h.addPort(server1, PortRole::Host, 200), lanes, cable);
    h.connect(h.addPort(server2, PortRole::Host, 200), PortId(lanes.value + 1), cable);
    const auto f = h.figures();
    const auto& c = (*f->cabling)[cable];
    QCOMPARE(int(c.links), 2);
    QVERIFY(c.type && c.moduleFrom && c.moduleTo);
    QCOMPARE((*f->parts)[*c.type].slug, std::string("mpo12-om4-y2"));
    QCOMPARE((*f->parts)[*c.moduleFrom].slug, std::string("200g-sr2"));
    QCOMPARE((*f->parts)[*c.moduleTo].slug, std::string("400g-sr4"));
    QCOMPARE(f->cabling->transceivers().at(*c.moduleFrom), std::int64_t(2));
    QCOMPARE(f->cabling->transceivers().at(*c.moduleTo), std::int64_t(1));
    // The lower server's leg is the longer one: 6 m, 3,023 mm down to the middle of its 8U, 3,112 mm to the switch.
    QCOMPARE(c.routeMm, 6000 + (3300 - 100 - 177) + 3112);
    QCOMPARE(f->cabling->linksOf(cable).size(), std::size_t(2));
}

void TestFigures::chosenByHand()
{
    TwoRacks h(6000);
    const CableId cable = h.join(h.addSwitch(h.torTier, h.a, 1), h.addSwitch(h.aggTier, h.b, 1));
    h.s.cables.length.set(cable, Millimeters(120000));
    auto f = h.figures();
    QCOMPARE((*f->cabling)[cable].lengthMm, 120000); // past the 100 m of multimode: single-mode is chosen
    QVERIFY(!(*f->cabling)[cable].reachExceeded);
    QVERIFY((*f->parts)[*(*f->cabling)[cable].type].slug != "mpo12-om4");

    h.s.cables.type.set(cable, h.part("mpo12-om4"));
    f = h.figures();
    QCOMPARE((*f->parts)[*(*f->cabling)[cable].type].slug, std::string("mpo12-om4"));
    QVERIFY((*f->cabling)[cable].reachExceeded);

    h.s.cables.length.set(cable, Millimeters(0));
    h.s.cables.type.set(cable, {});
    h.s.cages.module.set(CageId(0), h.part("400g-dr4"));
    f = h.figures();
    QCOMPARE((*f->parts)[*(*f->cabling)[cable].moduleFrom].slug, std::string("400g-dr4"));
    QCOMPARE((*f->parts)[*(*f->cabling)[cable].moduleTo].slug, std::string("400g-dr4"));
}

/// A passive copper cable is the cheapest where it reaches, and needs no transceivers.
void TestFigures::directCopper()
{
    TwoRacks h(600);
    (void)h.part("dac-400g-osfp"); // 2 m at most
    const DeviceId tor = h.addSwitch(h.torTier, h.a, 1), near = h.addSwitch(h.aggTier, h.a, 11), top = h.addSwitch(h.aggTier, h.a, 41),
                   far = h.addSwitch(h.aggTier, h.b, 1);
    const CableId copper = h.join(tor, near), high = h.join(tor, top), next = h.join(tor, far);
    const auto f = h.figures();
    const auto& c = (*f->cabling)[copper];
    QCOMPARE((*f->parts)[*c.type].slug, std::string("dac-400g-osfp"));
    QCOMPARE(c.lengthMm, 2000); // 444 + 800 mm and slack
    QVERIFY(!c.moduleFrom && !c.moduleTo && !c.reachExceeded);
    for (const CableId optical : {high, next}) { // 40 units, 1,778 + 800 mm; another rack
        QCOMPARE((*f->parts)[*(*f->cabling)[optical].type].slug, std::string("mpo12-om4"));
        QCOMPARE((*f->parts)[*(*f->cabling)[optical].moduleFrom].slug, std::string("400g-sr4"));
    }
    QCOMPARE(f->cabling->transceivers().at(h.part("400g-sr4")), std::int64_t(4));
    QCOMPARE(f->power->device(near).at(PowerBasis::Design), f->parts->device(h.s.devices.type[near]).design.value);

    h.s.cables.type.set(next, h.part("dac-400g-osfp")); // by hand where it does not reach
    const auto g = h.figures();
    QVERIFY((*g->cabling)[next].reachExceeded && !(*g->cabling)[next].moduleFrom);
}

/// Management: 1 Gb/s from a host's BMC to an RJ-45 socket, up to 100 m.
void TestFigures::twistedPair()
{
    TwoRacks h(3200);
    (void)h.part("cat6a");
    const DeviceId server = h.addServer(h.a, 1), tor = h.addSwitch(h.torTier, h.b, 1);
    const PortId bmc = h.addPort(server, PortRole::Up, 1), eth = h.addPort(tor, PortRole::Up, 1);
    h.s.cages.number.set(h.s.ports.cage[bmc], 18), h.s.cages.number.set(h.s.ports.cage[eth], 128);
    const CableId cable = h.addCable();
    h.connect(bmc, eth, cable);
    auto f = h.figures();
    QCOMPARE((*f->parts)[*(*f->cabling)[cable].type].slug, std::string("cat6a"));
    QVERIFY(!(*f->cabling)[cable].moduleFrom && !(*f->cabling)[cable].reachExceeded);
    QCOMPARE((*f->cabling)[cable].lengthMm, 10000);
    QVERIFY(f->cabling->transceivers().empty());
    h.s.cables.length.set(cable, Millimeters(101'000));
    f = h.figures();
    QVERIFY((*f->cabling)[cable].reachExceeded);
}

/// A management cable from a rack to a coolant distribution unit that stands in the hall: along the row's tray, across to the unit, and down.
void TestFigures::cablesToTheFloor()
{
    SmallHall h;
    (void)h.part("cat6a");
    const RowId row = h.addRow(0, 1000);
    (void)h.addRowTray(row, 12'000, 3300);
    const DeviceId tor = h.addSwitch(h.torTier, h.addRack(row, 0), 1), cdu = h.s.devices.insert();
    h.s.devices.type.set(tor, h.part("switch-mgmt-48x1g"));
    h.s.devices.type.set(cdu, h.part("cdu-2000kw")); // 1,657 x 1,074 x 2,323 mm
    h.s.devices.tier.set(cdu, h.serverTier);
    h.s.devices.hall.set(cdu, h.hall);
    h.s.devices.x.set(cdu, Millimeters(5000)), h.s.devices.y.set(cdu, Millimeters(4000));
    const PortId a = h.addPort(tor, PortRole::Down, 1);
    const CageId cage = h.s.cages.insert();
    h.s.cages.device.set(cage, cdu), h.s.cages.split.set(cage, 1);
    const PortId b = h.s.ports.insert();
    h.s.ports.cage.set(b, cage), h.s.ports.device.set(b, cdu), h.s.ports.rate.set(b, Gbps(1));
    const CableId cable = h.addCable();
    (void)h.connect(b, a, cable);
    const auto figures = h.figures();
    // Along the tray from the middle of the rack (300) to that of the unit (5,828); from the tray at y 1,600, 3,300 mm up, to the unit's
    // middle at y 4,537 and its top at 2,323 mm; and down to the switch of 1 U at unit 1.
    const int along = 5828 - 300, across = 4537 - 1600, rise = 3300 - 2323, drop = 3300 - 122;
    const auto& made = (*figures->cabling)[cable];
    QVERIFY(!made.noRoute);
    QCOMPARE(made.routeMm, along + across + rise + drop);
    QCOMPARE((*figures->parts)[*made.type].slug, std::string("cat6a"));
    QCOMPARE(figures->routing->stands(), std::vector<DeviceId>{cdu});
    const auto& pair = figures->routing->pairs()[figures->routing->pairOf(cable)];
    QCOMPARE(figures->routing->standAt(pair.b), Maybe<DeviceId>(cdu));
    QVERIFY(!figures->routing->standAt(pair.a));
    // It follows when it is moved, and when racks come, without being made again.
    Document document(h.snapshot());
    auto now = figuresOf(document.snapshot()).value();
    const auto follow = [&](auto&& change) {
        auto t = document.begin("change");
        change(*t);
        (void)t.commit();
        now = updateFigures(now, document.snapshot(), difference(*now->snapshot, *document.snapshot(), {})).value();
        QVERIFY(*now->cabling == *computeFigures(document.snapshot()).value()->cabling);
    };
    follow([&](Snapshot& s) { s.devices.x.set(cdu, Millimeters(6000)); });
    QCOMPARE((*now->cabling)[cable].routeMm, made.routeMm + 1000);
    follow([&](Snapshot& s) {
        const RackId rack = s.racks.insert();
        s.racks.row.set(rack, row), s.racks.type.set(rack, s.racks.type[s.racks.ids().front()]), s.racks.along.set(rack, Millimeters(3000));
    });
    QCOMPARE((*now->cabling)[cable].routeMm, made.routeMm + 1000);
    follow([&](Snapshot& s) { s.devices.hall.set(cdu, Maybe<HallId>()); }); // it is not placed
    QVERIFY((*now->cabling)[cable].noRoute);
    follow([&](Snapshot& s) { s.devices.hall.set(cdu, Maybe<HallId>(h.hall)); });
    QCOMPARE((*now->cabling)[cable].routeMm, made.routeMm + 1000);
}

void TestFigures::slackIsASetting()
{
    TwoRacks h(3200); // 9.424 m
    const CableId cable = h.join(h.addSwitch(h.torTier, h.a, 1), h.addSwitch(h.aggTier, h.b, 1));
    h.s.putSetting("cabling.slack_percent", "7.5"); // 10.13 m
    QCOMPARE((*h.figures()->cabling)[cable].lengthMm, 15000);
    h.s.putSetting("cabling.slack_percent", "100"); // as far as it can be set it counts: 18.848 m
    QVERIFY((*h.figures()->cabling)[cable].lengthMm >= 18848);
    h.s.putSetting("cabling.slack_percent", "nonsense");
    QCOMPARE((*h.figures()->cabling)[cable].lengthMm, 10000);
}

void TestFigures::powerByHand()
{
    TwoRacks h(6000);
    const DeviceId server = h.addServer(h.a, 1), tor = h.addSwitch(h.torTier, h.b, 1), agg = h.addSwitch(h.aggTier, h.b, 9);
    const CableId cable = h.join(tor, agg);
    const auto f = h.figures();
    const auto& spec = f->parts->device(h.s.devices.type[tor]);
    const auto& optics = f->parts->transceiver(*(*f->cabling)[cable].moduleFrom);
    const bool included = spec.opticsIncluded;
    const Load &load = f->power->device(tor), &host = f->power->device(server);
    QCOMPARE(load.at(PowerBasis::Typical), spec.typical.value + optics.typical.value * !included);
    QCOMPARE(load.at(PowerBasis::Design), spec.design.value + optics.typical.value * !included);
    QCOMPARE(load.at(PowerBasis::Nameplate), spec.nameplate.value + optics.maximum.value * !included);
    QCOMPARE(host.at(PowerBasis::Design), watts(8160));
    Load sum = load;
    sum += load; // two like switches
    QCOMPARE(f->power->rack(h.b), sum);
    sum += host;
    QCOMPARE(f->power->row(RowId(0)), sum);
    QCOMPARE(f->power->hall(h.hall), sum);
    QCOMPARE(f->power->building(h.building), sum);
}

void TestFigures::powerBasisAndRackLimit()
{
    TwoRacks h(6000);
    QCOMPARE(powerBasisOf(h.s), PowerBasis::Design);
    h.s.putSetting("site.power_basis", "nameplate");
    QCOMPARE(powerBasisOf(h.s), PowerBasis::Nameplate);
    h.s.putSetting("site.power_basis", "s a different");
    QCOMPARE(powerBasisOf(h.s), PowerBasis::Design);
    for (const auto basis : {PowerBasis::Typical, PowerBasis::Design, PowerBasis::Nameplate})
        QCOMPARE(powerBasisFromName(powerBasisName(basis)), basis);

    const auto limit = [&] { return rackPowerLimit(h.s, *h.figures()->parts, h.a); };
    QCOMPARE(limit(), watts(45'000)); // of its type
    h.s.racks.powerLimit.set(h.a, watts(12'000));
    QCOMPARE(limit(), watts(12'000));
}

/// A rack of 8,160 W with three power strips: two on busway A, one on B; another rack on A alone.
void TestFigures::supplyOfARack()
{
    TwoRacks h(6000);
    (void)h.addServer(h.a, 1);
    (void)h.addServer(h.b, 1);
    const auto tier = [&](int level) {
        const TierId id = h.s.tiers.insert();
        h.s.tiers.kind.set(id, TierKind::Power), h.s.tiers.level.set(id, std::int16_t(level));
        return id;
    };
    const TierId busways = tier(1), pdus = tier(2);
    const auto device = [&](TierId of, const char* slug, Maybe<RackId> rack) {
        const DeviceId id = h.addSwitch(of, h.a, 0);
        h.s.devices.type.set(id, h.part(slug)), h.s.devices.rack.set(id, rack);
        return id;
    };
    const auto feed = [&](DeviceId from, DeviceId to) {
        const PortId a = h.addPort(from, PortRole::Up, 0), b = h.addPort(to, PortRole::Down, 0);
        h.s.ports.medium.set(a, Medium::Power), h.s.ports.medium.set(b, Medium::Power);
        h.connect(a, b, h.addCable(Medium::Power));
    };
    const DeviceId a = device(busways, "transformer-3150kva", {}), b = device(busways, "transformer-3150kva", {});
    const DeviceId grid = device(tier(0), "utility-20kv-25mva", {});
    feed(a, grid), feed(b, grid);
    const DeviceId strips[] = {device(pdus, "rack-pdu-63a", h.a), device(pdus, "rack-pdu-63a", h.a), device(pdus, "rack-pdu-63a", h.a)};
    const DeviceId alone = device(pdus, "rack-pdu-63a", h.b);
    feed(strips[0], a), feed(strips[1], a), feed(strips[2], b), feed(alone, a);
    const auto f = h.figures();
    const PowerChain& chain = powerChain(*f, PowerBasis::Design);
    const PowerWorst& worst = worstPower(*f, PowerBasis::Design);
    // Eight supplies of 3 kW of one host over three strips: 3, 3 and 2.
    QCOMPARE(f->power->rack(h.a).at(PowerBasis::Design), watts(8160));
    QCOMPARE(f->get<PowerFeedsNode>().cords(), std::int64_t(2 * 8));
    const Milliwatts loss = chain.load(a) - chain.through(a);
    QVERIFY(loss.count() > 0);
    Milliwatts strip;
    for (const DeviceId s : strips) strip += chain.through(s);
    QCOMPARE(strip, watts(8160));
    QCOMPARE(chain.through(alone), watts(8160));
    QCOMPARE(chain.through(a) + chain.through(b), watts(2 * 8160));
    QCOMPARE(worst.through(alone), watts(8160));
    QCOMPARE(worst.through(a), watts(2 * 8160)); // all of the first rack once B is lost
    QVERIFY(worst.lost(a) == Maybe<DeviceId>(strips[2]) || worst.lost(a) == Maybe<DeviceId>(b));
    QCOMPARE(worst.through(b), watts(3264)); // two of the five supplies that are left without the first strip
    const auto dark = [&](DeviceId lost) { return racksDark(h.s, chain, darkWithout(chain, lost)); };
    QCOMPARE(dark(a), (std::vector<RackId>{h.a, h.b})); // two supplies do not carry 8.16 kW
    QCOMPARE(dark(b), std::vector<RackId>());
    QCOMPARE(dark(alone), std::vector<RackId>{h.b});
    QCOMPARE(dark(strips[0]), std::vector<RackId>());
}

void TestFigures::trayFill()
{
    TwoRacks h(6000);
    const DeviceId tor = h.addSwitch(h.torTier, h.a, 1), agg = h.addSwitch(h.aggTier, h.b, 1);
    for (int i = 0; i < 60; ++i) h.join(tor, agg);
    const auto f = h.figures();
    std::int32_t most = 0;
    h.s.trays.forEach([&](TrayId tray) {
        const TrayLoad& load = f->get<TrayLoadNode>()[tray.value];
        if (load.all.cables == 0) return;
        QCOMPARE(load.of[std::size_t(Medium::Data)], load.all);
        QCOMPARE(load.all.cables, 60);
        QCOMPARE(load.all.areaUm2, std::int64_t(60) * 7068583); // π/4 · 3 mm squared
        most = std::max(most, fillPermille(h.s, *f->parts, tray, load));
    });
    QCOMPARE(most, 7); // 424 of 60,000 mm²
}

// CHECKS.md P1.
void TestFigures::dcnPlus()
{
    const auto f = designed("dcn-plus", {});
    const auto& n = f->fabric->networks().front();
    QCOMPARE(tier(*f, "tor").switches, std::int64_t(256));
    QCOMPARE(tier(*f, "agg").switches, std::int64_t(256));
    QCOMPARE(tier(*f, "core").switches, std::int64_t(128));
    QCOMPARE(links(*f, "server", "tor", 200).first, std::int64_t(32768));
    QCOMPARE(links(*f, "tor", "agg", 400).first, std::int64_t(16384));
    QCOMPARE(links(*f, "agg", "core", 400).first, std::int64_t(16384));
    for (const char* name : {"tor", "agg", "core"}) QCOMPARE(tier(*f, name).oversubscription(), 1.0);
    QCOMPARE(n.oversubscriptionEndToEnd, 1.0);
    QCOMPARE(n.segments, 4);
    QCOMPARE(n.pods, 32);
    QCOMPARE(n.planes, 1);
    QCOMPARE(n.rails, 1);
    QVERIFY(n.connected);
    QCOMPARE(f->cabling->transceivers().empty(), false);
}

// CHECKS.md P2, and the hall of SAMPLES.md.
void TestFigures::hpnPod()
{
    const auto f = designed("hpn", {});
    const auto& n = f->fabric->networks().front();
    QCOMPARE(tier(*f, "tor").switches, std::int64_t(240));
    QCOMPARE(tier(*f, "agg").switches, std::int64_t(120));
    QCOMPARE(tier(*f, "core").switches, std::int64_t(64));
    QCOMPARE(links(*f, "server", "tor", 200), std::pair(std::int64_t(30720), std::int64_t(1920)));
    QCOMPARE(links(*f, "tor", "agg", 400).first, std::int64_t(14400));
    QCOMPARE(links(*f, "agg", "core", 400).first, std::int64_t(960));
    QCOMPARE(tier(*f, "tor").oversubscription(), 16.0 / 15);
    QCOMPARE(tier(*f, "tor").oversubscriptionWithBackup(), 17.0 / 15);
    QCOMPARE(tier(*f, "agg").oversubscription(), 15.0);
    QCOMPARE(tier(*f, "core").oversubscription(), 1.0);
    QCOMPARE(n.oversubscriptionEndToEnd, 16.0);
    QCOMPARE(n.planes, 2);
    QCOMPARE(n.rails, 8);
    QCOMPARE(n.segments, 15);
    QCOMPARE(n.pods, 1);
    QVERIFY(n.connected);
    for (const auto& count : tier(*f, "tor").ports) {
        QVERIFY(count.role != PortRole::Down || (count.total == 240 * 128 && count.used == 30720 && count.rate.count() == 200));
        QVERIFY(count.role != PortRole::Up || (count.total == 14400 && count.used == 14400 && count.rate.count() == 400));
    }

    std::int32_t longest = 0;
    f->snapshot->links.forEach([&](LinkId link) {
        const auto& s = *f->snapshot;
        const auto cable = s.links.cable[link];
        if (!cable || s.cables.medium[*cable] != Medium::Data) return;
        const auto& c = (*f->cabling)[*cable];
        const bool copper = s.ports.rate[s.links.from[link]].count() == 1; // management: no transceivers
        QVERIFY(c.type && !c.noRoute && !c.reachExceeded);
        QCOMPARE(c.moduleFrom && c.moduleTo, !copper);
        if (s.tiers.name[s.devices.tier[s.ports.device[s.links.to[link]]]] == "agg") longest = std::max(longest, c.lengthMm);
    });
    QCOMPARE(longest, 75000);
    std::int64_t cables = 0;
    for (const auto& [line, count] : f->cabling->physicalByTypeLength()) cables += count;
    QCOMPARE(cables, std::int64_t(16320 + 14400 + 960 + 6200 + 636 + 4538)); // back end; front end, storage, management
}

// CHECKS.md P3.
void TestFigures::hpnCore_data()
{
    QTest::addColumn<int>("pods");
    QTest::addColumn<int>("segments");
    QTest::addColumn<double>("agg");
    QTest::addColumn<double>("endToEnd");
    QTest::newRow("two pods") << 2 << 15 << 15.0 << 16.0;
    QTest::newRow("eight segments") << 1 << 8 << 8.0 << 8.0 * 16 / 15;
}

void TestFigures::hpnCore()
{
    QFETCH(int, pods);
    QFETCH(int, segments);
    const auto f = designed("hpn", {{"pods", pods}, {"segments", segments}});
    QCOMPARE(tier(*f, "core").switches, std::int64_t(64));
    QCOMPARE(links(*f, "agg", "core", 400).first, std::int64_t(960 * pods));
    QTEST(tier(*f, "agg").oversubscription(), "agg");
    QFETCH(double, endToEnd);
    QVERIFY(std::abs(f->fabric->networks().front().oversubscriptionEndToEnd - endToEnd) < 1e-12);
    QCOMPARE(f->fabric->networks().front().pods, pods);
    QCOMPARE(f->fabric->networks().front().segments, segments);
}

void TestFigures::brokenFabricIsNotConnected()
{
    TwoRacks h(6000);
    const DeviceId servers[] = {h.addServer(h.a, 1), h.addServer(h.a, 9)};
    const DeviceId tors[] = {h.addSwitch(h.torTier, h.b, 1), h.addSwitch(h.torTier, h.b, 5)};
    for (int i = 0; i < 2; ++i) h.connect(h.addPort(servers[i], PortRole::Host, 400), h.addPort(tors[i], PortRole::Down, 400), h.addCable());
    QVERIFY(!h.figures()->fabric->networks().front().connected);
    const DeviceId agg = h.addSwitch(h.aggTier, h.b, 9);
    for (const DeviceId tor : tors) h.join(tor, agg);
    QVERIFY(h.figures()->fabric->networks().front().connected);
}

void TestFigures::randomEdits_data()
{
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 0; seed < 40; ++seed) QTest::newRow(qPrintable(QString::number(seed))) << seed;
}

void TestFigures::randomEdits()
{
    QFETCH(unsigned, seed);
    unsigned state = seed + 100;
    auto figures = test::randomHall(seed).figures();
    for (int step = 0; step < 25; ++step) {
        Snapshot next = *figures->snapshot;
        test::editAtRandom(next, state);
        if (step % 5 == 0) test::editAtRandom(next, state);
        checkUpdate(figures, std::move(next));
        if (QTest::currentTestFailed()) return;
    }
}

void TestFigures::editsOfThePod()
{
    auto figures = designed("hpn", {{"segments", 3}});
    unsigned state = 1;
    for (int step = 0; step < 50; ++step) {
        Snapshot next = *figures->snapshot;
        test::editAtRandom(next, state);
        checkUpdate(figures, std::move(next));
        if (QTest::currentTestFailed()) return;
    }
}

void TestFigures::aMovedRowSharesTheRest()
{
    const auto figures = designed("hpn", {{"segments", 2}});
    Snapshot next = *figures->snapshot;
    next.rows.x.set(RowId(0), next.rows.x[RowId(0)] + Millimeters(300));
    const auto after = std::make_shared<const Snapshot>(std::move(next));
    const auto moved = updateFigures(figures, after, difference(*figures->snapshot, *after, "move")).value();
    QCOMPARE(moved->fabric, figures->fabric);
    QCOMPARE(moved->parts, figures->parts);
    QVERIFY(moved->placement != figures->placement);
    QCOMPARE(moved->snapshot, after);
}

QTEST_APPLESS_MAIN(TestFigures)
#include "test_figures.moc"
