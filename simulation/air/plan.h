// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "simulation/air/solver.h"

#include <functional>
#include <memory>

namespace hw::sim::air {

/// A rectangle perpendicular to an axis through which air passes along the axis (+1) or against it (−1).
struct Opening {
    int axis = 0;
    double at = 0;
    Box box;
    int sign = 1;
    friend bool operator==(const Opening&, const Opening&) = default;
};

/// A thin wall, closed or with a loss coefficient.
struct Screen {
    int axis = 0;
    double at = 0;
    Box box;
    double loss = 0; ///< dynamic pressures of the approach velocity; 0 = closed
    friend bool operator==(const Screen&, const Screen&) = default;
};

struct PlannedExchange {
    Exchange exchange; ///< without patches
    Opening intake, outlet;
    friend bool operator==(const PlannedExchange&, const PlannedExchange&) = default;
};

/// A room in m, independent of a grid.
struct RoomPlan {
    Box room;
    std::vector<Box> solids;
    std::vector<Screen> screens; ///< later ones replace earlier ones where they overlap
    std::vector<PlannedExchange> exchanges;
    friend bool operator==(const RoomPlan&, const RoomPlan&) = default;
};

/// The plan on a grid whose faces lie on its planes, at most `step` apart along each axis; planes nearer than `least` share one. Errors: Refused for
/// an opening that is nowhere on the surface of a solid, a region without exit whose supply and demand differ.
[[nodiscard]] Result<Room> makeRoom(const RoomPlan& plan, std::array<double, 3> step, double least);

/// Cells that makeRoom() would create.
[[nodiscard]] std::size_t cellsOf(const RoomPlan& plan, std::array<double, 3> step, double least);

/// A plan solved on one or more grids, each from the answer of the one before.
struct SolvedRoom {
    std::shared_ptr<const Room> room;
    std::shared_ptr<const Solver> solver;
    Certificate certificate;
    double seconds = 0; ///< of the processor's clock
};

struct Resolution {
    std::array<double, 3> step{0.2, 0.2, 0.2};
    double least = 0.05;
    int grids = 2; ///< each twice as coarse as the next
};

/// Where a solution starts, and who sees it grow.
struct Course {
    const Solver* start = nullptr;                  ///< an answer for nearly the same room: coarser grids are left out; null: air at rest
    std::function<void(const SolvedRoom&)> picture; ///< called with the answer of each coarser grid
};

/// Errors: those of makeRoom(); Canceled.
[[nodiscard]] Result<SolvedRoom> solveRoom(const RoomPlan& plan, const Resolution& resolution, const Air& air, const Controls& controls,
                                           const std::vector<std::array<double, 3>>& monitors = {}, const Progress& progress = {},
                                           const Course& course = {});

/// Loss coefficient of an opening that leaves `share` of a surface free, on the velocity before it: (1 / (share · Cd))² − 1, Cd 0.6.
[[nodiscard]] double lossOfOpenShare(double share);

} // namespace hw::sim::air
