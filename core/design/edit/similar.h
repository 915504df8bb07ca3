// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/catalog/entity.h"

#include <span>
#include <vector>

namespace hw::edit {

/// Everything that is like one of these: of the same kind and part type, devices also of the same tier, ports and links of the same network, medium
/// and rate, and links between the same tiers. Ascending; the given ones are among them.
[[nodiscard]] std::vector<EntityRef> similarTo(const Snapshot& snapshot, std::span<const EntityRef> entities);

} // namespace hw::edit
