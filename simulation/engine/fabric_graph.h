// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/snapshot.h"

#include <span>
#include <vector>

namespace hw::sim {

/// Directed link: 2 × LinkId + 0 from the lower to the higher end, + 1 back.
using DirectedLink = std::uint32_t;

/// One network as dense arrays: switches as vertices with their out-going directed links, and every
/// server's ports in the order of the server's NICs. Made from a snapshot once per run.
class FabricGraph {
public:
    FabricGraph(const Snapshot& snapshot, NetworkId network);

    struct Arc { std::uint32_t to = 0; DirectedLink link = 0; };
    struct HostPort { std::uint32_t access = kNone; LinkId link; }; ///< switch that it is cabled to; kNone if not cabled

    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;
    [[nodiscard]] std::uint32_t switchCount() const { return std::uint32_t(m_arcStart.size() - 1); }
    [[nodiscard]] std::span<const Arc> arcs(std::uint32_t vertex) const { return {m_arcs.data() + m_arcStart[vertex], m_arcs.data() + m_arcStart[vertex + 1]}; }
    [[nodiscard]] std::span<const HostPort> hostPorts(DeviceId server) const;
    [[nodiscard]] const std::vector<float>& capacityGbps() const { return m_capacity; } ///< by directed link, 0 outside this network
    /// The link in the direction from the server to the switch, and back.
    [[nodiscard]] DirectedLink upward(const HostPort& port) const { return 2 * port.link.value + m_serverIsTo[port.link.value]; }
    [[nodiscard]] DirectedLink downward(const HostPort& port) const { return upward(port) ^ 1u; }

private:
    std::vector<std::uint32_t> m_arcStart, m_portStart;
    std::vector<Arc> m_arcs;
    std::vector<HostPort> m_ports;
    std::vector<float> m_capacity;
    std::vector<std::uint8_t> m_serverIsTo; ///< by link: the server stands at the link's `to` end
};

} // namespace hw::sim
