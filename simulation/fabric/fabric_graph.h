// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/snapshot.h"
#include "simulation/fabric/routing_options.h"

#include <array>
#include <span>
#include <vector>

namespace hw::sim {
inline namespace fabric {

/// Directed link: 2 × LinkId + 0 from the lower to the higher end, + 1 back. Peer links that a variant adds follow after the last LinkId.
using DirectedLink = std::uint32_t;

struct FabricOptions {
    FabricVariant variant = FabricVariant::AsDesigned;
    int portsPerNic = 2;    ///< following ports of a server that make one NIC; 0: all of them
    double peerGbps = 1600; ///< of the link inside a stack (assumed)
    /// Networks that belong to it, too. With any, whatever is no switch is an end like a server: storage nodes, gateways.
    std::vector<NetworkId> joined = {};
};

/// One network as dense arrays: switches as vertices with their out-going directed links, and every
/// server's ports in the order of the server's NICs. Immutable; what is dead stands in FabricState.
class FabricGraph {
public:
    FabricGraph(const Snapshot& snapshot, NetworkId network, FabricOptions options = {});

    struct Arc {
        std::uint32_t to = 0;
        DirectedLink link = 0;
    };
    struct HostPort {
        std::uint32_t access = kNone;
        LinkId link;
    }; ///< switch that it is cabled to; kNone if not cabled
    struct Switch {
        DeviceId device;
        std::int16_t level = 0, pod = -1, segment = -1, rail = -1, plane = -1;
    };

    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;
    [[nodiscard]] std::uint32_t switchCount() const { return std::uint32_t(m_switches.size()); }
    [[nodiscard]] const Switch& at(std::uint32_t vertex) const { return m_switches[vertex]; }
    [[nodiscard]] std::uint32_t vertexOf(DeviceId device) const
    {
        return device.value < m_vertex.size() ? m_vertex[device.value] : kNone;
    }                                                                                                  ///< kNone: not a switch of this network
    [[nodiscard]] std::span<const Arc> arcs(std::uint32_t v) const { return range(3 * v, 3 * v + 3); } ///< up, peer, down; each by link
    [[nodiscard]] std::span<const Arc> upArcs(std::uint32_t v) const { return range(3 * v, 3 * v + 1); }
    [[nodiscard]] std::span<const Arc> peerArcs(std::uint32_t v) const { return range(3 * v + 1, 3 * v + 2); }
    [[nodiscard]] std::span<const Arc> downArcs(std::uint32_t v) const { return range(3 * v + 2, 3 * v + 3); }
    [[nodiscard]] bool hasPeers() const { return m_hasPeers; } ///< links between switches of one level
    [[nodiscard]] std::span<const LinkId> hostLinks(std::uint32_t vertex) const
    {
        return {m_hostLinks.data() + m_hostStart[vertex], m_hostLinks.data() + m_hostStart[vertex + 1]};
    }
    [[nodiscard]] std::span<const HostPort> hostPorts(DeviceId server) const;
    /// Ports of NIC `nic` (from 0) of a server; empty when it has no such NIC.
    [[nodiscard]] std::span<const HostPort> nicPorts(DeviceId server, int nic) const;
    [[nodiscard]] int portsPerNic() const { return m_options.portsPerNic; }
    [[nodiscard]] const FabricOptions& options() const { return m_options; }
    [[nodiscard]] std::uint32_t partner(std::uint32_t vertex) const { return m_partner[vertex]; } ///< the other ToR of this one's NICs, or kNone

    [[nodiscard]] std::uint32_t directedCount() const { return std::uint32_t(m_capacity.size()); }
    [[nodiscard]] std::uint32_t designedCount() const { return m_designed; } ///< of them links of the design; those that a variant adds follow
    [[nodiscard]] const std::vector<float>& capacityGbps() const { return m_capacity; }         ///< by directed link, 0 outside this network
    [[nodiscard]] std::uint32_t tail(DirectedLink l) const { return m_ends[l / 2][l % 2]; }     ///< sending switch; kNone: a server
    [[nodiscard]] std::uint32_t head(DirectedLink l) const { return m_ends[l / 2][1 - l % 2]; } ///< receiving switch; kNone: a server
    /// The link in the direction from the server to the switch, and back.
    [[nodiscard]] DirectedLink upward(const HostPort& port) const { return 2 * port.link.value + (m_ends[port.link.value][0] != kNone); }
    [[nodiscard]] DirectedLink downward(const HostPort& port) const { return upward(port) ^ 1u; }

private:
    struct Cabled {
        std::uint32_t link, a, b;
    }; ///< vertices of a link between switches
    [[nodiscard]] std::span<const Arc> range(std::uint32_t from, std::uint32_t to) const
    {
        return {m_arcs.data() + m_arcStart[from], m_arcs.data() + m_arcStart[to]};
    }
    [[nodiscard]] bool isOf(Maybe<NetworkId> network, NetworkId own) const;
    [[nodiscard]] bool isEnd(const Snapshot& s, DeviceId device) const;
    void indexSwitches(const Snapshot& s, NetworkId network);
    void indexLinks(const Snapshot& s, NetworkId network, std::vector<Cabled>& cabled);
    void indexHostPorts(const Snapshot& s, NetworkId network);
    void indexHostLinks();
    void pairAccessSwitches();
    void joinPlanes(const Snapshot& s, NetworkId network, std::vector<Cabled>& cabled);
    void keepFirstPorts();
    void stackPairs(std::vector<Cabled>& cabled);
    void fillArcs(const std::vector<Cabled>& cabled);

    FabricOptions m_options;
    std::vector<Switch> m_switches;
    std::vector<std::uint32_t> m_vertex;   ///< by device
    std::vector<std::uint32_t> m_arcStart; ///< by vertex: up, peer, down
    std::vector<Arc> m_arcs;
    std::vector<std::uint32_t> m_portStart, m_hostStart; ///< by device; by vertex
    std::vector<HostPort> m_ports;
    std::vector<LinkId> m_hostLinks;
    std::vector<std::uint32_t> m_partner;
    std::vector<std::array<std::uint32_t, 2>> m_ends; ///< by link: vertices of its `from` and `to` end
    std::vector<float> m_capacity;
    std::uint32_t m_designed = 0;
    bool m_hasPeers = false;
};

} // namespace fabric
} // namespace hw::sim
