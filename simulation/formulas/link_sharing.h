// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/formulas/priority.h"

#include <cstddef>
#include <span>
#include <vector>

namespace hw::sim {
inline namespace formulas {

/// Rates of the `active` jobs as a share of their rate alone (commGbps), max-min fair in Gb/s, with strict priority: jobs in order of `rank`
/// (ascending, one each), equals share fairly what those before them have left. For handfuls of jobs; fairshare is for fabrics.
[[nodiscard]] std::vector<double> rankedRates(const SharedLinks& system, std::span<const std::size_t> active, std::span<const double> rank);

} // namespace formulas
} // namespace hw::sim
