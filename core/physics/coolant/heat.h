// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/physics/coolant/fluid.h"

namespace hw::coolant {

/// Coolant in m³/s that takes `heatW` while it warms up by `deltaK`; 0 when it does not warm up.
[[nodiscard]] double volumeFlow(double heatW, double deltaK, const Properties& coolant);
/// Liters per minute for a kilowatt: 60 / (ρ cp ΔT) in kJ and L; PG25 is 15.0 / ΔT within 0.6 % from 10 to 65 °C.
[[nodiscard]] double litersPerMinutePerKilowatt(double deltaK, const Properties& coolant);
/// Planners' rule for PG25, L/min K a kW: its heat of 4.00 MJ/(m³ K) holds within 0.6 % from 10 to 65 °C (ASHRAE fit).
inline constexpr double kPg25Rule = 15.0;
/// Liters per minute by that rule; 0 where nothing warms up.
[[nodiscard]] constexpr double pg25RuleLpm(double heatW, double deltaK) { return deltaK > 0 ? kPg25Rule / deltaK * heatW / 1000 : 0; }
/// J/(m³ K) that air of a hall takes: 1.2 kg/m³ × 1,005 J/(kg K), dry, 20 °C at sea level (ASHRAE Fundamentals, psychrometrics).
inline constexpr double kAirJPerM3K = 1206;
/// The temperature that stands for a loop: the middle between supply and return.
[[nodiscard]] constexpr double middleC(double supplyC, double deltaK) { return supplyC + deltaK / 2; }

/// Seconds until a volume at rest has warmed up by `deltaK`: 815 L of PG25 take 2 MW for 24.4 s at 15 K.
[[nodiscard]] double rideThroughS(double heatW, double volumeM3, double deltaK, const Properties& coolant);

} // namespace hw::coolant
