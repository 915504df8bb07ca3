// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Dry coolers and cooling towers at any weather and load.
namespace hw::plant {

inline constexpr double kFreeConvection = 0.125; ///< of the heat at full fan speed, with fans off (Modelica Buildings)
/// Fan speed of a dry cooler, 0 to 1, that passes on a share of what it does at full speed and this weather: heat grows with air flow to the power
/// 0.7; 0 below free convection.
[[nodiscard]] double coolerSpeed(double share);

/// Approach of a tower, K: water supply over wet bulb (YorkCalc, as in EnergyPlus and Modelica Buildings). Range: return over supply, K; flows of
/// water and air over the rating. Arguments are held within what the correlation was made for.
[[nodiscard]] double towerApproach(double wetBulbC, double rangeK, double water, double air);

/// COP against the ideal one between the evaporator and the condenser: supply − 2 K, and outdoor air + 12 K or condenser water + 7 K. The lift is 8 K
/// at least.
[[nodiscard]] double carnotCop(double supplyC, double outsideC, bool airCooled);
inline constexpr double kBestAirCop = 14, kBestWaterCop = 18; ///< assumed: no machine is counted on for more

} // namespace hw::plant
