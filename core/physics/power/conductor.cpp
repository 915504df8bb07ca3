// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/power/conductor.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hw::power {

double resistanceAt(double at90, double celsius) { return at90 * (1 + kCopperPerK * (celsius - 20)) / (1 + kCopperPerK * (kRatedConductorC - 20)); }

double copperResistance(double squareMm)
{
    if (squareMm <= 0) return 0;
    return 18.2 / squareMm * (1 + kCopperPerK * (kRatedConductorC - 20)); // 18.2: of the conductors of IEC 60228 class 2, 120 mm² 0.153 mΩ/m
}

double lineAmps(double watts, double volts, double powerFactor, LinePhases phases)
{
    if (volts <= 0) return 0;
    if (phases == LinePhases::Direct) return watts / volts;
    return watts / volts / powerFactor / (phases == LinePhases::Three ? std::numbers::sqrt3 : 1);
}

double voltageDrop(const Impedance& line, double watts, double volts, double powerFactor, LinePhases phases)
{
    if (volts <= 0) return 0;
    const double amps = lineAmps(watts, volts, powerFactor, phases);
    if (phases == LinePhases::Direct) return 2 * amps * line.r / 1000 / volts;
    const double sine = std::sqrt(std::max(0.0, 1 - powerFactor * powerFactor)), each = amps * (line.r * powerFactor + line.x * sine) / 1000;
    return (phases == LinePhases::Three ? std::numbers::sqrt3 : 2) * each / volts;
}

double lineLossW(const Impedance& line, double watts, double volts, double powerFactor, LinePhases phases)
{
    const double amps = lineAmps(watts, volts, powerFactor, phases);
    return (phases == LinePhases::Three ? 3 : 2) * amps * amps * line.r / 1000;
}

} // namespace hw::power
