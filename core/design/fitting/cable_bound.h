// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"

namespace hw::fitting {

/// What the data cables of a design cost at least with these racks on these places, whichever rack stands where: of the racks that a rack
/// is cabled to alike, the k-th nearest is no nearer than the k-th neighbor of the best place of all.
[[nodiscard]] Result<Money> leastCableCost(const Figures& figures, std::span<const RackId> racks);

} // namespace hw::fitting
