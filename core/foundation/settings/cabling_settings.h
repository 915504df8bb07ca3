// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/settings/registry.h"

namespace hw {

/// Settings of cables, and of captures of what is built, in the order in which forms show them.
[[nodiscard]] std::vector<Setting> cablingSettings();

} // namespace hw
