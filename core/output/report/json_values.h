// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/units.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace hw {

/// Whole watts stay whole numbers; sums of parts of a watt keep them.
[[nodiscard]] inline nlohmann::ordered_json wattsJson(Milliwatts power)
{
    return power.count() % 1000 == 0 ? nlohmann::ordered_json(power.count() / 1000) : nlohmann::ordered_json(toWatts(power));
}
[[nodiscard]] inline double rounded(double value, double step) { return std::round(value / step) * step; }

} // namespace hw
