// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cooling/chain.h"

namespace hw::cooling {

/// Heat that a unit takes out of the loop that it feeds while `lpm` of it pass: of an exchanger at the approach between both loops' supplies, at
/// most its rating. Infinite where nothing is stated.
[[nodiscard]] double capacityW(const CoolingChain& chain, const CoolingUnit& unit, double lpm);

} // namespace hw::cooling
