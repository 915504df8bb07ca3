// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/coolant/cold_plate.h"

#include <cstdint>
#include <span>

namespace hw::coolant {

/// One thing in a cabinet that turns power into heat.
struct HeatSource {
    double watts = 0;
    double liquidShare = 0; ///< of its heat that goes to coolant
};
struct CabinetHeat {
    double liquidW = 0, airW = 0;
};
/// Heat of a cabinet: compute trays, switches, optics, supplies, each with its own share. Shares are held between 0 and 1.
[[nodiscard]] CabinetHeat cabinetHeat(std::span<const HeatSource> sources);

/// What a cabinet asks of its loop: the warmer the supply, the more flow.
struct FlowNeed {
    std::string name;
    std::vector<double> supplyC, lpmPerKw; ///< rising temperatures; straight lines between

    /// From a case limit: each plate may be `overC` − supply over its inlet. Rows every `stepK` kelvin while a flow does it.
    [[nodiscard]] static FlowNeed ofPlates(const ColdPlate& plate, double wattsPerPlate, double caseLimitC, double leastC, double mostC,
                                           double stepK = 1);

    /// Colder than the first row counts as the first. Error: Refused above the last: too warm a supply for this cabinet.
    [[nodiscard]] Result<double> lpm(double liquidW, double supply) const;
};

/// What one coolant distribution unit can do at its loop's temperatures.
struct UnitCapacity {
    double heatW = 0; ///< at the approach and flows (Exchanger::capacityW)
    double lpm = 0;   ///< that its pumps give at the loop's loss
};

/// A loop of equal units: what it needs, what stays when some are lost. Heat **and** flow decide.
struct LoopSizing {
    std::int64_t units = 0, needed = 0; ///< `needed` of `units` carry all; more than there are when they do not
    double heatW = 0, lpm = 0, capacityW = 0, capacityLpm = 0;
    [[nodiscard]] std::int64_t spare() const { return units - needed; } ///< N+spare; below 0: short even when all run
    [[nodiscard]] bool survives(std::int64_t lost) const { return needed <= units - lost; }
    /// Of each unit left when `lost` are out. Zero when none is left.
    [[nodiscard]] double lpmEach(std::int64_t lost) const;
    [[nodiscard]] double heatEachW(std::int64_t lost) const;
    /// Heat that `lost` units out leave without a way: the worse of heat and flow.
    [[nodiscard]] double shortW(std::int64_t lost) const;
};
[[nodiscard]] LoopSizing sizeLoop(double heatW, double lpm, const UnitCapacity& unit, std::int64_t units);

} // namespace hw::coolant
