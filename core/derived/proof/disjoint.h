// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/proof/graph.h"

namespace hw::proof {

/// Paths between two NICs that share no cable, or no switch, and the smallest cut between them (Menger
/// 1927: as many), by augmenting paths on the whole graph, searched from both ends at once. A pair has few
/// ports, so few searches find all. Made once per network; pairs follow each other.
class DisjointPaths {
public:
    enum class Sharing { NoCableReason, NoSwitch };
    DisjointPaths(const Graph& graph, Sharing sharing);

    /// Between one NIC of each group; of the same group between two of it.
    [[nodiscard]] std::int64_t between(std::uint32_t a, std::uint32_t b);
    /// A smallest cut of the pair just solved, the one nearest to its first NIC, by name: as many entries
    /// as `between` said, a cable as "tor1 - agg3". Where switches are wanted and two end devices are
    /// joined directly, that cable is an entry.
    [[nodiscard]] std::vector<std::string> cut() const;
    [[nodiscard]] std::uint64_t work() const { return m_work; } ///< edges looked at so far

private:
    struct Edge {
        std::uint32_t to = 0, reverse = 0;
        std::int32_t capacity = 0;
    };
    struct Pair {
        std::uint32_t a = 0, b = 0;
        std::int32_t there = 0, back = 0;
    };
    struct End {
        std::uint32_t node = 0;
        std::int32_t capacity = 0, full = 0;
    };
    /// One end's share of a search: by node, which search saw it and by which edge.
    struct Side {
        std::vector<std::uint32_t> seen, edge, queue;
        std::size_t head = 0;
    };

    void addEdges(std::span<const Pair> pairs, std::uint32_t nodes);
    void restore();
    void setCapacity(std::uint32_t edge, std::int32_t capacity);
    void limitDirectCables();
    [[nodiscard]] std::vector<End> ends(std::uint32_t group, bool source) const;
    [[nodiscard]] std::uint32_t search(); ///< a node on a free path, or kNone
    [[nodiscard]] bool visit(Side& side, const Side& other, std::uint32_t node, std::uint32_t edge);
    void augment(std::uint32_t meeting);
    [[nodiscard]] std::vector<std::uint8_t> reachable() const; ///< by node: from the sources, on what is left
    [[nodiscard]] std::string cableName(std::uint32_t u, std::uint32_t v) const { return m_graph.vertexName(u) + " - " + m_graph.vertexName(v); }

    const Graph& m_graph;
    bool m_split; ///< a vertex is two nodes, 2v in and 2v + 1 out, joined by an edge that carries one path
    std::vector<std::uint32_t> m_start;
    std::vector<Edge> m_edges;
    std::vector<std::int32_t> m_full;     ///< capacities at rest
    std::vector<std::uint32_t> m_touched; ///< edges that may differ from it
    std::vector<End> m_sources, m_sinks;
    std::uint32_t m_a = 0, m_b = 0;
    Side m_forward, m_backward; ///< edges that led to a node; edges that lead on from it
    std::uint32_t m_search = 0;
    std::uint64_t m_work = 0;
};

} // namespace hw::proof
