// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cooling/chain.h"

#include <span>

namespace hw::cooling {

/// Share of its capacity and efficiency of a heat rejector at an outdoor temperature (wet bulb of towers, condenser water of what is cooled by
/// water) and a supply: straight lines between its points. Milder air and warmer supply than they reach count as their edge; hotter air or
/// colder supply gives a share of 0: nothing is extrapolated. Without points: all of it.
[[nodiscard]] RejectionPoint rejectionAt(std::span<const RejectionPoint> points, double ambientC, double supplyC);

/// Heat that a unit takes out of the loop that it feeds while `lpm` of it pass: of an exchanger at the approach between both loops' supplies, at
/// most its rating. Infinite where nothing is stated.
[[nodiscard]] double capacityW(const CoolingChain& chain, const CoolingUnit& unit, double lpm);

} // namespace hw::cooling
