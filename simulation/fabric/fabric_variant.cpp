// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/fabric/fabric_graph.h"

#include <bit>
#include <map>
#include <tuple>

namespace hw::sim {
inline namespace fabric {

/// The first NIC that two access switches share makes them partners.
void FabricGraph::pairAccessSwitches()
{
    m_partner.assign(switchCount(), kNone);
    const auto perNic = std::size_t(m_options.portsPerNic);
    if (perNic < 2) return;
    for (std::size_t device = 0; device + 1 < m_portStart.size(); ++device)
        for (std::size_t p = m_portStart[device]; p + perNic <= m_portStart[device + 1]; p += perNic) {
            const std::uint32_t a = m_ports[p].access, b = m_ports[p + 1].access;
            if (a == kNone || b == kNone || a == b || m_partner[a] != kNone || m_partner[b] != kNone) continue;
            m_partner[a] = b;
            m_partner[b] = a;
        }
}

namespace {

/// Which of the planes' switches at place i serve a rail. With two planes and 2^k rails the halves are those of the Walsh functions, one
/// after the other: every switch serves half of the rails, and any two rails meet at three switches of seven (for 8 rails).
/// Otherwise rails are shared out in blocks.
int planeOf(int rail, std::uint32_t place, int planes, int rails)
{
    if (planes != 2 || !std::has_single_bit(unsigned(rails))) return rail * planes / rails;
    return std::popcount(unsigned(rail) & (1u + place % unsigned(rails - 1))) % 2;
}

} // namespace

/// Uplink i of a ToR keeps its place but not its plane: both ToRs of a NIC go to the same switches above, and each of these keeps its
/// number of ports.
void FabricGraph::joinPlanes(const Snapshot& s, NetworkId network, std::vector<Cabled>& cabled)
{
    const int planes = s.networks.planes[network], rails = s.networks.rails[network];
    if (planes < 2 || rails < planes) return;
    std::map<std::tuple<int, int, int>, std::vector<std::uint32_t>> members; // level, pod, plane
    std::vector<std::uint32_t> place(switchCount(), 0);
    for (std::uint32_t v = 0; v < switchCount(); ++v) {
        auto& group = members[{m_switches[v].level, m_switches[v].pod, m_switches[v].plane}];
        place[v] = std::uint32_t(group.size());
        group.push_back(v);
    }
    for (Cabled& c : cabled) {
        const Switch &low = m_switches[c.a], &high = m_switches[c.b];
        if (low.rail < 0 || low.plane < 0 || high.plane < 0 || high.level <= low.level) continue;
        const auto group = members.find({high.level, high.pod, planeOf(low.rail, place[c.b], planes, rails)});
        if (group == members.end() || place[c.b] >= group->second.size()) continue;
        c.b = group->second[place[c.b]];
        m_ends[c.link][1] = c.b;
    }
}

void FabricGraph::keepFirstPorts()
{
    const auto perNic = std::size_t(m_options.portsPerNic);
    for (std::size_t device = 0; device + 1 < m_portStart.size(); ++device)
        for (std::size_t p = m_portStart[device]; p + perNic <= m_portStart[device + 1]; p += perNic)
            for (std::size_t other = p + 1; other < p + perNic; ++other) {
                if (m_ports[other].access == kNone || m_ports[p].access == kNone) continue;
                const std::uint32_t kept = 2 * m_ports[p].link.value, gone = 2 * m_ports[other].link.value;
                for (std::uint32_t way = 0; way < 2; ++way) m_capacity[kept + way] += m_capacity[gone + way], m_capacity[gone + way] = 0;
                m_ports[other] = {};
            }
}

void FabricGraph::stackPairs(std::vector<Cabled>& cabled)
{
    for (std::uint32_t v = 0; v < switchCount(); ++v) {
        if (m_partner[v] == kNone || m_partner[v] < v) continue;
        const auto link = std::uint32_t(m_ends.size());
        m_ends.push_back({v, m_partner[v]});
        m_capacity.insert(m_capacity.end(), 2, float(m_options.peerGbps));
        cabled.push_back({link, v, m_partner[v]});
    }
}

} // namespace fabric
} // namespace hw::sim
