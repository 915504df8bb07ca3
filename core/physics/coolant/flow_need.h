// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/physics/coolant/cold_plate.h"

#include <string>
#include <vector>

namespace hw::coolant {

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

} // namespace hw::coolant
