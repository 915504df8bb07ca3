// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/proof/quotient.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace hw::proof {

namespace {

using Signature = std::vector<std::int64_t>;

struct SignatureHash {
    std::size_t operator()(const Signature& s) const
    {
        std::uint64_t hash = s.size();
        for (const auto x : s) hash = (hash ^ std::uint64_t(x)) * 0x9e3779b97f4a7c15ull, hash ^= hash >> 29;
        return hash;
    }
};

/// Colors numbered from 0 in the order of their first vertex.
Partition numbered(std::span<const std::uint32_t> colors)
{
    std::unordered_map<std::uint32_t, std::uint32_t> numbers;
    Partition result;
    result.cell.reserve(colors.size());
    for (const auto c : colors) result.cell.push_back(numbers.try_emplace(c, std::uint32_t(numbers.size())).first->second);
    result.cells = std::uint32_t(numbers.size());
    return result;
}

/// Own cell, then (cell, sum) for every cell that the vertex has arcs to, by cell.
void signatureOf(const Rows& rows, const Partition& p, std::uint32_t v, std::vector<std::int64_t>& sums, std::vector<std::uint32_t>& touched,
                 Signature& out)
{
    touched.clear();
    for (auto i = rows.start[v]; i < rows.start[v + 1]; ++i) {
        const auto cell = p.cell[rows.arcs[i].to];
        if (sums[cell] == 0) touched.push_back(cell);
        sums[cell] += rows.arcs[i].gbps;
    }
    std::ranges::sort(touched);
    out.assign(1, p.cell[v]);
    for (const auto cell : touched) {
        out.push_back(cell);
        out.push_back(std::exchange(sums[cell], 0));
    }
}

Rows switchRows(const Graph& graph)
{
    Rows rows;
    rows.start.push_back(0);
    rows.arcs.reserve(graph.arcCount());
    for (std::uint32_t v = 0; v < graph.vertexCount(); ++v) {
        const auto arcs = graph.arcs(v);
        rows.arcs.insert(rows.arcs.end(), arcs.begin(), arcs.end());
        rows.start.push_back(std::uint32_t(rows.arcs.size()));
    }
    return rows;
}

using Capacity = long;
using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using FlowGraph = boost::adjacency_list<
    boost::vecS, boost::vecS, boost::directedS, boost::no_property,
    boost::property<boost::edge_capacity_t, Capacity,
                    boost::property<boost::edge_residual_capacity_t, Capacity, boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>>;

/// An arc and its reverse without capacity, by which Boost tells the two apart.
void join(FlowGraph& g, std::size_t a, std::size_t b, Capacity capacity)
{
    const auto forth = add_edge(a, b, g).first, reverse = add_edge(b, a, g).first;
    put(boost::edge_capacity, g, forth, capacity);
    put(boost::edge_capacity, g, reverse, 0);
    put(boost::edge_reverse, g, forth, reverse);
    put(boost::edge_reverse, g, reverse, forth);
}

} // namespace

Partition refine(const Rows& rows, std::span<const std::uint32_t> colors)
{
    Partition p = numbered(colors);
    std::vector<std::int64_t> sums;
    std::vector<std::uint32_t> touched;
    Signature signature;
    for (;;) {
        std::unordered_map<Signature, std::uint32_t, SignatureHash> numbers;
        sums.assign(p.cells, 0);
        std::vector<std::uint32_t> next(p.cell.size());
        for (std::uint32_t v = 0; v < p.cell.size(); ++v) {
            signatureOf(rows, p, v, sums, touched, signature);
            next[v] = numbers.try_emplace(signature, std::uint32_t(numbers.size())).first->second;
        }
        const bool done = numbers.size() == p.cells;
        p.cell = std::move(next);
        p.cells = std::uint32_t(numbers.size());
        if (done) return p;
    }
}

Partition classesOf(const Graph& graph)
{
    Rows rows = switchRows(graph);
    std::vector<std::vector<Graph::Arc>> down(graph.vertexCount()); // to groups
    const auto& groups = graph.groups();
    std::vector<std::uint32_t> colors;
    for (std::uint32_t v = 0; v < graph.vertexCount(); ++v) colors.push_back(graph.vertex(v).tier.value * 4);
    for (std::uint32_t g = 0; g < groups.size(); ++g) {
        colors.push_back(groups[g].tier.value * 4 + (groups[g].backup ? 2 : 1));
        for (const auto& a : graph.attachments(groups[g])) down[a.vertex].push_back({graph.vertexCount() + g, a.cables, a.gbps * groups[g].nics()});
    }
    Rows all;
    all.start.push_back(0);
    all.arcs.reserve(rows.arcs.size());
    for (std::uint32_t v = 0; v < graph.vertexCount(); ++v) {
        all.arcs.insert(all.arcs.end(), rows.arcs.begin() + rows.start[v], rows.arcs.begin() + rows.start[v + 1]);
        all.arcs.insert(all.arcs.end(), down[v].begin(), down[v].end());
        all.start.push_back(std::uint32_t(all.arcs.size()));
    }
    for (const auto& g : groups) {
        for (const auto& a : graph.attachments(g)) all.arcs.push_back({a.vertex, a.cables, a.gbps});
        all.start.push_back(std::uint32_t(all.arcs.size()));
    }
    return refine(all, colors);
}

QuotientFlow quotientFlow(const Graph& graph, std::span<const std::int64_t> source, std::span<const std::int64_t> sink)
{
    const Rows rows = switchRows(graph);
    std::map<std::pair<std::int64_t, std::int64_t>, std::uint32_t> ends;
    std::vector<std::uint32_t> colors;
    for (std::size_t v = 0; v < source.size(); ++v)
        colors.push_back(ends.try_emplace({source[v], sink[v]}, std::uint32_t(ends.size())).first->second);
    const Partition p = refine(rows, colors);

    std::map<std::pair<std::uint32_t, std::uint32_t>, Capacity> between;
    std::vector<Capacity> in(p.cells, 0), out(p.cells, 0);
    for (std::uint32_t v = 0; v < graph.vertexCount(); ++v) {
        in[p.cell[v]] += source[v];
        out[p.cell[v]] += sink[v];
        for (const auto& arc : graph.arcs(v))
            if (p.cell[v] < p.cell[arc.to]) between[{p.cell[v], p.cell[arc.to]}] += arc.gbps;
    }
    FlowGraph flow(p.cells + 2);
    const std::size_t s = p.cells, t = p.cells + 1;
    for (const auto& [cells, gbps] : between) {
        join(flow, cells.first, cells.second, gbps);
        join(flow, cells.second, cells.first, gbps);
    }
    for (std::uint32_t c = 0; c < p.cells; ++c) {
        if (in[c] > 0) join(flow, s, c, in[c]);
        if (out[c] > 0) join(flow, c, t, out[c]);
    }
    return {boost::push_relabel_max_flow(flow, s, t), p.cells};
}

} // namespace hw::proof
