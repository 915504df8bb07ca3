// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/derived/figures/supply.h"

#include <vector>

namespace hw {

/// Where a pair of pipes or hoses runs: over its trays; without any, from the consumer up, along x, along y and down to where the supplier is
/// nearest. Both ends must be placed. Either end may be the first.
[[nodiscard]] std::vector<Point> pipePath(const Figures& figures, const SupplyLine& line);

inline constexpr std::int32_t kAssumedPipeMm = 60; ///< outer diameter of a pipe whose part states none (assumed)
/// Outer diameter of one of the pair.
[[nodiscard]] std::int32_t pipeOuterMm(const ProjectParts& parts, const SupplyLine& line);

} // namespace hw
