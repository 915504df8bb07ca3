// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/proof/paths.h"

#include <algorithm>

namespace hw::proof {

void PathTree::grow(const Graph& graph, std::span<const std::uint32_t> start)
{
    m_distance.assign(graph.vertexCount(), kFar);
    m_paths.assign(graph.vertexCount(), 0);
    m_queue.assign(start.begin(), start.end());
    for (const auto v : start) m_distance[v] = 0, m_paths[v] = 1;
    for (std::size_t head = 0; head < m_queue.size(); ++head) {
        const auto v = m_queue[head];
        for (const auto& arc : graph.arcs(v)) {
            if (m_distance[arc.to] == kFar) m_distance[arc.to] = m_distance[v] + 1, m_queue.push_back(arc.to);
            if (m_distance[arc.to] == m_distance[v] + 1)
                m_paths[arc.to] = saturatingSum(m_paths[arc.to], saturatingProduct(m_paths[v], std::uint64_t(arc.cables)));
        }
    }
}

void PathCounter::aimFrom(std::uint32_t group)
{
    m_source = group;
    const auto attachments = m_graph.attachments(m_graph.groups()[group]);
    m_trees.resize(attachments.size());
    for (std::size_t i = 0; i < attachments.size(); ++i) m_trees[i].grow(m_graph, std::span(&attachments[i].vertex, 1));
}

/// A NIC of a forwarding device is that device: its own cables are no choice.
PathCount PathCounter::to(std::uint32_t group) const
{
    const auto cables = [](const Graph::Attachment& a) { return a.own ? 1 : std::uint64_t(a.cables); };
    const auto from = m_graph.attachments(m_graph.groups()[m_source]), ends = m_graph.attachments(m_graph.groups()[group]);
    PathCount result;
    std::uint32_t best = PathTree::kFar;
    for (std::size_t i = 0; i < from.size(); ++i) {
        std::uint32_t nearest = PathTree::kFar;
        for (const auto& end : ends) nearest = std::min(nearest, m_trees[i].distance(end.vertex));
        if (nearest == PathTree::kFar) continue;
        std::uint64_t own = 0;
        for (const auto& end : ends)
            if (m_trees[i].distance(end.vertex) == nearest) own = saturatingSum(own, saturatingProduct(m_trees[i].paths(end.vertex), cables(end)));
        result.leastPerPort = result.reachable ? std::min(result.leastPerPort, own) : own;
        result.mostPerPort = std::max(result.mostPerPort, own);
        result.reachable = true;
        const std::uint64_t all = saturatingProduct(cables(from[i]), own);
        if (nearest < best) best = nearest, result.paths = 0;
        if (nearest == best) result.paths = saturatingSum(result.paths, all);
    }
    if (result.reachable) result.hops = best + 1;
    return result;
}

namespace {

/// Most choices from a vertex down to the target, by vertex, filled outwards from the target.
struct Ways {
    std::vector<std::int64_t> choices;
    std::vector<std::uint64_t> product;
    std::vector<std::uint32_t> next;
};

Ways waysTo(const Graph& graph, std::span<const Graph::Attachment> ends, const PathTree& tree)
{
    std::vector<std::uint32_t> order;
    for (std::uint32_t v = 0; v < graph.vertexCount(); ++v)
        if (tree.distance(v) != PathTree::kFar) order.push_back(v);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t v) { return tree.distance(v); });
    Ways ways{std::vector<std::int64_t>(graph.vertexCount(), 0), std::vector<std::uint64_t>(graph.vertexCount(), 0),
              std::vector<std::uint32_t>(graph.vertexCount(), kNone)};
    for (const auto& end : ends) {
        ways.choices[end.vertex] = end.own ? 1 : end.cables;
        ways.product[end.vertex] = std::uint64_t(ways.choices[end.vertex]);
    }
    for (const auto v : order) {
        if (tree.distance(v) == 0) continue;
        for (const auto& arc : graph.arcs(v)) {
            if (tree.distance(arc.to) + 1 != tree.distance(v)) continue;
            ways.choices[v] += arc.cables;
            if (ways.next[v] == kNone || ways.product[arc.to] > ways.product[ways.next[v]]) ways.next[v] = arc.to;
        }
        ways.product[v] = saturatingProduct(std::uint64_t(ways.choices[v]), ways.product[ways.next[v]]);
    }
    return ways;
}

std::int64_t portsOf(const Graph& graph, std::uint32_t vertex, const std::vector<std::int64_t>& down)
{
    std::int64_t ports = down[vertex];
    for (const auto& arc : graph.arcs(vertex)) ports += arc.cables;
    return ports;
}

} // namespace

std::vector<Hop> choicesOnTheWay(const Graph& graph, std::uint32_t source, std::uint32_t target)
{
    const auto ends = graph.attachments(graph.groups()[target]);
    std::vector<std::uint32_t> start;
    for (const auto& end : ends) start.push_back(end.vertex);
    PathTree tree;
    tree.grow(graph, start);
    const Ways ways = waysTo(graph, ends, tree);
    std::vector<std::int64_t> down(graph.vertexCount(), 0);
    for (const auto& g : graph.groups())
        for (const auto& a : graph.attachments(g)) down[a.vertex] += std::int64_t(a.cables) * g.nics();
    std::vector<Hop> hops;
    for (const auto& from : graph.attachments(graph.groups()[source])) {
        if (tree.distance(from.vertex) == PathTree::kFar) continue;
        for (auto v = from.vertex; v != kNone; v = ways.next[v]) {
            const auto next = ways.next[v];
            hops.push_back({v, ways.choices[v], portsOf(graph, v, down), next != kNone && graph.vertex(next).level > graph.vertex(v).level});
        }
        break;
    }
    return hops;
}

} // namespace hw::proof
