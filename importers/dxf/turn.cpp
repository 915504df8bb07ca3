// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/dxf/turn.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace hw::importers::dxf {

namespace {

constexpr double kLeastShare = 0.7; ///< of the length of walls that runs in one direction and across it
constexpr double kLeastTurn = 0.05; ///< degrees

bool encloses(Role role) { return role == Role::Wall || role == Role::Room; }

/// Directions of walls, a quarter turn being none, as one: its angle in radians, and how much of their length agrees with it.
std::pair<double, double> direction(const Drawing& drawing, const Roles& roles)
{
    std::complex<double> sum;
    double all = 0;
    for (const Shape& shape : drawing.shapes) {
        if (shape.kind != ShapeKind::Path || !encloses(roles.of(shape))) continue;
        const auto add = [&](Spot a, Spot b) {
            const double length = std::hypot(b.x - a.x, b.y - a.y);
            sum += std::polar(length, 4 * std::atan2(b.y - a.y, b.x - a.x));
            all += length;
        };
        for (std::size_t i = 1; i < shape.points.size(); ++i) add(shape.points[i - 1], shape.points[i]);
        if (shape.closed && shape.points.size() > 2) add(shape.points.back(), shape.points.front());
    }
    return {std::arg(sum) / 4, all > 0 ? std::abs(sum) / all : 0};
}

/// Middles of the coordinates of walls that are nearer to each other than a tolerance.
class Levels {
public:
    Levels(std::vector<double> values, double tolerance) : m_tolerance(tolerance)
    {
        std::ranges::sort(values);
        for (std::size_t i = 0; i < values.size();) {
            std::size_t end = i;
            while (end < values.size() && values[end] - values[i] <= tolerance) ++end;
            m_levels.push_back((values[i] + values[end - 1]) / 2);
            i = end;
        }
    }
    [[nodiscard]] double nearest(double value) const
    {
        const auto next = std::ranges::lower_bound(m_levels, value);
        double best = value, apart = m_tolerance;
        for (const auto at : {next, next == m_levels.begin() ? next : next - 1})
            if (at != m_levels.end() && std::abs(*at - value) <= apart) best = *at, apart = std::abs(*at - value);
        return best;
    }

private:
    double m_tolerance;
    std::vector<double> m_levels;
};

} // namespace

double turnToWalls(Drawing& drawing, const Roles& roles, double tolerance)
{
    const auto [angle, share] = direction(drawing, roles);
    const double degrees = -angle * 180 / std::numbers::pi;
    if (share < kLeastShare || std::abs(degrees) < kLeastTurn) return 0;
    const double c = std::cos(-angle), s = std::sin(-angle);
    const auto turn = [&](Spot& p) { p = {c * p.x - s * p.y, s * p.x + c * p.y}; };
    std::vector<double> x, y;
    for (Shape& shape : drawing.shapes) {
        turn(shape.centre);
        for (Shape::Bow& bow : shape.bows) turn(bow.centre);
        for (Spot& p : shape.points) {
            turn(p);
            if (encloses(roles.of(shape))) x.push_back(p.x), y.push_back(p.y);
        }
    }
    for (Insertion& insertion : drawing.insertions)
        for (Spot& p : insertion.corners) turn(p);
    const Levels across(std::move(x), tolerance), along(std::move(y), tolerance);
    for (Shape& shape : drawing.shapes)
        for (Spot& p : shape.points) p = {across.nearest(p.x), along.nearest(p.y)};
    return degrees;
}

} // namespace hw::importers::dxf
