// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cabling/cabling.h"

namespace hw {

/// Sums over all data cables of a design, for the read-out while something is being dragged.
struct CableTotals {
    std::int64_t lengthMm = 0, cables = 0, optics = 0;
    std::int32_t longestMm = 0;
    Money cost; ///< cables and transceivers at catalog prices
    friend bool operator==(const CableTotals&, const CableTotals&) = default;
};
[[nodiscard]] CableTotals cableTotals(const ProjectParts& parts, const Cabling& cabling);

} // namespace hw
