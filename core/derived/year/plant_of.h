// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cooling/chain.h"
#include "core/physics/plant/plant_model.h"

namespace hw {

/// What the settings "year.…" and "reuse.…" say. Error: Refused for unknown chiller curves.
[[nodiscard]] Result<plant::PlantRules> plantRules(const Snapshot& snapshot);

/// The plant of a design on its power basis: its cooling chain, and its power chain with the shares of the flow with nothing lost. Errors: Refused
/// where the design does not have all of its plant, or loops that feed each other; as plantRules.
[[nodiscard]] Result<plant::PlantModel> plantOf(const Figures& figures);

} // namespace hw
