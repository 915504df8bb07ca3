// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/geometry/routing_ways.h"

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths_no_color_map.hpp>

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_set>

namespace hw {

namespace {

constexpr std::int32_t kFar = std::numeric_limits<std::int32_t>::max() / 4;

struct Edge {
    std::int32_t lengthMm = 0;
};
using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Edge, boost::no_property, std::uint32_t, std::uint32_t>;

/// The trays that a cable of one plane may use, as a Boost graph over all stops.
Graph planeGraph(const TrayGraph& trays, std::int16_t plane)
{
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
    std::vector<Edge> edges;
    const auto allowed = [&](std::uint32_t stop) { return carries(trays.plane[trays.stops[stop].tray], plane); };
    const auto add = [&](std::uint32_t a, std::uint32_t b, std::int32_t length) {
        if (!allowed(a) || !allowed(b)) return;
        ends.insert(ends.end(), {{a, b}, {b, a}});
        edges.insert(edges.end(), {{length}, {length}});
    };
    for (std::uint32_t s = 1; s < trays.stops.size(); ++s)
        if (trays.stops[s].tray == trays.stops[s - 1].tray) add(s - 1, s, trays.stops[s].at - trays.stops[s - 1].at);
    for (const TrayJoint& j : trays.joints) add(j.a, j.b, j.lengthMm);
    return Graph(boost::edges_are_unsorted_multi_pass, ends.begin(), ends.end(), edges.begin(), trays.stops.size());
}

struct AllSettled {};

/// Ends the search once every target's distance is final.
struct TargetVisitor : boost::dijkstra_visitor<> {
    const std::vector<char>* isTarget;
    std::size_t* left;
    TargetVisitor(const std::vector<char>& targets, std::size_t& count) : isTarget(&targets), left(&count) {}
    void examine_vertex(std::uint32_t v, const Graph&) const
    {
        if ((*isTarget)[v] && --*left == 0) throw AllSettled{};
    }
};

/// Ways between stops for one plane: asked for first, then all found at once with one search per source.
class PathFinder {
public:
    PathFinder(RoutingPaths& ways, std::int16_t plane)
        : m_ways(ways), m_graph(planeGraph(ways.graph, plane)), m_previous(ways.graph.stops.size()), m_isTarget(ways.graph.stops.size(), 0)
    {
    }

    void ask(std::uint32_t source, std::uint32_t target) { m_asked.push_back(key(source, target)); }

    void find()
    {
        std::sort(m_asked.begin(), m_asked.end());
        m_asked.erase(std::unique(m_asked.begin(), m_asked.end()), m_asked.end());
        m_firstWay = std::uint32_t(m_ways.firstWayStop.size() - 1);
        m_lengths.reserve(m_asked.size());
        for (std::size_t begin = 0; begin < m_asked.size();) {
            std::size_t end = begin;
            while (end < m_asked.size() && m_asked[end] >> 32 == m_asked[begin] >> 32) ++end;
            search(begin, end);
            begin = end;
        }
    }

    struct Found {
        std::uint32_t way;
        std::int32_t lengthMm;
    };
    Found found(std::uint32_t source, std::uint32_t target) const
    {
        const auto i = std::size_t(std::lower_bound(m_asked.begin(), m_asked.end(), key(source, target)) - m_asked.begin());
        return {m_firstWay + std::uint32_t(i), m_lengths[i]};
    }

private:
    static std::uint64_t key(std::uint32_t source, std::uint32_t target) { return std::uint64_t(source) << 32 | target; }

    void search(std::size_t begin, std::size_t end)
    {
        const auto source = std::uint32_t(m_asked[begin] >> 32);
        m_distance.assign(m_previous.size(), kFar);
        m_distance[source] = 0;
        m_previous[source] = source;
        std::size_t left = end - begin;
        for (std::size_t i = begin; i < end; ++i) m_isTarget[std::uint32_t(m_asked[i])] = 1;
        try {
            boost::dijkstra_shortest_paths_no_color_map_no_init(m_graph, source, m_previous.data(), m_distance.data(), get(&Edge::lengthMm, m_graph),
                                                                get(boost::vertex_index, m_graph), std::less<>(), std::plus<>(), kFar, 0,
                                                                TargetVisitor(m_isTarget, left));
        } catch (const AllSettled&) {
        }
        for (std::size_t i = begin; i < end; ++i) {
            const auto target = std::uint32_t(m_asked[i]);
            m_isTarget[target] = 0;
            keepWay(source, target);
        }
    }

    void keepWay(std::uint32_t source, std::uint32_t target)
    {
        const std::int32_t length = m_distance[target];
        m_lengths.push_back(length < kFar ? length : kFar);
        if (length < kFar) {
            const std::size_t begin = m_ways.wayStops.size();
            for (std::uint32_t stop = target; stop != source; stop = m_previous[stop]) m_ways.wayStops.push_back(stop);
            m_ways.wayStops.push_back(source);
            std::reverse(m_ways.wayStops.begin() + std::ptrdiff_t(begin), m_ways.wayStops.end());
        }
        m_ways.firstWayStop.push_back(std::uint32_t(m_ways.wayStops.size()));
    }

    RoutingPaths& m_ways;
    Graph m_graph;
    std::vector<std::uint32_t> m_previous;
    std::vector<std::int32_t> m_distance;
    std::vector<char> m_isTarget;
    std::vector<std::uint64_t> m_asked;
    std::vector<std::int32_t> m_lengths;
    std::uint32_t m_firstWay = 0;
};

/// Solves the pairs of one plane. A rack reaches the rest of the world by the stops next to its hook.
class PlaneSolver {
public:
    PlaneSolver(std::vector<Routing::Pair>& pairs, RoutingPaths& ways, std::int16_t plane)
        : m_pairs(pairs), m_ways(ways), m_plane(plane), m_finder(ways, plane), m_pairsOfTray(ways.graph.lengthMm.size(), 0)
    {
    }

    void run()
    {
        for (const auto& pair : m_pairs)
            if (pair.plane == m_plane) countTrays(pair);
        for (const auto& pair : m_pairs)
            if (pair.plane == m_plane) ask(pair);
        m_finder.find();
        for (std::size_t i = 0; i < m_pairs.size(); ++i)
            if (m_pairs[i].plane == m_plane) choose(m_pairs[i], m_ways.routes[i]);
    }

private:
    struct Near {
        std::uint32_t stops[2] = {};
        int count = 0;
        std::uint64_t gap = 0; ///< a number for the stretch of tray between the two
    };

    bool allowed(const RackHook& hook) const { return carries(m_ways.graph.plane[hook.tray], m_plane); }

    /// The stops just before and after the hook on its tray.
    Near near(const RackHook& hook) const
    {
        const auto& g = m_ways.graph;
        const std::uint32_t begin = g.firstStop[hook.tray], end = g.firstStop[hook.tray + 1];
        std::uint32_t next = begin;
        while (next < end && g.stops[next].at < hook.at) ++next;
        Near result;
        result.gap = std::uint64_t(next) + hook.tray;
        if (next > begin) result.stops[result.count++] = next - 1;
        if (next < end) result.stops[result.count++] = next;
        return result;
    }

    /// Searches start at the tray that more pairs use, so that few of them serve all.
    bool startsAtB(const RackHook& a, const RackHook& b) const
    {
        const std::uint32_t x = m_pairsOfTray[a.tray], y = m_pairsOfTray[b.tray];
        return y > x || (y == x && b.tray < a.tray);
    }

    void countTrays(const Routing::Pair& pair)
    {
        for (const RackId rack : {pair.a, pair.b})
            for (const RackHook& hook : m_ways.hooksOf(rack.value)) ++m_pairsOfTray[hook.tray];
    }

    void ask(const Routing::Pair& pair)
    {
        for (const RackHook& a : m_ways.hooksOf(pair.a.value)) {
            if (!allowed(a)) continue;
            for (const RackHook& b : m_ways.hooksOf(pair.b.value)) {
                if (!allowed(b) || a.tray == b.tray) continue;
                askBetween(startsAtB(a, b) ? b : a, startsAtB(a, b) ? a : b);
            }
        }
    }

    void askBetween(const RackHook& source, const RackHook& target)
    {
        const Near from = near(source), to = near(target);
        const std::uint64_t gaps = from.gap << 32 | to.gap;
        if (gaps == m_lastGaps || !m_askedGaps.insert(gaps).second) return;
        m_lastGaps = gaps;
        for (int i = 0; i < from.count; ++i)
            for (int j = 0; j < to.count; ++j) m_finder.ask(from.stops[i], to.stops[j]);
    }

    struct Best {
        std::int32_t lengthMm = kFar;
        PairRoute route;
        void offer(std::int64_t length, const PairRoute& candidate)
        {
            if (length >= lengthMm) return;
            lengthMm = std::int32_t(length);
            route = candidate;
        }
    };

    void choose(Routing::Pair& pair, PairRoute& route) const
    {
        Best best;
        for (std::uint32_t a = m_ways.firstHook[pair.a.value]; a < m_ways.firstHook[pair.a.value + 1]; ++a)
            for (std::uint32_t b = m_ways.firstHook[pair.b.value]; b < m_ways.firstHook[pair.b.value + 1]; ++b)
                if (allowed(m_ways.hooks[a]) && allowed(m_ways.hooks[b])) tryHooks(a, b, best);
        route = best.route;
        pair.lengthMm = best.lengthMm < kFar ? best.lengthMm : -1;
        pair.heightA = heightAt(route.hookA);
        pair.heightB = heightAt(route.hookB);
    }

    void tryHooks(std::uint32_t hookA, std::uint32_t hookB, Best& best) const
    {
        const RackHook &a = m_ways.hooks[hookA], &b = m_ways.hooks[hookB];
        const std::int64_t offsets = std::int64_t(a.offsetMm) + b.offsetMm;
        if (a.tray == b.tray) {
            best.offer(offsets + std::abs(a.at - b.at), {hookA, hookB, PairRoute::kNone, false});
            return;
        }
        const bool reversed = startsAtB(a, b);
        const RackHook &source = reversed ? b : a, &target = reversed ? a : b;
        const Near from = near(source), to = near(target);
        const auto& stops = m_ways.graph.stops;
        for (int i = 0; i < from.count; ++i)
            for (int j = 0; j < to.count; ++j) {
                const auto way = m_finder.found(from.stops[i], to.stops[j]);
                const std::int64_t ends = std::abs(stops[from.stops[i]].at - source.at) + std::abs(stops[to.stops[j]].at - target.at);
                best.offer(offsets + ends + way.lengthMm, {hookA, hookB, way.way, reversed});
            }
    }

    std::int32_t heightAt(std::uint32_t hook) const { return hook == PairRoute::kNone ? 0 : m_ways.hooks[hook].point.z; }

    std::vector<Routing::Pair>& m_pairs;
    RoutingPaths& m_ways;
    std::int16_t m_plane;
    PathFinder m_finder;
    std::vector<std::uint32_t> m_pairsOfTray;
    std::unordered_set<std::uint64_t> m_askedGaps;
    std::uint64_t m_lastGaps = ~std::uint64_t(0);
};

} // namespace

void solvePairs(std::vector<Routing::Pair>& pairs, RoutingPaths& ways)
{
    ways.routes.assign(pairs.size(), {});
    ways.firstWayStop.assign(1, 0);
    ways.wayStops.clear();
    std::set<std::int16_t> planes;
    for (const auto& pair : pairs) planes.insert(pair.plane);
    for (const std::int16_t plane : planes) PlaneSolver(pairs, ways, plane).run();
}

} // namespace hw
