// SPDX-License-Identifier: GPL-3.0-or-later
// The next way where a tray is full.
#include "core/derived/geometry/routing_ways.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <queue>

namespace hw {

namespace {

constexpr std::int64_t kOutOfReach = std::numeric_limits<std::int64_t>::max() / 4;

/// A piece of a tray, in the numbers of its breaks.
struct Stretch {
    std::uint32_t tray = 0, first = 0, last = 0; ///< breaks; first <= last
};

class CapacityKeeper {
public:
    CapacityKeeper(std::vector<Routing::Pair>& pairs, std::span<const std::int64_t> areas, std::span<const std::int64_t> room, RoutingPaths& ways)
        : m_pairs(pairs), m_areas(areas), m_room(room), m_ways(ways), m_graph(ways.graph), m_load(ways.firstJointSection.front(), 0)
    {
    }

    std::vector<Routing::Detour> run()
    {
        if (!overflows()) return {};
        prepare();
        std::vector<Routing::Detour> detours;
        for (std::uint32_t p = 0; p < m_pairs.size(); ++p) {
            if (m_ways.routes[p].hookA == PairRoute::kNone || m_areas[p] == 0) continue;
            if (const auto full = m_pairs[p].byHand < 0 ? fullTray(p) : std::nullopt) { // who is led by hand stays
                const std::int32_t before = m_pairs[p].lengthMm;
                if (turnAside(p)) detours.push_back({p, TrayId(*full), m_pairs[p].lengthMm - before});
            }
            forStretches(m_ways.routes[p], [&](const Stretch& s) { load(s, m_areas[p]); });
        }
        return detours;
    }

private:
    [[nodiscard]] std::uint32_t breakAt(std::uint32_t tray, std::int32_t at) const
    {
        const auto begin = m_ways.breaks.begin() + m_ways.firstBreak[tray], end = m_ways.breaks.begin() + m_ways.firstBreak[tray + 1];
        return std::uint32_t(std::lower_bound(begin, end, at) - begin);
    }
    [[nodiscard]] Stretch stretch(std::uint32_t tray, std::int32_t from, std::int32_t to) const
    {
        const std::uint32_t a = breakAt(tray, from), b = breakAt(tray, to);
        return {tray, std::min(a, b), std::max(a, b)};
    }

    template <class F>
    void forWay(std::uint32_t way, F&& f) const
    {
        const auto stops = m_ways.stopsOf(way);
        for (std::size_t i = 1; i < stops.size(); ++i) {
            const TrayStop &a = m_graph.stops[stops[i - 1]], &b = m_graph.stops[stops[i]];
            if (a.tray == b.tray) f(stretch(a.tray, a.at, b.at));
        }
    }
    /// From the hooks to the way between them.
    template <class F>
    void forEnds(const PairRoute& route, F&& f) const
    {
        const RackHook &a = m_ways.hooks[route.hookA], &b = m_ways.hooks[route.hookB];
        if (route.way == PairRoute::kNone) return f(stretch(a.tray, a.at, b.at));
        const auto stops = m_ways.stopsOf(route.way);
        const TrayStop &first = m_graph.stops[route.reversed ? stops.back() : stops.front()],
                       &last = m_graph.stops[route.reversed ? stops.front() : stops.back()];
        f(stretch(a.tray, a.at, first.at));
        f(stretch(b.tray, b.at, last.at));
    }
    template <class F>
    void forStretches(const PairRoute& route, F&& f) const
    {
        forEnds(route, f);
        if (route.way != PairRoute::kNone) forWay(route.way, f);
    }

    /// Whether any piece of tray is too full with all pairs on their shortest ways.
    [[nodiscard]] bool overflows() const
    {
        std::vector<std::int64_t> change(m_load.size() + 1, 0), onWay(m_ways.firstWayStop.size(), 0);
        const auto add = [&](const Stretch& s, std::int64_t area) {
            const std::uint32_t base = m_ways.firstTraySection[s.tray];
            change[base + s.first] += area, change[base + s.last] -= area;
        };
        for (std::uint32_t p = 0; p < m_pairs.size(); ++p) {
            const PairRoute& route = m_ways.routes[p];
            if (route.hookA == PairRoute::kNone || m_areas[p] == 0) continue;
            forEnds(route, [&](const Stretch& s) { add(s, m_areas[p]); });
            if (route.way != PairRoute::kNone) onWay[route.way] += m_areas[p];
        }
        for (std::uint32_t way = 0; way + 1 < m_ways.firstWayStop.size(); ++way)
            if (onWay[way] > 0) forWay(way, [&](const Stretch& s) { add(s, onWay[way]); });
        for (std::uint32_t tray = 0; tray < m_graph.lengthMm.size(); ++tray) {
            std::int64_t now = 0;
            for (std::uint32_t s = m_ways.firstTraySection[tray]; s < m_ways.firstTraySection[tray + 1]; ++s)
                if (now += change[s]; m_room[tray] > 0 && now > m_room[tray]) return true;
        }
        return false;
    }

    void prepare()
    {
        m_firstJoint.assign(m_graph.stops.size() + 1, 0);
        for (const TrayJoint& j : m_graph.joints) ++m_firstJoint[j.a + 1], ++m_firstJoint[j.b + 1];
        for (std::size_t i = 1; i < m_firstJoint.size(); ++i) m_firstJoint[i] += m_firstJoint[i - 1];
        m_joints.resize(m_firstJoint.back());
        auto next = m_firstJoint;
        for (const TrayJoint& j : m_graph.joints) {
            m_joints[next[j.a]++] = {j.b, j.lengthMm};
            m_joints[next[j.b]++] = {j.a, j.lengthMm};
        }
    }

    void load(const Stretch& s, std::int64_t area)
    {
        for (std::uint32_t k = s.first; k < s.last; ++k) m_load[m_ways.firstTraySection[s.tray] + k] += area;
    }
    [[nodiscard]] bool hasRoom(const Stretch& s, std::int64_t area) const
    {
        if (m_room[s.tray] <= 0) return true;
        for (std::uint32_t k = s.first; k < s.last; ++k)
            if (m_load[m_ways.firstTraySection[s.tray] + k] + area > m_room[s.tray]) return false;
        return true;
    }

    [[nodiscard]] std::optional<std::uint32_t> fullTray(std::uint32_t pair) const
    {
        std::optional<std::uint32_t> full;
        forStretches(m_ways.routes[pair], [&](const Stretch& s) {
            if (!full && !hasRoom(s, m_areas[pair])) full = s.tray;
        });
        return full;
    }

    [[nodiscard]] bool allowed(std::uint32_t tray, const Routing::Pair& pair) const { return carries(m_graph.plane[tray], pair.plane); }

    /// Calls f(stop, mm) for the stops next to a hook that its cables reach along a tray with room.
    template <class F>
    void forNear(const RackHook& hook, std::int64_t area, F&& f) const
    {
        const std::uint32_t begin = m_graph.firstStop[hook.tray], end = m_graph.firstStop[hook.tray + 1];
        std::uint32_t next = begin;
        while (next < end && m_graph.stops[next].at < hook.at) ++next;
        for (const std::uint32_t stop : {next - 1, next}) {
            if (stop + 1 == begin || stop >= end || stop < begin) continue;
            const std::int32_t at = m_graph.stops[stop].at;
            if (hasRoom(stretch(hook.tray, hook.at, at), area)) f(stop, std::abs(at - hook.at));
        }
    }

    struct Found {
        std::int64_t lengthMm = kOutOfReach;
        std::uint32_t hookA = 0, hookB = 0, last = PairRoute::kNone; ///< stop before hook b; none: along one tray
    };

    bool turnAside(std::uint32_t number)
    {
        Routing::Pair& pair = m_pairs[number];
        search(pair, m_areas[number]);
        Found best;
        const auto offer = [&](std::int64_t length, std::uint32_t a, std::uint32_t b, std::uint32_t last) {
            if (length < best.lengthMm) best = {length, a, b, last};
        };
        for (std::uint32_t b = m_ways.firstHook[pair.b.value]; b < m_ways.firstHook[pair.b.value + 1]; ++b) {
            const RackHook& hook = m_ways.hooks[b];
            if (!allowed(hook.tray, pair)) continue;
            forNear(hook, m_areas[number], [&](std::uint32_t stop, std::int32_t mm) {
                if (m_distance[stop] < kOutOfReach) offer(m_distance[stop] + mm + hook.offsetMm, m_hookOf[stop], b, stop);
            });
            for (std::uint32_t a = m_ways.firstHook[pair.a.value]; a < m_ways.firstHook[pair.a.value + 1]; ++a) {
                const RackHook& other = m_ways.hooks[a];
                if (other.tray == hook.tray && hasRoom(stretch(hook.tray, other.at, hook.at), m_areas[number]))
                    offer(std::int64_t(other.offsetMm) + hook.offsetMm + std::abs(other.at - hook.at), a, b, PairRoute::kNone);
            }
        }
        if (best.lengthMm >= kOutOfReach) return false;
        pair.lengthMm = std::int32_t(best.lengthMm);
        pair.heightA = m_ways.hooks[best.hookA].point.z, pair.heightB = m_ways.hooks[best.hookB].point.z;
        m_ways.routes[number] = {best.hookA, best.hookB, keepWay(best.last), false};
        return true;
    }

    /// From the hooks of the pair's first end to every stop, where there is room.
    void search(const Routing::Pair& pair, std::int64_t area)
    {
        m_distance.assign(m_graph.stops.size(), kOutOfReach);
        m_previous.assign(m_graph.stops.size(), PairRoute::kNone);
        m_hookOf.assign(m_graph.stops.size(), 0);
        using Entry = std::pair<std::int64_t, std::uint32_t>;
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
        const auto reach = [&](std::uint32_t stop, std::int64_t length, std::uint32_t from, std::uint32_t hook) {
            if (length >= m_distance[stop]) return;
            m_distance[stop] = length, m_previous[stop] = from, m_hookOf[stop] = hook;
            open.emplace(length, stop);
        };
        for (std::uint32_t a = m_ways.firstHook[pair.a.value]; a < m_ways.firstHook[pair.a.value + 1]; ++a) {
            const RackHook& hook = m_ways.hooks[a];
            if (allowed(hook.tray, pair))
                forNear(hook, area, [&](std::uint32_t stop, std::int32_t mm) { reach(stop, std::int64_t(hook.offsetMm) + mm, PairRoute::kNone, a); });
        }
        while (!open.empty()) {
            const auto [length, stop] = open.top();
            open.pop();
            if (length > m_distance[stop]) continue;
            const TrayStop& here = m_graph.stops[stop];
            for (const std::uint32_t next : {stop - 1, stop + 1}) {
                if (next >= m_graph.stops.size() || m_graph.stops[next].tray != here.tray) continue;
                const std::int32_t at = m_graph.stops[next].at;
                if (hasRoom(stretch(here.tray, here.at, at), area)) reach(next, length + std::abs(at - here.at), stop, m_hookOf[stop]);
            }
            for (std::uint32_t j = m_firstJoint[stop]; j < m_firstJoint[stop + 1]; ++j)
                if (allowed(m_graph.stops[m_joints[j].first].tray, pair)) reach(m_joints[j].first, length + m_joints[j].second, stop, m_hookOf[stop]);
        }
    }

    std::uint32_t keepWay(std::uint32_t last)
    {
        if (last == PairRoute::kNone) return PairRoute::kNone;
        const std::size_t begin = m_ways.wayStops.size();
        for (std::uint32_t stop = last; stop != PairRoute::kNone; stop = m_previous[stop]) m_ways.wayStops.push_back(stop);
        std::reverse(m_ways.wayStops.begin() + std::ptrdiff_t(begin), m_ways.wayStops.end());
        m_ways.firstWayStop.push_back(std::uint32_t(m_ways.wayStops.size()));
        return std::uint32_t(m_ways.firstWayStop.size() - 2);
    }

    std::vector<Routing::Pair>& m_pairs;
    std::span<const std::int64_t> m_areas, m_room;
    RoutingPaths& m_ways;
    const TrayGraph& m_graph;
    std::vector<std::int64_t> m_load; ///< by section of a tray, µm²
    std::vector<std::uint32_t> m_firstJoint;
    std::vector<std::pair<std::uint32_t, std::int32_t>> m_joints; ///< by stop: the other stop, mm
    std::vector<std::int64_t> m_distance;
    std::vector<std::uint32_t> m_previous, m_hookOf;
};

} // namespace

std::vector<Routing::Detour> respectCapacity(std::vector<Routing::Pair>& pairs, std::span<const std::int64_t> areas,
                                             std::span<const std::int64_t> room, RoutingPaths& ways)
{
    return CapacityKeeper(pairs, areas, room, ways).run();
}

} // namespace hw
