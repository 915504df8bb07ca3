// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/dxf/recognize.h"

#include <algorithm>
#include <optional>

namespace hw::importers::dxf {

namespace {

constexpr double kNarrowest = 400, kWidest = 8000; ///< of a door, mm
constexpr std::int64_t kAssumedThick = 100;        ///< thick where no wall is near, mm
constexpr double kBesideWall = 100;                ///< an opening is so near to its wall, mm
constexpr double kShortest = 400;                  ///< of a wall that an opening can lie in, mm
constexpr double kReachesOut = 300;                ///< from the thing that is drawn to its wall, mm
constexpr double kOnWall = 300;                    ///< nearer to a wall than the other end by this, mm

/// The circle that the end of a leaf runs along: from its hinge, between two ends.
struct Swing {
    Pt hinge;
    Pt ends[2];
};

std::vector<Swing> swingsOf(const Drawn& drawn)
{
    const auto& p = drawn.points;
    if (p.size() < 2) return {};
    if (drawn.shape->kind == ShapeKind::Arc) return {{drawn.center, {p.front(), p.back()}}};
    std::vector<Swing> all; // a leaf with its swing, drawn as one line
    for (const Drawn::Bow& bow : drawn.bows) all.push_back({bow.center, {p[bow.from % p.size()], p[bow.to % p.size()]}});
    return all;
}

struct Place {
    double along = 0, aside = 0;
};
/// Where a point is beside a wall: from its beginning, and to its left.
Place placeBeside(const Piece& wall, Pt p)
{
    const double length = distance(wall.a, wall.b), ux = double(wall.b.x - wall.a.x) / length, uy = double(wall.b.y - wall.a.y) / length;
    const double x = double(p.x - wall.a.x), y = double(p.y - wall.a.y);
    return {x * ux + y * uy, y * ux - x * uy};
}

/// Whether it lies along a wall: in it, or in its gap.
bool liesIn(const Piece& wall, const Seg& opening)
{
    const double length = distance(wall.a, wall.b), own = distance(opening.a, opening.b), most = double(wall.width) / 2 + kBesideWall;
    if (length <= std::max(double(wall.width), kShortest)) return false; // a stub has no direction
    const Place a = placeBeside(wall, opening.a), b = placeBeside(wall, opening.b);
    if (std::abs(a.aside) > most || std::abs(b.aside) > most || std::abs(a.aside - b.aside) > 0.1 * own) return false;
    return std::min(a.along, b.along) >= -own - kBesideWall && std::max(a.along, b.along) <= length + own + kBesideWall;
}
bool liesInAny(const std::vector<Piece>& walls, const Seg& opening)
{
    return std::ranges::any_of(walls, [&](const Piece& wall) { return liesIn(wall, opening); });
}

/// From the hinge of a leaf to where it closes: along the wall; where both ends of its swing are so, or none, the one that no line of the leaf
/// ends at.
Seg openingOf(const Swing& swing, const std::vector<const Drawn*>& thing, const std::vector<Piece>& walls)
{
    const bool in[2] = {liesInAny(walls, {swing.hinge, swing.ends[0]}), liesInAny(walls, {swing.hinge, swing.ends[1]})};
    if (in[0] != in[1]) return {swing.hinge, swing.ends[in[1] ? 1 : 0]};
    double leaf[2] = {0, 0}, wall[2] = {1e9, 1e9};
    for (int e = 0; e < 2; ++e) {
        for (const Drawn* other : thing) {
            if (!swingsOf(*other).empty()) continue;
            for (const Pt p : other->points)
                if (distance(p, swing.ends[e]) <= 60) leaf[e] = 1;
        }
        for (const Piece& piece : walls) wall[e] = std::min(wall[e], distance(swing.ends[e], Seg{piece.a, piece.b}));
    }
    const bool apart = std::abs(wall[0] - wall[1]) > kOnWall; // a line at one end may be the leaf, or the sill between the posts
    const bool second = !apart && leaf[0] != leaf[1] ? leaf[0] > leaf[1] : wall[1] + 1 < wall[0];
    return {swing.hinge, swing.ends[second ? 1 : 0]};
}

/// Two leaves that close against each other are one door.
std::optional<Seg> together(const Seg& a, const Seg& b)
{
    if (distance(a.b, b.b) <= 60) return Seg{a.a, b.a};
    return std::nullopt;
}

Seg longest(const std::vector<const Drawn*>& thing)
{
    const Piece around = pieceAround(thing, StructureKind::Door);
    return {around.a, around.b};
}

std::vector<Seg> openings(const std::vector<const Drawn*>& thing, const std::vector<Piece>& walls)
{
    std::vector<Seg> all;
    for (const Drawn* d : thing)
        for (const Swing& swing : swingsOf(*d)) {
            Seg opening = openingOf(swing, thing, walls);
            bool joined = false;
            for (Seg& known : all)
                if (const auto both = together(known, opening); both && !joined) known = *both, joined = true;
            if (!joined) all.push_back(opening);
        }
    if (!all.empty()) return all;
    for (const Drawn* d : thing) // a lone line across the opening, whatever its angle
        if (thing.size() == 1 && d->points.size() == 2) return {{d->points[0], d->points[1]}};
    return {longest(thing)};
}

/// The wall that a door is in.
const Piece* wallAt(const Seg& door, const std::vector<Piece>& walls)
{
    const Pt middle{(door.a.x + door.b.x) / 2, (door.a.y + door.b.y) / 2};
    double nearest = distance(door.a, door.b) / 2 + 600;
    const Piece* found = nullptr;
    for (const Piece& wall : walls)
        if (const double d = distance(middle, Seg{wall.a, wall.b}); d < nearest) nearest = d, found = &wall;
    return found;
}

/// A door that lies in no wall, where what is drawn of it is at one: so wide there as all of it.
Seg alongWall(const Seg& opening, const std::vector<const Drawn*>& thing, const std::vector<Piece>& walls)
{
    const Piece* wall = walls.empty() || liesInAny(walls, opening) ? nullptr : wallAt(opening, walls);
    if (!wall || distance(wall->a, wall->b) <= std::max(double(wall->width), kShortest)) return opening;
    double low = 1e18, high = -1e18, nearest = 1e18;
    for (const Drawn* d : thing)
        for (const Pt p : d->points) {
            const Place at = placeBeside(*wall, p);
            low = std::min(low, at.along), high = std::max(high, at.along), nearest = std::min(nearest, std::abs(at.aside));
        }
    if (high - low < kNarrowest || high - low > kWidest || nearest > double(wall->width) / 2 + kReachesOut) return opening;
    const double length = distance(wall->a, wall->b), ux = double(wall->b.x - wall->a.x) / length, uy = double(wall->b.y - wall->a.y) / length;
    const auto at = [&](double along) { return Pt{wall->a.x + std::llround(along * ux), wall->a.y + std::llround(along * uy)}; };
    return {at(low), at(high)};
}

/// A door as thick as its wall, and in its middle where it is drawn along one of its faces.
Piece doorIn(Seg door, const std::vector<Piece>& walls)
{
    const Piece* wall = wallAt(door, walls);
    Piece piece{StructureKind::Door, std::min(door.a, door.b), std::max(door.a, door.b), wall ? wall->width : kAssumedThick};
    if (!wall) return piece;
    const double length = distance(wall->a, wall->b), ux = double(wall->b.x - wall->a.x) / length, uy = double(wall->b.y - wall->a.y) / length;
    const auto aside = [&](Pt p) { return double(p.y - wall->a.y) * ux - double(p.x - wall->a.x) * uy; };
    const double a = aside(piece.a), b = aside(piece.b);
    if (std::abs(a - b) > 10 || std::abs(a) > double(wall->width)) return piece;
    for (Pt* p : {&piece.a, &piece.b}) {
        p->x += std::llround(a * uy);
        p->y -= std::llround(a * ux);
    }
    return piece;
}

} // namespace

std::vector<Piece> findDoors(const std::vector<const Drawn*>& drawn, const std::vector<Piece>& walls, std::vector<Text>& doubts)
{
    std::vector<Piece> doors;
    std::size_t odd = 0, loose = 0;
    for (const auto& thing : things(drawn))
        for (const Seg& drawnOpening : openings(thing, walls)) {
            const Seg opening = alongWall(drawnOpening, thing, walls);
            const double wide = distance(opening.a, opening.b);
            if (wide < kNarrowest || wide > kWidest) {
                ++odd;
                continue;
            }
            if (!walls.empty() && !liesInAny(walls, opening)) ++loose;
            doors.push_back(doorIn(opening, walls));
        }
    if (loose > 0) doubts.push_back(i18np(loose, "{} door is not in a wall; check it", "{} doors are not in a wall; check them"));
    if (odd > 0)
        doubts.push_back(i18np(odd, "{0} object on the doors layer is not a door: width not within {1} to {2} mm",
                               "{0} objects on the doors layer are not doors: width not within {1} to {2} mm", kNarrowest, kWidest));
    return doors;
}

} // namespace hw::importers::dxf
