// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/site/room_shape.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hw::site {

namespace {

struct Real {
    double x, y;
};

/// The corners of a straight piece with a width; without a length it is a square.
std::array<Real, 4> cornersOf(const Obstacle& o)
{
    double dx = o.b.x - o.a.x, dy = o.b.y - o.a.y;
    const double length = std::hypot(dx, dy), half = o.width / 2.0;
    if (length <= 0)
        return {{{o.a.x - half, o.a.y - half}, {o.a.x + half, o.a.y - half}, {o.a.x + half, o.a.y + half}, {o.a.x - half, o.a.y + half}}};
    dx *= half / length, dy *= half / length;
    return {{{o.a.x + dy, o.a.y - dx}, {o.b.x + dy, o.b.y - dx}, {o.b.x - dy, o.b.y + dx}, {o.a.x - dy, o.a.y + dx}}};
}

/// Whether two convex shapes share more than an edge, seen along one direction.
template <class A, class B>
bool apart(const A& a, const B& b, double nx, double ny)
{
    const auto range = [&](const auto& points) {
        double low = INFINITY, high = -INFINITY;
        for (const Real& p : points) low = std::min(low, p.x * nx + p.y * ny), high = std::max(high, p.x * nx + p.y * ny);
        return std::pair(low, high);
    };
    const auto [al, ah] = range(a);
    const auto [bl, bh] = range(b);
    return ah <= bl + 1e-6 || bh <= al + 1e-6;
}

std::array<Real, 4> cornersOf(const FloorRect& r)
{
    return {{{double(r.x1), double(r.y1)}, {double(r.x2), double(r.y1)}, {double(r.x2), double(r.y2)}, {double(r.x1), double(r.y2)}}};
}

/// Whether an edge of the outline runs through the inside of a rectangle.
bool crosses(FloorPoint a, FloorPoint b, const FloorRect& r)
{
    if (std::max(a.x, b.x) <= r.x1 || std::min(a.x, b.x) >= r.x2 || std::max(a.y, b.y) <= r.y1 || std::min(a.y, b.y) >= r.y2) return false;
    if (a.x == b.x || a.y == b.y) return true; // along the axes
    const std::array<Real, 2> edge{{{double(a.x), double(a.y)}, {double(b.x), double(b.y)}}};
    return !apart(cornersOf(r), edge, a.y - b.y, b.x - a.x);
}

} // namespace

FloorRect Obstacle::box() const
{
    const auto corners = cornersOf(*this);
    const auto [x1, x2] = std::ranges::minmax(corners, {}, &Real::x);
    const auto [y1, y2] = std::ranges::minmax(corners, {}, &Real::y);
    const auto down = [](double v) { return std::int32_t(std::floor(v + 1e-6)); };
    const auto up = [](double v) { return std::int32_t(std::ceil(v - 1e-6)); };
    return {down(x1.x), down(y1.y), up(x2.x), up(y2.y)};
}

Obstacle Obstacle::withFloor() const
{
    const auto opens = std::int32_t(std::ceil(std::hypot(b.x - a.x, b.y - a.y)));
    return {kind, a, b, width + 2 * std::max(kDoorFloorMm, opens)};
}

bool Obstacle::meets(const FloorRect& rect) const
{
    if (!box().meets(rect)) return false;
    if (a.x == b.x || a.y == b.y) return true; // along the axes its box is itself, to the mm
    const auto own = cornersOf(*this), other = cornersOf(rect);
    return !apart(own, other, b.x - a.x, b.y - a.y) && !apart(own, other, a.y - b.y, b.x - a.x);
}

RoomShape::RoomShape(std::vector<FloorPoint> outline, std::vector<Obstacle> obstacles)
    : m_outline(std::move(outline)), m_obstacles(std::move(obstacles))
{
    if (m_outline.empty()) return;
    m_bounds = {m_outline[0].x, m_outline[0].y, m_outline[0].x, m_outline[0].y};
    for (const FloorPoint p : m_outline)
        m_bounds = {std::min(m_bounds.x1, p.x), std::min(m_bounds.y1, p.y), std::max(m_bounds.x2, p.x), std::max(m_bounds.y2, p.y)};
    const auto corner = [&](std::size_t i) { return m_outline[i % m_outline.size()]; };
    m_rectangle = m_outline.size() == 4;
    for (std::size_t i = 0; m_rectangle && i < 4; ++i) {
        const FloorPoint a = corner(i), b = corner(i + 1), c = corner(i + 2);
        m_rectangle = (a.x == b.x && b.y == c.y && a.y != b.y && b.x != c.x) || (a.y == b.y && b.x == c.x && a.x != b.x && b.y != c.y);
    }
}

RoomShape RoomShape::of(const Snapshot& s, HallId hall)
{
    std::vector<std::pair<std::int32_t, FloorPoint>> numbered;
    s.corners.forEach([&](CornerId id) {
        if (s.corners.hall[id] == hall) numbered.push_back({s.corners.number[id], {s.corners.x[id].count(), s.corners.y[id].count()}});
    });
    std::ranges::stable_sort(numbered, {}, [](const auto& corner) { return corner.first; });
    std::vector<FloorPoint> outline;
    for (const auto& [number, corner] : numbered) outline.push_back(corner);
    const std::int32_t x = s.halls.sizeX[hall].count(), y = s.halls.sizeY[hall].count();
    if (outline.size() < 3) outline = {{0, 0}, {x, 0}, {x, y}, {0, y}};
    std::vector<Obstacle> obstacles;
    const auto& t = s.structures;
    t.forEach([&](StructureId id) {
        if (t.hall[id] == hall)
            obstacles.push_back({t.kind[id], {t.x1[id].count(), t.y1[id].count()}, {t.x2[id].count(), t.y2[id].count()}, t.width[id].count()});
    });
    return RoomShape(std::move(outline), std::move(obstacles));
}

bool RoomShape::contains(const FloorRect& r) const
{
    if (r.x1 < m_bounds.x1 || r.y1 < m_bounds.y1 || r.x2 > m_bounds.x2 || r.y2 > m_bounds.y2) return false;
    if (m_rectangle) return true;
    bool inside = false;
    const double cx = (double(r.x1) + r.x2) / 2, cy = (double(r.y1) + r.y2) / 2;
    for (std::size_t i = 0; i < m_outline.size(); ++i) {
        const FloorPoint a = m_outline[i], b = m_outline[(i + 1) % m_outline.size()];
        if (crosses(a, b, r)) return false;
        if ((a.y > cy) != (b.y > cy) && cx < a.x + (cy - a.y) / (double(b.y) - a.y) * (double(b.x) - a.x)) inside = !inside;
    }
    return inside;
}

bool RoomShape::fits(const FloorRect& rect, std::int32_t clearance) const
{
    const FloorRect wanted = rect.grown(clearance, clearance);
    return contains(wanted) && std::ranges::none_of(m_obstacles, [&](const Obstacle& o) {
               return o.meets(wanted) || (o.kind == StructureKind::Door && o.withFloor().meets(rect));
           });
}

RoomShape RoomShape::transposed() const
{
    std::vector<FloorPoint> outline;
    for (const FloorPoint p : m_outline) outline.push_back({p.y, p.x});
    std::vector<Obstacle> obstacles;
    for (const Obstacle& o : m_obstacles) obstacles.push_back({o.kind, {o.a.y, o.a.x}, {o.b.y, o.b.x}, o.width});
    return RoomShape(std::move(outline), std::move(obstacles));
}

} // namespace hw::site
