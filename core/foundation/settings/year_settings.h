// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/settings/registry.h"

namespace hw {

/// Of energy, water and money over a year.
[[nodiscard]] std::vector<Setting> yearSettings();

} // namespace hw
