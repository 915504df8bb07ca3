// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/fabric/router.h"

#include "simulation/fabric/hash.h"

#include <algorithm>
#include <utility>

namespace hw::sim {
inline namespace fabric {

namespace {

constexpr std::uint64_t kSecondChoice = 0x5ec0bd; ///< who lost its way hashes again
constexpr std::uint64_t kLastPort = 0x1a57;       ///< several ports of a NIC on one switch

} // namespace

std::uint64_t fiveTuple(std::uint32_t sourceServer, int sourceNic, std::uint32_t destinationServer, int destinationNic, std::uint32_t udpPort)
{
    const std::uint64_t addresses =
        mix((std::uint64_t(sourceServer) << 32 | destinationServer) ^ (std::uint64_t(sourceNic) << 56) ^ (std::uint64_t(destinationNic) << 24));
    return mix(addresses + std::uint64_t(udpPort));
}

Router::Router(const FabricGraph& graph, RoutingOptions options, const FabricState* routes, const FabricState* adjacent)
    : m_graph(graph), m_options(std::move(options)), m_nominal(graph), m_live(graph), m_aimedNominal(1, FabricGraph::kNone),
      m_members(std::size_t(graph.switchCount()) * 2), m_inflow(std::size_t(graph.switchCount()) * 2, 0.0)
{
    int levels = 0;
    for (std::uint32_t v = 0; v < graph.switchCount(); ++v) levels = std::max<int>(levels, graph.at(v).level);
    for (int level = 0; level <= levels; ++level) m_seeds.push_back(m_options.seedOf(level, 0));
    setStates(routes, adjacent);
}

void Router::setStates(const FabricState* routes, const FabricState* adjacent)
{
    m_routes = routes && !routes->allUp() ? routes : nullptr;
    m_adjacent = adjacent && !adjacent->allUp() ? adjacent : nullptr;
    m_same = !m_routes;
    m_aimedLive.assign(1, FabricGraph::kNone); // aims no more
}

void Router::aimAt(std::span<const FabricGraph::HostPort> destination)
{
    m_ports.assign(destination.begin(), destination.end());
    std::erase_if(m_ports, [](const auto& port) { return port.access == FabricGraph::kNone; });
    m_access.clear();
    for (const auto& port : m_ports) m_access.push_back(port.access);
    if (m_access != m_aimedNominal) {
        m_nominal.aimAt(m_access, nullptr);
        m_aimedNominal = m_access;
        m_memberArcs.clear();
        ++m_aim;
    }
    m_routed.assign(m_ports.size(), 1);
    if (m_same) return;
    m_access.clear();
    for (std::size_t i = 0; i < m_ports.size(); ++i) {
        m_routed[i] = m_routes->up(m_graph.downward(m_ports[i]));
        if (m_routed[i]) m_access.push_back(m_ports[i].access);
    }
    if (m_access != m_aimedLive) m_live.aimAt(m_access, m_routes);
    m_aimedLive = m_access;
}

std::optional<int> Router::distance(std::uint32_t access)
{
    const auto hops = (m_same ? m_nominal : m_live).any(access);
    return hops == PathField::kFar ? std::nullopt : std::optional<int>(hops);
}

bool Router::usable(const FabricGraph::HostPort& source)
{
    return source.access != FabricGraph::kNone && adjacentUp(m_graph.upward(source)) && distance(source.access).has_value();
}

std::uint64_t Router::seed(std::uint32_t vertex) const
{
    const int level = std::max<int>(m_graph.at(vertex).level, 0);
    return m_options.perSwitchSeeds ? m_options.seedOf(level, vertex) : m_seeds[std::size_t(level)];
}

bool Router::leads(PathField& field, const FabricGraph::Arc& arc, std::uint32_t vertex, bool mayClimb)
{
    const std::uint16_t here = field.from(vertex, mayClimb);
    const bool descends = m_graph.at(arc.to).level < m_graph.at(vertex).level;
    const std::uint16_t there = field.from(arc.to, mayClimb && !descends);
    return here != PathField::kFar && there != PathField::kFar && there + 1 == here;
}

/// All arcs that a shortest way may take from here, in the order of the arcs.
void Router::collect(PathField& field, std::uint32_t vertex, bool mayClimb, bool onlyLive, Arcs& out)
{
    out.clear();
    const std::uint16_t here = field.from(vertex, mayClimb);
    if (here == PathField::kFar || here == 0) return;
    const auto take = [&](std::span<const FabricGraph::Arc> arcs, bool climbing) {
        for (const auto& arc : arcs)
            if (field.from(arc.to, climbing) + 1 == here && (!onlyLive || ((!m_routes || m_routes->up(arc.link)) && adjacentUp(arc.link))))
                out.push_back(&arc);
    };
    if (mayClimb) take(m_graph.upArcs(vertex), true);
    take(m_graph.peerArcs(vertex), mayClimb);
    take(m_graph.downArcs(vertex), false);
}

std::span<const FabricGraph::Arc* const> Router::members(std::uint32_t vertex, bool mayClimb)
{
    Members& known = m_members[2 * std::size_t(vertex) + mayClimb];
    if (known.aim != m_aim) {
        collect(m_nominal, vertex, mayClimb, false, m_left);
        known = {m_aim, std::uint32_t(m_memberArcs.size()), std::uint32_t(m_left.size())};
        m_memberArcs.insert(m_memberArcs.end(), m_left.begin(), m_left.end());
    }
    return {m_memberArcs.data() + known.begin, known.count};
}

/// A number that picks the member: the place of the ingress port among the ports on its side, or the hash of the five-tuple.
std::uint64_t Router::choice(std::uint32_t vertex, DirectedLink ingress, std::uint64_t flowHash) const
{
    if (ingress != FabricGraph::kNone && m_options.kindOf(m_graph.at(vertex).level) == HashKind::SourcePort) {
        const std::uint32_t from = m_graph.tail(ingress);
        if (from != FabricGraph::kNone) {
            const auto side = m_graph.at(from).level < m_graph.at(vertex).level   ? m_graph.downArcs(vertex)
                              : m_graph.at(from).level > m_graph.at(vertex).level ? m_graph.upArcs(vertex)
                                                                                  : m_graph.peerArcs(vertex);
            const auto port =
                std::lower_bound(side.begin(), side.end(), ingress / 2, [](const auto& arc, std::uint32_t link) { return arc.link / 2 < link; });
            return std::uint64_t(port - side.begin());
        }
    }
    return mix(flowHash ^ seed(vertex));
}

const FabricGraph::Arc* Router::nextHop(std::uint32_t vertex, bool mayClimb, DirectedLink ingress, std::uint64_t flowHash)
{
    PathField& live = m_same ? m_nominal : m_live;
    const std::uint16_t left = live.from(vertex, mayClimb);
    if (left == PathField::kFar || left == 0) return nullptr;
    if (const auto equal = members(vertex, mayClimb); !equal.empty()) {
        const auto* member = equal[choice(vertex, ingress, flowHash) % equal.size()];
        if ((m_same || leads(live, *member, vertex, mayClimb)) && (!m_routes || m_routes->up(member->link)) && adjacentUp(member->link))
            return member;
    }
    collect(live, vertex, mayClimb, true, m_left);
    return m_left.empty() ? nullptr : m_left[mix(flowHash ^ mix(seed(vertex) ^ kSecondChoice)) % m_left.size()];
}

Walk Router::walkFrom(std::uint32_t vertex, DirectedLink ingress, std::uint64_t flowHash, std::vector<DirectedLink>& out, int member)
{
    PathField& live = m_same ? m_nominal : m_live;
    bool mayClimb = true;
    while (live.from(vertex, mayClimb) != 0) {
        const auto* arc = nextHop(vertex, mayClimb, ingress, flowHash);
        if (!arc) return {false, vertex};
        out.push_back(arc->link);
        mayClimb = mayClimb && m_graph.at(arc->to).level >= m_graph.at(vertex).level;
        vertex = arc->to;
        ingress = arc->link;
    }
    const auto* port = lastPort(vertex, flowHash, member);
    if (!port) return {false, vertex};
    out.push_back(m_graph.downward(*port));
    return {true, vertex};
}

Walk Router::walk(const FabricGraph::HostPort& source, std::uint64_t flowHash, std::vector<DirectedLink>& out, int member)
{
    if (source.access == FabricGraph::kNone) return {};
    out.push_back(m_graph.upward(source));
    return walkFrom(source.access, out.back(), flowHash, out, member);
}

/// A port of the NIC on this switch whose host route is known; those that the switch sees dead last.
const FabricGraph::HostPort* Router::lastPort(std::uint32_t access, std::uint64_t flowHash, int member)
{
    const FabricGraph::HostPort* chosen = nullptr;
    for (const bool wantUp : {true, false}) {
        std::size_t count = 0;
        const auto fits = [&](std::size_t i) {
            return m_ports[i].access == access && m_routed[i] && adjacentUp(m_graph.downward(m_ports[i])) == wantUp;
        };
        for (std::size_t i = 0; i < m_ports.size(); ++i) count += fits(i);
        if (count == 0) continue;
        std::size_t pick = (member >= 0 ? std::uint64_t(member) : mix(flowHash ^ kLastPort)) % count;
        for (std::size_t i = 0; i < m_ports.size() && !chosen; ++i)
            if (fits(i) && pick-- == 0) chosen = &m_ports[i];
        if (chosen) return chosen;
    }
    return nullptr;
}

bool Router::spread(const FabricGraph::HostPort& source, std::vector<LinkShare>& out)
{
    if (!usable(source)) return false;
    PathField& live = m_same ? m_nominal : m_live;
    const std::size_t first = out.size();
    out.push_back({m_graph.upward(source), 1.0});
    // Level by level of the distance left; a vertex counts apart for flows that may climb and those that may not.
    m_front.assign(1, 2 * source.access + 1);
    m_inflow[m_front[0]] = 1.0;
    bool complete = true;
    while (!m_front.empty()) {
        m_nextFront.clear();
        for (const std::uint32_t key : m_front) {
            const std::uint32_t vertex = key / 2;
            const bool mayClimb = key % 2;
            const double inflow = std::exchange(m_inflow[key], 0.0);
            if (live.from(vertex, mayClimb) == 0) {
                std::size_t ports = 0;
                for (std::size_t i = 0; i < m_ports.size(); ++i) ports += m_ports[i].access == vertex && m_routed[i];
                for (std::size_t i = 0; i < m_ports.size(); ++i)
                    if (m_ports[i].access == vertex && m_routed[i]) out.push_back({m_graph.downward(m_ports[i]), inflow / double(ports)});
                continue;
            }
            collect(live, vertex, mayClimb, true, m_left);
            complete = complete && !m_left.empty();
            for (const auto* arc : m_left) {
                const double part = inflow / double(m_left.size());
                out.push_back({arc->link, part});
                const std::uint32_t to = 2 * arc->to + (mayClimb && m_graph.at(arc->to).level >= m_graph.at(vertex).level);
                if (m_inflow[to] == 0.0) m_nextFront.push_back(to);
                m_inflow[to] += part;
            }
        }
        m_front.swap(m_nextFront);
    }
    if (!complete) out.resize(first);
    return complete;
}

} // namespace fabric
} // namespace hw::sim
