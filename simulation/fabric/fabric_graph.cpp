// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/fabric/fabric_graph.h"

#include "core/derived/topology/port_links.h"

#include <algorithm>
#include <numeric>

namespace hw::sim {
inline namespace fabric {

FabricGraph::FabricGraph(const Snapshot& s, NetworkId network, FabricOptions options) : m_options(options)
{
    std::vector<Cabled> cabled;
    indexSwitches(s, network);
    indexLinks(s, network, cabled);
    indexHostPorts(s, network);
    pairAccessSwitches();
    switch (options.variant) {
    case FabricVariant::AsDesigned: break;
    case FabricVariant::SinglePlane: joinPlanes(s, network, cabled); break;
    case FabricVariant::SingleToR:
        keepFirstPorts();
        m_partner.assign(switchCount(), kNone); // no NIC is on two switches any more
        break;
    case FabricVariant::StackedToR: stackPairs(cabled); break;
    }
    indexHostLinks();
    fillArcs(cabled);
}

bool FabricGraph::isOf(Maybe<NetworkId> network, NetworkId own) const
{
    return network && (*network == own || std::ranges::find(m_options.joined, *network) != m_options.joined.end());
}

bool FabricGraph::isEnd(const Snapshot& s, DeviceId device) const
{
    const TierKind kind = s.tiers.kind[s.devices.tier[device]];
    return kind == TierKind::Server || (!m_options.joined.empty() && kind != TierKind::Switch);
}

void FabricGraph::indexSwitches(const Snapshot& s, NetworkId network)
{
    m_vertex.assign(s.devices.nextId(), kNone);
    s.devices.forEach([&](DeviceId id) {
        const TierId tier = s.devices.tier[id];
        if (isEnd(s, id) || !isOf(s.tiers.network[tier], network)) return;
        m_vertex[id.value] = std::uint32_t(m_switches.size());
        m_switches.push_back({id, s.tiers.level[tier], s.devices.pod[id], s.devices.segment[id], s.devices.rail[id], s.devices.plane[id]});
    });
}

void FabricGraph::indexLinks(const Snapshot& s, NetworkId network, std::vector<Cabled>& cabled)
{
    m_capacity.assign(std::size_t(s.links.nextId()) * 2, 0.0f);
    m_ends.assign(s.links.nextId(), {kNone, kNone});
    m_designed = s.links.nextId() * 2;
    const auto index = [&](LinkId id, PortId from, PortId to) {
        const std::uint32_t a = m_vertex[s.ports.device[from].value], b = m_vertex[s.ports.device[to].value];
        m_ends[id.value] = {a, b};
        m_capacity[2 * id.value] = m_capacity[2 * id.value + 1] = float(s.ports.rate[from].count());
        if (a != kNone && b != kNone) cabled.push_back({id.value, a, b});
    };
    eachDataLink(s, network, index);
    for (const NetworkId other : m_options.joined)
        if (other != network) eachDataLink(s, other, index);
    if (!m_options.joined.empty()) std::ranges::sort(cabled, {}, &Cabled::link);
}

/// Host ports by server: ports of one device follow each other in the order of their NICs.
void FabricGraph::indexHostPorts(const Snapshot& s, NetworkId network)
{
    const auto hostPort = [&](PortId p) {
        return isOf(s.ports.network[p], network) && isEnd(s, s.ports.device[p]) &&
               (s.ports.role[p] == PortRole::Host || (!m_options.joined.empty() && s.ports.medium[p] == Medium::Data));
    };
    m_portStart.assign(s.devices.nextId() + 1, 0);
    std::vector<PortId> ports;
    s.ports.forEach([&](PortId p) {
        if (!hostPort(p)) return;
        ++m_portStart[s.ports.device[p].value + 1];
        ports.push_back(p);
    });
    std::partial_sum(m_portStart.begin(), m_portStart.end(), m_portStart.begin());
    m_ports.resize(m_portStart.back());
    const auto linkOfPort = linksByPort(s);
    std::vector<std::uint32_t> next(m_options.joined.empty() ? 0 : s.devices.nextId(), 0); // numbers count within a network and role
    for (const PortId p : ports) {
        const std::uint32_t server = s.ports.device[p].value, link = linkOfPort[p.value];
        const std::uint32_t place = m_portStart[server] + (next.empty() ? s.ports.number[p] : next[server]++);
        if (place >= m_portStart[server + 1] || link == kNoLink) continue;
        const auto [a, b] = m_ends[link];
        m_ports[place] = {a != kNone ? a : b, LinkId(link)};
    }
}

void FabricGraph::indexHostLinks()
{
    m_hostStart.assign(switchCount() + 1, 0);
    for (const HostPort& port : m_ports)
        if (port.access != kNone) ++m_hostStart[port.access + 1];
    std::partial_sum(m_hostStart.begin(), m_hostStart.end(), m_hostStart.begin());
    m_hostLinks.resize(m_hostStart.back());
    auto fill = m_hostStart;
    for (const HostPort& port : m_ports)
        if (port.access != kNone) m_hostLinks[fill[port.access]++] = port.link;
}

void FabricGraph::fillArcs(const std::vector<Cabled>& cabled)
{
    const auto group = [&](std::uint32_t from, std::uint32_t to) {
        const auto a = m_switches[from].level, b = m_switches[to].level;
        return 3 * from + (b > a ? 0u : b == a ? 1u : 2u);
    };
    m_arcStart.assign(std::size_t(switchCount()) * 3 + 1, 0);
    for (const Cabled& c : cabled) {
        ++m_arcStart[group(c.a, c.b) + 1], ++m_arcStart[group(c.b, c.a) + 1];
        m_hasPeers = m_hasPeers || m_switches[c.a].level == m_switches[c.b].level;
    }
    std::partial_sum(m_arcStart.begin(), m_arcStart.end(), m_arcStart.begin());
    m_arcs.resize(m_arcStart.back());
    auto fill = m_arcStart;
    for (const Cabled& c : cabled) {
        m_arcs[fill[group(c.a, c.b)]++] = {c.b, 2 * c.link};
        m_arcs[fill[group(c.b, c.a)]++] = {c.a, 2 * c.link + 1};
    }
}

std::span<const FabricGraph::HostPort> FabricGraph::hostPorts(DeviceId server) const
{
    return {m_ports.data() + m_portStart[server.value], m_ports.data() + m_portStart[server.value + 1]};
}

std::span<const FabricGraph::HostPort> FabricGraph::nicPorts(DeviceId server, int nic) const
{
    const auto all = hostPorts(server);
    if (m_options.portsPerNic == 0) return nic == 0 ? all : std::span<const HostPort>();
    const std::size_t first = std::size_t(nic) * std::size_t(m_options.portsPerNic);
    return nic < 0 || first + std::size_t(m_options.portsPerNic) > all.size() ? std::span<const HostPort>()
                                                                              : all.subspan(first, std::size_t(m_options.portsPerNic));
}

} // namespace fabric
} // namespace hw::sim
