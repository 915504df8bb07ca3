// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/cords.h"
#include "core/derived/figures/supply.h"

namespace hw {

/// How many of a part are bought: pieces of a length, or boxes without one.
struct SupplyNeed {
    PartTypeId type;
    std::int64_t quantity = 0;
    std::int32_t lengthMm = 0;
    friend bool operator==(const SupplyNeed&, const SupplyNeed&) = default;
};

/// Cords, whips, tap-off boxes, feeders, bus ducts, hoses and pipes of a design, by part and length. What the project has no part for is left
/// out. A cable is a piece of its length, each parallel run its own; hoses and pipes are pairs.
[[nodiscard]] std::vector<SupplyNeed> supplyNeeds(const Supply& supply, const Cords& cords);

/// What a report tells of them.
struct SupplyTotals {
    std::int64_t cords = 0, cordMm = 0, whips = 0, whipMm = 0, tapOffs = 0;
    std::int64_t feeders = 0, runs = 0, feederMm = 0; ///< all runs together
    std::int64_t busDucts = 0, busDuctMm = 0;
    std::int64_t hoses = 0, hoseMm = 0, pipes = 0, pipeMm = 0; ///< pairs
    std::int64_t noWay = 0, withoutPart = 0;
    std::int32_t longestFeederMm = 0;
    friend bool operator==(const SupplyTotals&, const SupplyTotals&) = default;
};
[[nodiscard]] SupplyTotals supplyTotals(const Supply& supply, const Cords& cords);

} // namespace hw
