// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/fabric/fabric_state.h"

#include <algorithm>

namespace hw::sim {
inline namespace fabric {

FabricState::FabricState(const FabricGraph& graph)
    : m_graph(&graph), m_down(graph.directedCount() / 2, 0), m_switchUp(graph.switchCount(), 1), m_share(graph.directedCount() / 2, 1.0f)
{
}

void FabricState::setLink(LinkId link, bool up)
{
    if (link.value >= m_down.size() || m_graph->capacityGbps()[2 * link.value] <= 0 || linkUp(link) == up) return;
    m_down[link.value] ^= kLinkItself;
    count(up);
}

void FabricState::setOneWay(DirectedLink link, bool up)
{
    if (link / 2 >= m_down.size() || m_graph->capacityGbps()[link] <= 0 || ((m_down[link / 2] & kOneWay[link % 2]) == 0) == up) return;
    m_down[link / 2] ^= kOneWay[link % 2];
    count(up);
}

void FabricState::setSwitch(std::uint32_t vertex, bool up)
{
    if (switchUp(vertex) == up) return;
    m_switchUp[vertex] = up;
    count(up);
    const auto step = std::uint8_t(up ? -1 : 1);
    for (const auto& arc : m_graph->arcs(vertex)) m_down[arc.link / 2] = std::uint8_t(m_down[arc.link / 2] + step);
    for (const LinkId link : m_graph->hostLinks(vertex)) m_down[link.value] = std::uint8_t(m_down[link.value] + step);
}

void FabricState::setShare(LinkId link, double share)
{
    if (link.value < m_share.size()) m_share[link.value] = float(std::clamp(share, 0.0, 1.0));
}

std::vector<double> FabricState::capacities() const
{
    std::vector<double> result(m_graph->directedCount());
    for (DirectedLink l = 0; l < result.size(); ++l) result[l] = capacityGbps(l);
    return result;
}

} // namespace fabric
} // namespace hw::sim
