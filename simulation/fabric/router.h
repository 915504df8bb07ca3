// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/fabric/path_field.h"
#include "simulation/fabric/routing_options.h"

#include <optional>

namespace hw::sim {
inline namespace fabric {

/// Where a NIC's flow goes wrong or ends.
struct Walk {
    bool arrived = false; ///< false: no next hop at some switch, the flow's packets are dropped there
    std::uint32_t lastSwitch = FabricGraph::kNone;
};

/// A directed link and which part of a flow goes over it.
struct LinkShare {
    DirectedLink link = 0;
    double share = 0;
};

/// Shortest ways through the switches, with a hash choosing among equal ones at every hop, as routers do (ECMP).
///
/// A NIC is one address behind all its ports: every access switch with a living port of it is a way in (host routes). Routing
/// knows two states of the fabric: `routes` is what all switches believe (host routes and distances, after convergence), `adjacent`
/// is what a switch or host knows about its own ports. Both may lag behind what is; a way may lead into a dead link.
/// Deterministic for the options' seeds. One thread at a time; graph and states must outlive it.
class Router {
public:
    /// Null states: everything is up.
    Router(const FabricGraph& graph, RoutingOptions options, const FabricState* routes = nullptr, const FabricState* adjacent = nullptr);
    void setStates(const FabricState* routes, const FabricState* adjacent); ///< needs a new aim

    /// Prepares ways to a NIC by its ports.
    void aimAt(std::span<const FabricGraph::HostPort> destination);
    /// Links between switches from this access switch; nothing when routing knows no way.
    [[nodiscard]] std::optional<int> distance(std::uint32_t access);
    /// Whether a host may use this port of its own toward the aim.
    [[nodiscard]] bool usable(const FabricGraph::HostPort& source);
    /// Appends the directed links from `source` up to the NIC. Where no way is known it stops (arrived = false). Several ports of the NIC on
    /// the last switch are one bundle, whose members are taken in turn by `member`, or by the hash where that is below 0.
    Walk walk(const FabricGraph::HostPort& source, std::uint64_t flowHash, std::vector<DirectedLink>& out, int member = -1);
    /// The same from a switch, which the flow entered by `ingress` (or kNone).
    Walk walkFrom(std::uint32_t vertex, DirectedLink ingress, std::uint64_t flowHash, std::vector<DirectedLink>& out, int member = -1);
    /// One step: the arc that the switch chooses; null when it knows none.
    const FabricGraph::Arc* nextHop(std::uint32_t vertex, bool mayClimb, DirectedLink ingress, std::uint64_t flowHash);
    /// Appends all links that packets use when each takes any shortest way evenly, with their shares of the flow.
    /// False, and nothing appended, when there is no way.
    bool spread(const FabricGraph::HostPort& source, std::vector<LinkShare>& out);

    [[nodiscard]] const FabricGraph& graph() const { return m_graph; }
    [[nodiscard]] const RoutingOptions& options() const { return m_options; }

private:
    using Arcs = std::vector<const FabricGraph::Arc*>;
    /// The equal next hops of a switch as cabled, kept while the aim stays.
    struct Members {
        std::uint32_t aim = 0, begin = 0, count = 0;
    };
    std::span<const FabricGraph::Arc* const> members(std::uint32_t vertex, bool mayClimb);
    void collect(PathField& field, std::uint32_t vertex, bool mayClimb, bool onlyLive, Arcs& out);
    [[nodiscard]] bool leads(PathField& field, const FabricGraph::Arc& arc, std::uint32_t vertex, bool mayClimb);
    [[nodiscard]] bool adjacentUp(DirectedLink link) const { return !m_adjacent || m_adjacent->up(link); }
    [[nodiscard]] std::uint64_t choice(std::uint32_t vertex, DirectedLink ingress, std::uint64_t flowHash) const;
    [[nodiscard]] std::uint64_t seed(std::uint32_t vertex) const;
    const FabricGraph::HostPort* lastPort(std::uint32_t access, std::uint64_t flowHash, int member);

    const FabricGraph& m_graph;
    RoutingOptions m_options;
    const FabricState *m_routes, *m_adjacent;
    PathField m_nominal, m_live;        ///< as cabled; as routing knows it
    bool m_same = true;                 ///< both are the same
    std::vector<std::uint64_t> m_seeds; ///< by level
    std::vector<FabricGraph::HostPort> m_ports;
    std::vector<std::uint32_t> m_access, m_aimedNominal, m_aimedLive; ///< the last two: what the fields are aimed at
    std::vector<std::uint8_t> m_routed;                               ///< by port: its host route is known
    std::vector<Members> m_members;                                   ///< by vertex and phase
    Arcs m_memberArcs, m_left;
    std::uint32_t m_aim = 0;      ///< counts the aims of m_nominal
    std::vector<double> m_inflow; ///< of spread(): by vertex and phase, zero between calls
    std::vector<std::uint32_t> m_front, m_nextFront;
};

/// The hash input of a connection between two NICs (the address is the NIC's, whichever port it uses).
[[nodiscard]] std::uint64_t fiveTuple(std::uint32_t sourceServer, int sourceNic, std::uint32_t destinationServer, int destinationNic,
                                      std::uint32_t udpPort);

} // namespace fabric
} // namespace hw::sim
