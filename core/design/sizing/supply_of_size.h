// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/sizing/sizing.h"

namespace hw::sizing {

/// Substations or feeds of the utility that a power needs, as the settings "site.substation*" of the template state them.
struct SupplyNeed {
    std::int64_t substations = 0; ///< with `spare` transformers out in each; with one substation out where it has no more; 0: no transformers stated
    std::int64_t feeds = 0;       ///< medium-voltage feeds that carry it once; twice as many for two feeds of each load
};
[[nodiscard]] SupplyNeed supplyNeed(const SiteSupply& supply, double watts);
/// What one substation less than needed carries.
struct SupplyOfFewer {
    std::int64_t substations = 0; ///< 0: one is enough, or none is stated
    double watts = 0;
    std::int64_t accelerators = 0; ///< with their facility power
};
[[nodiscard]] SupplyOfFewer supplyOfFewer(const SizedDesign& design);
/// "2 substations with 2 transformers of 63 MVA (1 out in each), or 6 feeds of 25 MVA (12 for two-sided supply)"
[[nodiscard]] Text supplyText(const SizedDesign& design);

} // namespace hw::sizing
