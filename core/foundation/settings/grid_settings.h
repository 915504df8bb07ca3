// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/settings/registry.h"

namespace hw {

/// The grid connection, and what short-circuit currents and reactive power follow from.
[[nodiscard]] std::vector<Setting> gridSettings();

} // namespace hw
