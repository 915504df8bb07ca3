// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/geometry/placement.h"

#include <vector>

namespace hw::impact {

/// Feeders between buildings by the duct banks that they run in: (duct, power link), ascending. Ducts of power are those that lie in a yard
/// or a room for plant; they join where one ends on another. A feeder takes the way through the fewest of them from the room at one end to the
/// room at the other; one without such a way is in none.
[[nodiscard]] std::vector<std::pair<TrayId, LinkId>> feedersInDucts(const Snapshot& design, const Placement& placement);

} // namespace hw::impact
