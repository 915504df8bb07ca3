// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/report/amounts.h"

namespace hw::amounts {

Text grouped(std::int64_t value) { return i18n("{:L}", value); }

Text powerText(double watts)
{
    if (watts >= 1e6) return i18n("{:.2f} MW", watts / 1e6);
    if (watts >= 1e3) return i18n("{:.1f} kW", watts / 1e3);
    return i18n("{:.0f} W", watts);
}
Text powerText(Milliwatts power) { return powerText(toWatts(power)); }

Text flopsText(double flops) { return flops >= 1e18 ? i18n("{:.2f} EFLOPS", flops / 1e18) : i18n("{:.1f} PFLOPS", flops / 1e15); }

Text percent(double share) { return i18n("{:.1f} %", share * 100); }
Text lengthText(std::int64_t mm) { return mm >= 10'000'000 ? i18n("{:.1f} km", double(mm) / 1e6) : i18n("{:.0f} m", double(mm) / 1e3); }
Text wholeMoney(Money sum) { return grouped(sum.count() / 10000); }

} // namespace hw::amounts
