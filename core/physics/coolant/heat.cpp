// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/coolant/heat.h"

namespace hw::coolant {

double volumeFlow(double heatW, double deltaK, const Properties& coolant)
{
    const double perM3 = coolant.volumetricHeat() * deltaK;
    return perM3 > 0 ? heatW / perM3 : 0;
}

double litersPerMinutePerKilowatt(double deltaK, const Properties& coolant) { return volumeFlow(1000, deltaK, coolant) * 60'000; }

double rideThroughS(double heatW, double volumeM3, double deltaK, const Properties& coolant)
{
    return heatW > 0 ? coolant.volumetricHeat() * volumeM3 * deltaK / heatW : 0;
}

} // namespace hw::coolant
