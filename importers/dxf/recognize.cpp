// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/dxf/recognize.h"

#include "core/foundation/base/disjoint_sets.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace hw::importers::dxf {

namespace {

constexpr std::int64_t kLargestColumn = 3000, kSmallestColumn = 50; ///< mm
constexpr std::size_t kMostWallLines = 8000;
constexpr std::int64_t kTouch = 20; ///< mm

Extent extentOf(const std::vector<const Drawn*>& thing)
{
    Extent extent;
    for (const Drawn* drawn : thing)
        for (const Pt p : drawn->points) extent.add(p);
    return extent;
}

Piece straight(StructureKind kind, const Extent& e)
{
    if (e.width() >= e.depth()) return {kind, {e.low.x, (e.low.y + e.high.y) / 2}, {e.high.x, (e.low.y + e.high.y) / 2}, e.depth()};
    return {kind, {(e.low.x + e.high.x) / 2, e.low.y}, {(e.low.x + e.high.x) / 2, e.high.y}, e.width()};
}

/// A closed path of four corners at right angles that stands askew.
bool askew(const Drawn& drawn)
{
    std::vector<Pt> c = drawn.points;
    if (c.size() > 1 && c.front() == c.back()) c.pop_back();
    if (!drawn.closed() || c.size() != 4 || drawn.shape->kind != ShapeKind::Path) return false;
    bool along = true;
    for (std::size_t i = 0; i < 4; ++i) {
        const Pt a = c[i], b = c[(i + 1) % 4], d = c[(i + 2) % 4];
        const double dot = double(b.x - a.x) * double(d.x - b.x) + double(b.y - a.y) * double(d.y - b.y);
        if (std::abs(dot) > 0.02 * distance(a, b) * distance(b, d)) return false;
        along = along && (std::abs(b.x - a.x) <= 2 || std::abs(b.y - a.y) <= 2);
    }
    return !along;
}

Piece askewPiece(StructureKind kind, const std::vector<Pt>& c)
{
    const auto middle = [](Pt a, Pt b) { return Pt{(a.x + b.x) / 2, (a.y + b.y) / 2}; };
    const double first = distance(c[0], c[1]), second = distance(c[1], c[2]);
    if (first >= second) return {kind, middle(c[3], c[0]), middle(c[1], c[2]), std::int64_t(std::llround(second))};
    return {kind, middle(c[0], c[1]), middle(c[2], c[3]), std::int64_t(std::llround(first))};
}

std::vector<Seg> segmentsOf(const std::vector<const Drawn*>& drawn)
{
    std::set<Seg> known;
    std::vector<Seg> segments;
    for (const Drawn* d : drawn) {
        if (d->shape->kind == ShapeKind::Circle) continue;
        const auto add = [&](Pt a, Pt b) {
            if (a != b && known.insert({std::min(a, b), std::max(a, b)}).second) segments.push_back({a, b});
        };
        for (std::size_t i = 1; i < d->points.size(); ++i) add(d->points[i - 1], d->points[i]);
        if (d->closed() && d->points.size() > 2) add(d->points.back(), d->points.front());
    }
    return segments;
}

/// What encloses the room, and how sure that is.
std::vector<Pt> findOutline(const std::map<Role, std::vector<const Drawn*>>& by, const std::vector<Seg>& walls, std::vector<Text>& doubts)
{
    if (by.contains(Role::Room))
        if (auto loop = outerLoop(segmentsOf(by.at(Role::Room))); !loop.empty()) return loop;
    if (by.contains(Role::Room)) doubts.push_back(i18n("lines on the room layer do not form a closed loop"));
    if (walls.empty()) return {};
    Extent extent;
    for (const Seg& wall : walls) extent.add(wall.a), extent.add(wall.b);
    if (walls.size() <= kMostWallLines) {
        auto loop = roomLoop(walls);
        if (area(loop) > 0.3 * double(extent.width()) * double(extent.depth())) return loop;
    }
    if (extent.width() <= 0 || extent.depth() <= 0) return {};
    doubts.push_back(i18n("walls do not form a closed loop: their bounding rectangle is used as the room"));
    return {extent.low, {extent.high.x, extent.low.y}, extent.high, {extent.low.x, extent.high.y}};
}

/// Leaves out what belongs to other rooms of the drawing.
void keepNear(std::vector<Piece>& pieces, const std::vector<Pt>& outline, std::vector<Text>& doubts)
{
    constexpr std::int64_t kAround = 2000;
    Extent room;
    for (const Pt p : outline) room.add(p);
    const auto outside = [&](const Piece& piece) {
        return std::max(piece.a.x, piece.b.x) < room.low.x - kAround || std::min(piece.a.x, piece.b.x) > room.high.x + kAround ||
               std::max(piece.a.y, piece.b.y) < room.low.y - kAround || std::min(piece.a.y, piece.b.y) > room.high.y + kAround;
    };
    if (const auto left = std::erase_if(pieces, outside))
        doubts.push_back(i18np(left, "{} wall, column or door more than 2 m outside the room is skipped",
                               "{} walls, columns and doors more than 2 m outside the room are skipped"));
}

} // namespace

std::vector<std::vector<const Drawn*>> things(const std::vector<const Drawn*>& drawn)
{
    DisjointSets joined(drawn.size());
    std::vector<Extent> extents;
    for (const Drawn* d : drawn) extents.push_back(extentOf({d}));
    std::vector<std::size_t> order(drawn.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return extents[i].low.x; });
    std::map<std::uint32_t, std::size_t> ofInsert;
    const auto join = [&](std::size_t a, std::size_t b) { joined.join(std::uint32_t(a), std::uint32_t(b)); };
    for (std::size_t n = 0; n < order.size(); ++n) {
        const std::size_t i = order[n];
        if (const auto insert = drawn[i]->shape->insert) join(ofInsert.try_emplace(insert, i).first->second, i);
        for (std::size_t m = n + 1; m < order.size() && extents[order[m]].low.x <= extents[i].high.x + kTouch; ++m) {
            const std::size_t j = order[m];
            if (drawn[j]->shape->outer != drawn[i]->shape->outer) continue;
            if (extents[j].low.y <= extents[i].high.y + kTouch && extents[i].low.y <= extents[j].high.y + kTouch) join(i, j);
        }
    }
    std::map<std::size_t, std::vector<const Drawn*>> sorted;
    for (std::size_t i = 0; i < drawn.size(); ++i) sorted[joined.find(std::uint32_t(i))].push_back(drawn[i]);
    std::vector<std::vector<const Drawn*>> all;
    for (auto& [first, thing] : sorted) all.push_back(std::move(thing));
    return all;
}

Piece pieceAround(const std::vector<const Drawn*>& thing, StructureKind kind)
{
    const Drawn* widest = nullptr;
    for (const Drawn* d : thing)
        if (askew(*d) && (!widest || area(d->points) > area(widest->points))) widest = d;
    return widest ? askewPiece(kind, widest->points) : straight(kind, extentOf(thing));
}

namespace {

/// Nothing but circles around one middle: round, a line without length as wide as the largest.
std::optional<Piece> roundPiece(const std::vector<const Drawn*>& thing)
{
    std::int64_t diameter = 0;
    Pt middle = thing.front()->center;
    for (const Drawn* d : thing) {
        if (d->shape->kind != ShapeKind::Circle) return std::nullopt;
        const Extent around = extentOf({d});
        if (std::abs(around.width() - around.depth()) > 2) return std::nullopt; // stretched
        const Pt own{(around.low.x + around.high.x) / 2, (around.low.y + around.high.y) / 2};
        if (diameter > 0 && (std::abs(own.x - middle.x) > 1 || std::abs(own.y - middle.y) > 1)) return std::nullopt;
        diameter = std::max({diameter, around.high.x - around.low.x, around.high.y - around.low.y}), middle = own;
    }
    return Piece{StructureKind::Column, middle, middle, diameter};
}

} // namespace

std::vector<Piece> findColumns(const std::vector<const Drawn*>& drawn, std::vector<Text>& doubts)
{
    std::vector<Piece> columns;
    std::size_t large = 0, small = 0;
    for (const auto& thing : things(drawn)) {
        const Piece piece = roundPiece(thing).value_or(pieceAround(thing, StructureKind::Column));
        const auto length = piece.a == piece.b ? piece.width : std::int64_t(distance(piece.a, piece.b));
        if (std::max(length, piece.width) > kLargestColumn)
            ++large;
        else if (std::min(length, piece.width) < kSmallestColumn)
            ++small;
        else
            columns.push_back(piece);
    }
    if (large > 0)
        doubts.push_back(i18np(large, "{0} object on the columns layer exceeds {1} mm and is not treated as a column",
                               "{0} objects on the columns layer exceed {1} mm and are not treated as columns", kLargestColumn));
    if (small > 0)
        doubts.push_back(i18np(small, "{0} object on the columns layer is smaller than {1} mm and is not treated as a column",
                               "{0} objects on the columns layer are smaller than {1} mm and are not treated as columns", kSmallestColumn));
    return columns;
}

std::vector<Piece> findAreas(const std::vector<const Drawn*>& drawn, StructureKind kind)
{
    std::vector<Piece> areas;
    for (const auto& thing : things(drawn))
        if (Piece piece = pieceAround(thing, kind); piece.a != piece.b) {
            piece.width = std::max<std::int64_t>(piece.width, 1);
            areas.push_back(piece);
        }
    return areas;
}

Recognized recognize(const std::vector<Drawn>& drawn)
{
    Recognized out;
    std::map<Role, std::vector<const Drawn*>> by;
    for (const Drawn& d : drawn)
        if (d.role != Role::None && !d.points.empty()) by[d.role].push_back(&d);
    auto lines = segmentsOf(by[Role::Wall]);
    out.outline = findOutline(by, lines, out.doubts);
    if (out.outline.empty()) return out;
    if (lines.size() > kMostWallLines) {
        out.doubts.push_back(i18n("{} wall lines exceed the limit of {}: only the longest are used", lines.size(), kMostWallLines));
        std::ranges::stable_sort(lines, [](const Seg& a, const Seg& b) { return distance(a.a, a.b) > distance(b.a, b.b); });
        lines.resize(kMostWallLines);
    }
    out.pieces = findWalls(lines, out.doubts);
    const auto doors = findDoors(by[Role::Door], out.pieces, out.doubts);
    const auto add = [&](const std::vector<Piece>& more) { out.pieces.insert(out.pieces.end(), more.begin(), more.end()); };
    add(findColumns(by[Role::Column], out.doubts));
    add(doors);
    add(findAreas(by[Role::Ramp], StructureKind::Ramp));
    add(findAreas(by[Role::KeepOut], StructureKind::KeepOut));
    keepNear(out.pieces, out.outline, out.doubts);
    std::ranges::sort(out.pieces, {}, [](const Piece& p) { return std::tuple(p.kind, p.a.y, p.a.x, p.b, p.width); });
    out.pieces.erase(std::unique(out.pieces.begin(), out.pieces.end()), out.pieces.end());
    return out;
}

} // namespace hw::importers::dxf
