// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/dxf/recognize.h"

#include <algorithm>
#include <map>
#include <optional>

namespace hw::importers::dxf {

namespace {

constexpr double kThinnest = 40, kThickest = 600; ///< between the two lines of a wall, mm
constexpr std::int64_t kReach = 300;              ///< around each of them, mm
constexpr double kParallel = 0.01;                ///< sine of the angle between them
constexpr std::int64_t kAssumed = 100;            ///< of a wall that is one line, mm
constexpr double kOnLine = 5;                     ///< a line so near to a longer one is part of it, mm

double lengthOf(const Seg& s) { return distance(s.a, s.b); }

/// Where a line lies beside another: along it from `from` to `to`, `aside` to its left.
struct Beside {
    double from = 0, to = 0, aside = 0;
};
std::optional<Beside> beside(const Seg& host, const Seg& s)
{
    const double length = lengthOf(host), ux = double(host.b.x - host.a.x) / length, uy = double(host.b.y - host.a.y) / length;
    const auto along = [&](Pt p) { return double(p.x - host.a.x) * ux + double(p.y - host.a.y) * uy; };
    const auto left = [&](Pt p) { return double(p.y - host.a.y) * ux - double(p.x - host.a.x) * uy; };
    const double own = lengthOf(s), l1 = left(s.a), l2 = left(s.b);
    if (std::abs(l1 - l2) > std::max(2.0, kParallel * own)) return std::nullopt;
    Beside b{std::min(along(s.a), along(s.b)), std::max(along(s.a), along(s.b)), (l1 + l2) / 2};
    const double thickness = std::abs(b.aside), overlap = std::min(b.to, length) - std::max(b.from, 0.0);
    if (thickness < kThinnest || thickness > kThickest || overlap < 0.8 * own || own < thickness) return std::nullopt;
    return b;
}

/// A line with those that are its wall's other face.
struct Host {
    std::vector<std::pair<Beside, std::size_t>> faces;
    bool isFace = false;
};

Piece pieceAlong(const Seg& host, double from, double to, double aside)
{
    const double length = lengthOf(host), ux = double(host.b.x - host.a.x) / length, uy = double(host.b.y - host.a.y) / length;
    const auto at = [&](double along) {
        const double x = double(host.a.x) + along * ux - aside / 2 * uy, y = double(host.a.y) + along * uy + aside / 2 * ux;
        return Pt{std::int64_t(std::floor(x + 0.5 + 1e-4)), std::int64_t(std::floor(y + 0.5 + 1e-4))};
    };
    return {StructureKind::Wall, at(from), at(to), std::int64_t(std::llround(std::abs(aside)))};
}

void addWall(std::vector<Piece>& walls, const Seg& line, const Host& host)
{
    if (host.faces.empty()) {
        walls.push_back({StructureKind::Wall, line.a, line.b, kAssumed});
        return;
    }
    const double aside = host.faces.front().first.aside;
    const bool even = std::ranges::all_of(host.faces, [&](const auto& face) { return std::abs(face.first.aside - aside) <= 5; });
    if (even) return walls.push_back(pieceAlong(line, 0, lengthOf(line), aside));
    for (const auto& [face, number] : host.faces) walls.push_back(pieceAlong(line, face.from, face.to, face.aside));
}

/// The short lines that close a wall at a door.
bool jamb(const Seg& line, const std::vector<Piece>& walls)
{
    return lengthOf(line) <= kThickest && std::ranges::any_of(walls, [&](const Piece& wall) {
               const Seg middle{wall.a, wall.b};
               const double most = double(wall.width) / 2 + 20;
               return distance(line.a, middle) <= most && distance(line.b, middle) <= most;
           });
}

} // namespace

std::vector<Piece> findWalls(const std::vector<Seg>& given, std::vector<Text>& doubts)
{
    std::vector<Seg> lines = given;
    std::ranges::stable_sort(lines, [](const Seg& a, const Seg& b) { return lengthOf(a) > lengthOf(b) + 0.5; });
    std::vector<Host> hosts(lines.size());
    std::vector<Extent> reach(lines.size()); // within which the other face of a wall lies
    const auto again = [&](std::size_t i) {  // the boundary of a hatch lies on lines that are drawn, too
        for (std::size_t h = 0; h < i; ++h)
            if (reach[h].holds(lines[i].a) && distance(lines[i].a, lines[h]) <= kOnLine && distance(lines[i].b, lines[h]) <= kOnLine) return true;
        return false;
    };
    std::size_t kept = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        lines[kept] = lines[i], reach[kept] = {};
        for (const Pt p : {lines[kept].a, lines[kept].b}) reach[kept].add(p);
        if (!again(kept)) ++kept;
    }
    lines.resize(kept), hosts.resize(kept), reach.assign(kept, {});
    for (std::size_t i = 0; i < lines.size(); ++i)
        for (const Pt p : {lines[i].a, lines[i].b}) reach[i].add({p.x - kReach, p.y - kReach}), reach[i].add({p.x + kReach, p.y + kReach});
    for (std::size_t i = 1; i < lines.size(); ++i) {
        std::optional<std::pair<Beside, std::size_t>> best;
        for (std::size_t h = 0; h < i; ++h) {
            if (hosts[h].isFace || !reach[h].meets(reach[i])) continue;
            const auto found = beside(lines[h], lines[i]);
            if (!found || (!hosts[h].faces.empty() && hosts[h].faces.front().first.aside * found->aside < 0)) continue;
            if (!best || std::abs(found->aside) < std::abs(best->first.aside) - 0.5) best.emplace(*found, h);
        }
        if (!best) continue;
        hosts[best->second].faces.emplace_back(best->first, i);
        hosts[i].isFace = true;
    }
    std::vector<Piece> walls;
    std::size_t assumed = 0;
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (!hosts[i].isFace && !hosts[i].faces.empty()) addWall(walls, lines[i], hosts[i]);
    const std::vector<Piece> thick = walls;
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (!hosts[i].isFace && hosts[i].faces.empty() && !jamb(lines[i], thick)) addWall(walls, lines[i], hosts[i]), ++assumed;
    if (assumed > 0)
        doubts.push_back(i18np(assumed, "{0} wall is drawn as a single line: thickness of {1} mm assumed",
                               "{0} walls are drawn as single lines: thickness of {1} mm assumed", kAssumed));
    return walls;
}

} // namespace hw::importers::dxf
