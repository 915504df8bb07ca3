// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/engine/fabric_graph.h"

#include <numeric>

namespace hw::sim {

FabricGraph::FabricGraph(const Snapshot& s, NetworkId network)
{
    const std::uint32_t devices = s.devices.nextId();
    std::vector<std::uint32_t> vertex(devices, kNone);
    std::vector<std::uint8_t> isServer(devices, 0);
    std::uint32_t switches = 0;
    s.devices.forEach([&](DeviceId id) {
        const TierId tier = s.devices.tier[id];
        if (s.tiers.kind[tier] == TierKind::Server) isServer[id.value] = 1;
        else if (s.tiers.network[tier] == network) vertex[id.value] = switches++;
    });

    m_capacity.assign(std::size_t(s.links.nextId()) * 2, 0.0f);
    m_serverIsTo.assign(s.links.nextId(), 0);
    std::vector<std::uint32_t> linkOfPort(s.ports.nextId(), kNone);
    m_arcStart.assign(switches + 1, 0);
    const auto ends = [&](LinkId id) { return std::pair(s.ports.device[s.links.from[id]].value, s.ports.device[s.links.to[id]].value); };
    const auto wanted = [&](LinkId id) { return s.ports.medium[s.links.from[id]] == Medium::Data && s.ports.network[s.links.from[id]] == network; };
    s.links.forEach([&](LinkId id) {
        if (!wanted(id)) return;
        const auto [a, b] = ends(id);
        m_capacity[2 * id.value] = m_capacity[2 * id.value + 1] = float(s.ports.rate[s.links.from[id]].count());
        linkOfPort[s.links.from[id].value] = linkOfPort[s.links.to[id].value] = id.value;
        m_serverIsTo[id.value] = isServer[b] && !isServer[a];
        if (vertex[a] != kNone && vertex[b] != kNone) ++m_arcStart[vertex[a] + 1], ++m_arcStart[vertex[b] + 1];
    });
    std::partial_sum(m_arcStart.begin(), m_arcStart.end(), m_arcStart.begin());
    m_arcs.resize(m_arcStart.back());
    auto fill = m_arcStart;
    s.links.forEach([&](LinkId id) {
        if (!wanted(id)) return;
        const auto [a, b] = ends(id);
        if (vertex[a] == kNone || vertex[b] == kNone) return;
        m_arcs[fill[vertex[a]]++] = {vertex[b], 2 * id.value};
        m_arcs[fill[vertex[b]]++] = {vertex[a], 2 * id.value + 1};
    });

    // Host ports by server: ports of one device follow each other in the order of their NICs.
    m_portStart.assign(devices + 1, 0);
    const auto hostPort = [&](PortId p) { return isServer[s.ports.device[p].value] && s.ports.role[p] == PortRole::Host && s.ports.network[p] == network; };
    s.ports.forEach([&](PortId p) {
        if (hostPort(p)) ++m_portStart[s.ports.device[p].value + 1];
    });
    std::partial_sum(m_portStart.begin(), m_portStart.end(), m_portStart.begin());
    m_ports.resize(m_portStart.back());
    s.ports.forEach([&](PortId p) {
        if (!hostPort(p) || linkOfPort[p.value] == kNone) return;
        const std::uint32_t server = s.ports.device[p].value;
        const std::uint32_t place = m_portStart[server] + s.ports.number[p];
        if (place >= m_portStart[server + 1]) return;
        const LinkId link(linkOfPort[p.value]);
        const auto [a, b] = ends(link);
        m_ports[place] = {vertex[a == server ? b : a], link};
    });
}

std::span<const FabricGraph::HostPort> FabricGraph::hostPorts(DeviceId server) const
{
    return {m_ports.data() + m_portStart[server.value], m_ports.data() + m_portStart[server.value + 1]};
}

} // namespace hw::sim
