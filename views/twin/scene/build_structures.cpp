// SPDX-License-Identifier: GPL-3.0-or-later
// What stands in a given room: walls cut at breast height, so that one sees over them, columns to the ceiling, marks of doors and ramps.
#include "views/twin/scene/build.h"

#include "core/derived/geometry/contained_aisle.h"
#include "core/derived/geometry/frame.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace hw::views::twin {

namespace {

constexpr float kCutWall = 1.1f, kMark = 0.016f, kThreshold = 0.05f;

/// An upright prism over the piece's line.
void addPrism(Mesh& mesh, const StructureShape& shape, float height, const BoxLook& look)
{
    const float width = float(shape.width) * 1e-3f;
    Vec3 a = toMeters(shape.a), b = toMeters(shape.b);
    if (a == b) a[0] -= width / 2, b[0] += width / 2;
    a[2] = b[2] = height / 2;
    addBeam(mesh, a, b, width, height, look);
}

/// An upright cylinder: what a column that has a middle and no length is.
void addCylinder(Mesh& mesh, Vec3 middle, float diameter, float height, const BoxLook& look)
{
    constexpr int kSides = 20; // even: the top is made of quads
    std::array<Vec3, kSides> ring;
    for (int i = 0; i < kSides; ++i) {
        const float angle = float(i) * 2 * std::numbers::pi_v<float> / kSides;
        ring[std::size_t(i)] = {middle[0] + diameter / 2 * std::cos(angle), middle[1] + diameter / 2 * std::sin(angle), 0};
    }
    const auto at = [&](int i, float z) {
        Vec3 p = ring[std::size_t(i % kSides)];
        p[2] = z;
        return p;
    };
    for (int i = 0; i < kSides; ++i) {
        const float middleAngle = (float(i) + 0.5f) * 2 * std::numbers::pi_v<float> / kSides;
        const Rgba lit = shade(look.color, faceLight({std::cos(middleAngle), std::sin(middleAngle), 0})), foot = shade(lit, look.footShade);
        mesh.quad({at(i, 0), at(i + 1, 0), at(i + 1, height), at(i, height)}, {foot, foot, lit, lit}, false);
    }
    const Rgba top = shade(look.top, faceLight({0, 0, 1}));
    for (int i = 0; i < kSides; i += 2)
        mesh.quad({Vec3{middle[0], middle[1], height}, at(i, height), at(i + 1, height), at(i + 2, height)}, top, false);
}

void addFloorMark(Mesh& marks, const StructureShape& shape, Rgba color)
{
    const Vec3 a = toMeters(shape.a), b = toMeters(shape.b);
    const Vec3 side = normalized(cross(Vec3{0, 0, 1}, b - a)) * (float(shape.width) * 0.5e-3f), up{0, 0, kMark};
    marks.quad({a - side + up, b - side + up, b + side + up, a + side + up}, color, false);
}

} // namespace

std::vector<Vec3> roomCorners(const Figures& f, HallId hall)
{
    const Snapshot& s = *f.snapshot;
    std::vector<std::pair<std::int32_t, Vec3>> numbered;
    s.corners.forEach([&](CornerId id) {
        if (s.corners.hall[id] == hall)
            numbered.emplace_back(s.corners.number[id], toMeters(hallFrame(s, hall).at(s.corners.x[id].count(), s.corners.y[id].count(), 0)));
    });
    std::ranges::stable_sort(numbered, {}, [](const auto& corner) { return corner.first; });
    std::vector<Vec3> corners;
    float twice = 0;
    for (const auto& [number, corner] : numbered) corners.push_back(corner);
    for (std::size_t i = 0; i < corners.size(); ++i) twice += cross(corners[i] - corners[0], corners[(i + 1) % corners.size()] - corners[0])[2];
    if (twice < 0) std::ranges::reverse(corners);
    return corners;
}

void addStructures(ShellMeshes& shell, const Figures& f, BuildingId building, const Palette& palette)
{
    const Snapshot& s = *f.snapshot;
    Rgba ramp = palette.wallTop, forbidden = palette.hotAisle;
    ramp.a = 120;
    const BoxLook look{.color = palette.wallTop, .top = palette.wallTop, .footShade = 0.8f};
    s.structures.forEach([&](StructureId id) {
        if (s.halls.building[s.structures.hall[id]] != building) return;
        const StructureShape& shape = f.placement->structure(id);
        const float height = float(shape.height) * 1e-3f;
        switch (s.structures.kind[id]) {
        case StructureKind::Wall: addPrism(shell.slab, shape, std::min(height, kCutWall), look); break;
        case StructureKind::Column:
            if (shape.a == shape.b)
                addCylinder(shell.slab, toMeters(shape.a), float(shape.width) * 1e-3f, height, look);
            else
                addPrism(shell.slab, shape, height, look);
            break;
        case StructureKind::Door: addPrism(shell.slab, shape, kThreshold, look); break;
        case StructureKind::Ramp: addFloorMark(shell.marks, shape, ramp); break;
        case StructureKind::KeepOut: addFloorMark(shell.marks, shape, forbidden); break;
        }
    });
}

void addContainment(ShellMeshes& shell, const Figures& f, const Aabb& building, const Palette& palette)
{
    for (const ContainedAisle& aisle : containedAisles(*f.snapshot, *f.placement)) {
        const Aabb box = toMeters(aisle.box);
        const Vec3 middle = box.center();
        if (middle[0] < building.low[0] || middle[0] > building.high[0] || middle[1] < building.low[1] || middle[1] > building.high[1]) continue;
        Rgba color = aisle.kind == Containment::HotAisle ? palette.hotAisle : palette.coldAisle;
        color.a = 90;
        const auto& l = box.low;
        const auto& h = box.high;
        const auto both = [&](const std::array<Vec3, 4>& c) { // panels are seen from both sides
            shell.marks.quad(c, color, false);
            shell.marks.quad({c[3], c[2], c[1], c[0]}, color, false);
        };
        both({Vec3{l[0], l[1], h[2]}, Vec3{h[0], l[1], h[2]}, Vec3{h[0], h[1], h[2]}, Vec3{l[0], h[1], h[2]}}); // its roof, and doors at its ends
        if (aisle.alongX)
            for (const float x : {l[0], h[0]}) both({Vec3{x, l[1], 0.02f}, Vec3{x, h[1], 0.02f}, Vec3{x, h[1], h[2]}, Vec3{x, l[1], h[2]}});
        else
            for (const float y : {l[1], h[1]}) both({Vec3{l[0], y, 0.02f}, Vec3{h[0], y, 0.02f}, Vec3{h[0], y, h[2]}, Vec3{l[0], y, h[2]}});
    }
}

} // namespace hw::views::twin
