// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/physics/power/network.h"

#include <cmath>

namespace hw::power {

inline constexpr double kInverterEfficiency = 0.975; ///< where a UPS states none: of double conversion (assumed)

inline constexpr MilliwattHours kBatteryCabinet(34'600'000); ///< 34.6 kWh: the largest of a maker's family of cabinets (Samsung SDI U6A4)
/// Cabinets that hold so much.
[[nodiscard]] inline std::int64_t batteryCabinets(MilliwattHours energy)
{
    return (energy.count() + kBatteryCabinet.count() - 1) / kBatteryCabinet.count();
}

/// Of a battery's energy, what is left at the end of its life, and how far it is discharged.
struct BatteryUse {
    double health = 0.8, depth = 0.95;
};
/// What a battery gives to its UPS, in mW for a millisecond.
[[nodiscard]] inline std::int64_t usableEnergy(MilliwattHours whenNew, const BatteryUse& use)
{
    return std::llround(double(whenNew.count()) * 3.6e6 * use.health * use.depth);
}
/// What a UPS takes from its battery while it passes `load` on.
[[nodiscard]] inline Milliwatts batteryDrain(const Loss& loss, Milliwatts load)
{
    return loss.curve.empty() ? Milliwatts(std::llround(double(load.count()) / kInverterEfficiency)) : load + loss.at(load);
}

} // namespace hw::power
