// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <array>
#include <string>
#include <vector>

namespace hw::plant {

/// A measured chiller by its curves (EIR model of DOE-2 and EnergyPlus): capacity and input per heat over those at the reference, by supply and by
/// outdoor air or condenser water; input over that at full load, by the share of the load.
struct ChillerCurves {
    std::string slug{}, title{}, source{};
    char confidence = 'C';
    bool airCooled = false;
    double ratedW = 0; ///< 0: not stated
    double cop = 0, supplyC = 0, outsideC = 0;
    double leastSupplyC = 0, mostSupplyC = 0, leastOutsideC = 0, mostOutsideC = 0, leastLoad = 0, leastUnload = 0, mostLoad = 1;
    std::array<double, 6> capacity{}, input{};
    std::array<double, 3> load{};

    /// Of the rating, at the nearest place within the ranges; 1 at the reference.
    [[nodiscard]] double capacityShare(double supplyC, double outsideC) const;
    /// COP at full load; outside the ranges that at their edge times the ratio of ideal COPs, at most 14 (air) or 18 (water).
    [[nodiscard]] double fullLoadCop(double supplyC, double outsideC) const;
    /// Input over that at full load; below the least load it cycles: in proportion to the load.
    [[nodiscard]] double inputShare(double load) const;
};

/// Error: Unreadable with file and line.
[[nodiscard]] Result<std::vector<ChillerCurves>> readChillerCurves(std::string_view text, const std::string& file);
/// `resources/plant/chillers.csv`, read once.
[[nodiscard]] const Result<std::vector<ChillerCurves>>& shippedChillerCurves();
/// Error: Refused, with the sets that there are for such a condenser.
[[nodiscard]] Result<ChillerCurves> shippedChillerCurves(std::string_view slug, bool airCooled);

} // namespace hw::plant
