// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/geometry/routing.h"
#include "core/derived/geometry/tray_graph.h"

namespace hw {

/// Where the cables of a rack enter a tray.
struct RackHook {
    std::uint32_t tray = 0;
    std::int32_t at = 0;       ///< mm from the tray's first end
    std::int32_t offsetMm = 0; ///< from the rack's footprint to the tray in plan
    Point point;               ///< on the tray
    friend bool operator==(const RackHook&, const RackHook&) = default;
};

/// How a pair goes: by which hook of either rack, and through which stops.
struct PairRoute {
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;
    std::uint32_t hookA = kNone, hookB = kNone; ///< into RoutingPaths::hooks; none = no way
    std::uint32_t way = kNone;                  ///< none: along one tray
    bool reversed = false;                      ///< the way is stored from b to a
    friend bool operator==(const PairRoute&, const PairRoute&) = default;
};

/// Everything behind the lengths of a Routing.
struct RoutingPaths {
    TrayGraph graph;
    std::vector<std::uint32_t> firstHook; ///< by rack, one entry more than racks
    std::vector<RackHook> hooks;
    std::vector<PairRoute> routes;                     ///< by pair
    std::vector<std::uint32_t> firstWayStop, wayStops; ///< stops of every way in order
    std::vector<std::uint32_t> firstBreak;             ///< by tray; breaks of a tray bound its sections
    std::vector<std::int32_t> breaks;
    std::vector<std::uint32_t> firstTraySection, firstJointSection; ///< by tray, by joint, one entry more each
    friend bool operator==(const RoutingPaths&, const RoutingPaths&) = default;

    [[nodiscard]] std::span<const RackHook> hooksOf(std::uint32_t rack) const
    {
        return {hooks.data() + firstHook[rack], firstHook[rack + 1] - firstHook[rack]};
    }
    [[nodiscard]] std::span<const std::uint32_t> stopsOf(std::uint32_t way) const
    {
        return {wayStops.data() + firstWayStop[way], firstWayStop[way + 1] - firstWayStop[way]};
    }
};

/// Hooks of all racks, or of those that are `wanted` by id; `ways` has the graph of the medium.
void hookRacks(const Snapshot& snapshot, const Placement& placement, RoutingPaths& ways, Medium medium = Medium::Data,
               const std::vector<char>* wanted = nullptr);
/// Then of what stands elsewhere: on the nearest trays of its row or room, and on those of other rooms that pass through it.
void hookStands(const Snapshot& snapshot, const Placement& placement, std::span<const RouteState> stands, RoutingPaths& ways, Medium medium);
/// Finds the shortest way of every pair and sets its length and heights. `ways` has graph and hooks.
void solvePairs(std::vector<Routing::Pair>& pairs, RoutingPaths& ways);
/// Cuts the trays at stops and hooks and numbers the pieces.
void makeSections(const Placement& placement, RoutingPaths& ways, std::vector<TraySection>& sections);
/// Turns pairs aside from trays that are full, in the order of pairs. `areas`: of each pair, `room`: of each tray, 0 = no limit; both in µm².
/// `ways` has sections.
[[nodiscard]] std::vector<Routing::Detour> respectCapacity(std::vector<Routing::Pair>& pairs, std::span<const std::int64_t> areas,
                                                           std::span<const std::int64_t> room, RoutingPaths& ways);

} // namespace hw
