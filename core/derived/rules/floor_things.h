// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/rules/functions.h"
#include "core/derived/rules/groups.h"
#include "core/foundation/model/places.h"

namespace hw::rules {

inline constexpr std::int32_t kHeadroomMm = 2000;      ///< what hangs higher is in nobody's way (assumed)
inline constexpr std::int32_t kLowestObstacleMm = 500; ///< what is lower hangs overhead: busways and the like (assumed)

/// What takes floor in a room: a rack, or equipment that stands free.
struct FloorThing {
    Box box;
    HallId hall;
    EntityRef who;
    std::optional<RackId> rack{};
    std::optional<int> electricFront{}; ///< where power equipment wants room to work, in degrees
};

/// All of them, by the lower x of their boxes.
[[nodiscard]] std::vector<FloorThing> floorThings(const RuleInput& input);

} // namespace hw::rules
