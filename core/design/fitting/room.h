// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/layout/plan.h"
#include "core/foundation/base/progress.h"
#include "core/physics/site/room_shape.h"

#include <memory>
#include <optional>

/// Layout into a hall that is there: rows and racks find their place between its walls, columns and doors and beside what stands there
/// already; the hall itself is never changed.
namespace hw::layout {

/// The floor of a hall with what stands there by now, as pieces that keep a passage before them.
struct FreeFloor {
    site::RoomShape shape;
    std::vector<site::FloorRect> racks; ///< that stand there
};
[[nodiscard]] FreeFloor freeFloor(const Snapshot& design, const ProjectParts& parts, HallId hall);

/// What rows keep free, in mm, as the rules of a project want it, and how long they are.
struct RoomNeeds {
    std::int32_t front = 1'200, rear = 1'000; ///< aisles before racks and behind them, at least
    std::int32_t passage = 1'200;             ///< around rows
    std::int32_t egress = 0;                  ///< from a rack to a door at most; 0: not looked at
    std::int32_t apart = 1'200;               ///< a wider gap in a row divides it, and no rack stands alone
    std::int64_t racksPerRow = 20;
};

/// Why not all of it stands.
struct RoomLimit {
    enum class Kind : std::uint8_t { Space, Air, Liquid };
    Kind kind = Kind::Space;
    std::int64_t needed = 0, available = 0; ///< racks; fan walls; coolant distribution units
};
/// The best ways to stand racks in a hall.
struct RoomPlans {
    std::vector<Plan> plans;        ///< fewest meters of data cable between racks first, then the shorter longest one
    std::optional<RoomLimit> limit; ///< none: a plan is there
    std::int64_t tried = 0;         ///< arrangements that were compared
};

/// The loose devices of a design, packed into racks, and the places that these find in a hall: all of them, or the first server racks with the
/// network racks that belong to them, those that all share, and their part of storage and support nodes. Deterministic; some hundred milliseconds for
/// a pod of 15,360 GPUs.
class RoomSearch {
public:
    /// Errors: Refused for a device that fits no rack, Unreadable for parts.
    [[nodiscard]] static Result<RoomSearch> begin(const Snapshot& design, HallId hall, const RoomNeeds& needs, const Options& options,
                                                  const Catalog& catalog);
    RoomSearch(RoomSearch&&) noexcept;
    ~RoomSearch();

    [[nodiscard]] std::int64_t serverRacks() const;
    [[nodiscard]] std::int64_t racks(std::int64_t serverRacks) const;        ///< with the network racks that so many bring along
    [[nodiscard]] std::int64_t accelerators(std::int64_t serverRacks) const; ///< active ones in them
    [[nodiscard]] Demand demand(std::int64_t serverRacks) const;
    /// The best plans for the first so many, widest aisles first; or, `first`, one plan that will do, much sooner. The one finds a plan where the
    /// other does. Error: Canceled.
    [[nodiscard]] Result<RoomPlans> plans(std::int64_t serverRacks, const Progress& progress, bool first = false);

private:
    class Impl;
    explicit RoomSearch(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};
/// Writes a plan with trays, cooling and power. What it makes has no key: as if made by hand, and marked as laid out.
[[nodiscard]] Result<void> writeRoom(Snapshot& design, Plan plan, const Catalog& catalog);
/// Ducts from the spines of the plan's hall to those of other halls that its racks are cabled to.
void joinHalls(DesignBuilder& builder, const Plan& plan, Parts& parts);
} // namespace hw::layout
