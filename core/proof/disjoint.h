// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/proof/graph.h"

namespace hw::proof {

/// Paths between two NICs that share no cable, or no switch, and the smallest cut between them (Menger
/// 1927: as many), by augmenting paths on the whole graph. A pair has few ports, so few searches find all.
/// Made once per network; pairs follow each other.
class DisjointPaths {
public:
    enum class Sharing { NoCable, NoSwitch };
    DisjointPaths(const Graph& graph, Sharing sharing);

    /// Between one NIC of each group; of the same group between two of it.
    [[nodiscard]] std::int64_t between(std::uint32_t a, std::uint32_t b);
    /// A smallest cut of the pair just solved, the one nearest to its first NIC, by name: as many entries
    /// as `between` said, a cable as "tor1 - agg3". Where switches are wanted and two end devices are
    /// joined directly, that cable is an entry.
    [[nodiscard]] std::vector<std::string> cut() const;

private:
    struct Edge { std::uint32_t to = 0, reverse = 0; std::int32_t capacity = 0; };
    struct Pair { std::uint32_t a = 0, b = 0; std::int32_t there = 0, back = 0; };
    struct End { std::uint32_t node = 0; std::int32_t capacity = 0, full = 0; };

    void addEdges(std::span<const Pair> pairs, std::uint32_t nodes);
    void restore();
    void setCapacity(std::uint32_t edge, std::int32_t capacity);
    void limitDirectCables();
    [[nodiscard]] std::vector<End> ends(std::uint32_t group, bool source) const;
    [[nodiscard]] End* search(); ///< the sink reached, or null
    void augment(End& sink);
    [[nodiscard]] std::string cableName(std::uint32_t u, std::uint32_t v) const { return m_graph.vertexName(u) + " - " + m_graph.vertexName(v); }

    const Graph& m_graph;
    bool m_split; ///< a vertex is two nodes, 2v in and 2v + 1 out, joined by an edge that carries one path
    std::vector<std::uint32_t> m_start;
    std::vector<Edge> m_edges;
    std::vector<std::int32_t> m_full;     ///< capacities at rest
    std::vector<std::uint32_t> m_touched; ///< edges that may differ from it
    std::vector<End> m_sources, m_sinks;
    std::uint32_t m_a = 0, m_b = 0;
    std::vector<std::uint32_t> m_seen, m_from, m_queue; ///< by node: search that saw it, edge that led there
    std::uint32_t m_search = 0;
};

} // namespace hw::proof
