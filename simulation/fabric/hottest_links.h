// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/result.h"

#include <span>

namespace hw::sim {
inline namespace fabric {

inline constexpr std::size_t kHottestLinks = 200;

/// Fills `hottest` with the links that carry something, the fullest first, at most `most` of them. Loads count to a millionth of the
/// capacity, so that rounding tells no two full links apart; equal ones go by the flows that share them, then by number. `loadGbps`: by
/// directed link, where the sums are known better than the result's floats; empty: those.
void rankHottest(FlowResult& result, std::size_t most = kHottestLinks, std::span<const double> loadGbps = {});

} // namespace fabric
} // namespace hw::sim
