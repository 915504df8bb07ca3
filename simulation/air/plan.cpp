// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/air/plan.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

namespace hw::sim::air {

namespace {

/// The next grid has about so many times the cells: planes of racks stay, so fewer than eight.
constexpr double kCellsPerGrid = 5;

Grid gridOf(const RoomPlan& plan, const std::array<double, 3>& step, double least)
{
    std::array<std::vector<double>, 3> edges;
    for (std::size_t a = 0; a < 3; ++a) {
        const double low = plan.room.low[a], high = plan.room.high[a];
        std::vector<double> planes{low, high};
        const auto add = [&](double at) {
            if (at > low + least / 2 && at < high - least / 2) planes.push_back(at);
        };
        const auto addBox = [&](const Box& box) {
            add(box.low[a]);
            add(box.high[a]);
        };
        for (const Box& box : plan.solids) addBox(box);
        for (const Screen& screen : plan.screens) {
            addBox(screen.box);
            if (std::size_t(screen.axis) == a) add(screen.at);
        }
        for (const PlannedExchange& e : plan.exchanges)
            for (const Opening* o : {&e.intake, &e.outlet}) {
                if (std::size_t(o->axis) == a)
                    add(o->at);
                else
                    addBox(o->box);
            }
        edges[a] = axisEdges(std::move(planes), step[a], least);
    }
    return Grid(std::move(edges));
}

} // namespace

std::size_t cellsOf(const RoomPlan& plan, std::array<double, 3> step, double least) { return gridOf(plan, step, least).cells(); }

Result<Room> makeRoom(const RoomPlan& plan, std::array<double, 3> step, double least)
{
    Room room(gridOf(plan, step, least));
    for (const Box& box : plan.solids) room.fillSolid(box);
    room.openFaces();
    for (const Screen& screen : plan.screens) {
        if (screen.loss > 0)
            room.addLoss(screen.axis, screen.at, screen.box, screen.loss);
        else
            room.addWall(screen.axis, screen.at, screen.box);
    }
    for (const PlannedExchange& planned : plan.exchanges) {
        Exchange exchange = planned.exchange;
        exchange.intake = room.patch(planned.intake.axis, planned.intake.at, planned.intake.box, planned.intake.sign, true);
        exchange.outlet = room.patch(planned.outlet.axis, planned.outlet.at, planned.outlet.box, planned.outlet.sign, false);
        if (exchange.flow <= 0) continue;
        for (const auto& [patch, side] : {std::pair{&exchange.intake, i18n("intake")}, std::pair{&exchange.outlet, i18n("outlet")}})
            if (patch->faces.empty())
                return fail(ErrorCode::Refused, exchange.name, i18n("the air {} is blocked or outside the room", side),
                            i18n("move the equipment so that its front and rear are free"));
        room.addExchange(std::move(exchange));
    }
    if (const auto bad = room.closeAndCheck()) {
        const auto place = room.grid.place(bad->cell);
        return fail(ErrorCode::Refused,
                    fmt::format("x {:.2f} m, y {:.2f} m, z {:.2f} m", room.grid.center(0, place[0]), room.grid.center(1, place[1]),
                                room.grid.center(2, place[2])),
                    i18n("air has no way out of this space (supply less demand {:.3f} m³/s)", bad->flow),
                    i18n("leave an opening or a containment leakage above 0"));
    }
    return room;
}

Result<SolvedRoom> solveRoom(const RoomPlan& plan, const Resolution& resolution, const Air& air, const Controls& controls,
                             const std::vector<std::array<double, 3>>& monitors, const Progress& progress, const Course& course)
{
    const auto begin = std::chrono::steady_clock::now();
    SolvedRoom out;
    double done = 0; // of the cells of all grids
    for (int number = course.start ? resolution.grids - 1 : 0; number < resolution.grids; ++number) {
        const double factor = std::pow(2.0, resolution.grids - 1 - number);
        std::array<double, 3> step = resolution.step;
        for (double& s : step) s *= factor;
        auto made = makeRoom(plan, step, resolution.least);
        if (!made) return tl::unexpected(made.error());
        auto room = std::make_shared<Room>(std::move(*made));
        auto solver = std::make_shared<Solver>(*room, air, controls);
        for (const auto& at : monitors) {
            const std::size_t cell = room->grid.at(room->grid.cellOf(0, at[0]), room->grid.cellOf(1, at[1]), room->grid.cellOf(2, at[2]));
            if (!room->solid[cell]) solver->monitors.push_back(cell);
        }
        if (const Solver* from = out.solver ? out.solver.get() : course.start) solver->startFrom(*from);
        const double end = std::pow(1.0 / kCellsPerGrid, resolution.grids - 1 - number); // time goes with the cells
        out.certificate = solver->run(progress, done, end);
        done = end;
        if (progress.stopRequested()) return fail(ErrorCode::Canceled, {}, i18n("canceled"));
        out.solver = std::move(solver);
        out.room = std::move(room);
        out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (course.picture && number + 1 < resolution.grids) course.picture(out);
    }
    return out;
}

double lossOfOpenShare(double share)
{
    constexpr double kDischarge = 0.6;
    return 1 / (share * kDischarge * share * kDischarge) - 1;
}

} // namespace hw::sim::air
