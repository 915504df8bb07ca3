// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <string>
#include <vector>

namespace hw::coolant {

/// How warm a case gets over the coolant that enters its plate, over the flow through it.
struct ColdPlate {
    std::string slug, title, source;
    char confidence = 'C';
    std::vector<double> flowLpm, kelvinPerWatt; ///< rising flows

    /// Straight lines between the rows; more flow than the last row counts as the last row. Error: Refused below the first.
    [[nodiscard]] Result<double> resistance(double lpm) const;
    /// Case over inlet: 1 kW at 1.5 L/min through the OCP plate is 21.7 K.
    [[nodiscard]] Result<double> caseOverInletK(double watts, double lpm) const;
    /// The least flow that keeps the case at `overInletK` over the inlet. Error: Refused when no flow of the table does.
    [[nodiscard]] Result<double> flowFor(double watts, double overInletK) const;
};

} // namespace hw::coolant
