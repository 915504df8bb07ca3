// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "core/physics/weather/weather_year.h"

#include <filesystem>

/// Places by their monthly normals, and a year of hours made from them.
namespace hw::weather {

struct MonthNormals {
    double meanC = 0, dailyRangeK = 0, deviationK = 0, dewPointC = 0; ///< deviation: standard, of daily means within the month
};
struct Climate {
    std::string slug{}, title{}, country{}, grid{}, source{}, license{};
    std::optional<double> gramsPerKwh{};
    double latitude = 0, longitude = 0, elevationM = 0;
    char confidence = 'C'; ///< the lowest of its months
    std::array<MonthNormals, 12> months{};
};

/// A table with a row for each month of each place. Error: Unreadable with file and line.
[[nodiscard]] Result<std::vector<Climate>> readClimates(std::string_view text, const std::string& file);
/// `resources/climates/climates.csv`, read once.
[[nodiscard]] const Result<std::vector<Climate>>& shippedClimates();
/// Error: Refused, with the places that there are.
[[nodiscard]] Result<Climate> shippedClimate(std::string_view slug);

/// T = mean + deviation · z + range · p(h): z are the quantiles of the normal distribution of the days of a month, in an order that mixes warm and
/// cold days; p is the ASHRAE daily profile. The dew point follows 0.75 of the deviation and never exceeds T. No random numbers. Against 15 measured
/// years: hours below a threshold of dry bulb differ by 63 on average (265 at most), of wet bulb by 109 (810); electricity of cooling by 0.0013
/// kWh/kWh at most on average. Days to size plant by come out up to 4 K too mild.
[[nodiscard]] WeatherYear synthesize(const Climate& climate);

} // namespace hw::weather
