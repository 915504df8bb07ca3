// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Moist air, after ASHRAE Fundamentals (2017), chapter 1. Temperatures in °C, pressures in Pa, humidity ratios in kg/kg of dry air.
namespace hw::weather {

[[nodiscard]] double standardPressure(double elevationM);
/// Of water vapor at saturation, over ice below 0 °C.
[[nodiscard]] double saturationPressure(double celsius);
[[nodiscard]] double humidityRatio(double dewPointC, double pressure);
/// At a relative humidity between 0 and 1.
[[nodiscard]] double dewPoint(double dryBulbC, double relativeHumidity);
/// Never above the dry bulb nor below the dew point.
[[nodiscard]] double wetBulb(double dryBulbC, double dewPointC, double pressure);

} // namespace hw::weather
