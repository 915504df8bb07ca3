// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/dxf/turn.h"

#include "core/physics/site/turn.h"

#include <vector>

namespace hw::importers::dxf {

namespace {

bool encloses(Role role) { return role == Role::Wall || role == Role::Room; }

/// Degrees from the axes to the direction of walls.
double direction(const Drawing& drawing, const Roles& roles)
{
    std::vector<site::WallPiece> walls;
    for (const Shape& shape : drawing.shapes) {
        if (shape.kind != ShapeKind::Path || !encloses(roles.of(shape))) continue;
        const auto add = [&](Spot a, Spot b) { walls.push_back({{a.x, a.y}, {b.x, b.y}}); };
        for (std::size_t i = 1; i < shape.points.size(); ++i) add(shape.points[i - 1], shape.points[i]);
        if (shape.closed && shape.points.size() > 2) add(shape.points.back(), shape.points.front());
    }
    return site::wallDirection(walls);
}

} // namespace

double turnToWalls(Drawing& drawing, const Roles& roles, double tolerance)
{
    const double degrees = -direction(drawing, roles);
    if (degrees == 0) return 0;
    const site::Turn turned(degrees);
    const auto turn = [&](Spot& p) {
        const site::PlanPoint to = turned({p.x, p.y});
        p = {to.x, to.y};
    };
    std::vector<double> x, y;
    for (Shape& shape : drawing.shapes) {
        turn(shape.center);
        for (Shape::Bow& bow : shape.bows) turn(bow.center);
        for (Spot& p : shape.points) {
            turn(p);
            if (encloses(roles.of(shape))) x.push_back(p.x), y.push_back(p.y);
        }
    }
    for (Insertion& insertion : drawing.insertions)
        for (Spot& p : insertion.corners) turn(p);
    const site::Levels across(std::move(x), tolerance), along(std::move(y), tolerance);
    for (Shape& shape : drawing.shapes)
        for (Spot& p : shape.points) p = {across.nearest(p.x), along.nearest(p.y)};
    return degrees;
}

} // namespace hw::importers::dxf
