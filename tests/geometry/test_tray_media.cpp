// SPDX-License-Identifier: GPL-3.0-or-later
// Ways of power and coolant, of what stands on the floor, and around trays that are full.
#include "core/derived/geometry/routing_ways.h"
#include "tests/figures/small_hall.h"

#include <QTest>

#include <cstdlib>
#include <limits>

using namespace hw;
using test::SmallHall;

namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int32_t>::max();

/// Shortest way by relaxing all edges until nothing changes. `room`: what is left in every section of a tray, where it counts.
std::int64_t byRelaxing(const RoutingPaths& ways, const Routing::Pair& pair, std::int64_t area, const std::vector<std::int64_t>& room)
{
    struct Node {
        std::uint32_t tray;
        std::int32_t at;
    };
    const auto& g = ways.graph;
    std::vector<Node> nodes;
    for (const TrayStop& stop : g.stops) nodes.push_back({stop.tray, stop.at});
    std::vector<std::tuple<std::size_t, std::size_t, std::int64_t>> edges;
    for (const TrayJoint& joint : g.joints)
        if (carries(g.plane[nodes[joint.a].tray], pair.plane) && carries(g.plane[nodes[joint.b].tray], pair.plane))
            edges.emplace_back(joint.a, joint.b, joint.lengthMm);
    const std::size_t source = nodes.size(), target = source + 1;
    nodes.resize(nodes.size() + 2, {~0u, 0});
    for (const bool first : {true, false})
        for (const RackHook& hook : ways.hooksOf(first ? pair.a.value : pair.b.value)) {
            edges.emplace_back(first ? source : target, nodes.size(), hook.offsetMm);
            nodes.push_back({hook.tray, hook.at});
        }
    const auto fits = [&](std::uint32_t tray, std::int32_t a, std::int32_t b) {
        if (room.empty()) return true;
        for (std::uint32_t k = ways.firstBreak[tray]; k + 1 < ways.firstBreak[tray + 1]; ++k)
            if (ways.breaks[k] >= std::min(a, b) && ways.breaks[k + 1] <= std::max(a, b) &&
                room[ways.firstTraySection[tray] + k - ways.firstBreak[tray]] < area)
                return false;
        return true;
    };
    for (std::size_t i = 0; i < nodes.size(); ++i)
        for (std::size_t j = i + 1; j < nodes.size(); ++j)
            if (nodes[i].tray == nodes[j].tray && nodes[i].tray != ~0u && carries(g.plane[nodes[i].tray], pair.plane) &&
                fits(nodes[i].tray, nodes[i].at, nodes[j].at))
                edges.emplace_back(i, j, std::abs(nodes[i].at - nodes[j].at));
    std::vector<std::int64_t> distance(nodes.size(), kNever);
    distance[source] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto& [a, b, length] : edges)
            for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)})
                if (distance[x] < kNever && distance[x] + length < distance[y]) distance[y] = distance[x] + length, changed = true;
    }
    return distance[target] < kNever ? distance[target] : -1;
}

/// A random hall whose trays are for some media and sides.
SmallHall hallOfMedia(unsigned seed)
{
    SmallHall h = test::randomHall(seed);
    unsigned state = seed + 99;
    h.s.trays.forEach([&](TrayId id) {
        constexpr Carries kKinds[] = {Carries::Any, Carries::Power, Carries::Power, Carries::Data};
        h.s.trays.carries.set(id, kKinds[test::nextRandom(state) % 4]);
        h.s.trays.side.set(id, PowerSide(test::nextRandom(state) % 3));
    });
    return h;
}

std::vector<Routing::Pair> randomPairs(const SmallHall& h, unsigned seed, unsigned count)
{
    unsigned state = seed + 5;
    const auto racks = h.s.racks.ids();
    std::vector<Routing::Pair> pairs;
    for (unsigned i = 0; i < count; ++i) {
        Routing::Pair pair;
        pair.a = racks[test::nextRandom(state) % racks.size()], pair.b = racks[test::nextRandom(state) % racks.size()];
        pair.plane = std::int16_t(int(test::nextRandom(state) % 3) - 1);
        if (!(pair.a == pair.b)) pairs.push_back(pair);
    }
    return pairs;
}

} // namespace

class TestTrayMedia : public QObject {
    Q_OBJECT

private slots:
    void dataKeepsOffPower();
    void sidesApart();
    void nextWayWhenFull();
    void fromTheFloor();
    void throughARiser();
    void shortestOfAll_data();
    void shortestOfAll();
    void nextShortestOfAll_data();
    void nextShortestOfAll();
};

/// The short spine is for power; a data cable takes the one 4 m further, and nothing where that is for coolant.
void TestTrayMedia::dataKeepsOffPower()
{
    SmallHall h;
    const RowId rows[] = {h.addRow(5000, 4000), h.addRow(5000, 10000)};
    for (const RowId row : rows) h.addRowTray(row, 6000, 3600);
    const TrayId near = h.addSpine(h.hall, {6000, 0, 3600}, {6000, 20000, 3600}), far = h.addSpine(h.hall, {10000, 0, 3600}, {10000, 20000, 3600});
    const CableId cable = h.join(h.addSwitch(h.torTier, h.addRack(rows[0], 700), 1), h.addSwitch(h.aggTier, h.addRack(rows[1], 700), 1));
    const auto length = [&] {
        const auto f = h.figures();
        return f->routing->pairs()[f->routing->pairOf(cable)].lengthMm;
    };
    QCOMPARE(length(), 6000);
    h.s.trays.carries.set(near, Carries::Power);
    QCOMPARE(length(), 4000 + 6000 + 4000);
    h.s.trays.carries.set(far, Carries::Coolant);
    QCOMPARE(length(), -1);
}

/// Two boards joined by ladders of A and of B: either side takes its own, what has none the shorter.
void TestTrayMedia::sidesApart()
{
    SmallHall h;
    const TrayId a = h.addSpine(h.hall, {2000, 5000, 3600}, {20000, 5000, 3600}), b = h.addSpine(h.hall, {2000, 9000, 3600}, {20000, 9000, 3600});
    for (const TrayId id : {a, b}) h.s.trays.carries.set(id, Carries::Power);
    h.s.trays.side.set(a, PowerSide::A), h.s.trays.side.set(b, PowerSide::B);
    const auto f = h.figures();
    // The hall begins at 1,500, 2,700 on the campus. Boards at x = 3.5 m and 13.5 m of it, one meter from the ladder of A in plan.
    const auto stand = [&](std::int32_t x) { return RouteState{{{x, 8600, 0}, {x + 1000, 8800, 2000}}, h.hall, {}}; };
    const std::vector<RouteState> stands{stand(5000), stand(15000)};
    std::vector<Routing::Pair> pairs(3);
    for (std::size_t i = 0; i < 3; ++i)
        pairs[i].a = RackId(h.s.racks.nextId()), pairs[i].b = RackId(h.s.racks.nextId() + 1), pairs[i].plane = std::int16_t(i) - 1;
    const auto routes = Routing::lines(h.s, *f->parts, *f->placement, Medium::Power, stands, pairs, {0, 0, 0});
    QCOMPARE(routes->pairs()[0].lengthMm, 2 * (1000 + 1600) + 10000);
    QCOMPARE(routes->pairs()[1].lengthMm, 2 * (1000 + 1600) + 10000);
    QCOMPARE(routes->pairs()[2].lengthMm, 2 * (3000 + 1600) + 10000);
    const auto traysOf = [&](std::uint32_t pair) {
        std::vector<TrayId> trays;
        for (const std::uint32_t s : routes->sectionsOf(pair)) trays.push_back(*routes->sections()[s].tray);
        return trays;
    };
    for (const TrayId id : traysOf(1)) QCOMPARE(id, a);
    for (const TrayId id : traysOf(2)) QCOMPARE(id, b);
    QVERIFY(!traysOf(2).empty());
}

/// The short spine takes one cable: the second pair goes the long way, and that is said. Where there is no other, it stays.
void TestTrayMedia::nextWayWhenFull()
{
    SmallHall h;
    h.s.putSetting("rule.k1.full_percent", "0.02"); // of 60,000 mm²: 12 mm², one cable of 3 mm
    const RowId rows[] = {h.addRow(5000, 4000), h.addRow(5000, 10000)};
    for (const RowId row : rows)
        for (int plane : {0, 1}) h.addRowTray(row, 6000, 3600, plane); // a cable each
    const TrayId near = h.addSpine(h.hall, {6000, 0, 3600}, {6000, 20000, 3600});
    h.addSpine(h.hall, {10000, 0, 3600}, {10000, 20000, 3600});
    const RackId a = h.addRack(rows[0], 700), b = h.addRack(rows[1], 700);
    const CableId first = h.join(h.addSwitch(h.torTier, a, 1, 0), h.addSwitch(h.aggTier, b, 1, 0));
    const CableId second = h.join(h.addSwitch(h.torTier, a, 5, 1), h.addSwitch(h.aggTier, b, 5, 1));
    const auto f = h.figures();
    const auto& routing = *f->routing;
    QCOMPARE(routing.pairs()[routing.pairOf(first)].lengthMm, 6000);
    QCOMPARE(routing.pairs()[routing.pairOf(second)].lengthMm, 4000 + 6000 + 4000);
    QCOMPARE(routing.detours().size(), std::size_t(1));
    QCOMPARE(routing.detours()[0].pair, routing.pairOf(second));
    QCOMPARE(routing.detours()[0].full, near);
    QCOMPARE(routing.detours()[0].moreMm, 8000);
    for (const std::uint32_t s : routing.sectionsOf(routing.pairOf(second))) QVERIFY(!(routing.sections()[s].tray == near));
    h.s.putSetting("rule.k1.full_percent", "50");
    QVERIFY(h.figures()->routing->detours().empty());
    QCOMPARE(h.figures()->routing->pairs()[routing.pairOf(second)].lengthMm, 6000);
    h.s.putSetting("rule.k1.full_percent", "0.001"); // nothing goes into any tray: all stay on the shortest way
    QVERIFY(h.figures()->routing->detours().empty());
    QCOMPARE(h.figures()->routing->pairs()[routing.pairOf(second)].lengthMm, 6000);
}

/// A busway of 6 m is fed at the end that is nearer; a board in the next room through a ladder that only passes through it.
void TestTrayMedia::fromTheFloor()
{
    SmallHall h;
    const HallId next = h.addHall(h.building, 0, 31000, 50000, 5000);
    const RowId row = h.addRow(5000, 4000);
    h.addRack(row, 0);
    const TrayId ladder = h.addSpine(h.hall, {12000, 4000, 3600}, {12000, 33000, 3600});
    h.s.trays.carries.set(ladder, Carries::Power);
    const auto f = h.figures();
    // On the campus the ladder is at x = 13.5 m. The busway hangs from 6.5 to 12.5 m at y = 7 m, its top at 2.85 m.
    const std::vector<RouteState> stands{{{{6500, 6900, 2700}, {12500, 7100, 2850}}, h.hall, row},
                                         {{{13000, 34000, 0}, {14000, 34500, 2000}}, next, {}}};
    std::vector<Routing::Pair> pairs(1);
    pairs[0].a = RackId(h.s.racks.nextId()), pairs[0].b = RackId(h.s.racks.nextId() + 1);
    const auto routes = Routing::lines(h.s, *f->parts, *f->placement, Medium::Power, stands, pairs, {0});
    QCOMPARE(routes->pairs()[0].lengthMm, 1000 + 750 + (34250 - 7000) + 1600);
    h.s.trays.carries.set(ladder, Carries::Coolant);
    QCOMPARE(Routing::lines(h.s, *f->parts, *f->placement, Medium::Power, stands, pairs, {0})->pairs()[0].lengthMm, -1);
}

/// Two levels meet where a riser stands: down there, and along the lower level.
void TestTrayMedia::throughARiser()
{
    SmallHall h;
    const TrayId upper = h.addSpine(h.hall, {2000, 5000, 3600}, {10000, 5000, 3600}),
                 lower = h.addSpine(h.hall, {10000, 5000, 600}, {20000, 5000, 600}),
                 riser = h.addSpine(h.hall, {10000, 5000, 600}, {10000, 5000, 3600});
    h.s.trays.kind.set(riser, TrayKind::Riser);
    for (const TrayId id : {upper, lower, riser}) h.s.trays.carries.set(id, Carries::Power);
    const auto f = h.figures();
    const auto stand = [&](std::int32_t x, std::int32_t top) { return RouteState{{{x - 100, 7600, 0}, {x + 100, 7800, top}}, h.hall, {}}; };
    const std::vector<RouteState> stands{stand(4500, 3600), stand(20500, 600)};
    std::vector<Routing::Pair> pairs(1);
    pairs[0].a = RackId(h.s.racks.nextId()), pairs[0].b = RackId(h.s.racks.nextId() + 1);
    const auto routes = Routing::lines(h.s, *f->parts, *f->placement, Medium::Power, stands, pairs, {0});
    QCOMPARE(routes->pairs()[0].lengthMm, 7000 + 3000 + 9000);
}

void TestTrayMedia::shortestOfAll_data()
{
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 0; seed < 40; ++seed) QTest::newRow(qPrintable(QString::number(seed))) << seed;
}

void TestTrayMedia::shortestOfAll()
{
    QFETCH(unsigned, seed);
    const SmallHall h = hallOfMedia(seed);
    const auto f = h.figures();
    const auto pairs = randomPairs(h, seed, 40);
    const auto routes = Routing::lines(h.s, *f->parts, *f->placement, Medium::Power, {}, pairs, std::vector<std::int64_t>(pairs.size(), 0));
    RoutingPaths ways;
    ways.graph = TrayGraph::build(h.s, *f->placement, Medium::Power);
    hookRacks(h.s, *f->placement, ways, Medium::Power);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        QCOMPARE(std::int64_t(routes->pairs()[i].lengthMm), byRelaxing(ways, pairs[i], 0, {}));
        for (const std::uint32_t s : routes->sectionsOf(std::uint32_t(i)))
            if (const auto tray = routes->sections()[s].tray) {
                QVERIFY(carriesMedium(h.s.trays.carries[*tray], Medium::Power));
                QVERIFY(carries(std::int16_t(int(h.s.trays.side[*tray]) - 1), pairs[i].plane));
            }
    }
}

void TestTrayMedia::nextShortestOfAll_data() { shortestOfAll_data(); }

/// With trays that take three cables each, every pair in its turn takes the shortest way that has room left.
void TestTrayMedia::nextShortestOfAll()
{
    QFETCH(unsigned, seed);
    SmallHall h = hallOfMedia(seed);
    h.s.putSetting("rule.k1.full_percent", "0.05"); // of 60,000 mm²: 30 mm²
    const auto f = h.figures();
    const auto pairs = randomPairs(h, seed, 40);
    constexpr std::int64_t kArea = 10'000'000, kRoom = 30'000'000;
    const auto routes = Routing::lines(h.s, *f->parts, *f->placement, Medium::Power, {}, pairs, std::vector<std::int64_t>(pairs.size(), kArea));
    RoutingPaths ways;
    ways.graph = TrayGraph::build(h.s, *f->placement, Medium::Power);
    std::vector<char> wanted(h.s.racks.nextId(), 0);
    for (const auto& pair : pairs) wanted[pair.a.value] = wanted[pair.b.value] = 1;
    hookRacks(h.s, *f->placement, ways, Medium::Power, &wanted);
    std::vector<TraySection> sections;
    makeSections(*f->placement, ways, sections);
    std::vector<std::int64_t> room(sections.size(), kRoom);
    std::size_t aside = 0;
    for (std::uint32_t i = 0; i < pairs.size(); ++i) {
        const std::int64_t shortest = byRelaxing(ways, pairs[i], kArea, {}), withRoom = byRelaxing(ways, pairs[i], kArea, room);
        QCOMPARE(std::int64_t(routes->pairs()[i].lengthMm), withRoom < 0 ? shortest : withRoom);
        aside += withRoom > shortest;
        for (const std::uint32_t s : routes->sectionsOf(i))
            if (sections[s].tray) room[s] -= kArea;
    }
    QVERIFY(routes->detours().size() >= aside); // of ways of one length the first may be full, too
}

QTEST_APPLESS_MAIN(TestTrayMedia)
#include "test_tray_media.moc"
