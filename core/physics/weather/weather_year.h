// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/physics/weather/calendar.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace hw::weather {

/// Outdoor air over an hour.
struct Air {
    double dryBulbC = 0, wetBulbC = 0, dewPointC = 0;
    double pressure = 101'325; ///< Pa
};

/// What a weather file says of days to size plant by; a typical year has none of them.
struct DesignDays {
    std::optional<double> coldest996C{}, hottest04C{}, wetBulb04C{}, wetBulbMostC{};
};

/// The weather of one year of 365 days at a place.
struct WeatherYear {
    std::string slug{}, title{}, country{}, source{};
    std::string grid{};                  ///< that a shipped place is on
    std::optional<double> gramsPerKwh{}; ///< of that grid, life cycle
    double latitude = 0, longitude = 0, elevationM = 0;
    bool synthetic = false;   ///< made from monthly normals
    bool assumed = false;     ///< from normals of confidence C
    int firstWeekday = 0;     ///< of 1 January, 0 = Monday
    std::vector<Air> hours{}; ///< `kHours`
    std::int64_t filled = 0;  ///< hours of a file that were missing, and stand between their neighbors
    std::int64_t suspect = 0; ///< hours whose wet bulb is above the most that the file's own header states
    DesignDays design{};
};

} // namespace hw::weather
