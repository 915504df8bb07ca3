// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/rules/rule.h"

#include <span>

namespace hw {

namespace rules {

inline constexpr Threshold kStarvedPa{"rule.c19.front_pa", TextId("maximum pressure deficit at a rack front"), 5.0, TextId("Pa"),
                                      TextId("assumed; server fans build up about 60 Pa")};
inline constexpr Threshold kLeastCapture{
    "rule.c20.capture_percent", TextId("minimum capture index of a rack"), 90.0, TextId("%"),
    TextId("assumed; Wibron et al. 2019: 92 to 100 % in contained aisles with enough air, 39 to 99 % with half")};

} // namespace rules

/// Rules that compare the simulated air of a hall (simulation/air): listed and waived like those of allRules(), found by the command `air`, not by a
/// check. Their `run` is null.
[[nodiscard]] std::span<const Rule> airRules();

/// Marks the findings that a waiver of the project is for.
void markWaived(std::vector<Finding>& findings, const Snapshot& snapshot);

} // namespace hw
