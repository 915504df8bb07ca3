// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/result.h"

#include <span>
#include <vector>

namespace hw::sim {
inline namespace fabric {

inline constexpr std::size_t kHottestLinks = 200;

/// What is known of the links beside the result, where it is.
struct LinkFacts {
    std::span<const double> loadGbps{};         ///< by directed link, where the sums are known better than the result's floats
    std::span<const std::uint32_t> flowsOver{}; ///< by directed link: how many of the result's flows cross it; empty: counted
};
/// By directed link: how many of the flows cross it.
[[nodiscard]] std::vector<std::uint32_t> countFlows(const FlowResult& result);

/// Fills `hottest` with the links that carry something, the fullest first, at most `most` of them. Loads count to a millionth of the
/// capacity, so that rounding tells no two full links apart; equal ones go by the flows that share them, then by number.
void rankHottest(FlowResult& result, std::size_t most = kHottestLinks, LinkFacts facts = {});

} // namespace fabric
} // namespace hw::sim
