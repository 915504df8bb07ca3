// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/rules/functions.h"

#include <cmath>

namespace hw::rules {

Text lengthText(std::int64_t millimeters)
{
    const double meters = double(millimeters) / 1000.0;
    return std::abs(meters) >= 999.95 ? i18n("{:L} m", std::llround(meters)) : i18n("{:.4g} m", meters);
}

Text powerText(Milliwatts power)
{
    const double w = toWatts(power);
    return w >= 1e6 ? i18n("{:.2f} MW", w / 1e6) : i18n("{:.1f} kW", w / 1e3);
}

} // namespace hw::rules
