// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/twin/scene/build.h"

#include <algorithm>
#include <map>

namespace hw::views::twin {

namespace {

constexpr float kSlabRim = 0.8f; ///< of the slab around the building
constexpr float kCurb = 0.18f;   ///< wall thickness as drawn
constexpr float kMarkZ = 0.012f, kShadowZ = 0.02f;

/// A wall seen from inside, from b to a.
void addWall(Mesh& walls, Vec3 a, Vec3 b, float height, const Palette& palette)
{
    const Vec3 inward = normalized(cross(b - a, Vec3{0, 0, 1}));
    const Rgba upper = shade(palette.wall, 0.25f + 0.75f * faceLight(inward)), lower = shade(upper, 0.86f);
    walls.quad({Vec3{a[0], a[1], 0}, Vec3{b[0], b[1], 0}, Vec3{b[0], b[1], height}, Vec3{a[0], a[1], height}}, {lower, lower, upper, upper}, false);
}

/// Walls seen from inside only: the ones between the camera and the hall vanish.
void addWalls(Mesh& walls, Aabb hall, const Palette& palette)
{
    for (int i = 0; i < 2; ++i) hall.low[i] -= kCurb / 2, hall.high[i] += kCurb / 2; // in the middle of the curb
    const Vec3 c[4] = {
        {hall.low[0], hall.low[1], 0}, {hall.high[0], hall.low[1], 0}, {hall.high[0], hall.high[1], 0}, {hall.low[0], hall.high[1], 0}};
    for (int i = 0; i < 4; ++i) addWall(walls, c[(i + 1) % 4], c[i], hall.high[2], palette); // facing inwards
}

void addCurbs(Mesh& slab, const Aabb& hall, const Palette& palette)
{
    const float h = 0.25f, t = kCurb;
    const BoxLook look{.color = palette.wallTop, .top = palette.wallTop, .footShade = 0.8f, .edges = false};
    const auto& l = hall.low;
    const auto& g = hall.high;
    addBox(slab, {{l[0] - t, l[1] - t, 0}, {g[0] + t, l[1], h}}, look);
    addBox(slab, {{l[0] - t, g[1], 0}, {g[0] + t, g[1] + t, h}}, look);
    addBox(slab, {{l[0] - t, l[1], 0}, {l[0], g[1], h}}, look);
    addBox(slab, {{g[0], l[1], 0}, {g[0] + t, g[1], h}}, look);
}

/// A room of any shape: its wall and the curb under it, corner by corner.
void addRoom(ShellMeshes& shell, const std::vector<Vec3>& corners, float height, const Palette& palette)
{
    const BoxLook look{.color = palette.wallTop, .top = palette.wallTop, .footShade = 0.8f, .edges = false};
    const std::size_t n = corners.size();
    const auto outward = [&](std::size_t i) { return normalized(cross(corners[(i + 1) % n] - corners[i % n], Vec3{0, 0, 1})); };
    const auto middle = [&](std::size_t i) { // of the curb, where two sides meet
        const Vec3 before = outward(i + n - 1), after = outward(i);
        return corners[i % n] + (before + after) * (kCurb / 2 / std::max(0.2f, 1 + dot(before, after)));
    };
    const auto over = [&](std::size_t i) { // to the outer edge of the other side's curb
        return cross(outward(i + n - 1), outward(i))[2] > 0 ? kCurb / 2 : 0.0f;
    };
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3 from = middle(i), to = middle(i + 1), up{0, 0, 0.125f}, along = normalized(to - from);
        addBeam(shell.slab, from - along * over(i) + up, to + along * over(i + 1) + up, kCurb, 0.25f, look);
        addWall(shell.walls, to, from, height, palette);
    }
}

struct RowFoot {
    Aabb box;
    int facing = 0;
    std::int32_t cell = 0;
    HallId hall;
    bool used = false;
};

std::vector<RowFoot> rowFeet(const Figures& f, const SceneFacts& facts, std::size_t building)
{
    const Snapshot& s = *f.snapshot;
    std::vector<RowFoot> rows(s.rows.nextId());
    s.racks.forEach([&](RackId id) {
        const auto& rack = facts.racks()[id.value];
        if (rack.building != building) return;
        const RowId row = s.racks.row[id];
        rows[row.value].box.add(rack.box);
        rows[row.value].facing = rack.facing;
        rows[row.value].cell = s.rows.cell[row];
        rows[row.value].hall = s.rows.hall[row];
        rows[row.value].used = true;
    });
    return rows;
}

/// A strip on the floor before the row's fronts (cold) and between two rows of a cell (hot).
void addAisles(Mesh& marks, const std::vector<RowFoot>& rows, const Palette& palette)
{
    std::map<std::pair<HallId, std::int32_t>, std::vector<const RowFoot*>> cells;
    const auto rectangle = [&](Aabb b, Rgba color) {
        marks.quad({Vec3{b.low[0], b.low[1], kMarkZ}, Vec3{b.high[0], b.low[1], kMarkZ}, Vec3{b.high[0], b.high[1], kMarkZ},
                    Vec3{b.low[0], b.high[1], kMarkZ}},
                   color, false);
    };
    for (const RowFoot& row : rows) {
        if (!row.used) continue;
        cells[{row.hall, row.cell}].push_back(&row);
        const FaceFrame front = frontOf({row.box, RackKind::Server, std::int16_t(row.facing), 0, true});
        Aabb strip;
        strip.add(front.at(0, 0, 0));
        strip.add(front.at(front.width, 0, 1.2f));
        rectangle(strip, palette.coldAisle);
    }
    for (const auto& [key, pair] : cells) {
        if (pair.size() != 2) continue;
        const Aabb &a = pair[0]->box, &b = pair[1]->box;
        Aabb between;
        for (int i = 0; i < 2; ++i) { // the gap along one axis, the common part along the other
            between.low[i] = std::max(a.low[i], b.low[i]);
            between.high[i] = std::min(a.high[i], b.high[i]);
            if (between.low[i] > between.high[i]) std::swap(between.low[i], between.high[i]);
        }
        if (between.size()[0] < 4 || between.size()[1] < 4) rectangle(between, palette.hotAisle);
    }
}

} // namespace

Mesh buildGround(const SceneFacts& facts, const Palette& palette)
{
    Mesh ground;
    if (facts.bounds().empty()) return ground;
    const Vec3 c = facts.bounds().center();
    const float r = 3 * std::max(120.0f, length(facts.bounds().size()));
    const float z = -0.25f;
    ground.quad({Vec3{c[0] - r, c[1] - r, z}, Vec3{c[0] + r, c[1] - r, z}, Vec3{c[0] + r, c[1] + r, z}, Vec3{c[0] - r, c[1] + r, z}}, palette.ground,
                false);
    return ground;
}

ShellMeshes buildShell(const Figures& f, const SceneFacts& facts, std::size_t building, const Palette& palette)
{
    ShellMeshes shell;
    const auto& b = facts.buildings()[building];
    Aabb slab = b.box;
    slab.low = {slab.low[0] - kSlabRim, slab.low[1] - kSlabRim, -0.25f};
    slab.high = {slab.high[0] + kSlabRim, slab.high[1] + kSlabRim, 0};
    addBox(shell.slab, slab, {.color = palette.slab, .top = palette.slab, .edges = false});
    addContactShadow(shell.marks, slab, -0.24f, 1.6f, std::uint8_t(float(palette.shadow.a) * 0.45f));
    std::size_t next = 0; // b.halls are in the order of the table
    f.snapshot->halls.forEach([&](HallId id) {
        if (f.snapshot->halls.building[id] != *b.id) return;
        const Aabb& hall = b.halls[next++];
        if (const auto corners = roomCorners(f, id); corners.size() > 2) return addRoom(shell, corners, hall.high[2], palette);
        addCurbs(shell.slab, hall, palette);
        addWalls(shell.walls, hall, palette);
    });
    addStructures(shell, f, *b.id, palette);
    addContainment(shell, f, b.box, palette);
    const auto rows = rowFeet(f, facts, building);
    addAisles(shell.marks, rows, palette);
    for (const RowFoot& row : rows)
        if (row.used) addContactShadow(shell.marks, row.box, kShadowZ, 0.5f, palette.shadow.a);
    return shell;
}

} // namespace hw::views::twin
