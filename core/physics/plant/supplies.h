// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

/// Equipment away from its design point: power supplies of servers, drives of pumps and fans, water of towers.
namespace hw::plant {

/// Efficiency classes of power supplies at 230 V, redundant (80 PLUS): points of output over rated output.
enum class SupplyClass : unsigned char { Platinum, Titanium, Ruby };
[[nodiscard]] std::optional<SupplyClass> supplyClassFromName(std::string_view name);
/// At an output from 0 to 1: straight between the points; below the first the loss stays, above the last the efficiency.
[[nodiscard]] double supplyEfficiency(SupplyClass kind, double output);
/// The output at which supplies take this input, both over the rated output.
[[nodiscard]] double supplyOutput(SupplyClass kind, double input);

/// Power of a pump or fan with a speed drive at a flow, both over the rating. `fixedHead`: share of the head that does not fall with the flow: a
/// controlled pressure difference, a static head. Motor and drive lose 5 points more of their efficiency toward standstill (assumed, after 3 to 6
/// points at a quarter of the load).
[[nodiscard]] double drivePower(double flow, double fixedHead);

/// Water that a wet cooler takes, kg/s.
struct WaterUse {
    double evaporation = 0, drift = 0, blowDown = 0;
    [[nodiscard]] double total() const { return evaporation + drift + blowDown; }
};
inline constexpr double kLatentJ = 2.43e6; ///< J/kg at 30 °C
/// `cycles`: of concentration; drift: share of the water that circulates.
[[nodiscard]] WaterUse towerWater(double latentW, double circulatingKgS, double cycles, double driftShare);

} // namespace hw::plant
