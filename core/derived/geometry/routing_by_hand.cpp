// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/geometry/routing_by_hand.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>

namespace hw {

ManualRoutes::ManualRoutes(const Snapshot& s)
{
    std::vector<WaypointId> points = s.waypoints.ids();
    std::sort(points.begin(), points.end(), [&](WaypointId a, WaypointId b) {
        return std::tuple(s.waypoints.cable[a], s.waypoints.number[a], a) < std::tuple(s.waypoints.cable[b], s.waypoints.number[b], b);
    });
    for (const WaypointId point : points) m_ofCable[s.waypoints.cable[point]].push_back(s.waypoints.tray[point]);
}

std::int32_t ManualRoutes::numberOf(HandWay way)
{
    const auto [it, fresh] = m_numbers.try_emplace(way, std::int32_t(m_ways.size()));
    if (fresh) m_ways.push_back(std::move(way));
    return it->second;
}

std::int32_t ManualRoutes::of(CableId cable, bool reversed)
{
    const auto found = m_ofCable.find(cable);
    if (found == m_ofCable.end()) return -1;
    return numberOf(reversed ? HandWay(found->second.rbegin(), found->second.rend()) : found->second);
}

std::shared_ptr<const std::vector<HandWay>> ManualRoutes::take()
{
    return m_ways.empty() ? nullptr : std::make_shared<const std::vector<HandWay>>(std::move(m_ways));
}

namespace {

constexpr std::int64_t kNoWayMm = std::numeric_limits<std::int64_t>::max() / 4;

/// Dijkstra over (stop, trays of the way that were run along so far).
class LedSearch {
public:
    LedSearch(const RoutingPaths& ways, const HandWay& way, std::int16_t plane)
        : m_ways(ways), m_way(way), m_plane(plane), m_layers(way.size() + 1), m_joints(ways.graph.stops.size())
    {
        for (const TrayJoint& joint : ways.graph.joints) {
            m_joints[joint.a].push_back({joint.b, joint.lengthMm});
            m_joints[joint.b].push_back({joint.a, joint.lengthMm});
        }
    }

    /// The shortest way between any hook of either rack; `pair` and `route` tell of it, `stops` are those on it.
    void run(Routing::Pair& pair, PairRoute& route, std::vector<std::uint32_t>& stops)
    {
        pair.lengthMm = -1;
        pair.heightA = pair.heightB = 0;
        route = {};
        stops.clear();
        std::int64_t best = kNoWayMm;
        for (std::uint32_t a = m_ways.firstHook[pair.a.value]; a < m_ways.firstHook[pair.a.value + 1]; ++a)
            if (allowed(m_ways.hooks[a].tray)) from(a, pair, best, route, stops);
        if (best >= kNoWayMm) return;
        pair.lengthMm = std::int32_t(best);
        pair.heightA = m_ways.hooks[route.hookA].point.z;
        pair.heightB = m_ways.hooks[route.hookB].point.z;
    }

private:
    struct Edge {
        std::uint32_t stop;
        std::int32_t lengthMm;
    };
    [[nodiscard]] bool allowed(std::uint32_t tray) const { return carries(m_ways.graph.plane[tray], m_plane); }
    [[nodiscard]] std::size_t state(std::uint32_t stop, std::size_t layer) const { return layer * m_ways.graph.stops.size() + stop; }
    /// Trays of the way that are done after running along one.
    [[nodiscard]] std::size_t after(std::size_t layer, std::uint32_t tray) const
    {
        while (layer < m_way.size() && m_way[layer].value == tray) ++layer;
        return layer;
    }

    void offer(std::uint32_t stop, std::size_t layer, std::int64_t length, std::size_t before)
    {
        const std::size_t at = state(stop, layer);
        if (!allowed(m_ways.graph.stops[stop].tray) || length >= m_distance[at]) return;
        m_distance[at] = length;
        m_previous[at] = before;
        m_queue.emplace(length, at);
    }

    void search(const RackHook& hook)
    {
        const auto& g = m_ways.graph;
        m_distance.assign(m_layers * g.stops.size(), kNoWayMm);
        m_previous.assign(m_distance.size(), m_distance.size());
        for (std::uint32_t s = g.firstStop[hook.tray]; s < g.firstStop[hook.tray + 1]; ++s) {
            const std::int64_t along = std::abs(g.stops[s].at - hook.at);
            offer(s, along > 0 ? after(0, hook.tray) : 0, hook.offsetMm + along, m_distance.size());
        }
        while (!m_queue.empty()) {
            const auto [length, at] = m_queue.top();
            m_queue.pop();
            if (length > m_distance[at]) continue;
            const auto stop = std::uint32_t(at % g.stops.size());
            const std::size_t layer = at / g.stops.size();
            const std::uint32_t tray = g.stops[stop].tray;
            for (const std::uint32_t next : {stop - 1, stop + 1})
                if (next < g.stops.size() && g.stops[next].tray == tray)
                    offer(next, after(layer, tray), length + std::abs(g.stops[next].at - g.stops[stop].at), at);
            for (const Edge& joint : m_joints[stop]) offer(joint.stop, layer, length + joint.lengthMm, at);
        }
    }

    void from(std::uint32_t hookA, const Routing::Pair& pair, std::int64_t& best, PairRoute& route, std::vector<std::uint32_t>& stops)
    {
        const auto& g = m_ways.graph;
        const RackHook& a = m_ways.hooks[hookA];
        search(a);
        for (std::uint32_t hookB = m_ways.firstHook[pair.b.value]; hookB < m_ways.firstHook[pair.b.value + 1]; ++hookB) {
            const RackHook& b = m_ways.hooks[hookB];
            if (!allowed(b.tray)) continue;
            if (a.tray == b.tray && after(0, a.tray) == m_way.size()) { // along one tray, which is the whole way
                const std::int64_t length = std::int64_t(a.offsetMm) + b.offsetMm + std::abs(a.at - b.at);
                if (length < best) best = length, route = {hookA, hookB, PairRoute::kNone, false}, stops.clear();
            }
            for (std::uint32_t s = g.firstStop[b.tray]; s < g.firstStop[b.tray + 1]; ++s)
                for (std::size_t layer = 0; layer < m_layers; ++layer) {
                    const std::int64_t along = std::abs(g.stops[s].at - b.at), length = m_distance[state(s, layer)] + along + b.offsetMm;
                    if (length >= best || (along > 0 ? after(layer, b.tray) : layer) != m_way.size()) continue;
                    best = length;
                    route = {hookA, hookB, 0, false};
                    keep(state(s, layer), stops);
                }
        }
    }

    void keep(std::size_t at, std::vector<std::uint32_t>& stops) const
    {
        stops.clear();
        for (; at < m_previous.size(); at = m_previous[at]) {
            const auto stop = std::uint32_t(at % m_ways.graph.stops.size());
            if (stops.empty() || stops.back() != stop) stops.push_back(stop);
        }
        std::reverse(stops.begin(), stops.end());
    }

    const RoutingPaths& m_ways;
    const HandWay& m_way;
    std::int16_t m_plane;
    std::size_t m_layers;
    std::vector<std::vector<Edge>> m_joints; ///< by stop
    std::vector<std::int64_t> m_distance;
    std::vector<std::size_t> m_previous;
    std::priority_queue<std::pair<std::int64_t, std::size_t>, std::vector<std::pair<std::int64_t, std::size_t>>, std::greater<>> m_queue;
};

} // namespace

void solveByHand(std::vector<Routing::Pair>& pairs, std::span<const HandWay> byHand, RoutingPaths& ways)
{
    std::vector<std::uint32_t> stops;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (pairs[i].byHand < 0) continue;
        LedSearch(ways, byHand[std::size_t(pairs[i].byHand)], pairs[i].plane).run(pairs[i], ways.routes[i], stops);
        if (ways.routes[i].hookA == PairRoute::kNone || ways.routes[i].way == PairRoute::kNone) continue;
        ways.routes[i].way = std::uint32_t(ways.firstWayStop.size() - 1);
        ways.wayStops.insert(ways.wayStops.end(), stops.begin(), stops.end());
        ways.firstWayStop.push_back(std::uint32_t(ways.wayStops.size()));
    }
}

} // namespace hw
