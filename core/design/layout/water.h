// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/layout/plan.h"

#include <optional>
#include <set>

namespace hw::layout {

class PlantRooms;

/// Rooms that equipment is written for: all, or the ones named.
struct Scope {
    std::optional<std::set<HallId>> rooms{};
    [[nodiscard]] bool covers(Maybe<HallId> room) const { return !rooms || (room && rooms->contains(*room)); }
};

/// What `writeWater` made outside the halls that it serves; it is not placed before the rooms are written.
struct WaterMade {
    std::map<DeviceId, HallId> served;
    std::set<DeviceId> pumps;    ///< of facility loops on which liquid-cooled cabinets depend
    std::set<DeviceId> airPumps; ///< of the others
};

/// Leads the heat of a design out, as far as nothing does yet: a manifold in every rack with liquid-cooled devices, headers over their rows, the
/// CDUs of their hall on these (one loop for the two rows of a cell, N+1); then for every hall with CDUs or air units facility water: a header,
/// pumps (N+1), a header and heat rejectors (N+1) in a plant room and a yard behind the hall; where these take water themselves, the same once
/// more for condenser water, with towers or dry coolers in the yard. Pipes and headers are the smallest that stay below
/// 1.83 m/s. What is connected keeps its ways. Parts that are "none" are left out. Sizes follow from the design basis and the settings
/// `cooling.*`. Refused (thrown) for a rejector that takes no heat at these temperatures.
[[nodiscard]] WaterMade writeWater(DesignBuilder& builder, const Options& options, Parts& parts, PlantRooms& rooms, const Scope& scope = {});

/// What facility water needs behind a hall, at least as much as will be made: parts and their numbers, in plant room, yard and electrical room; and
/// what it draws.
struct WaterRoom {
    std::vector<std::pair<std::string, std::int64_t>> plant{}, coolers{}, electrical{};
    std::int64_t drawMw = 0;
};
[[nodiscard]] WaterRoom waterRoom(const Demand& demand, const Options& options, const Parts& parts);

} // namespace hw::layout
