// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/power/one_line_texts.h"

namespace hw::views {

// What a diagram of cooling says where one of power says something else.

[[nodiscard]] QString coolingTitle(const OneLine& line);
/// "3.14 MW of heat at 28 racks and in 2 rooms".
[[nodiscard]] QString coolingSummary(const OneLine& line);
/// "2 loops do not fit"; empty where all is well.
[[nodiscard]] QString coolingProblems(const OneLine& line);
/// "1,963 L/min · 30→42 °C" of all members; ranges where they differ.
[[nodiscard]] QString coolantText(const OneLineModel& model, const OneLineBox& box);
/// "N+1" where all members have that.
[[nodiscard]] QString redundancyText(const OneLineModel& model, const OneLineBox& box);
/// True of every member, and in a diagram of power.
[[nodiscard]] bool coolantFits(const OneLineModel& model, const OneLineBox& box);

} // namespace hw::views
