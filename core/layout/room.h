// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/layout/plan.h"
#include "core/site/room_shape.h"

/// Layout into a hall that is there: rows and racks find their place between its walls, columns and doors and beside what stands there
/// already; the hall itself is never changed.
namespace hw::layout {

/// The floor of a hall with what stands there by now, as pieces that keep a passage before them.
struct FreeFloor {
    site::RoomShape shape;
    std::vector<site::FloorRect> racks; ///< that stand there
};
[[nodiscard]] FreeFloor freeFloor(const Snapshot& design, const ProjectParts& parts, HallId hall);

/// Why not all of it stands.
struct RoomLimit {
    enum class Kind : std::uint8_t { Space, Air, Liquid };
    Kind kind = Kind::Space;
    std::int64_t needed = 0, available = 0; ///< racks; fan walls; coolant distribution units
    std::int64_t accelerators = 0;          ///< that it lets in
};
/// The loose devices of a design, packed into racks, and the best ways to stand these in a hall.
struct RoomPlans {
    std::vector<Plan> plans;              ///< fewest metres of data cable between racks first, then the shorter longest one
    std::int64_t racks = 0;               ///< that the loose devices take
    std::int64_t accelerators = 0;        ///< active ones among the loose devices
    std::int64_t acceleratorsPerRack = 0; ///< of a server rack
    Demand demand;                        ///< of all loose devices
    std::vector<RoomLimit> limits;        ///< empty: a plan is there
    std::int64_t tried = 0;               ///< arrangements that were compared
};
/// Looks for them. Deterministic; some hundred milliseconds for a pod of 15,360 GPUs. Errors: Refused for a device that fits no rack,
/// Cancelled.
[[nodiscard]] Result<RoomPlans> planRoom(const Snapshot& design, HallId hall, const Options& options, const Catalogue& catalogue,
                                         const Progress& progress = {});
/// Writes a plan with trays, cooling and power. What it makes has no key: as if made by hand, and marked as laid out.
[[nodiscard]] Result<void> writeRoom(Snapshot& design, Plan plan, const Catalogue& catalogue);
/// Ducts from the spines of the plan's hall to those of other halls that its racks are cabled to.
void joinHalls(DesignBuilder& builder, const Plan& plan, Parts& parts);
/// Takes away what layouts have made in a design; devices of its template that stood in it stand nowhere then. What somebody has moved since
/// stays, and a moved row with all that belongs to it.
void eraseLaidOut(Snapshot& design);

/// Takes away rooms, racks, trays and what stands on floors, with its links: what is left is the fabric. Errors: Unreadable for a part type.
[[nodiscard]] Result<void> erasePlaces(Snapshot& design);

} // namespace hw::layout
