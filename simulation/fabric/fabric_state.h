// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/fabric/fabric_graph.h"

namespace hw::sim {
inline namespace fabric {

/// What of a fabric is up, and what each link still carries. Copies are cheap enough to keep one for what is and one for what
/// routing believes. `graph` must outlive it.
class FabricState {
public:
    explicit FabricState(const FabricGraph& graph);

    /// Both directions; a port that is down is its link that is down. Links outside this network are ignored.
    void setLink(LinkId link, bool up);
    void setSwitch(std::uint32_t vertex, bool up); ///< with all its links
    void setShare(LinkId link, double share);      ///< degraded to a share (0, 1] of its capacity

    void setOneWay(DirectedLink link, bool up); ///< one direction alone

    [[nodiscard]] bool up(DirectedLink link) const { return (m_down[link / 2] & ~kOneWay[1 - link % 2]) == 0; } ///< with the switches at its ends
    [[nodiscard]] bool switchUp(std::uint32_t vertex) const { return m_switchUp[vertex] != 0; }
    [[nodiscard]] bool linkUp(LinkId link) const { return (m_down[link.value] & kLinkItself) == 0; } ///< the link itself
    [[nodiscard]] double capacityGbps(DirectedLink link) const
    {
        return up(link) ? double(m_graph->capacityGbps()[link]) * double(m_share[link / 2]) : 0.0;
    }
    [[nodiscard]] bool allUp() const { return m_downCount == 0; }
    /// By directed link, in Gb/s; 0 for what is down.
    [[nodiscard]] std::vector<double> capacities() const;
    [[nodiscard]] const FabricGraph& graph() const { return *m_graph; }

private:
    static constexpr std::uint8_t kLinkItself = 0x80;
    static constexpr std::uint8_t kOneWay[2] = {0x20, 0x40}; ///< by direction
    void count(bool up) { up ? --m_downCount : ++m_downCount; }

    const FabricGraph* m_graph;
    std::vector<std::uint8_t> m_down; ///< by link: kLinkItself, kOneWay, and how many of its switches are down
    std::vector<std::uint8_t> m_switchUp;
    std::vector<float> m_share;    ///< by link
    std::uint32_t m_downCount = 0; ///< links and switches that are down themselves
};

} // namespace fabric
} // namespace hw::sim
