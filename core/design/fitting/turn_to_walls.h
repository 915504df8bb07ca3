// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"
#include "core/foundation/base/result.h"
#include "core/foundation/model/snapshot.h"

namespace hw::fitting {

/// How a drawing was turned to the walls of a hall.
struct Turned {
    double clockwise = 0; ///< degrees; negative: counter-clockwise
    double planNorth = 0; ///< `site.plan_north_deg` since
    Text text;            ///< in one sentence
};

/// Degrees counter-clockwise from the axes to the walls of a hall with corners, in (-45, 45]; 0 where rows along the axes run along its walls, and
/// where rows that were laid out in it stand along the axes already.
[[nodiscard]] double askew(const Snapshot& design, HallId hall);

/// Turns the whole plan about one point so that the walls of a hall run along the axes, as rows of racks do: rooms, structures, underlays and trays
/// exactly, to the mm, with walls square to each other; rows and equipment on floors about their middles, along the walls as they were to the nearest
/// quarter turn. Buildings become the boxes around their rooms. Errors: Refused for a room with racks or equipment whose walls run in another
/// direction, and for what would then break a rule of places.
[[nodiscard]] Result<Turned> turnToWalls(Snapshot& design, HallId hall, const Progress& progress);

} // namespace hw::fitting
