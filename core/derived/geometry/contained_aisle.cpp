// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/geometry/contained_aisle.h"

#include <algorithm>

namespace hw {

namespace {

constexpr std::int32_t kWidest = 4000, kAlone = 1200, kRoof = 300; ///< mm; the roof above the racks

bool meet(std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d) { return a < d && c < b; }

/// From a row to the next one in a direction (0, 90, 180, 270 degrees), at most `kWidest`.
std::optional<std::int32_t> gapTo(const Box& row, const Box& other, int direction)
{
    const bool alongX = direction % 180 == 0; // we look along x
    if (alongX ? !meet(row.low.y, row.high.y, other.low.y, other.high.y) : !meet(row.low.x, row.high.x, other.low.x, other.high.x)) return {};
    const std::int32_t gap = direction == 0     ? other.low.x - row.high.x
                             : direction == 90  ? other.low.y - row.high.y
                             : direction == 180 ? row.low.x - other.high.x
                                                : row.low.y - other.high.y;
    if (gap <= 0 || gap > kWidest) return {};
    return gap;
}

Box beside(const Box& row, int direction, std::int32_t width)
{
    Box box = row;
    box.low.z = 0, box.high.z = row.high.z + kRoof;
    switch (direction) {
    case 0: box.low.x = row.high.x, box.high.x = row.high.x + width; break;
    case 90: box.low.y = row.high.y, box.high.y = row.high.y + width; break;
    case 180: box.high.x = row.low.x, box.low.x = row.low.x - width; break;
    default: box.high.y = row.low.y, box.low.y = row.low.y - width; break;
    }
    return box;
}

} // namespace

std::vector<ContainedAisle> containedAisles(const Snapshot& s, const Placement& placement)
{
    std::vector<int> facing(s.rows.nextId(), -1);
    s.racks.forEach([&](RackId id) { facing[s.racks.row[id].value] = ((placement.facing(id) % 360) + 360) % 360; });
    std::vector<ContainedAisle> aisles;
    s.rows.forEach([&](RowId id) {
        const Containment kind = s.rows.containment[id];
        if (facing[id.value] < 0 || (kind != Containment::ColdAisle && kind != Containment::HotAisle)) return;
        const int direction = (facing[id.value] + (kind == Containment::HotAisle ? 180 : 0)) % 360;
        std::int32_t width = kAlone;
        std::optional<std::int32_t> nearest;
        s.rows.forEach([&](RowId other) {
            if (other == id || s.rows.hall[other] != s.rows.hall[id] || facing[other.value] < 0) return;
            if (const auto gap = gapTo(placement.row(id), placement.row(other), direction)) nearest = std::min(nearest.value_or(*gap), *gap);
        });
        if (nearest) width = *nearest;
        ContainedAisle aisle{beside(placement.row(id), direction, width), kind, direction % 180 != 0, id};
        const auto same = std::ranges::find_if(aisles, [&](const ContainedAisle& known) { // the row on its other side closes it too
            return known.kind == kind && meet(known.box.low.x, known.box.high.x, aisle.box.low.x, aisle.box.high.x) &&
                   meet(known.box.low.y, known.box.high.y, aisle.box.low.y, aisle.box.high.y);
        });
        if (same == aisles.end()) return aisles.push_back(aisle);
        Box& box = same->box;
        box.low = {std::min(box.low.x, aisle.box.low.x), std::min(box.low.y, aisle.box.low.y), 0};
        box.high = {std::max(box.high.x, aisle.box.high.x), std::max(box.high.y, aisle.box.high.y), std::max(box.high.z, aisle.box.high.z)};
    });
    return aisles;
}

} // namespace hw
