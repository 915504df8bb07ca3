// SPDX-License-Identifier: GPL-3.0-or-later
// Entities that dxflib does not read, and lines with a width, as paths of straight pieces.
#pragma once

#include "importers/dxf/drawing.h"

#include <string_view>
#include <utility>

namespace hw::importers::dxf {

struct Path {
    std::vector<Spot> points;
    bool closed = false;
    double radius = 0; ///< more than 0: a circle around its only point
};

/// The groups of one entity in their order: code and value.
using Groups = std::vector<std::pair<int, std::string>>;

/// Of a circle, in degrees; from its first point to its last.
void addArc(std::vector<Spot>& points, Spot center, double radius, double from, double to);
/// Points between two corners of a polyline, without these: bulge = tan(a quarter of the arc's angle). Its center; nothing: it is straight.
std::optional<Spot> addBulge(std::vector<Spot>& points, Spot a, Spot b, double bulge);

/// ELLIPSE, SPLINE, SOLID, TRACE, HATCH (its boundaries) and MLINE (its outer lines). Nothing: damaged or without content.
[[nodiscard]] std::optional<std::vector<Path>> pathsOf(std::string_view kind, const Groups& groups);
[[nodiscard]] bool hasPaths(std::string_view kind);
/// Whether its points are in the coordinates of the entity's own plane (group 210), not of the drawing.
[[nodiscard]] bool inOwnPlane(std::string_view kind);

/// A corner of a polyline with what starts there.
struct Corner {
    Spot at;
    double bulge = 0, startWidth = 0, endWidth = 0;
};
struct WideLine {
    std::vector<Corner> corners;
    bool closed = false;
};
[[nodiscard]] WideLine wideLineOf(const Groups& lwpolyline);
enum class Width { None, Constant, Varying };
[[nodiscard]] Width widthOf(const WideLine& line);
/// A line of constant width: its edges; of one that is not closed the outline. Rings of two half circles are circles.
[[nodiscard]] std::vector<Path> edgesOf(const WideLine& line);

} // namespace hw::importers::dxf
