// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cooling/chain.h"

namespace hw::cooling {

/// Headers of a loop that join the same equipment: what one carries flows through the others when it is lost. One without another beside it is a
/// group of its own.
struct ParallelHeaders {
    std::int32_t loop = -1;               ///< among `CoolingChain::loops`
    std::vector<std::uint32_t> headers{}; ///< units of the chain, ascending
    std::vector<DeviceId> ends{};         ///< what they join, through valves, ascending; no headers
};
[[nodiscard]] std::vector<ParallelHeaders> parallelHeaders(const CoolingChain& chain);

} // namespace hw::cooling
