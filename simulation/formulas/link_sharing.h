// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/formulas/priority.h"

#include <cstddef>
#include <span>
#include <vector>

namespace hw::sim::inline formulas {

/// Rates of the `active` jobs as a share of their rate alone (commGbps), max-min fair in Gb/s. For handfuls of jobs; the flow
/// solver (simulation/fairshare) is for fabrics.
[[nodiscard]] std::vector<double> fairRates(const SharedLinks& system, std::span<const std::size_t> active);

/// The same with strict priority: jobs in order of `rank` (ascending, one each), equals (to 1e-9) share fairly what those before them have left.
[[nodiscard]] std::vector<double> rankedRates(const SharedLinks& system, std::span<const std::size_t> active, std::span<const double> rank);

} // namespace hw::sim::inline formulas
