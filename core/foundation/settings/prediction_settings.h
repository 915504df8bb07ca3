// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/settings/registry.h"

namespace hw {

/// The hazard model of fault prediction, and of tickets, in the order in which forms show them.
[[nodiscard]] std::vector<Setting> predictionSettings();

} // namespace hw
