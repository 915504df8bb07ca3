// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/rules/check.h"

namespace hw::fitting {

/// A check of what stands in a hall.
[[nodiscard]] inline CheckOptions placeRules() { return {.rules = {"S1", "S2", "S3", "S4", "S5", "S8"}, .basis = {}}; }

} // namespace hw::fitting
