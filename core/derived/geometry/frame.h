// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/geometry/placement.h"

#include <algorithm>

namespace hw {

/// A place and a direction in quarter turns: what the coordinates of a row, hall or building mean
/// on the campus. Quarter 0 looks along +x; "left" is 90 degrees counter-clockwise from ahead.
struct Frame {
    std::int32_t x = 0, y = 0;
    int quarter = 0;

    /// A point `ahead` mm in the frame's direction and `left` mm to its left.
    [[nodiscard]] Point at(std::int32_t ahead, std::int32_t left, std::int32_t z) const
    {
        switch (quarter) {
        case 1: return {x - left, y + ahead, z};
        case 2: return {x - ahead, y - left, z};
        case 3: return {x + left, y - ahead, z};
        }
        return {x + ahead, y + left, z};
    }
};

/// Angles that are no multiple of 90 degrees go to the nearest one.
[[nodiscard]] inline int quarterOf(int degrees)
{
    const int turn = ((degrees % 360) + 360) % 360;
    return ((turn + 45) / 90) % 4;
}

[[nodiscard]] inline Box boxAround(Point a, Point b)
{
    return {{std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)}, {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}};
}

[[nodiscard]] Frame hallFrame(const Snapshot& snapshot, HallId hall);
[[nodiscard]] Frame rowFrame(const Snapshot& snapshot, RowId row);

} // namespace hw
