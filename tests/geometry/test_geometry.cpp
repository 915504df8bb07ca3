// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/geometry/contained_aisle.h"
#include "core/derived/geometry/routing_ways.h"
#include "tests/figures/small_hall.h"

#include <QTest>

#include <cstdlib>
#include <limits>

using namespace hw;
using test::SmallHall;

namespace {

constexpr std::int64_t kFar = std::numeric_limits<std::int32_t>::max();

std::int64_t lengthOf(const std::vector<Point>& line)
{
    std::int64_t total = 0;
    for (std::size_t i = 1; i < line.size(); ++i) total += manhattanMm(line[i - 1], line[i]);
    return total;
}

/// Shortest way by relaxing every edge until nothing changes, over all stops and both racks' hooks:
/// slow, and without any of the router's shortcuts.
std::int64_t bruteForce(const RoutingPaths& ways, const Routing::Pair& pair)
{
    struct Node {
        std::uint32_t tray;
        std::int32_t at;
    };
    struct Edge {
        std::size_t a, b;
        std::int64_t length;
    };
    const auto& g = ways.graph;
    std::vector<Node> nodes;
    std::vector<Edge> edges;
    for (const TrayStop& stop : g.stops) nodes.push_back({stop.tray, stop.at});
    for (const TrayJoint& joint : g.joints)
        if (carries(g.plane[nodes[joint.a].tray], pair.plane) && carries(g.plane[nodes[joint.b].tray], pair.plane))
            edges.push_back({joint.a, joint.b, joint.lengthMm});
    const std::size_t source = nodes.size(), target = source + 1;
    nodes.resize(nodes.size() + 2, {~0u, 0});
    for (const bool first : {true, false})
        for (const RackHook& hook : ways.hooksOf(first ? pair.a.value : pair.b.value)) {
            edges.push_back({first ? source : target, nodes.size(), hook.offsetMm});
            nodes.push_back({hook.tray, hook.at});
        }
    for (std::size_t i = 0; i < nodes.size(); ++i)
        for (std::size_t j = i + 1; j < nodes.size(); ++j)
            if (nodes[i].tray == nodes[j].tray && nodes[i].tray != ~0u && carries(g.plane[nodes[i].tray], pair.plane))
                edges.push_back({i, j, std::abs(nodes[i].at - nodes[j].at)});
    std::vector<std::int64_t> distance(nodes.size(), kFar);
    distance[source] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (const Edge& e : edges)
            for (const auto& [x, y] : {std::pair(e.a, e.b), std::pair(e.b, e.a)})
                if (distance[x] < kFar && distance[x] + e.length < distance[y]) {
                    distance[y] = distance[x] + e.length;
                    changed = true;
                }
    }
    return distance[target] < kFar ? distance[target] : -1;
}

} // namespace

class TestGeometry : public QObject {
    Q_OBJECT

private slots:
    void containedAisles();
    void turnedRows_data();
    void turnedRows();
    void deviceInRack();
    void lengthsByHand();
    void planesKeepApart();
    void rowOffTheSpineStaysConnected();
    void buildingsJoinedByDucts();
    void rowWithoutTrayUsesTheSpine();
    void noWay();
    void shortestOfAll_data();
    void shortestOfAll();
    void pathsAndSectionsAgreeWithLengths_data();
    void pathsAndSectionsAgreeWithLengths();
    void movedEqualsCompute_data();
    void movedEqualsCompute();
};

/// Two rows with their fronts to each other close one cold aisle, from either of them; one alone 1.2 m of floor; a chimney none.
void TestGeometry::containedAisles()
{
    SmallHall h;
    const RowId low = h.addRow(3800, 10000, 180), high = h.addRow(2000, 12000), alone = h.addRow(2000, 20000), chimney = h.addRow(2000, 30000);
    for (const RowId row : {low, high, alone, chimney})
        for (int i = 0; i < 3; ++i) h.addRack(row, i * 600);
    const auto aislesOf = [&] {
        const auto figures = h.figures();
        return hw::containedAisles(*figures->snapshot, *figures->placement);
    };
    QVERIFY(aislesOf().empty());
    h.s.rows.containment.set(low, Containment::ColdAisle);
    const auto figures = h.figures();
    const Box a = figures->placement->row(low), b = figures->placement->row(high);
    const bool facing = figures->placement->facing(h.s.racks.ids().front()) == 90; // the racks of `low` look north
    QVERIFY(facing && a.high.y < b.low.y);
    auto found = aislesOf();
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(found[0].box.low.y, a.high.y);
    QCOMPARE(found[0].box.high.y, b.low.y);
    QVERIFY(found[0].alongX && found[0].kind == Containment::ColdAisle);
    h.s.rows.containment.set(high, Containment::ColdAisle); // the same aisle
    QCOMPARE(aislesOf().size(), std::size_t(1));
    h.s.rows.containment.set(chimney, Containment::Chimney);
    QCOMPARE(aislesOf().size(), std::size_t(1));
    h.s.rows.containment.set(alone, Containment::HotAisle);
    found = aislesOf();
    QCOMPARE(found.size(), std::size_t(2));
    QVERIFY(found[1].kind == Containment::HotAisle);
    QCOMPARE(found[1].box.high.y - found[1].box.low.y, 1200);
    QCOMPARE(found[1].box.low.y, figures->placement->row(alone).high.y); // its fronts look south
}

void TestGeometry::turnedRows_data()
{
    QTest::addColumn<int>("angle");
    QTest::addColumn<int>("lowX"); // of a rack 1.2 m down a row whose origin is at (10, 20) m of the campus
    QTest::addColumn<int>("lowY");
    QTest::addColumn<int>("facing");
    QTest::newRow("east") << 0 << 11200 << 20000 << 270;
    QTest::newRow("north") << 90 << 8800 << 21200 << 0;
    QTest::newRow("west") << 180 << 8200 << 18800 << 90;
    QTest::newRow("south") << 270 << 10000 << 18200 << 180;
    QTest::newRow("less than nothing") << -90 << 10000 << 18200 << 180;
    QTest::newRow("more than a turn") << 450 << 8800 << 21200 << 0;
}

void TestGeometry::turnedRows()
{
    QFETCH(int, angle);
    SmallHall h; // the hall's corner is at (1500, 2700)
    const RowId row = h.addRow(8500, 17300, angle);
    const RackId rack = h.addRack(row, 1200);
    const TrayId tray = h.addRowTray(row, 3000);
    const auto f = h.figures();
    const Box box = f->placement->rack(rack);
    QTEST(box.low.x, "lowX");
    QTEST(box.low.y, "lowY");
    QTEST(f->placement->facing(rack), "facing");
    const bool turned = angle % 180 != 0;
    QCOMPARE(box.high.x - box.low.x, turned ? 1200 : 600); // 600 wide along the row, 1,200 deep
    QCOMPARE(box.high.y - box.low.y, turned ? 600 : 1200);
    QCOMPARE(f->placement->row(row), box);
    const TrayLine line = f->placement->tray(tray);
    QCOMPARE(std::abs(line.a.x - line.b.x) + std::abs(line.a.y - line.b.y), 3000);
    // The tray 600 mm left of the row's front line runs over the middle of the racks.
    QCOMPARE(turned ? line.a.x : line.a.y, turned ? (box.low.x + box.high.x) / 2 : (box.low.y + box.high.y) / 2);
}

void TestGeometry::deviceInRack()
{
    SmallHall h;
    const RackId rack = h.addRack(h.addRow(0, 0), 0);
    const DeviceId device = h.addSwitch(h.torTier, rack, 11); // 4U high
    const auto f = h.figures();
    const Box box = f->placement->device(h.s, *f->parts, device);
    QCOMPARE(box.low.z, 100 + 444); // ten units of 44.45 mm above the base
    QCOMPARE(box.high.z - box.low.z, 177);
    QCOMPARE(box.low.x, f->placement->rack(rack).low.x);
}

void TestGeometry::lengthsByHand()
{
    // Two rows 6 m apart along x, a spine across both at x = 9 m of the hall, 300 mm above the row trays.
    SmallHall h;
    const RowId rows[] = {h.addRow(5000, 4000), h.addRow(5000, 10000)};
    for (const RowId row : rows) h.addRowTray(row, 6000, 3300);
    h.addSpine(h.hall, {9000, 0, 3600}, {9000, 20000, 3600});
    const RackId near = h.addRack(rows[0], 600), far = h.addRack(rows[0], 4800), other = h.addRack(rows[1], 0);
    const DeviceId a = h.addSwitch(h.torTier, near, 1), b = h.addSwitch(h.torTier, far, 1), c = h.addSwitch(h.aggTier, other, 1);
    const CableId along = h.join(a, b), across = h.join(a, c);
    const auto f = h.figures();
    const auto& routing = *f->routing;
    QCOMPARE(routing.pairs().size(), std::size_t(2));
    QCOMPARE(routing.pairs()[routing.pairOf(along)].lengthMm, 4200);
    // 3.1 m to the spine, 300 up, 6 m along it, 300 down, 3.7 m to the rack.
    QCOMPARE(routing.pairs()[routing.pairOf(across)].lengthMm, 3100 + 300 + 6000 + 300 + 3700);
    QCOMPARE(routing.pairs()[routing.pairOf(across)].heightA, 3300);
}

void TestGeometry::planesKeepApart()
{
    // The short spine belongs to plane 1; a cable of plane 0 has to take the one 4 m further.
    SmallHall h;
    const RowId rows[] = {h.addRow(5000, 4000), h.addRow(5000, 10000)};
    for (const RowId row : rows) h.addRowTray(row, 6000, 3600);
    h.addSpine(h.hall, {6000, 0, 3600}, {6000, 20000, 3600}, 1);
    h.addSpine(h.hall, {10000, 0, 3600}, {10000, 20000, 3600}, 0);
    const RackId low = h.addRack(rows[0], 700), high = h.addRack(rows[1], 700);
    const DeviceId server = h.addServer(low, 1);
    const DeviceId tor0 = h.addSwitch(h.torTier, high, 1, 0), tor1 = h.addSwitch(h.torTier, high, 5, 1);
    const CableId c0 = h.join(server, tor0), c1 = h.join(server, tor1);
    const auto f = h.figures();
    QCOMPARE(f->routing->pairs().size(), std::size_t(2));
    QCOMPARE(f->routing->pairs()[f->routing->pairOf(c1)].lengthMm, 6000);
    QCOMPARE(f->routing->pairs()[f->routing->pairOf(c0)].lengthMm, 4000 + 6000 + 4000);
}

void TestGeometry::rowOffTheSpineStaysConnected()
{
    // The row's tray ends 2 m short of the spine: a connection of 2 m, and the drop, are added.
    SmallHall h;
    const RowId rows[] = {h.addRow(1000, 4000), h.addRow(9000, 10000)};
    for (const RowId row : rows) h.addRowTray(row, 6000, 3300);
    h.addSpine(h.hall, {9000, 0, 3600}, {9000, 20000, 3600});
    const RackId a = h.addRack(rows[0], 5400), b = h.addRack(rows[1], 0);
    const CableId cable = h.join(h.addSwitch(h.torTier, a, 1), h.addSwitch(h.aggTier, b, 1));
    const auto f = h.figures();
    const std::uint32_t pair = f->routing->pairOf(cable);
    QCOMPARE(f->routing->pairs()[pair].lengthMm, 300 + 2000 + 300 + 6000 + 300 + 300);
    const auto path = f->routing->path(pair);
    for (std::size_t i = 1; i < path.size(); ++i) // every leg is parallel to an axis
        QCOMPARE(int(path[i].x != path[i - 1].x) + int(path[i].y != path[i - 1].y) + int(path[i].z != path[i - 1].z), 1);
}

void TestGeometry::buildingsJoinedByDucts()
{
    SmallHall h;
    const BuildingId east = h.addBuilding(101000, 2000, 60000, 40000);
    const HallId eastHall = h.addHall(east, 0, 0, 50000, 30000);
    const RowId west = h.addRow(30000, 10000);
    h.hall = eastHall;
    const RowId there = h.addRow(10000, 10000);
    for (const RowId row : {west, there}) h.addRowTray(row, 6000, 3600);
    h.addSpine(HallId(0), {33000, 5000, 3600}, {33000, 25000, 3600});
    h.addSpine(eastHall, {13000, 5000, 3600}, {13000, 25000, 3600});
    // From 3 m east of the west spine (campus x 34.5 m) to the point 3 m before the east spine (114 m).
    h.addDuct({37500, 20000, 3600}, {70000, 20000, 3600});
    h.addDuct({70000, 20000, 3600}, {111000, 20000, 3600});
    const RackId a = h.addRack(west, 2700), b = h.addRack(there, 2700); // under the spines
    const CableId cable = h.join(h.addSwitch(h.aggTier, a, 1), h.addSwitch(h.aggTier, b, 1));
    const auto f = h.figures();
    // Trays run at campus y 13.3 m (2,700 + 10,000 + 600) and 12.6 m (2,000 + 10,000 + 600).
    QCOMPARE(f->routing->pairs()[f->routing->pairOf(cable)].lengthMm, 6700 + 3000 + 73500 + 3000 + 7400);
}

void TestGeometry::rowWithoutTrayUsesTheSpine()
{
    SmallHall h;
    const RowId row = h.addRow(5000, 4000);
    h.addSpine(h.hall, {0, 6000, 3600}, {20000, 6000, 3600});
    const RackId a = h.addRack(row, 0), b = h.addRack(row, 6000);
    const CableId cable = h.join(h.addSwitch(h.torTier, a, 1), h.addSwitch(h.torTier, b, 1));
    const auto f = h.figures();
    QCOMPARE(f->routing->pairs()[f->routing->pairOf(cable)].lengthMm, 800 + 6000 + 800); // 800 mm from the rack's edge
}

void TestGeometry::noWay()
{
    SmallHall h;
    const RowId rows[] = {h.addRow(5000, 4000), h.addRow(5000, 10000)};
    for (const RowId row : rows) h.addRowTray(row, 6000);
    const CableId cable = h.join(h.addSwitch(h.torTier, h.addRack(rows[0], 0), 1), h.addSwitch(h.torTier, h.addRack(rows[1], 0), 1));
    const auto f = h.figures();
    const std::uint32_t pair = f->routing->pairOf(cable);
    QCOMPARE(f->routing->pairs()[pair].lengthMm, -1);
    QVERIFY(f->routing->path(pair).empty());
    QVERIFY(f->routing->sectionsOf(pair).empty());
    QVERIFY((*f->cabling)[cable].noRoute);
}

void TestGeometry::shortestOfAll_data()
{
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 0; seed < 60; ++seed) QTest::newRow(qPrintable(QString::number(seed))) << seed;
}

void TestGeometry::shortestOfAll()
{
    QFETCH(unsigned, seed);
    SmallHall h = test::randomHall(seed);
    const auto f = h.figures();
    RoutingPaths ways;
    ways.graph = TrayGraph::build(h.s, *f->placement);
    hookRacks(h.s, *f->placement, ways);
    for (const auto& pair : f->routing->pairs()) QCOMPARE(std::int64_t(pair.lengthMm), bruteForce(ways, pair));
}

void TestGeometry::pathsAndSectionsAgreeWithLengths_data() { shortestOfAll_data(); }

void TestGeometry::pathsAndSectionsAgreeWithLengths()
{
    QFETCH(unsigned, seed);
    SmallHall h = test::randomHall(seed);
    const auto f = h.figures();
    const auto& routing = *f->routing;
    for (std::uint32_t i = 0; i < routing.pairs().size(); ++i) {
        const auto& pair = routing.pairs()[i];
        if (pair.lengthMm < 0) continue;
        const auto sections = routing.sectionsOf(i);
        std::int64_t length = 0;
        for (const std::uint32_t s : sections) length += manhattanMm(routing.sections()[s].a, routing.sections()[s].b);
        // What is no section is the bit beside a rack that stands off its tray.
        QVERIFY(length <= pair.lengthMm);
        for (std::size_t k = 1; k < sections.size(); ++k) {
            const auto &u = routing.sections()[sections[k - 1]], &v = routing.sections()[sections[k]];
            QVERIFY(u.a == v.a || u.a == v.b || u.b == v.a || u.b == v.b);
        }
        const Box &a = f->placement->rack(pair.a), &b = f->placement->rack(pair.b);
        const auto path = routing.path(i);
        QVERIFY(path.size() >= 2);
        QCOMPARE(path.front().x, (a.low.x + a.high.x) / 2);
        QCOMPARE(path.back().y, (b.low.y + b.high.y) / 2);
        const std::int64_t drops = std::abs(pair.heightA - path.front().z) + std::abs(pair.heightB - path.back().z);
        QVERIFY(lengthOf(path) >= pair.lengthMm + drops);                   // it starts at the middle of the rack,
        QVERIFY(lengthOf(path) <= pair.lengthMm + drops + 2 * (600 + 600)); // not at its edge
    }
}

void TestGeometry::movedEqualsCompute_data() { shortestOfAll_data(); }

void TestGeometry::movedEqualsCompute()
{
    QFETCH(unsigned, seed);
    SmallHall h = test::randomHall(seed);
    auto before = h.snapshot();
    const auto parts = ProjectParts::of(before->partTypes).value();
    auto placement = Placement::compute(*before, *parts);
    auto routing = Routing::compute(*before, *parts, *placement).value();
    unsigned state = seed + 7;
    for (int step = 0; step < 10; ++step) {
        auto next = std::make_shared<Snapshot>(*before);
        const RowId row = next->rows.ids()[test::nextRandom(state) % next->rows.size()];
        next->rows.x.set(row, Millimeters(std::int32_t(test::nextRandom(state) % 45000)));
        next->rows.y.set(row, Millimeters(std::int32_t(test::nextRandom(state) % 28000)));
        next->rows.angle.set(row, std::int16_t(test::nextRandom(state) % 4 * 90));
        const auto moved = Placement::update(*placement, *next, *parts, difference(*before, *next, "move"));
        QVERIFY(*moved == *Placement::compute(*next, *parts));
        std::vector<std::uint32_t> changed;
        const auto rerouted = Routing::moved(*routing, *next, *parts, *moved, changed);
        QVERIFY(*rerouted == *Routing::compute(*next, *parts, *moved).value());
        before = next, placement = moved, routing = rerouted;
    }
}

QTEST_APPLESS_MAIN(TestGeometry)
#include "test_geometry.moc"
