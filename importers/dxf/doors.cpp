// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/dxf/recognise.h"

#include <algorithm>
#include <optional>

namespace hw::importers::dxf {

namespace {

constexpr double kNarrowest = 400, kWidest = 8000; ///< of a door, mm
constexpr std::int64_t kAssumedThick = 100;        ///< thick where no wall is near, mm

constexpr double kOnWall = 300; ///< nearer to a wall than the other end by this, mm

/// From the hinge of a leaf to where it closes: the end of its swing that is on a wall. Where a wall runs at both ends, in a corner, the one
/// that no line of the leaf ends at.
Seg openingOf(const Drawn& arc, const std::vector<const Drawn*>& thing, const std::vector<Piece>& walls)
{
    const Pt ends[2] = {arc.points.front(), arc.points.back()};
    double leaf[2] = {0, 0}, wall[2] = {1e9, 1e9};
    for (int e = 0; e < 2; ++e) {
        for (const Drawn* other : thing) {
            if (other == &arc || other->shape->kind == ShapeKind::Arc) continue;
            for (const Pt p : other->points)
                if (distance(p, ends[e]) <= 60) leaf[e] = 1;
        }
        for (const Piece& piece : walls) wall[e] = std::min(wall[e], distance(ends[e], Seg{piece.a, piece.b}));
    }
    const bool apart = std::abs(wall[0] - wall[1]) > kOnWall; // a line at one end may be the leaf, or the sill between the posts
    const bool second = !apart && leaf[0] != leaf[1] ? leaf[0] > leaf[1] : wall[1] + 1 < wall[0];
    return {arc.centre, ends[second ? 1 : 0]};
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
        if (d->shape->kind == ShapeKind::Arc && d->points.size() > 1) {
            Seg opening = openingOf(*d, thing, walls);
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
    std::size_t odd = 0;
    for (const auto& thing : things(drawn))
        for (const Seg& opening : openings(thing, walls)) {
            const double wide = distance(opening.a, opening.b);
            if (wide < kNarrowest || wide > kWidest)
                ++odd;
            else
                doors.push_back(doorIn(opening, walls));
        }
    if (odd > 0)
        doubts.push_back(i18np(odd, "{0} thing on the doors' layer is no door: it is not {1} to {2} mm wide",
                               "{0} things on the doors' layer are no doors: they are not {1} to {2} mm wide", kNarrowest, kWidest));
    return doors;
}

} // namespace hw::importers::dxf
