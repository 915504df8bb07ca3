// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cooling/chain.h"
#include "core/derived/figures/figures.h"
#include "core/operations/bindings/point.h"
#include "core/operations/monitoring/plan/limits.h"

#include <limits>
#include <string_view>

namespace hw::monitoring {

inline constexpr std::uint32_t kNobody = 0xFFFFFFFFu;
inline constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

/// By what a point is judged alone.
enum class Criterion : std::uint8_t {
    None,
    RackPower,  ///< planned; limit: of the rack
    FeedPower,  ///< planned; limit: the rating of the element
    HostPower,  ///< planned: of a server; `other`: how busy it says that it is
    Phase,      ///< of a group of three; limit: of one
    Flow,       ///< planned: what its planned heat needs to return no warmer than designed; `other`: the power of the rack
    UnitFlow,   ///< planned: its part; `other`: the flows of the loop that it feeds
    Supply,     ///< limit: the warmest that its class allows
    LoopSupply, ///< planned: of the loop
    Air,        ///< limit: at which racks count as too hot
    Traffic,    ///< planned: simulated
    Errors,
    Drops,
    LinkUp,
    LinkRate,  ///< planned: of the port
    LinkLanes, ///< held against the most that were seen
    LinkChanges,
    Retransmits, ///< of an RDMA NIC: of its link
    Leak
};

/// What a point says of the networks of power, coolant and data.
enum class Signal : std::uint8_t {
    None,
    Power,       ///< what the element passes on
    Live,        ///< voltage, frequency, status: more than nothing while it works
    Flow,        ///< of a cooling unit, or through a taker
    Heat,        ///< of a cooling unit
    Speed,       ///< of its pumps or fans
    Temperature, ///< of a unit or taker: rises when heat stays
    RackPower,   ///< of all that is in a rack
    Link,        ///< 1: up
    Part,        ///< of a GPU of a host
    Pump,        ///< inside of a unit
    Breaker      ///< of a power link: 1 closed
};

/// Everything that is known of a point before it has a value.
struct Plan {
    Criterion criterion = Criterion::None;
    Signal signal = Signal::None;
    std::int16_t part = -1;         ///< of Signal::Part and Pump, from 0
    std::uint8_t scale = 0;         ///< class whose load factor it follows, see Plans::kScales
    bool counted = false;           ///< it is the one meter that counts for that factor
    float weight = 1;               ///< of what it says among all that say the same: 1 over their number
    std::uint32_t target = kNobody; ///< device, rack (RackPower) or link
    std::uint32_t other = kNobody;  ///< a point, a group, or a directed link
    float planned = kUnknown, limit = kUnknown;
};

/// What depends on the phases of a feed and draws more or less: a server, by a cord or several.
struct PhaseUse {
    bindings::PointNo power = bindings::kNoPoint; ///< that says what all of it draws; kNoPoint: nothing measures it
    float watts = 0;                              ///< planned, of all of it
    std::array<float, 3> share{};                 ///< W on each phase of this feed, as planned
};

/// Three points of one feed.
struct PhaseGroup {
    std::array<bindings::PointNo, 3> point{bindings::kNoPoint, bindings::kNoPoint, bindings::kNoPoint};
    float rating = 0;                   ///< of one phase, in the measure's unit; 0: not stated
    float planned = 1;                  ///< the most loaded phase over the mean of the three, as designed
    std::vector<PhaseUse> uses;         ///< servers that depend on it
    std::array<float, 3> rest{};        ///< W of what else it carries, as planned
    std::vector<std::uint32_t> below{}; ///< the next groups whose currents are part of it alone
};

/// Points that follow each other.
struct PointRun {
    bindings::PointNo first = bindings::kNoPoint;
    std::uint32_t count = 0;
};

/// Heat that a unit hands on, as measured on the side that it feeds.
struct UnitHeat {
    bindings::PointNo flow = bindings::kNoPoint, supply = bindings::kNoPoint, back = bindings::kNoPoint;
    float wattsPerLpmK = 0, planned = 0; ///< planned: W
};

/// What flows in one loop of coolant: out of the units that feed it, and into what depends on it.
struct LoopFlows {
    std::int32_t loop = -1;                ///< of the chain
    std::vector<bindings::PointNo> units;  ///< Criterion::UnitFlow
    std::vector<bindings::PointNo> takers; ///< Criterion::Flow; of facility water what the units take that stand between
};

/// What is planned for every point of a design.
struct Plans {
    std::vector<Plan> points; ///< by PointNo
    std::vector<PhaseGroup> phases;
    std::vector<UnitHeat> heats;   ///< by `other` of what units take
    std::vector<LoopFlows> loops;  ///< with a unit whose flow is measured
    std::vector<PointRun> working; ///< what the GPUs of a host say of their utilization, by `other` of Criterion::HostPower
    std::vector<std::pair<bindings::PointNo, bindings::PointNo>> follows; ///< (a point, one judged with it), ascending
    static constexpr std::size_t kScales = 48;
    static constexpr std::uint8_t kFeeds = 10;  ///< up to which classes are of what feeds, by its PowerElement
    static constexpr std::uint8_t kTakers = 31; ///< the class of flows through cabinets

    [[nodiscard]] static Plans of(const Figures& figures, const bindings::Bound& bound);
    void simulated(std::span<const float> gbps); ///< see Monitor::simulated
};

/// A number behind a word: "gpu3" after "gpu" → 3; -1 where there is none.
[[nodiscard]] int numbered(std::string_view element, std::string_view word);
[[nodiscard]] bindings::PointNo pointOf(const bindings::Bound& bound, const bindings::Point& point); ///< kNoPoint: nothing measures it

} // namespace hw::monitoring
