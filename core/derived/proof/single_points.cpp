// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/proof/single_points.h"

#include "core/derived/proof/symmetry.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/biconnected_components.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace hw::proof {

namespace {

using Set = std::vector<std::uint32_t>; ///< ascending

bool disjoint(const Set& a, const Set& b)
{
    for (std::size_t i = 0, k = 0; i < a.size() && k < b.size();) {
        if (a[i] == b[k]) return false;
        a[i] < b[k] ? ++i : ++k;
    }
    return true;
}

Set common(const Set& a, const Set& b)
{
    Set result;
    std::ranges::set_intersection(a, b, std::back_inserter(result));
    return result;
}

/// What a loss within one component leaves: which NICs then share nothing.
class LossSearch {
public:
    explicit LossSearch(const Graph& graph) : m_graph(graph), m_component(switchComponents(graph))
    {
        std::map<Set, std::uint32_t> kinds;
        for (const auto& g : graph.groups()) {
            const Set own = componentsOf(graph, g, m_component);
            const auto [it, isNew] = kinds.try_emplace(own, std::uint32_t(m_kinds.size()));
            if (isNew) m_kinds.push_back({own, 0});
            m_kinds[it->second].nics += g.nics();
            m_kindOf.push_back(it->second);
        }
        std::uint32_t components = 0;
        for (const auto c : m_component) components = std::max(components, c + 1);
        m_groupsIn.resize(components);
        m_kindsIn.resize(components);
        for (std::uint32_t k = 0; k < m_kinds.size(); ++k)
            for (const auto c : m_kinds[k].components) m_kindsIn[c].push_back(k);
        for (std::uint32_t g = 0; g < graph.groups().size(); ++g)
            for (const auto c : m_kinds[m_kindOf[g]].components) m_groupsIn[c].push_back(g);
        m_piece.assign(graph.vertexCount(), kNone);
    }

    [[nodiscard]] std::uint32_t componentOf(std::uint32_t v) const { return m_component[v]; }

    /// Whether a NIC of the group has a partner that it shares this component with and no other.
    [[nodiscard]] bool dependsOn(std::uint32_t group, std::uint32_t component)
    {
        const auto [it, isNew] = m_depends.try_emplace({m_kindOf[group], component}, false);
        if (!isNew) return it->second;
        const Kind& own = m_kinds[m_kindOf[group]];
        for (const auto k : m_kindsIn[component]) {
            const Kind& other = m_kinds[k];
            const bool hasPartner = &other != &own || own.nics > 1;
            if (hasPartner && common(own.components, other.components) == Set{component}) return it->second = true;
        }
        return false;
    }

    /// Whether two NICs part when the component of `v` falls into pieces without vertex `lost`, or
    /// without the cable between `lost` and `other`.
    [[nodiscard]] bool parts(std::uint32_t lost, std::uint32_t other)
    {
        const auto component = m_component[lost];
        cutUp(lost, other);
        std::set<std::pair<std::uint32_t, Set>> left; // kinds of NICs with the pieces that they reach
        for (const auto g : m_groupsIn[component]) {
            Set pieces;
            const auto attachments = m_graph.attachments(m_graph.groups()[g]);
            if (other == kNone && std::ranges::any_of(attachments, [&](const auto& a) { return a.own && a.vertex == lost; }))
                continue; // the device itself
            for (const auto& a : attachments)
                if (m_component[a.vertex] == component && m_piece[a.vertex] != kNone) pieces.push_back(m_piece[a.vertex]);
            std::ranges::sort(pieces);
            pieces.erase(std::unique(pieces.begin(), pieces.end()), pieces.end());
            left.emplace(m_kindOf[g], std::move(pieces));
        }
        bool found = false;
        for (auto a = left.begin(); a != left.end() && !found; ++a)
            for (auto b = std::next(a); b != left.end() && !found; ++b)
                found = disjoint(a->second, b->second) && common(m_kinds[a->first].components, m_kinds[b->first].components) == Set{component};
        for (const auto v : m_visited) m_piece[v] = kNone;
        return found;
    }

private:
    struct Kind {
        Set components;
        std::int64_t nics = 0;
    };

    void cutUp(std::uint32_t lost, std::uint32_t other)
    {
        m_visited.clear();
        const bool wholeVertex = other == kNone;
        std::uint32_t pieces = 0;
        const auto grow = [&](std::uint32_t from) {
            if (m_piece[from] != kNone) return;
            std::size_t head = m_visited.size();
            m_piece[from] = pieces;
            m_visited.push_back(from);
            for (; head < m_visited.size(); ++head) {
                const auto v = m_visited[head];
                for (const auto& arc : m_graph.arcs(v)) {
                    if ((wholeVertex && arc.to == lost) || m_piece[arc.to] != kNone) continue;
                    if (!wholeVertex && ((v == lost && arc.to == other) || (v == other && arc.to == lost))) continue;
                    m_piece[arc.to] = pieces;
                    m_visited.push_back(arc.to);
                }
            }
            ++pieces;
        };
        if (!wholeVertex) return grow(lost), grow(other);
        for (const auto& arc : m_graph.arcs(lost)) grow(arc.to);
    }

    const Graph& m_graph;
    std::vector<std::uint32_t> m_component, m_kindOf, m_piece, m_visited;
    std::vector<Kind> m_kinds;
    std::vector<std::vector<std::uint32_t>> m_groupsIn, m_kindsIn; ///< by component
    std::map<std::pair<std::uint32_t, std::uint32_t>, bool> m_depends;
};

struct Weak {
    std::vector<std::uint32_t> vertices;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> cables;
};

/// Articulation points, and single cables that are bridges, ascending.
Weak weakPoints(const Graph& graph)
{
    using Edges = boost::property<boost::edge_index_t, std::size_t>;
    using BoostGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property, Edges>;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
    std::vector<std::int32_t> cables;
    for (std::uint32_t v = 0; v < graph.vertexCount(); ++v)
        for (const auto& arc : graph.arcs(v))
            if (v < arc.to) ends.emplace_back(v, arc.to), cables.push_back(arc.cables);
    std::vector<std::size_t> numbers(ends.size());
    std::iota(numbers.begin(), numbers.end(), std::size_t(0));
    const BoostGraph g(ends.begin(), ends.end(), numbers.begin(), graph.vertexCount());
    std::vector<std::size_t> block(ends.size());
    Weak weak;
    const auto found = boost::biconnected_components(g, boost::make_iterator_property_map(block.begin(), get(boost::edge_index, g)),
                                                     std::back_inserter(weak.vertices));
    std::ranges::sort(weak.vertices);
    std::vector<std::int64_t> cablesIn(found.first, 0);
    for (std::size_t e = 0; e < ends.size(); ++e) cablesIn[block[e]] += cables[e];
    for (std::size_t e = 0; e < ends.size(); ++e)
        if (cablesIn[block[e]] == 1) weak.cables.push_back(ends[e]);
    return weak;
}

} // namespace

std::vector<std::uint32_t> switchComponents(const Graph& graph)
{
    DisjointSets classes(graph.vertexCount());
    for (std::uint32_t v = 0; v < graph.vertexCount(); ++v)
        for (const auto& arc : graph.arcs(v)) classes.join(v, arc.to);
    std::vector<std::uint32_t> number(graph.vertexCount(), kNone), result(graph.vertexCount());
    std::uint32_t next = 0;
    for (std::uint32_t v = 0; v < graph.vertexCount(); ++v) {
        auto& own = number[classes.find(v)];
        if (own == kNone) own = next++;
        result[v] = own;
    }
    return result;
}

std::vector<std::uint32_t> componentsOf(const Graph& graph, const Graph::Group& group, std::span<const std::uint32_t> component)
{
    std::vector<std::uint32_t> result;
    for (const auto& a : graph.attachments(group)) result.push_back(component[a.vertex]);
    std::ranges::sort(result);
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

std::vector<std::uint32_t> domainsOf(const Graph& graph)
{
    std::vector<std::uint32_t> result(graph.groups().size(), 0);
    if (graph.kind() != NetworkKind::ScaleUp) return result;
    const Snapshot& s = graph.snapshot();
    DisjointSets classes(s.devices.nextId());
    for (const auto& link : graph.links()) classes.join(s.ports.device[link.from].value, s.ports.device[link.to].value);
    for (std::size_t g = 0; g < result.size(); ++g) result[g] = classes.find(graph.allNics()[graph.nics(graph.groups()[g])[0]].device.value);
    return result;
}

SinglePoints singlePoints(const Graph& graph)
{
    LossSearch search(graph);
    const Weak weak = weakPoints(graph);
    std::vector<std::uint8_t> single(graph.vertexCount(), 0);
    SinglePoints result;
    const auto& groups = graph.groups();
    for (std::uint32_t g = 0; g < groups.size(); ++g) {
        const auto attachments = graph.attachments(groups[g]);
        for (const auto& a : attachments) {
            const auto component = search.componentOf(a.vertex);
            const bool only = std::ranges::count_if(attachments, [&](const auto& b) { return search.componentOf(b.vertex) == component; }) == 1;
            if (!only || a.own || !search.dependsOn(g, component)) continue;
            single[a.vertex] = 1;
            if (a.cables == 1) result.cables.add([&] { return graph.nicName(groups[g]) + " - " + graph.vertexName(a.vertex); }, groups[g].nics());
        }
    }
    for (const auto v : weak.vertices)
        if (!single[v] && search.parts(v, kNone)) single[v] = 1;
    for (std::uint32_t v = 0; v < graph.vertexCount(); ++v)
        if (single[v]) result.switches.add([&] { return graph.vertexName(v); });
    for (const auto& [a, b] : weak.cables)
        if (search.parts(a, b)) result.cables.add([&] { return graph.vertexName(a) + " - " + graph.vertexName(b); });
    return result;
}

} // namespace hw::proof
