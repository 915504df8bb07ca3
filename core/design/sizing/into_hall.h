// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/sizing/sizing.h"

/// What a sizing leaves behind in a project: the room and the limits that a design was sized for.
namespace hw::sizing {

/// A site with one building and in it an empty hall of the limits' size (30 x 20 m without one) and their power. Refused: sizes of no hall.
[[nodiscard]] Result<SnapshotPtr> siteWithHall(const SizeLimits& limits, double pue, const std::string& name = {});

/// Whether `limitHall` would change anything.
[[nodiscard]] bool limitsHall(const Snapshot& snapshot, HallId hall, const SizeLimits& limits, double pue);
/// Gives a hall the power of the limits where it has none or more: IT power; facility power divided by the PUE, and as the site's contract.
void limitHall(Snapshot& snapshot, HallId hall, const SizeLimits& limits, double pue);

} // namespace hw::sizing
