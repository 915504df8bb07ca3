// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/report.h"

namespace hw {

/// The levels of the power chain from the outside in: buildings, halls, power equipment by tier
/// (followed along the power links from the rack PDUs up), the worst row and the worst rack.
[[nodiscard]] std::vector<PowerLevel> powerLevels(const Figures& figures, PowerBasis basis);

/// What one piece of power equipment carries: normally, and with the one other element of its tier lost that adds most.
struct SupplyLoad {
    Milliwatts load, failover;
};
[[nodiscard]] SupplyLoad supplyLoad(const Figures& figures, DeviceId device, PowerBasis basis);

} // namespace hw
