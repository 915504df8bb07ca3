// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/snapshot.h"

#include <span>
#include <vector>

/// Drawings that lie askew: how their walls run, and the turn that brings these to the axes, along which rows of racks stand.
namespace hw::site {

struct PlanPoint {
    double x = 0, y = 0;
};
/// A straight piece of a wall.
struct WallPiece {
    PlanPoint a, b;
};

inline constexpr double kLeastTurnDeg = 0.05; ///< walls nearer to the axes run along them

/// Degrees counter-clockwise from the axes to the direction that most of the length of walls runs in, or across it, in (-45, 45]. 0 where that is
/// along the axes, or where less than half of it runs in one direction.
[[nodiscard]] double wallDirection(std::span<const WallPiece> walls);

/// About the origin, counter-clockwise.
class Turn {
public:
    explicit Turn(double degrees);
    [[nodiscard]] PlanPoint operator()(PlanPoint p) const { return {m_c * p.x - m_s * p.y, m_s * p.x + m_c * p.y}; }

private:
    double m_c, m_s;
};

/// Middles of coordinates that are nearer to each other than a tolerance: walls on one line before a turn are so after it.
class Levels {
public:
    Levels(std::vector<double> values, double tolerance);
    [[nodiscard]] double nearest(double value) const; ///< the value itself where no level is near

private:
    double m_tolerance;
    std::vector<double> m_levels;
};

/// The bearing of up in the plan, clockwise from true north, after its drawing was turned counter-clockwise; in [0, 360), to a hundredth.
[[nodiscard]] double planNorthAfter(const Snapshot& design, double degrees);
void setPlanNorth(Snapshot& design, double bearing); ///< `site.plan_north_deg`

} // namespace hw::site
