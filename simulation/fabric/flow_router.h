// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"
#include "simulation/fabric/router.h"
#include "simulation/fairshare/problem.h"

#include <algorithm>
#include <memory>
#include <span>

namespace hw::sim {
inline namespace fabric {

/// A connection between two NICs.
struct FlowSpec {
    DeviceId source, destination; ///< servers
    std::int16_t sourceNic = 0, destinationNic = 0;
    std::int16_t sourcePort = -1;                      ///< port of the source NIC that it starts from, from 0; -1: a hash chooses (bond)
    std::uint16_t connection = 0;                      ///< tells connections of one pair of NICs apart (UDP source port)
    double bytes = 0;                                  ///< 0: lasts as long as the run
    double weight = 1;                                 ///< of its share of a link
    std::uint32_t group = 0;                           ///< job, collective …: what results are summed by
    std::uint32_t sourceRank = 0, destinationRank = 0; ///< for people
};

/// Gives connections their ways, one after the other, by the options' path selection. Holds what selection has to remember: the
/// ways of the present pair, the load placed so far.
class FlowRouter {
public:
    /// States as for Router.
    FlowRouter(const FabricGraph& graph, RoutingOptions options, const FabricState* routes = nullptr, const FabricState* adjacent = nullptr);
    void setStates(const FabricState* routes, const FabricState* adjacent) { m_router.setStates(routes, adjacent); }
    /// LeastLoad starts from the load of others: by directed link, the share of its capacity that they take. `busy`: bytes / Gb/s of a full link.
    void preload(std::span<const float> share, double busy);

    /// Replaces `way` by the links from NIC to NIC. False: dropped on the way (then `way` ends at the switch that knows no next
    /// hop; it is empty when the host knows no port to use). Spray is no way: refused by an assertion, see SprayRates.
    bool route(const FlowSpec& flow, std::vector<DirectedLink>& way);
    /// The NIC port that the host sends from; null when it knows none. Aims the router.
    const FabricGraph::HostPort* sourcePort(const FlowSpec& flow) { return sourcePort(flow, flow.connection); }
    [[nodiscard]] Router& router() { return m_router; }
    [[nodiscard]] const FabricGraph& graph() const { return m_router.graph(); }
    [[nodiscard]] std::uint32_t udpPort() const { return m_udpPort; } ///< that the last route() settled on

private:
    using Price = std::vector<double>; ///< compared number by number
    const FabricGraph::HostPort* sourcePort(const FlowSpec& flow, std::uint32_t udpPort);
    bool walk(const FlowSpec& flow, std::uint32_t udpPort, std::vector<DirectedLink>& way);
    bool search(const FlowSpec& flow, std::vector<DirectedLink>& way);
    void price(const std::vector<DirectedLink>& way, Price& result) const;
    void remember(const FlowSpec& flow, const std::vector<DirectedLink>& way);

    Router m_router;
    std::uint32_t m_udpPort = 0;
    std::uint64_t m_pair = ~0ull; ///< whose ways m_taken holds
    std::vector<DirectedLink> m_taken;
    std::vector<double> m_load; ///< by directed link: bytes placed / capacity
    std::vector<DirectedLink> m_trial;
    Price m_price, m_trialPrice;
};

/// What a sender does about a silent black hole, one that no link state tells of (Tencent, "Xingmai 2.0": hash dodging).
enum class Dodge : std::uint8_t {
    None,
    Offset, ///< it knows the hash relative to its own source port and takes one whose way shares no link between switches with the dead one
    Rehash  ///< it draws a new source port, which may fall on the dead way again: each try takes as long
};
inline constexpr Dodge kDodges[] = {Dodge::Offset, Dodge::Rehash, Dodge::None};
[[nodiscard]] const char* name(Dodge kind);
/// Moves a connection whose way is dead to another source port; `way` becomes the new one. `draw` tells tries of Rehash apart. False: the
/// new way does not arrive as far as routing knows.
bool dodgeWay(FlowRouter& router, FlowSpec& flow, std::vector<DirectedLink>& way, Dodge kind, std::uint64_t draw);

/// Connections as a fair-share problem. Links 0 … directedCount - 1 are the fabric's, `nowhere` (capacity 0) is what flows without a
/// way cross, and behind it stand the limits of paced connections. Capacities in Gb/s, sizes in Gbit (so times are seconds).
struct RoutedFlows {
    FlowProblem problem;
    std::vector<FlowSpec> flows;
    std::uint32_t nowhere = 0;
    std::size_t unreachable = 0; ///< flows over `nowhere`
    std::size_t blackHoled = 0;  ///< flows over a dead link
    [[nodiscard]] bool reaches(std::uint32_t flow) const
    {
        const auto way = problem.linksOf(flow);
        return std::find(way.begin(), way.end(), nowhere) == way.end();
    }
};

/// Routes all connections over `graph` and gives every link what `physical` (null: everything is up) leaves it. Routing believes
/// `routes`, switches and hosts know `adjacent` of their own ports. Errors: Canceled; Refused for PathSelection::Spray.
[[nodiscard]] Result<RoutedFlows> routeFlows(const FabricGraph& graph, const RoutingOptions& options, std::vector<FlowSpec> flows,
                                             const FabricState* physical = nullptr, const FabricState* routes = nullptr,
                                             const FabricState* adjacent = nullptr, const Progress& progress = {});

inline constexpr double kBytesPerGbit = 1.25e8;

/// The hash input of a connection.
[[nodiscard]] std::uint64_t hashOf(const FlowSpec& flow, std::uint32_t udpPort);

} // namespace fabric
} // namespace hw::sim
