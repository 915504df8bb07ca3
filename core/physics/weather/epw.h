// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "core/physics/weather/weather_year.h"

#include <filesystem>
#include <string_view>

namespace hw::weather {

/// An EnergyPlus weather file: eight header lines, then hours of 35 columns, of which dry bulb, dew point (else relative humidity) and pressure
/// count. 29 February is left out. Up to `kLongestGap` missing hours in a row are filled between their neighbors. Errors: Unreadable with
/// FILE:LINE for what is no such file, values out of their range, longer gaps, hours out of order or missing, more than one record an hour.
[[nodiscard]] Result<WeatherYear> readEpw(std::string_view text, const std::string& file);
[[nodiscard]] Result<WeatherYear> readEpwFile(const std::filesystem::path& file);
inline constexpr std::size_t kLongestGap = 6;

} // namespace hw::weather
