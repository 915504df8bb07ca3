// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/text.h"
#include "core/foundation/catalog/part.h"
#include "core/foundation/model/tables.h"

namespace hw {

/// What a part belongs to when a bill is read by trades.
enum class CostSystem : std::uint8_t { Compute, Network, OpticsAndCables, Power, Cooling, Racks, Building };
HW_WORDS(CostSystem, "compute", "network", "optics-cables", "power", "cooling", "racks", "building")
inline constexpr std::size_t kCostSystems = 7;

/// By what the part says of itself, else by the tier that its devices are of. Trays belong to the building, cords and
/// hoses to what they carry.
[[nodiscard]] CostSystem systemOf(const Part& part, TierKind tier);
[[nodiscard]] Text systemText(CostSystem system); ///< for people

} // namespace hw
