// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/fabric/path_field.h"

#include <algorithm>

namespace hw::sim {
inline namespace fabric {

PathField::PathField(const FabricGraph& graph)
    : m_graph(graph), m_down(graph.switchCount()), m_any(graph.switchCount()), m_downEpoch(graph.switchCount(), 0), m_anyEpoch(graph.switchCount(), 0)
{
}

void PathField::aimAt(std::span<const std::uint32_t> destinations, const FabricState* state)
{
    ++m_now;
    m_state = state && !state->allUp() ? state : nullptr;
    m_queue.clear();
    for (const auto vertex : destinations) {
        if (m_downEpoch[vertex] == m_now || (m_state && !m_state->switchUp(vertex))) continue;
        m_downEpoch[vertex] = m_now;
        m_down[vertex] = 0;
        m_queue.push_back(vertex);
    }
    spreadUp();
    if (m_graph.hasPeers()) spreadDown();
}

/// Breadth first against the direction of the traffic: whoever lies above or beside reaches the destination going down.
void PathField::spreadUp()
{
    for (std::size_t head = 0; head < m_queue.size(); ++head) {
        const std::uint32_t v = m_queue[head];
        for (const auto& arcs : {m_graph.upArcs(v), m_graph.peerArcs(v)})
            for (const auto& arc : arcs) {
                if (m_downEpoch[arc.to] == m_now || !live(arc.link)) continue;
                m_downEpoch[arc.to] = m_now;
                m_down[arc.to] = std::uint16_t(m_down[v] + 1);
                m_queue.push_back(arc.to);
            }
    }
}

/// With links inside a level climbing ways have no order of levels: all distances at once, breadth first from all that spreadUp
/// reached, each entering the front at its own distance.
void PathField::spreadDown()
{
    const std::vector<std::uint32_t> reached(m_queue);
    m_queue.clear();
    std::size_t next = 0, head = 0;
    for (std::uint16_t distance = 0; head < m_queue.size() || next < reached.size(); ++distance) {
        for (; next < reached.size() && m_down[reached[next]] <= distance; ++next) {
            const std::uint32_t v = reached[next];
            if (m_anyEpoch[v] == m_now) continue;
            m_anyEpoch[v] = m_now;
            m_any[v] = distance;
            m_queue.push_back(v);
        }
        for (const std::size_t end = m_queue.size(); head < end; ++head) {
            const std::uint32_t v = m_queue[head];
            for (const auto& arcs : {m_graph.peerArcs(v), m_graph.downArcs(v)})
                for (const auto& arc : arcs) {
                    if (m_anyEpoch[arc.to] == m_now || !live(arc.link)) continue;
                    m_anyEpoch[arc.to] = m_now;
                    m_any[arc.to] = std::uint16_t(distance + 1);
                    m_queue.push_back(arc.to);
                }
        }
    }
}

std::uint16_t PathField::any(std::uint32_t vertex)
{
    if (m_anyEpoch[vertex] == m_now) return m_any[vertex];
    if (m_graph.hasPeers()) return kFar;
    std::uint16_t best = down(vertex);
    for (const auto& arc : m_graph.upArcs(vertex))
        if (live(arc.link)) {
            const std::uint16_t above = any(arc.to);
            if (above != kFar && above + 1 < best) best = std::uint16_t(above + 1);
        }
    m_anyEpoch[vertex] = m_now;
    return m_any[vertex] = best;
}

} // namespace fabric
} // namespace hw::sim
