// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/proof/disjoint.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace hw::proof {

namespace {
constexpr std::int32_t kUnlimited = 1 << 28;
}

DisjointPaths::DisjointPaths(const Graph& graph, Sharing sharing) : m_graph(graph), m_split(sharing == Sharing::NoSwitch)
{
    std::vector<Pair> pairs;
    for (std::uint32_t v = 0; v < graph.vertexCount(); ++v) {
        if (m_split) pairs.push_back({2 * v, 2 * v + 1, 1, 0});
        for (const auto& arc : graph.arcs(v)) {
            if (m_split)
                pairs.push_back({2 * v + 1, 2 * arc.to, kUnlimited, 0});
            else if (v < arc.to)
                pairs.push_back({v, arc.to, arc.cables, arc.cables}); // against the flow is undoing it
        }
    }
    addEdges(pairs, graph.vertexCount() * (m_split ? 2 : 1));
}

void DisjointPaths::addEdges(std::span<const Pair> pairs, std::uint32_t nodes)
{
    m_start.assign(nodes + 1, 0);
    for (const auto& p : pairs) ++m_start[p.a + 1], ++m_start[p.b + 1];
    std::partial_sum(m_start.begin(), m_start.end(), m_start.begin());
    m_edges.resize(m_start.back());
    auto fill = m_start;
    for (const auto& p : pairs) {
        const auto there = fill[p.a]++, back = fill[p.b]++;
        m_edges[there] = {p.b, back, p.there};
        m_edges[back] = {p.a, there, p.back};
    }
    m_full.reserve(m_edges.size());
    for (const auto& e : m_edges) m_full.push_back(e.capacity);
    for (Side* side : {&m_forward, &m_backward}) {
        side->seen.assign(nodes, 0);
        side->edge.assign(nodes, kNone);
    }
}

void DisjointPaths::setCapacity(std::uint32_t edge, std::int32_t capacity)
{
    m_edges[edge].capacity = capacity;
    m_touched.push_back(edge);
}

void DisjointPaths::restore()
{
    for (const auto e : m_touched) m_edges[e].capacity = m_full[e];
    m_touched.clear();
}

/// A NIC's own cables limit it where cables count. Where switches count only they do, and an end device
/// that forwards does not stand in its own way.
std::vector<DisjointPaths::End> DisjointPaths::ends(std::uint32_t group, bool source) const
{
    std::vector<End> result;
    for (const auto& a : m_graph.attachments(m_graph.groups()[group])) {
        const bool outer = source == a.own; // own source: past its own node; own sink: before it
        const auto node = m_split ? 2 * a.vertex + (outer ? 1 : 0) : a.vertex;
        const auto capacity = m_split || a.own ? kUnlimited : a.cables;
        result.push_back({node, capacity, capacity});
    }
    return result;
}

/// No switch stands between two end devices that are joined directly: their cables are the paths.
void DisjointPaths::limitDirectCables()
{
    for (const auto& a : m_graph.attachments(m_graph.groups()[m_a]))
        for (const auto& b : m_graph.attachments(m_graph.groups()[m_b])) {
            if (!a.own || !b.own) continue;
            for (const auto& arc : m_graph.arcs(a.vertex))
                if (arc.to == b.vertex)
                    for (auto e = m_start[2 * a.vertex + 1]; e < m_start[2 * a.vertex + 2]; ++e)
                        if (m_edges[e].to == 2 * b.vertex) setCapacity(e, arc.cables);
        }
}

std::int64_t DisjointPaths::between(std::uint32_t a, std::uint32_t b)
{
    restore();
    m_a = a, m_b = b;
    m_sources = ends(a, true);
    m_sinks = ends(b, false);
    if (m_split) limitDirectCables();
    for (auto meeting = search(); meeting != kNone; meeting = search()) augment(meeting);
    std::int64_t paths = 0;
    for (const auto& s : m_sources) paths += s.full - s.capacity;
    return paths;
}

/// True where the two sides meet.
bool DisjointPaths::visit(Side& side, const Side& other, std::uint32_t node, std::uint32_t edge)
{
    if (side.seen[node] == m_search) return false;
    side.seen[node] = m_search;
    side.edge[node] = edge;
    side.queue.push_back(node);
    return other.seen[node] == m_search;
}

std::uint32_t DisjointPaths::search()
{
    ++m_search;
    for (Side* side : {&m_forward, &m_backward}) side->queue.clear(), side->head = 0;
    for (const auto& s : m_sources)
        if (s.capacity > 0) (void)visit(m_forward, m_backward, s.node, kNone);
    for (const auto& s : m_sinks)
        if (s.capacity > 0 && visit(m_backward, m_forward, s.node, kNone)) return s.node;
    for (;;) {
        const auto open = [](const Side& side) { return side.queue.size() - side.head; };
        if (open(m_forward) == 0 || open(m_backward) == 0) return kNone;
        const bool forward = open(m_forward) <= open(m_backward);
        Side& side = forward ? m_forward : m_backward;
        const auto node = side.queue[side.head++];
        m_work += m_start[node + 1] - m_start[node];
        for (auto e = m_start[node]; e < m_start[node + 1]; ++e) {
            const auto way = forward ? e : m_edges[e].reverse;
            if (m_edges[way].capacity > 0 && visit(side, forward ? m_backward : m_forward, m_edges[e].to, way)) return m_edges[e].to;
        }
    }
}

void DisjointPaths::augment(std::uint32_t meeting)
{
    std::vector<std::uint32_t> path;
    std::uint32_t first = meeting, last = meeting;
    for (; m_forward.edge[first] != kNone; first = m_edges[m_edges[m_forward.edge[first]].reverse].to) path.push_back(m_forward.edge[first]);
    for (; m_backward.edge[last] != kNone; last = m_edges[m_backward.edge[last]].to) path.push_back(m_backward.edge[last]);
    const auto endAt = [](std::vector<End>& ends, std::uint32_t node) -> End& {
        return *std::ranges::find_if(ends, [&](const End& e) { return e.node == node && e.capacity > 0; });
    };
    End &source = endAt(m_sources, first), &sink = endAt(m_sinks, last);
    std::int32_t amount = std::min(source.capacity, sink.capacity);
    for (const auto e : path) amount = std::min(amount, m_edges[e].capacity);
    for (const auto e : path) {
        const auto reverse = m_edges[e].reverse;
        setCapacity(e, m_edges[e].capacity - amount);
        setCapacity(reverse, m_edges[reverse].capacity + amount);
    }
    source.capacity -= amount;
    sink.capacity -= amount;
}

std::vector<std::uint8_t> DisjointPaths::reachable() const
{
    std::vector<std::uint8_t> seen(m_start.size() - 1, 0);
    std::vector<std::uint32_t> queue;
    const auto visit = [&](std::uint32_t node) {
        if (!std::exchange(seen[node], 1)) queue.push_back(node);
    };
    for (const auto& s : m_sources)
        if (s.capacity > 0) visit(s.node);
    for (std::size_t head = 0; head < queue.size(); ++head)
        for (auto e = m_start[queue[head]]; e < m_start[queue[head] + 1]; ++e)
            if (m_edges[e].capacity > 0) visit(m_edges[e].to);
    return seen;
}

std::vector<std::string> DisjointPaths::cut() const
{
    const auto seen = reachable();
    const auto reached = [&](std::uint32_t node) { return seen[node] != 0; };
    const auto vertexOf = [&](std::uint32_t node) { return m_split ? node / 2 : node; };
    std::vector<std::string> names;
    const auto nameEnds = [&](const std::vector<End>& ends, std::uint32_t group, bool whenReached) {
        for (const auto& end : ends)
            if (reached(end.node) == whenReached && end.full < kUnlimited)
                names.insert(names.end(), std::size_t(end.full),
                             m_graph.nicName(m_graph.groups()[group]) + " - " + m_graph.vertexName(vertexOf(end.node)));
    };
    nameEnds(m_sources, m_a, false);
    for (std::uint32_t node = 0; node + 1 < m_start.size(); ++node) {
        if (!reached(node)) continue;
        for (auto e = m_start[node]; e < m_start[node + 1]; ++e) {
            const auto to = m_edges[e].to;
            const auto carried = m_full[e] < kUnlimited ? m_full[e] : m_edges[m_edges[e].reverse].capacity;
            if (reached(to) || carried <= 0) continue;
            if (m_split && to == (node ^ 1u))
                names.push_back(m_graph.vertexName(vertexOf(node)));
            else
                names.insert(names.end(), std::size_t(carried), cableName(vertexOf(node), vertexOf(to)));
        }
    }
    nameEnds(m_sinks, m_b, true);
    return names;
}

} // namespace hw::proof
