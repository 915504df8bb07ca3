// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/oneline/one_line_model.h"

namespace hw {

/// Where the boxes of a diagram stand and its lines run, in units of about one pixel; y grows downwards. A function of the model alone: each
/// level is a line of boxes over the middle of what they feed, A left of B, so that what belongs together stands together.
struct OneLineLayout {
    static constexpr double kBoxWidth = 112, kBoxHeight = 76, kGap = 8;

    struct Place {
        double x = 0, y = 0; ///< left upper corner
        [[nodiscard]] double middle() const { return x + kBoxWidth / 2; }
        friend bool operator==(const Place&, const Place&) = default;
    };
    struct Corner {
        double x = 0, y = 0;
        friend bool operator==(const Corner&, const Corner&) = default;
    };
    struct Line {
        std::uint32_t edge = 0;
        std::vector<Corner> corners; ///< from what feeds to what it feeds; pieces are level or upright
        friend bool operator==(const Line&, const Line&) = default;
    };
    std::vector<Place> boxes; ///< by box of the model
    std::vector<Line> lines;
    std::vector<double> levelTop; ///< by level
    double width = 0, height = 0;

    /// `shape`: width over height of the room that it is for; levels stand further apart where the room is higher. 0: as near as lines allow.
    [[nodiscard]] static OneLineLayout make(const OneLineModel& model, double shape = 0);
    friend bool operator==(const OneLineLayout&, const OneLineLayout&) = default;
};

} // namespace hw
