// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "core/foundation/model/table_list.h"

#include <cstdint>
#include <vector>

namespace hw {
struct Snapshot;
}

namespace hw::sim {
inline namespace fabric {

/// The same equipment cabled differently, to answer "what does it buy us".
enum class FabricVariant : std::uint8_t {
    AsDesigned,
    SinglePlane, ///< planes give way: every upper switch serves half of the rails, each on both ToRs of its NICs
    SingleToR,   ///< every NIC has one port of its full rate, to its first ToR
    StackedToR   ///< the ToRs of a NIC are one stack: a peer link joins them
};

/// What a switch hashes to choose among equal next hops.
enum class HashKind : std::uint8_t {
    FiveTuple, ///< addresses, ports, protocol
    SourcePort ///< the port that the packet came in by; five-tuple where that choice is dead (HPN paper, SIGCOMM 2024)
};

/// How the connections of a pair of NICs get their ways.
enum class PathSelection : std::uint8_t {
    Hash,      ///< connection k has UDP source port k; the hash decides
    Disjoint,  ///< source ports are searched until the pair's ways share no link between switches (relative path control)
    LeastLoad, ///< of the searched source ports the one whose most loaded link carries least so far; flows are placed in turn
    Spray      ///< every packet its own way: even over all shortest ways, see spray.h
};

/// Who uses what a neighbor cannot use.
enum class RateControl : std::uint8_t {
    Ideal, ///< congestion control finds the max-min rates at once
    Paced  ///< a connection never sends more than its even share of its source port
};

struct TierHash {
    HashKind kind = HashKind::FiveTuple;
    std::uint64_t seed = 0;
};

/// Routing as data. Switches keep flows on ways that live (resilient hashing): who loses its way is hashed over what is left, all
/// others stay. Flowlets are off: a flow keeps its way until that dies.
struct RoutingOptions {
    std::uint64_t seed = 1;
    bool equalSeeds = false;     ///< all tiers hash alike: choices repeat from tier to tier (polarization)
    bool perSwitchSeeds = false; ///< every switch has a seed of its own
    std::vector<TierHash> tiers; ///< by level of the tier; beyond its end: five-tuple with seeds drawn from `seed`
    PathSelection selection = PathSelection::Hash;
    int searchedPorts = 60; ///< source ports that LeastLoad compares; Disjoint goes on to 16 times as many until a way is free
    RateControl rateControl = RateControl::Ideal;
    bool hostFailover = true; ///< a NIC port that is dead or has no way is replaced by the NIC's other one

    [[nodiscard]] std::uint64_t seedOf(int level, std::uint32_t vertex) const;
    [[nodiscard]] HashKind kindOf(int level) const;
    void setTier(int level, TierHash hash);
};

/// From the settings `network.<network>.hash.<tier>` = `five-tuple` or `source-port`; anything else is refused. Where nothing is
/// set, all tiers hash the five-tuple.
[[nodiscard]] Result<RoutingOptions> routingOptions(const Snapshot& snapshot, NetworkId network, std::uint64_t seed = 1);

/// The words of each choice, as people write them, and all choices in their order.
[[nodiscard]] const char* name(PathSelection selection);
[[nodiscard]] const char* name(HashKind kind);
[[nodiscard]] const char* name(RateControl control);
[[nodiscard]] const char* name(FabricVariant variant);
inline constexpr PathSelection kPathSelections[] = {PathSelection::Hash, PathSelection::Disjoint, PathSelection::LeastLoad, PathSelection::Spray};
inline constexpr RateControl kRateControls[] = {RateControl::Ideal, RateControl::Paced};
inline constexpr FabricVariant kFabricVariants[] = {FabricVariant::AsDesigned, FabricVariant::SinglePlane, FabricVariant::SingleToR,
                                                    FabricVariant::StackedToR};

/// What every result of the fluid model has to say about itself.
inline const Text kFluidNote = TextId("Fluid max-min sharing: queueing, packet loss and congestion control delay are not modeled; actual "
                                      "rates are correspondingly lower.");

} // namespace fabric
} // namespace hw::sim
