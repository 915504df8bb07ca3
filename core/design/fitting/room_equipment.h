// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/fitting/room.h"
#include "core/design/fitting/room_fill.h"

namespace hw::layout {

/// Fan walls along the walls of a hall that is there, and coolant distribution units at the ends of rows. `standing`: racks
/// that are there already; `passage`: that stays free around rows. Returns what has no place.
[[nodiscard]] std::optional<RoomLimit> standInRoom(const Plan& plan, PlannedHall& hall, const site::RoomShape& shape,
                                                   std::span<const site::FloorRect> standing, std::span<const RowSlot> slots, std::int32_t passage,
                                                   const Parts& parts);

} // namespace hw::layout
