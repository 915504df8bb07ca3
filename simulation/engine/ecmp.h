// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/engine/fabric_graph.h"

#include <optional>

namespace hw::sim {

/// Shortest ways through the switches with a hash choosing among equal ones at every hop, as routers
/// do (ECMP). The hash mixes the flow's identity with a seed of each tier's own distance, so that
/// successive tiers do not repeat one choice. Deterministic for a seed. One thread at a time.
class EcmpRouter {
public:
    EcmpRouter(const FabricGraph& graph, std::uint64_t seed);

    /// Prepares ways to one access switch, as far as needed for `sources` (access switches).
    void aimAt(std::uint32_t destination, std::span<const std::uint32_t> sources);
    /// Hops from an access switch to the aim; nothing when it cannot be reached (another plane).
    [[nodiscard]] std::optional<int> distance(std::uint32_t source) const;
    /// Appends the directed links from `source` to the aim.
    void walk(std::uint32_t source, std::uint64_t flowHash, std::vector<DirectedLink>& out) const;

private:
    const FabricGraph& m_graph;
    std::uint64_t m_seed;
    std::vector<std::int32_t> m_distance;      ///< valid where m_epoch is the current one
    std::vector<std::uint32_t> m_epoch, m_queue, m_wanted;
    std::uint32_t m_now = 0;
};

/// Mixes 64 bits (Steele, Lea, Flood: SplitMix64).
[[nodiscard]] std::uint64_t mix(std::uint64_t x);

} // namespace hw::sim
