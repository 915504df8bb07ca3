// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/settings/registry.h"

namespace hw {

/// Settings of bindings and of what makes a sensor implausible, in the order in which forms show them.
[[nodiscard]] std::vector<Setting> telemetrySettings();

} // namespace hw
