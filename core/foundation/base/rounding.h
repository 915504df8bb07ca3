// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>

namespace hw {

/// To the nearest 1 / `steps`: three decimals for 1000. Its decimals are those of the number as written, as with division nothing is left over.
[[nodiscard]] inline double inSteps(double value, double steps) { return std::round(value * steps) / steps; }

} // namespace hw
