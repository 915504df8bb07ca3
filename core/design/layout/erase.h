// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "core/foundation/model/snapshot.h"

namespace hw::layout {

/// Takes away what layouts have made in a design; devices of its template that stood in it are not placed then. What somebody has moved since
/// stays, and a moved row with all that belongs to it.
void eraseLaidOut(Snapshot& design);

/// Takes away rooms, racks, trays and what stands on floors, with its links: what is left is the fabric. Errors: Unreadable for a part type.
[[nodiscard]] Result<void> erasePlaces(Snapshot& design);

} // namespace hw::layout
