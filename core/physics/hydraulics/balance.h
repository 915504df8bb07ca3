// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/physics/hydraulics/solver.h"

namespace hw::hydraulics {

/// The network with its balancing valves set: every valve that states a wanted flow instead of a Kv gets the Kv at which that
/// flows. They are taken out, their flows become demands, and what is left between their ends is what they must take. One that
/// gets no head to take away is an error that says how much is missing. Errors: as solve(); Refused.
[[nodiscard]] Result<Network> balanced(const Network& network, const std::stop_token& stop = {});

/// Whether it has valves to be set.
[[nodiscard]] bool wantsBalance(const Network& network);

} // namespace hw::hydraulics
