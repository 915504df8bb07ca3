// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/site/turn.h"

#include "core/foundation/model/setting_values.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace hw::site {

namespace {

constexpr double kLeastShare = 0.5;    ///< of the length of walls that runs in one direction and across it
constexpr double kSameDirection = 0.5; ///< degrees between walls of one direction: hands and roundings
constexpr double kRadian = 180 / std::numbers::pi;

} // namespace

double wallDirection(std::span<const WallPiece> walls)
{
    struct Piece {
        double degrees, length; ///< in [0, 90)
    };
    std::vector<Piece> pieces;
    double all = 0;
    for (const auto& [a, b] : walls) {
        const double length = std::hypot(b.x - a.x, b.y - a.y);
        if (length <= 0) continue;
        double degrees = std::fmod(std::atan2(b.y - a.y, b.x - a.x) * kRadian + 360, 90);
        if (degrees > 90 - kSameDirection / 2) degrees -= 90; // along the axes, from either side
        pieces.push_back({degrees, length});
        all += length;
    }
    std::ranges::stable_sort(pieces, {}, &Piece::degrees);
    const std::size_t n = pieces.size();
    double best = 0, direction = 0, length = 0, moment = 0; // of those from `from` on, degrees from 0
    for (std::size_t from = 0, to = 0; from < n; ++from) {
        const auto at = [&](std::size_t i) { return pieces[i % n].degrees + (i < n ? 0 : 90); };
        for (; to < from + n && at(to) - pieces[from].degrees <= kSameDirection; ++to)
            length += pieces[to % n].length, moment += pieces[to % n].length * at(to);
        if (length > best * (1 + 1e-9)) best = length, direction = moment / length;
        length -= pieces[from].length, moment -= pieces[from].length * pieces[from].degrees;
    }
    if (best < kLeastShare * all) return 0;
    if (direction > 45) direction -= 90;
    return std::abs(direction) < kLeastTurnDeg ? 0 : direction;
}

Turn::Turn(double degrees) : m_c(std::cos(degrees / kRadian)), m_s(std::sin(degrees / kRadian)) {}

Levels::Levels(std::vector<double> values, double tolerance) : m_tolerance(tolerance)
{
    std::ranges::sort(values);
    for (std::size_t i = 0; i < values.size();) {
        std::size_t end = i;
        while (end < values.size() && values[end] - values[i] <= tolerance) ++end;
        m_levels.push_back((values[i] + values[end - 1]) / 2);
        i = end;
    }
}

double Levels::nearest(double value) const
{
    const auto next = std::ranges::lower_bound(m_levels, value);
    double best = value, apart = m_tolerance;
    for (const auto at : {next, next == m_levels.begin() ? next : next - 1})
        if (at != m_levels.end() && std::abs(*at - value) <= apart) best = *at, apart = std::abs(*at - value);
    return best;
}

double planNorthAfter(const Snapshot& design, double degrees)
{
    const double bearing = std::round((numberSetting(design, "site.plan_north_deg") + degrees) * 100) / 100;
    const double turned = std::fmod(std::fmod(bearing, 360) + 360, 360);
    return std::round(turned * 100) / 100;
}

void setPlanNorth(Snapshot& design, double bearing) { design.putSetting("site.plan_north_deg", fmt::format("{}", bearing)); }

} // namespace hw::site
