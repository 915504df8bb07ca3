// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cabling/cable_label.h"
#include "core/derived/figures/supply.h"

namespace hw {

/// A feeder, whip, hose or pipe as those see it who pull and connect it.
struct SupplyPaper {
    CableId cable;
    const SupplyLine* line = nullptr;
    CablePlug from, to; ///< consumer, supplier
    std::vector<TrayId> trays;
    std::size_t sections = 0;
};
/// Every line of power and coolant that has a cable, in the order of links. Cords and hoses within a rack are no links.
[[nodiscard]] std::vector<SupplyPaper> supplyPapers(const Figures& figures);

} // namespace hw
