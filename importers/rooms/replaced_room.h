// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/snapshot.h"

#include <functional>
#include <set>

/// A hall of the design that an import shows anew: from drawings and from building models.
namespace hw::importers {

using RoomDoubt = std::function<void(Text)>;
/// Takes away the corners of a hall and its structures of these kinds.
void clearRoom(Snapshot& s, HallId hall, const std::set<StructureKind>& kinds, const RoomDoubt& doubt);
/// Enlarges the building of a hall that no longer fits in it.
void growBuilding(Snapshot& s, HallId hall, const RoomDoubt& doubt);

} // namespace hw::importers
