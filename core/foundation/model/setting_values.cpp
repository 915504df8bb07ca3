// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/model/setting_values.h"

#include "core/foundation/settings/registry.h"

#include <cmath>
#include <cstdlib>
#include <optional>

namespace hw {

namespace {

std::optional<double> positive(const std::string& text)
{
    if (text.empty()) return std::nullopt;
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return *end == '\0' && std::isfinite(value) && value >= 0 ? std::optional(value) : std::nullopt;
}

} // namespace

std::string settingOf(const Snapshot& snapshot, std::string_view key)
{
    auto written = snapshot.setting(key);
    return written.empty() ? defaultOf(key) : written;
}

double numberSetting(const Snapshot& snapshot, std::string_view key)
{
    if (const auto written = positive(snapshot.setting(key))) return *written;
    return positive(defaultOf(key)).value_or(0);
}

double numberSetting(const Snapshot& snapshot, std::string_view key, double fallback) { return positive(snapshot.setting(key)).value_or(fallback); }

bool isSet(const Snapshot& snapshot, std::string_view key) { return !snapshot.setting(key).empty(); }

} // namespace hw
