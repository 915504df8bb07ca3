// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/rules/check.h"
#include "core/derived/values/value_field.h"

namespace hw {

// Values of racks and of the devices in them, from what the design alone says. Power is on the project's basis
// ("site.power_basis"). Each gives the field of racks, then that of devices.

/// What things are for (RackKind).
[[nodiscard]] std::vector<ValueField> kindFields(const Figures& figures);
/// Power over the rack's limit; of a device: what it takes of its rack's limit. None without a limit.
[[nodiscard]] std::vector<ValueField> limitFields(const Figures& figures);
enum class Energy : std::uint8_t { Power, HeatToAir, HeatToLiquid };
/// kW. All the power that a rack draws leaves it as heat, with the air or with the coolant.
[[nodiscard]] std::vector<ValueField> energyFields(const Figures& figures, Energy what);
/// The gravest finding that names a thing or something in it; waived ones do not count. No value where there is none.
[[nodiscard]] std::vector<ValueField> severityFields(const Figures& figures, const CheckResult& check);
/// How many findings do; no value for none.
[[nodiscard]] std::vector<ValueField> findingCountFields(const Figures& figures, const CheckResult& check);

} // namespace hw
