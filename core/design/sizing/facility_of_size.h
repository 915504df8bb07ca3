// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/sizing/sizing.h"

namespace hw::sizing {

inline constexpr std::int64_t kMostMade = 20'000; ///< accelerators of a design: some tenths of a second

/// Facility power of what an answer lists, as the report of each design states it: designs of up to `mostAccelerators` are made for that. Of larger
/// ones a smaller design of the same variant is made, and its PUE holds for the larger one, which says so. Errors: Canceled.
[[nodiscard]] Result<void> addFacilityPower(SizeAnswer& answer, const std::vector<Template>& templates, const Catalog& catalog,
                                            std::int64_t mostAccelerators = kMostMade, const Progress& progress = {});

/// `size` with facility power. A limit of facility power holds for the PUE that each design of the answer has by its own losses.
[[nodiscard]] Result<SizeAnswer> sizeWithFacility(const SizeRequest& request, const std::vector<Template>& templates, const Catalog& catalog,
                                                  const Progress& progress = {});

/// "losses and cooling of this design": where the PUE of a design is from.
[[nodiscard]] Text pueSource(const SizedDesign& design);

} // namespace hw::sizing
