// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/air/openfoam.h"
#include "simulation/air/picture.h"
#include "simulation/air/validation.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

using namespace hw;
using namespace hw::sim::air;

namespace {

constexpr double kFlow = 0.5, kWatts = 6000;

/// 4 × 3 × 3 m: a unit at one wall supplies, a rack in the middle draws as much air.
RoomPlan smallRoom(double supply = kFlow)
{
    RoomPlan plan;
    plan.room = {{0, 0, 0}, {4, 3, 3}};
    plan.solids = {{{0, 1, 0}, {0.5, 2, 2}}, {{2, 1, 0}, {3, 2, 2}}};
    PlannedExchange unit;
    unit.exchange.name = "unit";
    unit.exchange.plant = true;
    unit.exchange.flow = supply;
    unit.exchange.supplyC = 20;
    unit.intake = {2, 2, {{0, 1, 2}, {0.5, 2, 2}}, -1};
    unit.outlet = {0, 0.5, {{0.5, 1, 0}, {0.5, 2, 1.5}}, 1};
    PlannedExchange rack;
    rack.exchange.name = "rack";
    rack.exchange.flow = kFlow;
    rack.exchange.heatW = kWatts;
    rack.intake = {0, 2, {{2, 1, 0}, {2, 2, 2}}, 1};
    rack.outlet = {0, 3, {{3, 1, 0}, {3, 2, 2}}, 1};
    plan.exchanges = {unit, rack};
    return plan;
}

Result<SolvedRoom> solved(const RoomPlan& plan, double step = 0.5)
{
    Controls c;
    c.blend = 0;
    return solveRoom(plan, {{step, step, step}, 0.05, 1}, {}, c);
}

/// Two halves of a room, one with the unit's supply, the other with its return, and a wall between them.
RoomPlan partedRoom(double loss)
{
    RoomPlan plan;
    plan.room = {{0, 0, 0}, {4, 2, 2}};
    plan.solids = {{{1.8, 0.5, 0}, {2.2, 1.5, 1}}};
    plan.screens = {{0, 2.0, {{2, 0, 0}, {2, 2, 2}}, loss}};
    PlannedExchange unit;
    unit.exchange.name = "unit";
    unit.exchange.plant = true;
    unit.exchange.flow = 0.2;
    unit.exchange.supplyC = 20;
    unit.intake = {0, 1.8, {{1.8, 0.5, 0}, {1.8, 1.5, 1}}, 1};
    unit.outlet = {0, 2.2, {{2.2, 0.5, 0}, {2.2, 1.5, 1}}, 1};
    plan.exchanges = {unit};
    return plan;
}

} // namespace

class TestAir : public QObject {
    Q_OBJECT
private slots:
    void edgesLieOnPlanes();
    void cavitiesMatchPublishedValues();
    void heatInIsHeatOut();
    void largeRoomWithLittleAirSettles();
    void supplyBelowDemandRecirculates();
    void capacityWarmsTheSupply();
    void coilTakesLessOutOfColdReturns();
    void fansMoveLessAgainstPressure();
    void leakageHasThePressureOfItsLoss();
    void parallelPathsOfPressure();
    void closedSpacesAreRefused();
    void blockedOpeningsAreRefused();
    void sameAnswerTwice();
    void coarseGridIsSeenFirst();
    void startsFromAnEarlierAnswer();
    void slicesKeepToWalls();
    void surfaceOfALevel();
    void pathsFollowTheAir();
    void stops();
    void unsettledIsNotCalledSettled();
    void foamCaseIsTheSameRoom();
    void foamTemperaturesAreRead();
    void openFoamAgreesInASmallRoom();
    void openFoamIsCanceledAndFails();
};

void TestAir::edgesLieOnPlanes()
{
    const auto edges = axisEdges({0, 4, 1.03, 1.05, 2.5}, 0.4, 0.1);
    for (const double plane : {0.0, 1.03, 2.5, 4.0}) QVERIFY(std::ranges::find(edges, plane) != edges.end());
    QVERIFY(std::ranges::find(edges, 1.05) == edges.end()); // one with its neighbor
    for (std::size_t i = 1; i < edges.size(); ++i) QVERIFY(edges[i] > edges[i - 1] && edges[i] - edges[i - 1] < 0.4 + 1e-9);
}

void TestAir::cavitiesMatchPublishedValues()
{
    const auto report = validate({"lid-cavity", "square-cavity"});
    QVERIFY2(report.has_value(), report ? "" : report.error().text().c_str());
    QCOMPARE(report->rows.size(), std::size_t(14));
    for (const ValidationRow& row : report->rows)
        QVERIFY2(row.ok(), fmt::format("{}: {} instead of {}", words(row.quantity), row.computed, row.measured).c_str());
    const auto unknown = validate({"pipe"});
    QVERIFY(!unknown && unknown.error().code == ErrorCode::Usage);
}

void TestAir::heatInIsHeatOut()
{
    const auto room = solved(smallRoom(), 0.25);
    QVERIFY(room.has_value());
    const Certificate& c = room->certificate;
    QVERIFY(c.settled);
    QVERIFY(c.massError <= 1e-6);
    QVERIFY(c.heatError <= 1e-3);
    const double rise = kWatts / (Air().heat() * kFlow);
    QVERIFY(std::abs(room->solver->intakeC(0) - 20 - rise) < 0.02); // the return follows from the balance alone
    QVERIFY(std::abs(room->solver->outletC(1) - room->solver->intakeC(1) - rise) < 1e-9);
    QVERIFY(std::abs(room->solver->plantW(0) - kWatts) < 1e-3 * kWatts);
    // What the rack draws comes from the unit or from racks: the tracers of both add up.
    const auto plant = room->solver->tracer({1, 0}), rack = room->solver->tracer({0, 1});
    const Patch& intake = room->room->exchanges[1].intake;
    const double share = room->solver->intakeMeanOf(intake, plant);
    QVERIFY(std::abs(share + room->solver->intakeMeanOf(intake, rack) - 1) < 2e-3);
    // In a room with one rack the share of its own exhaust that it draws sets its inlet: share · rise of the exhaust.
    const double inlet = room->solver->intakeC(1);
    QVERIFY(std::abs(inlet - (20 + (1 - share) * (inlet + rise - 20))) < 0.1);
}

void TestAir::largeRoomWithLittleAirSettles()
{
    RoomPlan plan = smallRoom();
    plan.room.high = {8, 6, 4}; // more than 6 minutes to change its air
    Controls c;
    c.blend = 0, c.most = 400;
    const Resolution coarse{{1, 1, 1}, 0.05, 1};
    const auto slow = solveRoom(plan, coarse, {}, c);
    QVERIFY(slow && !slow->certificate.settled);
    c.longestHeatStep = 8;
    const auto quick = solveRoom(plan, coarse, {}, c);
    QVERIFY2(quick && quick->certificate.settled,
             fmt::format("{} {} {}", quick->certificate.swingK, quick->certificate.heatError, quick->certificate.massError).c_str());
    QVERIFY(std::abs(quick->solver->intakeC(0) - 20 - kWatts / (Air().heat() * kFlow)) < 0.02);
    // The step does not matter for what it settles at.
    c.longestHeatStep = 3, c.most = 1500;
    const auto other = solveRoom(plan, coarse, {}, c);
    QVERIFY(other && other->certificate.settled);
    QVERIFY2(std::abs(other->solver->intakeC(1) - quick->solver->intakeC(1)) < 0.05,
             fmt::format("{} {}", other->solver->intakeC(1), quick->solver->intakeC(1)).c_str());
}

void TestAir::supplyBelowDemandRecirculates()
{
    const auto room = solved(smallRoom(0.35));
    QVERIFY(room.has_value());
    // r = 1 − supply / demand comes back at least (known from the balance alone).
    const double r = 0.3, rise = kWatts / (Air().heat() * kFlow);
    const double inlet = room->solver->intakeC(1);
    QVERIFY2(inlet >= 20 + r / (1 - r) * rise - 0.05, std::to_string(inlet).c_str());
}

void TestAir::capacityWarmsTheSupply()
{
    RoomPlan plan = smallRoom();
    plan.exchanges[0].exchange.capacityW = 1e-6; // takes out nothing: the room warms up for good
    plan.exchanges[1].exchange.heatW = 0;
    const auto idle = solved(plan);
    QVERIFY(idle && std::abs(idle->solver->outletC(0) - 20) < 1e-6);
    // At its capacity it removes exactly that, from air that gets warmer: its supply rises.
    plan = smallRoom();
    plan.exchanges[0].exchange.capacityW = kWatts / 2;
    Controls few;
    few.blend = 0;
    few.most = 120;
    const auto little = solveRoom(plan, {{0.5, 0.5, 0.5}, 0.05, 1}, {}, few);
    QVERIFY(little && !little->certificate.settled);
    QVERIFY2(little->solver->outletC(0) > 22, std::to_string(little->solver->outletC(0)).c_str());
    QVERIFY(std::abs(little->solver->plantW(0) - kWatts / 2) < 1e-6 * kWatts);
    plan = smallRoom();
    plan.exchanges[0].exchange.capacityW = kWatts * 2;
    const auto enough = solved(plan), unlimited = solved(smallRoom());
    QVERIFY(enough && unlimited);
    QCOMPARE(enough->solver->intakeC(1), unlimited->solver->intakeC(1));
}

/// Its capacity holds from the rated return on; here half of it is left, as the return is half as far from the water.
void TestAir::coilTakesLessOutOfColdReturns()
{
    RoomPlan plan = smallRoom();
    const double rise = kWatts / (Air().heat() * kFlow);
    Exchange& unit = plan.exchanges[0].exchange;
    unit.capacityW = 2 * kWatts;
    unit.waterC = 10;
    unit.ratedReturnC = 10 + 2 * (20 + rise - 10); // at the balance's return it just takes out all heat
    const auto room = solved(plan);
    QVERIFY(room && room->certificate.settled);
    QVERIFY2(std::abs(room->solver->intakeC(0) - 20 - rise) < 0.05, std::to_string(room->solver->intakeC(0)).c_str());
    // With a rated return twice as far away, only air twice as far from the water takes the heat out: the supply is warmer.
    unit.ratedReturnC = 10 + 3 * (20 + rise - 10);
    Controls patient; // the room heats up until the return is that warm
    patient.blend = 0, patient.longestHeatStep = 8;
    const auto warm = solveRoom(plan, {{0.5, 0.5, 0.5}, 0.05, 1}, {}, patient);
    QVERIFY2(warm && warm->certificate.settled,
             fmt::format("{} {} {}", warm->certificate.swingK, warm->certificate.heatError, warm->certificate.massError).c_str());
    QVERIFY2(std::abs(warm->solver->intakeC(0) - (10 + 1.5 * (20 + rise - 10))) < 0.1, std::to_string(warm->solver->intakeC(0)).c_str());
    QVERIFY(std::abs(warm->solver->plantW(0) - kWatts) < 2e-3 * kWatts);
}

/// A rack that is parted from the supply by a leaky wall draws what its fans and the leak agree on.
void TestAir::fansMoveLessAgainstPressure()
{
    RoomPlan plan = smallRoom();
    plan.screens = {{0, 1.25, {{1.25, 0, 0}, {1.25, 3, 3}}, 1.0}};
    const auto rack = [&](const Result<SolvedRoom>& room) { return room->room->exchanges[1].flow; };
    plan.exchanges[1].exchange.ratedFlow = kFlow;
    const auto fixed = solved(plan);
    QVERIFY(fixed.has_value());
    QCOMPARE(rack(fixed), kFlow);
    for (const double pa : {1000.0, 2.0}) {
        plan.exchanges[1].exchange.fanPa = pa;
        const auto room = solved(plan);
        QVERIFY(room && room->certificate.settled && room->certificate.fanError <= 0.01);
        const Exchange& x = room->room->exchanges[1];
        Patch rear = x.outlet;
        rear.sign = -rear.sign;
        const auto& pressure = room->solver->fields.pressure;
        const double front = Air().density * (room->solver->intakeMeanOf(x.intake, pressure) - room->solver->intakeMeanOf(rear, pressure));
        QVERIFY2(std::abs(x.flow / kFlow - std::sqrt(std::max(1 + front / pa, 0.0))) < 0.02, fmt::format("{} {} {}", pa, x.flow, front).c_str());
        QVERIFY(std::abs(room->solver->outletC(1) - room->solver->intakeC(1) - kWatts / (Air().heat() * x.flow)) < 1e-6); // less air gets warmer
        if (pa > 500) QVERIFY(std::abs(x.flow / kFlow - 1) < 0.01);
    }
}

void TestAir::leakageHasThePressureOfItsLoss()
{
    const double loss = 500;
    const auto room = solved(partedRoom(loss), 0.25);
    QVERIFY(room.has_value());
    QVERIFY(room->certificate.massError <= 1e-6);
    const Grid& g = room->room->grid;
    const auto pressure = [&](double x) {
        const std::size_t c = g.at(g.cellOf(0, x), g.cellOf(1, 1.0), g.cellOf(2, 1.8));
        return room->solver->fields.pressure[c];
    };
    const double area = 2 * 2 - 1 * 1, speed = 0.2 / area; // around the unit's body
    QVERIFY(std::abs(pressure(3.9) - pressure(0.1) - loss / 2 * speed * speed) < 0.05 * loss / 2 * speed * speed);
}

void TestAir::parallelPathsOfPressure()
{
    // Conjugate gradients against the definition: the residual of a random right side, with a nearly closed wall in the middle.
    auto made = makeRoom(partedRoom(1e4), {0.2, 0.2, 0.2}, 0.05);
    QVERIFY(made.has_value());
    PressureSolver solver(*made);
    std::array<std::vector<double>, 3> k;
    for (std::size_t a = 0; a < 3; ++a) {
        k[a].assign(made->grid.total(), 1);
        for (std::size_t f = 0; f < k[a].size(); ++f)
            if (made->loss[a][f] > 0) k[a][f] = 1e-5;
    }
    solver.setCoefficients(k);
    std::vector<double> b(solver.size()), p(solver.size(), 0);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = double((i * 7919) % 101) - 50;
    const double mean = std::accumulate(b.begin(), b.end(), 0.0) / double(b.size());
    for (double& x : b) x -= mean;
    const int steps = solver.solve(b, p, 1e-6, 200);
    QVERIFY2(steps < 60, std::to_string(steps).c_str());
    double error = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        const std::size_t c = solver.cells()[i];
        double sum = 0;
        for (std::size_t a = 0; a < 3; ++a)
            for (const bool up : {false, true}) {
                const std::size_t s = made->grid.stride(int(a)), f = up ? c + s : c, other = up ? c + s : c - s;
                if (made->face[a][f] == sim::air::Face::Open) sum += k[a][f] * (p[i] - p[std::size_t(solver.numbers()[other])]);
            }
        error += std::abs(sum - b[i]);
    }
    QVERIFY2(error < 1e-5, std::to_string(error).c_str());
}

void TestAir::closedSpacesAreRefused()
{
    const auto room = makeRoom(partedRoom(0), {0.25, 0.25, 0.25}, 0.05);
    QVERIFY(!room);
    QVERIFY(room.error().code == ErrorCode::Refused);
    QVERIFY(room.error().text().find("0.200 m³/s") != std::string::npos);
}

void TestAir::blockedOpeningsAreRefused()
{
    RoomPlan plan = smallRoom();
    plan.solids.push_back({{3, 1, 0}, {4, 2, 2}}); // behind the rack
    const auto room = makeRoom(plan, {0.25, 0.25, 0.25}, 0.05);
    QVERIFY(!room);
    QCOMPARE(room.error().where, std::string("rack"));
}

void TestAir::sameAnswerTwice()
{
    const auto one = solved(smallRoom(), 0.5), two = solved(smallRoom(), 0.5);
    QVERIFY(one && two);
    QVERIFY(one->solver->fields.celsius == two->solver->fields.celsius);
    QVERIFY(one->solver->fields.velocity == two->solver->fields.velocity);
}

void TestAir::coarseGridIsSeenFirst()
{
    Controls c;
    c.blend = 0;
    std::vector<std::pair<std::size_t, double>> seen; // cells, rack inlet
    Course course;
    course.picture = [&](const SolvedRoom& coarse) { seen.emplace_back(coarse.room->grid.cells(), coarse.solver->intakeC(1)); };
    std::vector<double> fractions;
    const auto room =
        solveRoom(smallRoom(), {{0.25, 0.25, 0.25}, 0.05, 3}, {}, c, {}, {{}, [&](double f, std::string_view) { fractions.push_back(f); }}, course);
    QVERIFY(room && room->certificate.settled);
    QCOMPARE(seen.size(), std::size_t(2)); // the last grid is the answer itself
    QVERIFY(seen[0].first < seen[1].first && seen[1].first < room->room->grid.cells());
    for (const auto& [cells, inlet] : seen) QVERIFY2(std::abs(inlet - room->solver->intakeC(1)) < 1.5, std::to_string(inlet).c_str());
    QVERIFY(std::ranges::is_sorted(fractions) && fractions.back() <= 1);
}

void TestAir::startsFromAnEarlierAnswer()
{
    Controls c;
    c.blend = 0;
    const Resolution fine{{0.25, 0.25, 0.25}, 0.05, 2};
    const auto first = solveRoom(smallRoom(), fine, {}, c);
    QVERIFY(first && first->certificate.settled);
    std::size_t pictures = 0;
    const auto again = solveRoom(smallRoom(), fine, {}, c, {}, {}, {first->solver.get(), [&](const SolvedRoom&) { ++pictures; }});
    QVERIFY(again && again->certificate.settled);
    QCOMPARE(pictures, std::size_t(0)); // no coarser grid
    QVERIFY(std::abs(again->solver->intakeC(1) - first->solver->intakeC(1)) < 0.05);
    QVERIFY2(again->certificate.steps <= std::max(first->certificate.steps / 2, c.least + 1), std::to_string(again->certificate.steps).c_str());
    // Where the flow of a fan changes a little, the answer is that of a start from rest.
    RoomPlan other = smallRoom(kFlow * 1.1);
    const auto cold = solveRoom(other, fine, {}, c), warm = solveRoom(other, fine, {}, c, {}, {}, {first->solver.get(), {}});
    QVERIFY(cold && warm && cold->certificate.settled && warm->certificate.settled);
    QVERIFY2(std::abs(warm->solver->intakeC(1) - cold->solver->intakeC(1)) < 0.1,
             fmt::format("{} {}", warm->solver->intakeC(1), cold->solver->intakeC(1)).c_str());
}

void TestAir::slicesKeepToWalls()
{
    // A wall with little leakage in the middle, and a value that differs on its two sides only.
    auto made = makeRoom(partedRoom(1e4), {0.2, 0.2, 0.2}, 0.05);
    QVERIFY(made.has_value());
    const Grid& g = made->grid;
    std::vector<float> values(g.total(), 0), heights(g.total(), 0);
    for (int k = 1; k <= g.count(2); ++k)
        for (int j = 1; j <= g.count(1); ++j)
            for (int i = 1; i <= g.count(0); ++i) {
                values[g.at(i, j, k)] = g.center(0, i) < 2 ? 10.0F : 30.0F;
                heights[g.at(i, j, k)] = float(g.center(2, k));
            }
    const Slice flat = sliceOf(*made, values, 2, 0.5);
    std::size_t air = 0;
    const int layer = g.cellOf(2, 0.5);
    for (int j = 1; j <= g.count(1); ++j)
        for (int i = 1; i <= g.count(0); ++i) air += made->solid[g.at(i, j, layer)] ? 0 : 1;
    QCOMPARE(flat.values.size(), 4 * air);
    QCOMPARE(flat.points.size(), 12 * air);
    for (std::size_t q = 0; q < air; ++q) {
        const float middle = (flat.points[12 * q] + flat.points[12 * q + 6]) / 2;
        for (std::size_t c = 0; c < 4; ++c) QCOMPARE(flat.values[4 * q + c], middle < 2 ? 10.0F : 30.0F); // sharp at the wall
        QCOMPARE(flat.points[12 * q + 2], 0.5F);
    }
    // What grows evenly with the height is exact between the centers of cells, and beyond the room is its end.
    for (const double at : {0.55, 1.37})
        for (const float value : sliceOf(*made, heights, 2, at).values) QVERIFY(std::abs(double(value) - at) < 1e-4);
    const Slice above = sliceOf(*made, heights, 2, 99);
    QVERIFY(!above.values.empty() && std::abs(above.points[2] - 2) < 1e-6);
    QVERIFY(!sliceOf(*made, heights, 0, 2.0).values.empty()); // on the wall itself
}

void TestAir::surfaceOfALevel()
{
    auto made = makeRoom(partedRoom(1e4), {0.2, 0.2, 0.2}, 0.05);
    QVERIFY(made.has_value());
    const Grid& g = made->grid;
    std::vector<float> heights(g.total(), 0);
    for (int k = 1; k <= g.count(2); ++k)
        for (int j = 1; j <= g.count(1); ++j)
            for (int i = 1; i <= g.count(0); ++i) heights[g.at(i, j, k)] = float(g.center(2, k));
    const SurfaceCells cells = surfaceCells(*made, heights, 1.5);
    QVERIFY(!cells.values.empty());
    for (std::size_t c = 0; c < cells.values.size() / 8; ++c) {
        const auto [least, most] =
            std::minmax_element(cells.values.begin() + std::ptrdiff_t(8 * c), cells.values.begin() + std::ptrdiff_t(8 * c + 8));
        QVERIFY(*least < 1.5F && *most >= 1.5F);
        QVERIFY(std::abs(cells.points[24 * c + 2] - 1.5F) < 0.31F);
    }
    QVERIFY(surfaceCells(*made, heights, 50).values.empty());
}

void TestAir::pathsFollowTheAir()
{
    const auto room = solved(smallRoom(), 0.25);
    QVERIFY(room.has_value());
    const Room& r = *room->room;
    const Grid& g = r.grid;
    const auto paths = airPaths(*room, PathStart::Units, 200);
    QCOMPARE(paths.size(), std::size_t(200));
    std::map<int, int> ends;
    for (const AirPath& path : paths) {
        QCOMPARE(path.from, 0);
        QCOMPARE(path.cells.size(), path.points.size());
        QCOMPARE(path.seconds.size(), path.points.size());
        QVERIFY(std::ranges::is_sorted(path.seconds));
        ++ends[path.to];
        for (std::size_t i = 0; i < path.points.size(); ++i) {
            QVERIFY(!r.solid[path.cells[i]]);
            const auto at = g.place(path.cells[i]);
            for (int a = 0; a < 3; ++a)
                QVERIFY(double(path.points[i][std::size_t(a)]) > g.edge(a, at[std::size_t(a)]) - 1e-4 &&
                        double(path.points[i][std::size_t(a)]) < g.edge(a, at[std::size_t(a)] + 1) + 1e-4);
            if (i == 0) continue;
            // From a cell to the next through an open face.
            const std::size_t low = std::min(path.cells[i - 1], path.cells[i]), high = std::max(path.cells[i - 1], path.cells[i]);
            if (low == high) continue;
            bool open = false;
            for (int a = 0; a < 3; ++a) open = open || (high - low == g.stride(a) && r.face[std::size_t(a)][high] == sim::air::Face::Open);
            QVERIFY(open);
        }
    }
    // All of it enters the rack or the unit again, most of it the rack that stands before the unit.
    QVERIFY2(ends[-1] <= 10, std::to_string(ends[-1]).c_str());
    QVERIFY2(ends[1] > 100 && ends[0] + ends[1] + ends[-1] == 200, std::to_string(ends[1]).c_str());
    for (const AirPath& path : airPaths(*room, PathStart::Racks, 20)) QCOMPARE(path.from, 1);
    QVERIFY(airPaths(*room, PathStart::Racks, 0).empty());
}

void TestAir::stops()
{
    std::stop_source stop;
    stop.request_stop();
    const auto room = solveRoom(smallRoom(), {}, {}, {}, {}, {stop.get_token(), {}});
    QVERIFY(!room && room.error().code == ErrorCode::Canceled);
}

void TestAir::unsettledIsNotCalledSettled()
{
    Controls c;
    c.most = 5;
    const auto room = solveRoom(smallRoom(), {{0.5, 0.5, 0.5}, 0.05, 1}, {}, c);
    QVERIFY(room.has_value());
    QVERIFY(!room->certificate.settled);
    QCOMPARE(room->certificate.steps, 5);
}

namespace {

/// The small room with a grille between unit and rack, as a hall.
HallPlan smallHall()
{
    HallPlan hall;
    hall.name = "hall";
    hall.plan = smallRoom();
    hall.plan.screens = {{0, 1.25, {{1.25, 0, 0}, {1.25, 3, 3}}, 2.4}};
    hall.racks = {RackId{0}};
    hall.units = {DeviceId{0}};
    hall.wattsPerM3sK = Air().heat();
    hall.supplyC = 20;
    hall.plan.exchanges[0].exchange.owner = 1;
    hall.plan.exchanges[1].exchange.owner = 0;
    return hall;
}

const std::string& textOf(const std::vector<FoamFile>& files, const std::string& path)
{
    return std::ranges::find(files, path, &FoamFile::path)->text;
}

/// The numbers of a list of OpenFOAM, without its header and counts of corners.
std::vector<double> numbersOf(const std::string& text)
{
    std::string plain = text.substr(text.find("(\n") + 2);
    for (char& c : plain)
        if (c == '(' || c == ')') c = ' ';
    std::istringstream in(plain);
    std::vector<double> out;
    for (double x = 0; in >> x;) out.push_back(x);
    return out;
}

} // namespace

void TestAir::foamCaseIsTheSameRoom()
{
    const HallPlan hall = smallHall();
    const auto room = makeRoom(hall.plan, {0.25, 0.25, 0.25}, 0.05);
    QVERIFY(room.has_value());
    const auto files = foamCase(hall, *room, {});
    QVERIFY(files.has_value());
    const std::string mesh = "constant/polyMesh/";
    const auto points = numbersOf(textOf(*files, mesh + "points"));
    const std::string faceText = textOf(*files, mesh + "faces");
    std::string corners = faceText.substr(faceText.find("\n(\n") + 3);
    for (std::size_t at = 0; (at = corners.find("4(", at)) != std::string::npos;) corners[at] = ' ';
    const auto faces = numbersOf("(\n" + corners);
    const auto owner = numbersOf(textOf(*files, mesh + "owner")), neighbor = numbersOf(textOf(*files, mesh + "neighbour"));
    QCOMPARE(faces.size(), owner.size() * 4);
    const auto cells = std::size_t(std::ranges::count(room->solid, 0));
    QCOMPARE(std::size_t(*std::ranges::max_element(owner)) + 1, cells);
    // Every cell is closed: the areas of its faces, outward, add up to nothing. Faces inside come in the order that OpenFOAM requires.
    std::vector<std::array<double, 3>> sum(cells);
    double area = 0;
    for (std::size_t f = 0; f < owner.size(); ++f) {
        std::array<std::array<double, 3>, 4> at{};
        for (std::size_t c = 0; c < 4; ++c)
            for (std::size_t a = 0; a < 3; ++a) at[c][a] = points[3 * std::size_t(faces[4 * f + c]) + a];
        for (std::size_t a = 0; a < 3; ++a) {
            const std::size_t b = (a + 1) % 3, c = (a + 2) % 3;
            const double part = ((at[2][b] - at[0][b]) * (at[3][c] - at[1][c]) - (at[2][c] - at[0][c]) * (at[3][b] - at[1][b])) / 2;
            sum[std::size_t(owner[f])][a] += part;
            if (f < neighbor.size()) sum[std::size_t(neighbor[f])][a] -= part;
            if (f >= neighbor.size()) area += std::abs(part);
        }
        if (f < neighbor.size()) QVERIFY(owner[f] < neighbor[f]);
        if (f > 0 && f < neighbor.size()) QVERIFY(owner[f - 1] < owner[f] || (owner[f - 1] == owner[f] && neighbor[f - 1] < neighbor[f]));
    }
    for (const auto& s : sum) QVERIFY(std::abs(s[0]) + std::abs(s[1]) + std::abs(s[2]) < 1e-9);
    // 4 × 3 × 3 m with two bodies on the floor and a grille with two sides.
    const double unit = 2 * (0.5 * 2 + 1 * 2) - 1 * 2 - 1 * 2 + 0.5 * 1 - 0.5 * 1, rack = 2 * (1 * 2 + 1 * 2);
    QVERIFY2(std::abs(area - (2 * (4 * 3 + 4 * 3 + 3 * 3) + unit + rack + 2 * 9)) < 1e-6, std::to_string(area).c_str());
    QVERIFY(textOf(*files, "0/T").find("outletMappedUniformInlet; outletPatch e1_in") != std::string::npos);
    QVERIFY(textOf(*files, "constant/fvOptions").find("injectionRateSuSp { T (4.97512438 0); }") != std::string::npos); // 6,000 W / 1,206 J/(m³ K)
}

void TestAir::foamTemperaturesAreRead()
{
    const auto uniform = foamTemperatures("internalField uniform 293.15;", "T", 3);
    QVERIFY(uniform && uniform->size() == 3 && std::abs(uniform->front() - 20) < 1e-9);
    const auto list = foamTemperatures("internalField nonuniform List<scalar> \n2\n(\n293.15\n303.15\n)\n;", "T", 2);
    QVERIFY(list && std::abs(list->at(1) - 30) < 1e-9);
    for (const char* broken : {"", "internalField uniform", "internalField nonuniform List<scalar> 2 (293.15)", "internalField nonuniform;",
                               "internalField uniform nan;", "internalField nonuniform List<scalar> 2 (293 x)"}) {
        const auto bad = foamTemperatures(broken, "case/1/T", 2);
        QVERIFY2(!bad && bad.error().where == "case/1/T", broken);
    }
}

void TestAir::openFoamAgreesInASmallRoom()
{
    if (const auto there = findFoam(); !there) QSKIP(there.error().text().c_str());
    HallAir air;
    air.hall = smallHall();
    Controls c;
    c.blend = 0;
    auto solution = solveRoom(air.hall.plan, {{0.5, 0.5, 0.5}, 0.05, 1}, {}, c);
    QVERIFY(solution && solution->certificate.settled);
    air.room = std::make_shared<const SolvedRoom>(std::move(*solution));
    air.racks = rackInlets(air.hall, *air.room, air.room->solver->fields.celsius);
    QTemporaryDir folder;
    FoamOptions options;
    options.iterations = 60;
    options.processes = 2;
    std::vector<double> fractions;
    const auto foam =
        runFoam(air, folder.path().toStdString(), options, *localFoam(), {{}, [&](double f, std::string_view) { fractions.push_back(f); }});
    QVERIFY2(foam.has_value(), foam ? "" : foam.error().text().c_str());
    QVERIFY2(foam->version >= "1912", foam->version.c_str());
    QVERIFY(foam->iterations > 10 && foam->residuals.at("T") < 1e-2);
    QVERIFY(!fractions.empty() && std::ranges::is_sorted(fractions));
    QVERIFY2(foam->heatError < 0.02, std::to_string(foam->heatError).c_str());
    QVERIFY2(std::abs(foam->racks[0].inletMeanC - air.racks[0].inletMeanC) < 2,
             fmt::format("{} {}", foam->racks[0].inletMeanC, air.racks[0].inletMeanC).c_str());
}

void TestAir::openFoamIsCanceledAndFails()
{
    HallAir air;
    air.hall = smallHall();
    auto solution = solveRoom(air.hall.plan, {{0.5, 0.5, 0.5}, 0.05, 1}, {}, {.blend = 0, .most = 2});
    QVERIFY(solution.has_value());
    air.room = std::make_shared<const SolvedRoom>(std::move(*solution));
    /// Writes given lines into the log, one a question, and ends where `ends`.
    struct Made : FoamRun {
        std::vector<std::string> lines;
        bool ends = true;
        int canceled = 0;
        std::filesystem::path log;
        Result<void> start(const std::filesystem::path& folder) override
        {
            log = folder / kFoamLog;
            return {};
        }
        Result<bool> ended() override
        {
            std::ofstream out(log, std::ios::app);
            if (!lines.empty()) out << lines.front() << '\n', lines.erase(lines.begin());
            return ends && lines.empty();
        }
        void cancel() override { ++canceled; }
    };
    const auto run = [&](Made& made, const Progress& progress = {}) {
        QTemporaryDir folder;
        return runFoam(air, folder.path().toStdString(), {}, made, progress);
    };
    Made endless;
    endless.ends = false;
    endless.lines = {"Using: OpenFOAM- (1912) - visit www.openfoam.com", "Time = 1",
                     "DILUPBiCGStab:  Solving for T, Initial residual = 0.25, Final residual = 0.01, No Iterations 2", "Time = 2"};
    std::stop_source stop;
    std::string shown;
    const auto canceled = run(endless, {stop.get_token(), [&](double, std::string_view step) {
                                            shown = step;
                                            if (shown.find("iteration 2") != std::string::npos) stop.request_stop();
                                        }});
    QVERIFY(!canceled && canceled.error().code == ErrorCode::Canceled);
    QVERIFY2(shown.find("temperature 2.5e-01") != std::string::npos, shown.c_str());
    QCOMPARE(endless.canceled, 1);
    Made broken;
    broken.lines = {"Using: OpenFOAM- (1912) - visit www.openfoam.com", "Time = 1", "--> FOAM FATAL ERROR: out of range"};
    const auto failed = run(broken);
    QVERIFY(!failed && failed.error().code == ErrorCode::Unreadable);
    QVERIFY(failed.error().text().find("FATAL ERROR: out of range") != std::string::npos);
    Made other;
    other.lines = {"Using: OpenFOAM-7 (see www.OpenFOAM.org)"};
    const auto unknown = run(other);
    QVERIFY(!unknown && unknown.error().code == ErrorCode::Refused);
    QVERIFY(unknown.error().text().find("version 7 is not known") != std::string::npos);
}

QTEST_GUILESS_MAIN(TestAir)
#include "test_air.moc"
