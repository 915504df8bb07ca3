// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/report.h"

namespace hw {

/// The levels of the power chain from the outside in: buildings, halls, power equipment by tier
/// (what it carries: SupplyNode), the worst row and the worst rack.
[[nodiscard]] std::vector<PowerLevel> powerLevels(const Figures& figures, PowerBasis basis);

} // namespace hw
