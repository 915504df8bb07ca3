// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest> // first: moc stumbles over <compare> as the first header

#include "core/design/build/design_builder.h"
#include "core/physics/site/row_places.h"
#include "core/physics/site/turn.h"

#include <cmath>
#include <functional>
#include <random>

using namespace hw;
using namespace hw::site;

namespace {

RoomShape rectangle(std::int32_t x, std::int32_t y, std::vector<Obstacle> obstacles = {})
{
    return RoomShape({{0, 0}, {x, 0}, {x, y}, {0, y}}, std::move(obstacles));
}
Obstacle columnAt(std::int32_t x, std::int32_t y, std::int32_t size) { return {StructureKind::Column, {x - size / 2, y}, {x + size / 2, y}, size}; }

/// The rules of a cell once more, by asking every 100 mm square of floor what it is. Everything is a multiple of 100.
class Floor {
public:
    Floor(const RoomShape& room, std::int32_t x, std::int32_t y) : m_room(room), m_x(x / 100), m_y(y / 100) {}

    [[nodiscard]] std::int32_t racks(const CellRequest& w, std::int32_t x, std::int32_t y) const
    {
        const std::int32_t depth = 2 * w.rackDepth + w.hotAisle;
        const FloorRect body{x, y, x + depth, y + w.rowLength};
        if (!inRoom(body.grown(w.wallFront, w.wallEnd))) return 0;
        std::int32_t all = 0;
        std::vector<char> interrupted[2];
        for (auto& row : interrupted) row.assign(std::size_t(w.rowLength), 0);
        for (const Obstacle& o : m_room.obstacles()) {
            if (o.kind == StructureKind::KeepOut && covers(o, body)) return 0;
            if (o.kind == StructureKind::Door && covers(o.withFloor(), body)) return 0;
            if (o.kind == StructureKind::KeepOut || o.kind == StructureKind::Door) continue;
            int within = -1;
            for (int r = 0; r < 2; ++r) {
                const std::int32_t low = r == 0 ? body.x1 : body.x2 - w.rackDepth;
                const FloorRect c = o.box();
                if (o.kind == StructureKind::Column && c.x1 >= low && c.x2 <= low + w.rackDepth && c.y1 >= y && c.y2 <= body.y2) within = r;
            }
            if (within < 0) {
                if (covers(o, body.grown(w.passage, 0)) || covers(o, body.grown(0, w.passage))) return 0;
                continue;
            }
            for (std::int32_t at = o.box().y1 - y - 25; at < o.box().y2 - y + 25; ++at)
                if (at >= 0 && at < w.rowLength) interrupted[within][std::size_t(at)] = 1;
        }
        for (const auto& row : interrupted) {
            std::int32_t free = 0;
            for (const char taken : row) {
                free = taken ? 0 : free + 1;
                if (free == w.rackWidth) ++all, free = 0;
            }
        }
        return all;
    }

private:
    [[nodiscard]] bool inRoom(const FloorRect& r) const
    {
        for (std::int32_t x = r.x1 + 50; x < r.x2; x += 100)
            for (std::int32_t y = r.y1 + 50; y < r.y2; y += 100) {
                bool inside = false;
                const auto& o = m_room.outline();
                for (std::size_t i = 0; i < o.size(); ++i) {
                    const FloorPoint a = o[i], b = o[(i + 1) % o.size()];
                    if ((a.y > y) != (b.y > y) && x < a.x + (y - a.y) * (b.x - a.x) / (b.y - a.y)) inside = !inside;
                }
                if (!inside) return false;
            }
        return true;
    }
    static bool covers(const Obstacle& o, const FloorRect& r)
    {
        const FloorRect c = o.box();
        for (std::int32_t x = c.x1 + 50; x < c.x2; x += 100)
            for (std::int32_t y = c.y1 + 50; y < c.y2; y += 100)
                if (x > r.x1 && x < r.x2 && y > r.y1 && y < r.y2) return true;
        return false;
    }
    const RoomShape& m_room;
    std::int32_t m_x, m_y;
};

/// Every way to choose lines and cells, without cleverness.
std::int32_t bruteForce(const RoomShape& room, const CellRequest& w)
{
    const FloorRect b = room.bounds();
    const Floor floor(room, b.x2, b.y2);
    const std::int32_t depth = 2 * w.rackDepth + w.hotAisle;
    const std::function<std::int32_t(std::int32_t, std::int32_t)> line = [&](std::int32_t x, std::int32_t y) {
        std::int32_t best = 0;
        for (; x + depth + w.wallFront <= b.x2; x += w.grid)
            if (const std::int32_t racks = floor.racks(w, x, y); racks > 0) best = std::max(best, racks + line(x + depth + w.coldAisle, y));
        return best;
    };
    std::map<std::int32_t, std::int32_t> ofLine;
    const std::function<std::int32_t(std::int32_t)> lines = [&](std::int32_t y) {
        std::int32_t best = 0;
        for (; y + w.rowLength + w.wallEnd <= b.y2; y += w.grid) {
            if (!ofLine.contains(y)) ofLine[y] = line(b.x1 + w.wallFront, y);
            if (ofLine[y] > 0) best = std::max(best, ofLine[y] + lines(y + (w.rowLength + w.passage + w.grid - 1) / w.grid * w.grid));
        }
        return best;
    };
    return lines(b.y1 + w.wallEnd);
}

} // namespace

class TestRoomShape : public QObject {
    Q_OBJECT

private slots:
    /// The direction of most of the length of walls; a chamfer, a slanting wall or a circle is none.
    void directionsOfWalls()
    {
        const auto direction = [](const std::vector<PlanPoint>& outline, double degrees) {
            const Turn turn(degrees);
            std::vector<WallPiece> walls;
            for (std::size_t i = 0; i < outline.size(); ++i) walls.push_back({turn(outline[i]), turn(outline[(i + 1) % outline.size()])});
            return wallDirection(walls);
        };
        const std::vector<PlanPoint> chamfered{{0, 0}, {9'000, 0}, {12'000, 1'700}, {12'000, 8'000}, {0, 8'000}};
        for (double degrees = -180; degrees < 180; degrees += 7.3) {
            const double found = direction(chamfered, degrees);
            QVERIFY2(std::abs(std::remainder(found - degrees, 90)) < 1e-6 && found > -45 && found <= 45, std::to_string(degrees).c_str());
        }
        QCOMPARE(direction(chamfered, 0.03), 0.0); // along the axes, as good as
        QCOMPARE(direction(chamfered, 90), 0.0);
        std::vector<PlanPoint> round;
        for (int i = 0; i < 60; ++i) round.push_back({5'000 * std::cos(i * M_PI / 30), 5'000 * std::sin(i * M_PI / 30)});
        QCOMPARE(direction(round, 12), 0.0);
        QCOMPARE(direction({{0, 0}, {10'000, 0}, {10'000, 4'000}, {0, 9'000}}, 0), 0.0);
        QCOMPARE(wallDirection({}), 0.0);
    }
    void levelsJoinWhatIsNear()
    {
        const Levels levels({0, 1, 1.5, 40, 41.9, 100}, 2);
        QCOMPARE(levels.nearest(1.4), 0.75);
        QCOMPARE(levels.nearest(41), 40.95);
        QCOMPARE(levels.nearest(99), 100.0);
        QCOMPARE(levels.nearest(70), 70.0);
    }
    void northTurnsWithThePlan()
    {
        Snapshot design;
        QCOMPARE(planNorthAfter(design, -20), 340.0);
        setPlanNorth(design, 340);
        QCOMPARE(design.setting("site.plan_north_deg"), std::string("340"));
        QCOMPARE(planNorthAfter(design, 20), 0.0);
        QCOMPARE(planNorthAfter(design, 33.456), 13.46);
    }
    void rectanglesInPolygons()
    {
        const RoomShape room({{0, 0}, {8000, 0}, {8000, 3000}, {5000, 3000}, {5000, 6000}, {0, 6000}}, {columnAt(2000, 2000, 400)});
        QVERIFY(room.fits({0, 0, 1500, 1500}));
        QVERIFY(!room.fits({0, 0, 1500, 1500}, 1)); // no room for the clearance
        QVERIFY(!room.fits({4000, 2500, 6000, 3500}));
        QVERIFY(room.fits({4000, 2500, 5000, 3500}));
        QVERIFY(!room.fits({5500, 3500, 6000, 4000})); // outside
        QVERIFY(!room.fits({1000, 1000, 1801, 1801}));
        QVERIFY(room.fits({1000, 1000, 1800, 1800})); // touches the column
        QVERIFY(!room.fits({1000, 1000, 1800, 1800}, 10));
        const RoomShape askew({{0, 0}, {10'000, 0}, {10'000, 10'000}}, {{StructureKind::Wall, {7000, 0}, {9000, 2000}, 100}});
        QVERIFY(askew.fits({8000, 3000, 9000, 8000}));
        QVERIFY(!askew.fits({8000, 3000, 9000, 8001}));
        QVERIFY(!askew.fits({7900, 900, 8100, 1100}));
        QVERIFY(askew.fits({8800, 100, 9900, 1600})); // beside the wall, within the box around it
        const RoomShape door = rectangle(9000, 9000, {{StructureKind::Door, {4000, 0}, {5000, 0}, 100}});
        QVERIFY(!door.fits({4000, 1000, 5000, 2000}));
        QVERIFY(door.fits({4000, 1250, 5000, 2000}));
        QVERIFY(door.fits({5000, 50, 6000, 2000}));
    }

    void ofADesign()
    {
        Snapshot s;
        DesignBuilder build(s);
        const HallId plain =
            build.hall({.name = "a", .building = build.building({.name = "b"}), .sizeX = Millimeters(9000), .sizeY = Millimeters(5000)});
        const HallId shaped = build.hall({.name = "c", .building = BuildingId(0), .sizeX = Millimeters(9000), .sizeY = Millimeters(5000)});
        build.corners(shaped, std::vector<std::pair<std::int32_t, std::int32_t>>{{0, 0}, {9000, 0}, {0, 5000}});
        build.structure({.name = "d", .hall = plain, .kind = StructureKind::Ramp, .x2 = Millimeters(1000), .width = Millimeters(200)});
        QCOMPARE(RoomShape::of(s, plain).outline().size(), std::size_t(4));
        QCOMPARE(RoomShape::of(s, plain).obstacles().size(), std::size_t(1));
        QVERIFY((RoomShape::of(s, plain).obstacles()[0].box() == FloorRect{0, -100, 1000, 100}));
        QCOMPARE(RoomShape::of(s, shaped).outline().size(), std::size_t(3));
        QVERIFY(RoomShape::of(s, shaped).obstacles().empty());
    }

    /// SAMPLES: 16 cells of two rows of 11 m at a pitch of 7.2 m in 120 m × 20 m, 18 racks of 600 mm in each row.
    void sampleHall()
    {
        const RoomShape hall = rectangle(120'000, 20'000);
        const auto cells = cellPlaces(hall, {});
        QCOMPARE(cells.size(), std::size_t(16));
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::int32_t x = 2400 + 7200 * std::int32_t(i);
            QVERIFY((cells[i].rows[0].box == FloorRect{x, 4500, x + 1200, 15'500}));
            QVERIFY((cells[i].rows[1].box == FloorRect{x + 3000, 4500, x + 4200, 15'500}));
            QCOMPARE(cells[i].racks(), 36);
        }
        // The other way round two cells stand beside each other in nine lines, with passages of 1.2 m between them.
        for (const RoomShape& room : {hall, hall.transposed()})
            QCOMPARE(std::max(cellPlaces(room, {.angle = 0}).size(), cellPlaces(room, {.angle = 90}).size()), std::size_t(18));
        QVERIFY(cellPlaces(rectangle(20'000, 120'000), {.angle = 0}) == [&] {
            auto turned = cells;
            for (auto& cell : turned)
                for (auto& row : cell.rows) row.box = row.box.transposed();
            return turned;
        }());
        std::vector<Obstacle> columns; // in the middle of the cold aisles: 1.2 m on both sides
        for (int k = 0; k < 15; ++k) columns.push_back(columnAt(2400 + 4200 + 1500 + 7200 * k, 10'000, 600));
        QCOMPARE(racksOf(cellPlaces(rectangle(120'000, 20'000, columns), {})), 16 * 36);
        for (int k = 0; k < 15; ++k)
            columns[std::size_t(k)] = columnAt(2400 + 4200 + 1500 + 7200 * k, 10'000, 700); // a cell wants 6.6 m between two of them
        QVERIFY(racksOf(cellPlaces(rectangle(120'000, 20'000, columns), {})) < 16 * 36);
    }

    /// A column that cannot be got round stands within a row and costs two positions.
    void columnInARow()
    {
        const auto cells = cellPlaces(rectangle(9000, 20'000, {columnAt(3000, 10'000, 600)}), {});
        QCOMPARE(cells.size(), std::size_t(1));
        QCOMPARE(cells[0].racks(), 18 + 16);
        QCOMPARE(cells[0].rows[0].gaps.size() + cells[0].rows[1].gaps.size(), std::size_t(1));
        const RoomShape blocked = rectangle(9000, 20'000, {{StructureKind::KeepOut, {0, 10'000}, {9000, 10'000}, 100}});
        QVERIFY(cellPlaces(blocked, {}).empty());
        QVERIFY(cellPlaces(rectangle(8000, 20'000), {}).empty());
        QVERIFY(cellPlaces(rectangle(9000, 19'000), {}).empty());
    }

    /// As many racks as all ways of choosing give, in small rooms with anything in them.
    void againstAllChoices()
    {
        std::mt19937 random(7);
        const auto number = [&](int low, int high) { return low + int(random() % unsigned(high - low + 1)); };
        int some = 0, reduced = 0;
        for (int round = 0; round < 150; ++round) {
            const std::int32_t x = 100 * number(60, 130), y = 100 * number(50, 110);
            CellRequest w{.rowLength = 100 * number(15, 40),
                          .rackDepth = 1000,
                          .rackWidth = 600,
                          .hotAisle = 1000,
                          .coldAisle = 1500,
                          .wallFront = 1000,
                          .wallEnd = 900,
                          .passage = 600,
                          .grid = 300};
            std::vector<Obstacle> obstacles;
            for (int n = number(0, 4); n > 0; --n) {
                const auto kind = StructureKind(number(0, 4));
                const std::int32_t ox = 100 * number(0, x / 100), oy = 100 * number(0, y / 100);
                const std::int32_t size = 200 * number(1, 2);
                const bool upright = number(0, 1) != 0;
                const std::int32_t length = kind == StructureKind::Column ? size : 100 * number(5, 25);
                obstacles.push_back({kind, {ox, oy}, {upright ? ox : ox + length, upright ? oy + length : oy}, size});
            }
            RoomShape room = rectangle(x, y, obstacles);
            if (number(0, 2) == 0) { // an L
                const std::int32_t cx = 100 * number(20, x / 100 - 10), cy = 100 * number(20, y / 100 - 10);
                room = RoomShape({{0, 0}, {x, 0}, {x, cy}, {cx, cy}, {cx, y}, {0, y}}, obstacles);
            }
            const std::int32_t expected = bruteForce(room, w);
            const auto cells = cellPlaces(room, w);
            QVERIFY2(racksOf(cells) == expected, qPrintable(QString("round %1: %2 for %3").arg(round).arg(racksOf(cells)).arg(expected)));
            some += expected > 0, reduced += expected < bruteForce(rectangle(x, y), w);
            for (const auto& cell : cells)
                for (const auto& row : cell.rows) {
                    QVERIFY(room.contains(row.box));
                    for (const Obstacle& o : obstacles) QVERIFY(!o.meets(row.box) || (o.kind == StructureKind::Column && !row.gaps.empty()));
                }
        }
        QVERIFY2(some > 60 && reduced > 30, qPrintable(QString("%1 %2").arg(some).arg(reduced))); // or the rooms say nothing
    }

    /// No rack is farther from a door than is allowed, along the axes; without a limit nothing is kept from standing.
    void nearADoor()
    {
        std::mt19937 random(9);
        const auto number = [&](int low, int high) { return low + int(random() % unsigned(high - low + 1)); };
        int fewer = 0, some = 0;
        for (int round = 0; round < 60; ++round) {
            const std::int32_t x = 100 * number(120, 400), y = 100 * number(120, 200);
            std::vector<Obstacle> doors;
            for (int n = number(1, 3); n > 0; --n) {
                const std::int32_t at = 100 * number(0, x / 100 - 10);
                doors.push_back({StructureKind::Door, {at, 0}, {at + 1000, 0}, 100});
            }
            const RoomShape room = rectangle(x, y, doors);
            CellRequest w{.rowLength = 6'000, .wallEnd = 2'000, .angle = number(0, 1) * 90};
            const auto all = cellPlaces(room, w);
            w.egress = 100 * number(60, 250);
            const auto cells = cellPlaces(room, w);
            fewer += racksOf(cells)<racksOf(all), some += racksOf(cells)> 0;
            QVERIFY(racksOf(cells) <= racksOf(all));
            for (const auto& cell : cells)
                for (const auto& row : cell.rows) {
                    std::int32_t stand = 0;
                    const bool alongX = w.angle == 0;
                    const std::int32_t length = alongX ? row.box.x2 - row.box.x1 : row.box.y2 - row.box.y1;
                    for (std::int32_t at = 0; at + w.rackWidth <= length;) {
                        const auto gap = std::ranges::find_if(row.gaps, [&](const auto& g) { return g.first < at + w.rackWidth && at < g.second; });
                        if (gap != row.gaps.end()) {
                            at = gap->second;
                            continue;
                        }
                        const std::int32_t along = (alongX ? row.box.x1 : row.box.y1) + at + w.rackWidth / 2,
                                           across = alongX ? (row.box.y1 + row.box.y2) / 2 : (row.box.x1 + row.box.x2) / 2;
                        const std::int32_t px = alongX ? along : across, py = alongX ? across : along;
                        QVERIFY(std::ranges::any_of(
                            doors, [&](const Obstacle& d) { return std::abs(px - (d.a.x + d.b.x) / 2) + std::abs(py - d.a.y) <= w.egress; }));
                        ++stand, at += w.rackWidth;
                    }
                    QCOMPARE(stand, row.racks);
                }
            w.egress = 1'000'000;
            QVERIFY(cellPlaces(room, w) == all);
        }
        QVERIFY2(fewer > 15 && some > 30, qPrintable(QString("%1 %2").arg(fewer).arg(some)));
    }

    /// A room of 5 m takes no two rows back to back, and one row after the other along its length: a front of 2.4 m, racks of 1.2 m, 1.2 m behind.
    void oneRowWhereTwoDoNotFit()
    {
        CellRequest w{.rowLength = 6'000, .wallEnd = 1'500, .angle = 0};
        QVERIFY(cellPlaces(rectangle(30'000, 5'000), w).empty());
        w.single = true;
        const auto cells = cellPlaces(rectangle(30'000, 5'000), w);
        QCOMPARE(cells.size(), std::size_t(3)); // 1.5 + 3 x 6 + 2 x 1.2 + 1.5 = 23.4 m of 30
        QCOMPARE(racksOf(cells), 30);
        for (const auto& cell : cells) {
            QCOMPARE(cell.rows[0].box.y1, 2'400);
            QCOMPARE(cell.rows[0].box.y2, 3'600);
            QVERIFY(cell.rows[1].box == FloorRect{} && cell.rows[1].racks == 0);
        }
        QVERIFY(cellPlaces(rectangle(30'000, 4'700), w).empty());
        QCOMPARE(racksOf(cellPlaces(rectangle(30'000, 4'800), w)), 30);
        const Obstacle behind{StructureKind::Column, {15'000, 4'300}, {15'400, 4'300}, 400}; // of the passage behind one of them
        QVERIFY(racksOf(cellPlaces(rectangle(30'000, 5'000, {behind}), w)) < 30);
    }

    /// 120 m × 60 m with 100 columns within 100 ms.
    void fast()
    {
        std::vector<Obstacle> columns;
        for (int i = 0; i < 20; ++i)
            for (int j = 0; j < 5; ++j) columns.push_back(columnAt(3000 + 6000 * i, 6000 + 12'000 * j, 600));
        const RoomShape hall = rectangle(120'000, 60'000, columns);
        QElapsedTimer timer;
        timer.start();
        const auto cells = cellPlaces(hall, {});
        const auto ms = timer.elapsed();
        qInfo("%lld ms, %zu cells, %d racks", static_cast<long long>(ms), cells.size(), racksOf(cells));
        QVERIFY(racksOf(cells) > 1000);
        QVERIFY2(ms < 1000, qPrintable(QString("%1 ms").arg(ms))); // 100 ms on a free machine
        QVERIFY(cells == cellPlaces(hall, {}));
    }
};

QTEST_APPLESS_MAIN(TestRoomShape)
#include "test_room_shape.moc"
