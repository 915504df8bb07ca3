// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/geometry/placement.h"

#include <span>

namespace hw {

/// A stretch of tray between two junctions (or a drop from a tray to another level): what cable
/// bundles run through. Derived from the trays' geometry.
struct TraySection {
    Point a, b;
    Maybe<TrayId> tray; ///< none: a vertical drop or a connection that the router added
    friend bool operator==(const TraySection&, const TraySection&) = default;
};

/// Trays that a cable is led through, in the order from its pair's rack a to rack b.
using HandWay = std::vector<TrayId>;
/// What stands in no rack and has cables: a busway, a switchboard, a coolant distribution unit.
struct RouteState {
    Box box; ///< on the campus. Cables enter at its top; what is longer than 3 m has an entry at either end
    Maybe<HallId> hall;
    Maybe<RowId> row; ///< that it hangs over or stands in
};

/// π/4 d² of a cable, in µm².
[[nodiscard]] std::int64_t crossSectionUm2(const CableSpec& cable);

struct RoutingPaths; // what the router keeps to itself, see routing_ways.h

/// Shortest ways through the trays, one per pair of racks that a cable joins, shared by all its cables. Where a tray is as full as rule K1
/// lets it be, the pairs that come later go the next shortest way that has room; where none has, they stay on the shortest. Of data cables
/// only as much is counted as the thinnest cable of the project takes, so that no way turns aside that might not have to.
/// Sections and the path of a pair are what the 3D view draws bundles from.
class Routing {
public:
    struct Pair {
        RackId a, b;                           ///< a <= b
        std::int16_t plane = -1;               ///< trays of other planes are not used
        std::int32_t lengthMm = 0;             ///< tray to tray, from above rack a to above rack b; -1 = no way
        std::int32_t heightA = 0, heightB = 0; ///< of the tray above either rack, mm above the floor
        std::int32_t byHand = -1;              ///< led through trays by hand: number of the way, see routing_by_hand.h; -1 = the shortest
        friend bool operator==(const Pair&, const Pair&) = default;
    };
    /// A pair that goes a longer way than the shortest one, as a tray on that is full.
    struct Detour {
        std::uint32_t pair = 0;
        TrayId full;
        std::int32_t moreMm = 0;
        friend bool operator==(const Detour&, const Detour&) = default;
    };

    [[nodiscard]] static Result<std::shared_ptr<const Routing>> compute(const Snapshot&, const ProjectParts&, const Placement&);
    /// The same as `compute` after racks, rows or trays moved; wiring unchanged. `changedPairs` gets the
    /// pairs whose length or heights differ from before, ascending.
    [[nodiscard]] static std::shared_ptr<const Routing> moved(const Routing& before, const Snapshot& after, const ProjectParts&, const Placement&,
                                                              std::vector<std::uint32_t>& changedPairs);

    /// The ways that cables have in `whole`, of which `part` is a part: rows were left out of it, and nothing else is different. Nothing is
    /// solved again, whatever trays have become empty. Sections and stands are those of the whole.
    [[nodiscard]] static std::shared_ptr<const Routing> ofPart(const Routing& whole, const Snapshot& part, const ProjectParts&);

    /// Ways of another medium. Ends of pairs beyond the last rack id are `stands`, in their order; `plane` is the side of power, 0 = A, -1 = any.
    /// Of a stand the rise to the tray is part of the way, of a rack it is not. `areasUm2`: cross-section of each pair's cables.
    [[nodiscard]] static std::shared_ptr<const Routing> lines(const Snapshot&, const ProjectParts&, const Placement&, Medium,
                                                              std::span<const RouteState> stands, std::vector<Pair> pairs,
                                                              std::vector<std::int64_t> areasUm2);

    /// Finds length and heights of pairs (a <= b) on a campus, whatever is wired there.
    static void measure(const Snapshot&, const Placement&, std::vector<Pair>& pairs);

    static constexpr std::uint32_t kNoPair = 0xFFFFFFFFu; ///< both ends in one rack, or an end without a rack
    [[nodiscard]] const std::vector<Pair>& pairs() const { return m_pairs; }
    /// The pair of a cable's first link; the legs of a breakout may end in other racks, see `pairOfLink`.
    [[nodiscard]] std::uint32_t pairOf(CableId cable) const { return (*m_pairOfCable)[cable.value]; }
    [[nodiscard]] std::uint32_t pairOfLink(LinkId link) const { return (*m_pairOfLink)[link.value]; }
    /// Of a cable that goes on from a panel.
    [[nodiscard]] std::uint32_t pairOfRun(RunId run) const { return m_pairOfRun ? (*m_pairOfRun)[run.value] : kNoPair; }
    /// Devices in no rack that data cables go to, ascending: ends of pairs beyond the last rack id are these, in their order.
    [[nodiscard]] const std::vector<DeviceId>& stands() const { return m_stands; }
    [[nodiscard]] Maybe<DeviceId> standAt(RackId end) const;
    /// The end of pairs that a device is: its rack, or itself; none for what data cables cannot reach.
    [[nodiscard]] Maybe<RackId> endOf(const Snapshot&, DeviceId) const;
    /// One was moved from the other: pairs and who is on them are the same, by number.
    [[nodiscard]] bool sharesPairs(const Routing& other) const { return m_pairOfLink == other.m_pairOfLink; }
    [[nodiscard]] const std::vector<TraySection>& sections() const { return m_sections; }
    /// Section numbers on the way of a pair, from a to b.
    [[nodiscard]] std::vector<std::uint32_t> sectionsOf(std::uint32_t pair) const;
    /// The way of a pair as a polyline on the campus, from the top of rack a to the top of rack b.
    [[nodiscard]] std::vector<Point> path(std::uint32_t pair) const;
    [[nodiscard]] const std::vector<Detour>& detours() const { return m_detours; } ///< ascending by pair

private:
    friend bool operator==(const Routing&, const Routing&);
    void solve(const Snapshot&, const ProjectParts&, const Placement&, Medium, std::span<const RouteState>);
    void solveData(const Snapshot&, const ProjectParts&, const Placement&);

    std::vector<Pair> m_pairs;                                       ///< ordered by (a, b, plane)
    std::shared_ptr<const std::vector<std::uint32_t>> m_pairOfCable; ///< by cable id
    std::shared_ptr<const std::vector<std::uint32_t>> m_pairOfLink;  ///< by link id
    std::shared_ptr<const std::vector<std::uint32_t>> m_pairOfRun;   ///< by run id; null without panels
    std::shared_ptr<const std::vector<HandWay>> m_handWays;          ///< that people lead cables on; null without
    std::vector<DeviceId> m_stands;                                  ///< of data cables
    std::vector<TraySection> m_sections;
    std::vector<Box> m_racks;                                 ///< by rack id, then stands
    std::shared_ptr<const std::vector<std::int64_t>> m_areas; ///< by pair, µm²
    std::vector<Detour> m_detours;
    std::shared_ptr<const RoutingPaths> m_ways;
};

} // namespace hw
