// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/sizing/sizing.h"

namespace hw::sizing {

inline constexpr std::int64_t kMostMade = 20'000; ///< accelerators of a design: some tenths of a second

/// Facility power of what an answer lists, as the report of each design states it: designs of up to `mostAccelerators` are made for that. Larger ones
/// keep the constant PUE of their template, and say so. Errors: Cancelled.
[[nodiscard]] Result<void> addFacilityPower(SizeAnswer& answer, const std::vector<Template>& templates, const Catalogue& catalogue,
                                            std::int64_t mostAccelerators = kMostMade, const Progress& progress = {});

} // namespace hw::sizing
