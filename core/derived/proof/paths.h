// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/proof/graph.h"

namespace hw::proof {

/// Numbers that a torus or a hypercube may carry past 64 bits stay at the largest value instead.
[[nodiscard]] inline std::uint64_t saturatingProduct(std::uint64_t a, std::uint64_t b)
{
    std::uint64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? ~0ull : result;
}
[[nodiscard]] inline std::uint64_t saturatingSum(std::uint64_t a, std::uint64_t b)
{
    std::uint64_t result = 0;
    return __builtin_add_overflow(a, b, &result) ? ~0ull : result;
}

/// Shortest ways over the vertices from one start, parallel cables counted one by one.
class PathTree {
public:
    static constexpr std::uint32_t kFar = 0xFFFFFFFFu;

    /// From the first vertices (distance 0) to all others; `start` holds distinct vertices.
    void grow(const Graph& graph, std::span<const std::uint32_t> start);
    [[nodiscard]] std::uint32_t distance(std::uint32_t v) const { return m_distance[v]; } ///< hops, kFar if not reached
    [[nodiscard]] std::uint64_t paths(std::uint32_t v) const { return m_paths[v]; }

private:
    std::vector<std::uint32_t> m_distance, m_queue;
    std::vector<std::uint64_t> m_paths;
};

/// Shortest paths between one NIC of a source group and one of a target.
struct PathCount {
    bool reachable = false;
    std::uint32_t hops = 0;                          ///< vertices on the way
    std::uint64_t paths = 0;                         ///< over all ports of the source, of the overall shortest length
    std::uint64_t leastPerPort = 0, mostPerPort = 0; ///< from one port, shortest from there; ports without a way left out
};

/// Counts from one source group at a time.
class PathCounter {
public:
    explicit PathCounter(const Graph& graph) : m_graph(graph) {}
    void aimFrom(std::uint32_t group);
    [[nodiscard]] PathCount to(std::uint32_t group) const;

private:
    const Graph& m_graph;
    std::uint32_t m_source = 0;
    std::vector<PathTree> m_trees; ///< by attachment of the source
};

/// What hashing chooses from at every vertex from `source`'s first port that has a way to the end, along
/// the way with the largest product; `ports`: all cabled ports of that vertex.
struct Hop {
    std::uint32_t vertex = 0;
    std::int64_t choices = 0, ports = 0;
    bool up = false;
};
[[nodiscard]] std::vector<Hop> choicesOnTheWay(const Graph& graph, std::uint32_t source, std::uint32_t target);

} // namespace hw::proof
