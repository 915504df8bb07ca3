// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cooling/chain.h"
#include "core/foundation/catalog/entity.h"

#include <vector>

namespace hw::cooling {

/// A pair of pipes or hoses where it runs, with what flows in each of them at design flow.
struct PipeRun {
    EntityRef entity{};        ///< the link; of a header the device
    std::vector<Point> path{}; ///< on the campus, as the supply flows; empty where an end is not placed, or both are in one cabinet
    std::int32_t outerMm = 0;  ///< of one of the pair
    double lpm = 0, velocityMs = 0;
    double supplyC = 0, returnC = 0;
    double fromKpa = 0, toKpa = 0; ///< pressure of the supply over that of the return at the ends of `path`
    friend bool operator==(const PipeRun&, const PipeRun&) = default;
};

/// Header sections between two branches, and coolant links, loop by loop, from the flows and losses of the cooling chain.
[[nodiscard]] std::vector<PipeRun> pipeRuns(const Figures& figures);

} // namespace hw::cooling
