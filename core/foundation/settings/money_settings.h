// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/settings/registry.h"

namespace hw {

/// Settings of prices, spares and the cost of an hour, in the order in which forms show them.
[[nodiscard]] std::vector<Setting> moneySettings();

} // namespace hw
