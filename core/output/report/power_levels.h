// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/report/report.h"

namespace hw {

/// The levels of the power chain from the outside in: buildings, halls, power equipment by tier
/// (what it carries: PowerChainNode), the worst row and the worst rack.
[[nodiscard]] std::vector<PowerLevel> powerLevels(const Figures& figures, PowerBasis basis);

/// Those with one title as one, its worst element first: what reports show.
[[nodiscard]] std::vector<PowerLevel> levelsByTitle(const std::vector<PowerLevel>& levels);

/// Every element of the power chain, by tier from the outside in, and what draws power without being safe.
void addPowerChain(const Figures& figures, Report::Power& power);

} // namespace hw
