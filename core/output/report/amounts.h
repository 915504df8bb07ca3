// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/text.h"
#include "core/foundation/base/units.h"

namespace hw::amounts {

// Amounts as reports write them.

[[nodiscard]] Text grouped(std::int64_t value); ///< 15,360
[[nodiscard]] Text powerText(double watts);     ///< 17.86 MW, 32.6 kW, 312 W
[[nodiscard]] Text powerText(Milliwatts power);
[[nodiscard]] Text flopsText(double flops);     ///< 15.36 EFLOPS
[[nodiscard]] Text percent(double share);       ///< 12.3 %
[[nodiscard]] Text lengthText(std::int64_t mm); ///< 69 m, 1.2 km
[[nodiscard]] Text wholeMoney(Money sum);       ///< 1,234, of the currency

} // namespace hw::amounts
