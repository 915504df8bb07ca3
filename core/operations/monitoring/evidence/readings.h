// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/plan/plan.h"

#include <limits>
#include <set>

namespace hw::monitoring {

/// What was last read of every point. By PointNo.
struct Readings {
    std::vector<float> values;         ///< NaN: nothing
    std::vector<std::int64_t> times;   ///< as the source dates it
    std::vector<std::int64_t> arrived; ///< the second from which it counts; kNever: nothing came
    std::vector<char> good;
    std::vector<char> repeats;      ///< it said the same again, regularly and soon: it does not speak on change alone
    std::vector<std::int64_t> gaps; ///< ms between the last two that arrived; -1: there were none
    /// What is read seldom while it swings: how often, by which share of itself, and its mean over some readings; else 0 and the value.
    std::vector<std::int32_t> everyMs;
    std::vector<float> swing, steady;
    std::set<bindings::PointNo> bad, disputed; ///< sensors that cannot be right; that are in question, and not decided yet
    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min();
    void resize(std::size_t points);
};

/// Sums over all points of a class: how far its planned power (or heat, or flow) is used.
struct LoadFactors {
    std::array<std::int64_t, Plans::kScales> measured{}, planned{}; ///< in thousandths, so that sums stay exact
    std::vector<float> counted;                                     ///< by point: what of it is in the sums; NaN: nothing
    /// NaN: it does not count. One sensor alone changes little, whatever it says.
    void update(bindings::PointNo point, const Plan& plan, float value);
    [[nodiscard]] double of(std::uint8_t scale) const; ///< 1 where nothing is known
};

} // namespace hw::monitoring
