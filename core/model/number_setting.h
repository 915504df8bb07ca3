// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/snapshot.h"

#include <cmath>
#include <cstdlib>

namespace hw {

/// A number among the settings; `fallback` where it is missing, malformed or negative.
[[nodiscard]] inline double numberSetting(const Snapshot& snapshot, std::string_view key, double fallback)
{
    const auto written = snapshot.setting(key);
    if (written.empty()) return fallback;
    char* end = nullptr;
    const double value = std::strtod(written.c_str(), &end);
    return *end == '\0' && std::isfinite(value) && value >= 0 ? value : fallback;
}

} // namespace hw
