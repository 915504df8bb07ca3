// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/engine/ecmp.h"

namespace hw::sim {

std::uint64_t mix(std::uint64_t x)
{
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

EcmpRouter::EcmpRouter(const FabricGraph& graph, std::uint64_t seed)
    : m_graph(graph), m_seed(mix(seed)), m_distance(graph.switchCount()), m_epoch(graph.switchCount(), 0), m_wanted(graph.switchCount(), 0)
{
}

void EcmpRouter::aimAt(std::uint32_t destination, std::span<const std::uint32_t> sources)
{
    ++m_now;
    std::size_t open = 0;
    for (const auto source : sources)
        if (m_wanted[source] != m_now) m_wanted[source] = m_now, ++open;
    m_queue.assign(1, destination);
    m_epoch[destination] = m_now;
    m_distance[destination] = 0;
    // Breadth first from the aim; links run both ways, so distances do too. Stops one level after the last source.
    std::int32_t enough = -1;
    for (std::size_t head = 0; head < m_queue.size(); ++head) {
        const std::uint32_t vertex = m_queue[head];
        if (m_wanted[vertex] == m_now && --open == 0) enough = m_distance[vertex];
        if (enough >= 0 && m_distance[vertex] >= enough) return;
        for (const auto& arc : m_graph.arcs(vertex)) {
            if (m_epoch[arc.to] == m_now) continue;
            m_epoch[arc.to] = m_now;
            m_distance[arc.to] = m_distance[vertex] + 1;
            m_queue.push_back(arc.to);
        }
    }
}

std::optional<int> EcmpRouter::distance(std::uint32_t source) const
{
    return m_epoch[source] == m_now ? std::optional<int>(m_distance[source]) : std::nullopt;
}

void EcmpRouter::walk(std::uint32_t source, std::uint64_t flowHash, std::vector<DirectedLink>& out) const
{
    for (std::uint32_t at = source; m_distance[at] > 0;) {
        const auto arcs = m_graph.arcs(at);
        const std::int32_t next = m_distance[at] - 1;
        const auto onWay = [&](const FabricGraph::Arc& arc) { return m_epoch[arc.to] == m_now && m_distance[arc.to] == next; };
        std::uint64_t choices = 0;
        for (const auto& arc : arcs) choices += onWay(arc);
        std::uint64_t pick = mix(flowHash ^ mix(m_seed + std::uint64_t(next))) % choices;
        for (const auto& arc : arcs) {
            if (!onWay(arc) || pick-- != 0) continue;
            out.push_back(arc.link);
            at = arc.to;
            break;
        }
    }
}

} // namespace hw::sim
