// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/sizing/parts_of_size.h"

namespace hw::sizing {

/// What one template answers; filled by one thread.
struct Findings {
    std::vector<SizedDesign> designs;
    std::vector<RefusedDesign> refused;
    std::vector<TierLimit> reaches; ///< of variants that match all but the number of accelerators
    std::optional<Error> error;
};

/// Looks at all variants of one template. The request names parts by their slugs.
[[nodiscard]] Findings searchTemplate(const SizeRequest& request, const Template& design, const Catalog& catalog, const CableParts& parts,
                                      const Progress& progress);

} // namespace hw::sizing
