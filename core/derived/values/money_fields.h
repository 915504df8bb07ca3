// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/values/value_field.h"

#include "core/derived/figures/figures.h"

namespace hw {

/// How far racks and devices have come, from planned to live; a rack with its devices is as far as the last of them.
[[nodiscard]] std::vector<ValueField> stageFields(const Figures& figures);
/// The phase in which racks and devices are installed.
[[nodiscard]] std::vector<ValueField> phaseFields(const Figures& figures);

} // namespace hw
