// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/values/value_field.h"

#include "core/derived/figures/figures.h"

namespace hw {

// What places carry, against what they bear.

/// Weight of what is in a rack over its rating.
[[nodiscard]] std::vector<ValueField> weightFields(const Figures& figures);
/// kg/m² of a rack with what is in it on its own footprint.
[[nodiscard]] std::vector<ValueField> floorLoadFields(const Figures& figures);
/// W/m² of a row on the floor that its racks stand on, of each of its racks.
[[nodiscard]] std::vector<ValueField> heatDensityFields(const Figures& figures);
/// Free floor in meters before a rack's front: to the next rack, wall or column.
[[nodiscard]] std::vector<ValueField> clearanceFields(const Figures& figures);
/// Cross-section of its cables over that of a tray, at its fullest place.
[[nodiscard]] std::vector<ValueField> trayFillFields(const Figures& figures);

} // namespace hw
