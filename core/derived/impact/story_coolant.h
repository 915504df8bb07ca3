// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/impact/story.h"

namespace hw::impact {

/// What the failure does to coolant and air, in order: equipment that starts again, loops that warm up, racks that get too hot.
[[nodiscard]] std::vector<Line> coolantCascade(const Study& study, const Effect& effect);
/// Loops and pumps inside that have a unit less and keep no heat for it.
[[nodiscard]] std::vector<Line> coolantReserve(const Study& study, const Effect& effect);

[[nodiscard]] Text kilowattText(Milliwatts power);
/// "500 ms", "10 s", "7.5 min".
[[nodiscard]] Text timeText(std::int64_t ms);

} // namespace hw::impact
