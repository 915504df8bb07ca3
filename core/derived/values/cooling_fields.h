// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/derived/values/value_field.h"

namespace hw {

/// Coolant through cabinets and equipment at design flow, L/min.
[[nodiscard]] std::vector<ValueField> coolantFlowFields(const Figures& figures);
/// Supply temperature of what liquid cools, and of the loops that equipment feeds, °C.
[[nodiscard]] std::vector<ValueField> coolantSupplyFields(const Figures& figures);
/// Speed of air before the coils of fan walls and air handlers, m/s.
[[nodiscard]] std::vector<ValueField> faceVelocityFields(const Figures& figures);

} // namespace hw
