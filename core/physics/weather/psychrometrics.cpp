// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/weather/psychrometrics.h"

#include <algorithm>
#include <cmath>

namespace hw::weather {

namespace {

constexpr double kVaporShare = 0.621945; ///< molar mass of water over that of dry air
constexpr int kHalvings = 40;

/// The humidity ratio of air whose wet bulb is `wet`: equations 33 and 35.
double ratioAtWetBulb(double dry, double wet, double pressure)
{
    const double saturated = kVaporShare * saturationPressure(wet) / std::max(pressure - saturationPressure(wet), 1.0);
    if (wet >= 0) return ((2501 - 2.326 * wet) * saturated - 1.006 * (dry - wet)) / (2501 + 1.86 * dry - 4.186 * wet);
    return ((2830 - 0.24 * wet) * saturated - 1.006 * (dry - wet)) / (2830 + 1.86 * dry - 2.1 * wet);
}

} // namespace

double standardPressure(double elevationM) { return 101'325 * std::pow(1 - 2.25577e-5 * elevationM, 5.2559); }

double saturationPressure(double celsius)
{
    const double t = celsius + 273.15;
    if (celsius < 0)
        return std::exp(-5.6745359e3 / t + 6.3925247 - 9.677843e-3 * t + 6.2215701e-7 * t * t + 2.0747825e-9 * t * t * t -
                        9.484024e-13 * t * t * t * t + 4.1635019 * std::log(t));
    return std::exp(-5.8002206e3 / t + 1.3914993 - 4.8640239e-2 * t + 4.1764768e-5 * t * t - 1.4452093e-8 * t * t * t + 6.5459673 * std::log(t));
}

double humidityRatio(double dewPointC, double pressure)
{
    const double vapor = saturationPressure(dewPointC);
    return kVaporShare * vapor / std::max(pressure - vapor, 1.0);
}

double dewPoint(double dryBulbC, double relativeHumidity)
{
    const double vapor = std::clamp(relativeHumidity, 0.001, 1.0) * saturationPressure(dryBulbC);
    double low = -100, high = dryBulbC;
    for (int i = 0; i < kHalvings; ++i) {
        const double middle = (low + high) / 2;
        (saturationPressure(middle) < vapor ? low : high) = middle;
    }
    return (low + high) / 2;
}

double wetBulb(double dryBulbC, double dewPointC, double pressure)
{
    if (dewPointC >= dryBulbC) return dryBulbC;
    const double ratio = humidityRatio(dewPointC, pressure);
    double low = dewPointC, high = dryBulbC;
    for (int i = 0; i < kHalvings; ++i) {
        const double middle = (low + high) / 2;
        (ratioAtWetBulb(dryBulbC, middle, pressure) < ratio ? low : high) = middle;
    }
    return (low + high) / 2;
}

} // namespace hw::weather
