// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/catalog/part.h"
#include "core/foundation/model/snapshot.h"

namespace hw {

/// The least k so that no more than k events happen with probability `share` (0 to 1, less than 1) when `mean` are
/// expected: the quantile of the Poisson distribution. 0 for a mean of 0 or a share of 0.
[[nodiscard]] std::int64_t poissonQuantile(double mean, double share);

/// How many pieces are kept: so many that those which fail while a new one is on its way are covered.
struct SparesPolicy {
    double share = 0.95;        ///< that the stock lasts until the delivery; 0: no spares
    std::int32_t leadDays = 90; ///< of parts that state none
    /// The settings "spares.confidence_percent" and "spares.lead_days".
    [[nodiscard]] static SparesPolicy of(const Snapshot& snapshot);
    /// Poisson quantile of failures a year × pieces × lead time; 0 for parts that state no rate.
    [[nodiscard]] std::int64_t spares(double failuresPerYear, std::int64_t pieces, std::int32_t statedLeadDays) const;
};

} // namespace hw
