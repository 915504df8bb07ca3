// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/geometry/placement.h"

namespace hw {

/// The free floor before the front of a box that faces 0, 90, 180 or 270 degrees, in plan.
struct Outlook {
    Box box;
    int facing; ///< degrees
    /// To something before it; negative: that is not there.
    [[nodiscard]] std::int64_t to(const Box& other) const
    {
        const bool alongX = facing % 180 == 0;
        const bool apart = alongX ? box.low.y >= other.high.y || other.low.y >= box.high.y : box.low.x >= other.high.x || other.low.x >= box.high.x;
        if (apart) return -1;
        switch (facing) {
        case 0: return std::int64_t(other.low.x) - box.high.x;
        case 90: return std::int64_t(other.low.y) - box.high.y;
        case 180: return std::int64_t(box.low.x) - other.high.x;
        default: return std::int64_t(box.low.y) - other.high.y;
        }
    }
    /// To the wall of the room that it stands in.
    [[nodiscard]] std::int64_t toWall(const Box& hall) const
    {
        switch (facing) {
        case 0: return std::int64_t(hall.high.x) - box.high.x;
        case 90: return std::int64_t(hall.high.y) - box.high.y;
        case 180: return std::int64_t(box.low.x) - hall.low.x;
        default: return std::int64_t(box.low.y) - hall.low.y;
        }
    }
};

} // namespace hw
