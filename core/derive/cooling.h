// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derive/power.h"

namespace hw {

/// The cooling units of one type in one hall, and the heat that they are there for: a hall's liquid share or the rest.
struct CoolingUnits {
    HallId hall;
    PartTypeId type;
    std::int64_t units = 0;
    Milliwatts unitCapacity; ///< of one unit; zero where its type states none
    std::array<Milliwatts, kPowerBases> load{};
    /// Units that the heat needs; 0 where their capacity is not stated.
    [[nodiscard]] std::int64_t needed(PowerBasis basis) const;
    friend bool operator==(const CoolingUnits&, const CoolingUnits&) = default;
};

/// By hall, then type.
[[nodiscard]] std::vector<CoolingUnits> coolingUnits(const Snapshot& snapshot, const ProjectParts& parts, const PowerFigures& power);

} // namespace hw
