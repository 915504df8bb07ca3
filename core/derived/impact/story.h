// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/impact/study.h"

namespace hw::impact {

/// One line of what happens or stays without reserve: an entity, or the rack, row, hall or building that holds several alike.
struct Line {
    EntityRef entity;
    Text what;
    double after = 0; ///< s
};
struct Lines {
    std::vector<Line> lines;
    std::int64_t leftOut = 0; ///< further ones
};

/// Load that came onto an element of the power chain because others are gone.
struct Taken {
    DeviceId device;
    Milliwatts before, now, capacity; ///< capacity 0: not stated
    [[nodiscard]] bool overloaded() const { return capacity.count() > 0 && now > capacity; }
};

/// A loss told for people. Alike things are named by the smallest places with which the lines are at most `most`.
struct Story {
    /// In order: the failed, then as time passes batteries, what trips, what gets no power level by level, generators and what was without power
    /// until they ran, coolant and air that warm up, racks that get too hot or keep cool; at the end hosts without a card.
    Lines cascade;
    Lines redundancy;         ///< still live, with a way less
    std::vector<Taken> taken; ///< most loaded against its capacity first, at most `most`
    std::int64_t overloaded = 0;
};
/// Of the last loss of the study. `failed` is what it was given.
[[nodiscard]] Story tell(const Study& study, const Effect& effect, std::span<const Failing> failed, std::size_t most = 40);

} // namespace hw::impact
