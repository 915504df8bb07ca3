// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/fabric/fabric_state.h"

namespace hw::sim {
inline namespace fabric {

/// Distances, in switch-to-switch links, to a set of access switches over ways that never climb again once they went down, as
/// routing in a Clos has it (a ToR is no transit). Links between switches of one level may be used at any place. Aiming costs what
/// lies above the destination; distances from elsewhere are found when asked for. `graph` must outlive it; one thread at a time.
class PathField {
public:
    static constexpr std::uint16_t kFar = 0xFFFF; ///< no way

    explicit PathField(const FabricGraph& graph);

    /// Over what is up in `state`, or over everything when it is null. `state` must stay as it is until the next aim.
    void aimAt(std::span<const std::uint32_t> destinations, const FabricState* state);
    [[nodiscard]] std::uint16_t down(std::uint32_t vertex) const { return m_downEpoch[vertex] == m_now ? m_down[vertex] : kFar; } ///< not climbing
    [[nodiscard]] std::uint16_t any(std::uint32_t vertex);                                                                        ///< climbing first
    /// Distance left, by whether the flow may still climb.
    [[nodiscard]] std::uint16_t from(std::uint32_t vertex, bool mayClimb) { return mayClimb ? any(vertex) : down(vertex); }

private:
    [[nodiscard]] bool live(DirectedLink link) const { return !m_state || m_state->up(link); }
    void spreadUp();
    void spreadDown();

    const FabricGraph& m_graph;
    const FabricState* m_state = nullptr;
    std::vector<std::uint16_t> m_down, m_any;
    std::vector<std::uint32_t> m_downEpoch, m_anyEpoch, m_queue;
    std::uint32_t m_now = 0;
};

} // namespace fabric
} // namespace hw::sim
