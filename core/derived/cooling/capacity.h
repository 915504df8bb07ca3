// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cooling/chain.h"

namespace hw::cooling {

/// Heat that a unit takes out of the loop that it feeds while `lpm` of it pass: of an exchanger at the approach between both loops' supplies, at
/// most its rating. Infinite where nothing is stated.
[[nodiscard]] double capacityW(const CoolingChain& chain, const CoolingUnit& unit, double lpm);

/// Flow of a facility loop: what takers of its supply need for their heat, at least so much that what takes its return warms it no further than its
/// own return.
[[nodiscard]] double facilityLpm(const CoolingChain& chain, std::int32_t loop, double directW, double onReturnW);
/// Kelvins from the supply of a facility loop to the water that units on its return take: warmed by the other takers, and mixed with what passes
/// them by.
[[nodiscard]] double beforeReturnK(const CoolingChain& chain, std::int32_t loop);
/// Return water that a unit on the return takes for so much heat: from the return of the other takers to that of the loop that it feeds.
[[nodiscard]] double onReturnLpm(const CoolingChain& chain, const CoolingUnit& unit, double watts);

} // namespace hw::cooling
