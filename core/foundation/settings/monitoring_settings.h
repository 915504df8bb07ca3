// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/settings/registry.h"

namespace hw {

/// Thresholds by which the live twin judges, in the order in which forms show them.
[[nodiscard]] std::vector<Setting> monitoringSettings();

} // namespace hw
