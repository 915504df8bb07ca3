// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/geometry/routing_ways.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace hw {

namespace {

Point middleOf(const Box& box, std::int32_t z) { return {(box.low.x + box.high.x) / 2, (box.low.y + box.high.y) / 2, z}; }

/// Distance in plan from a box to a point, along x plus along y.
std::int32_t besideMm(const Box& box, Point p)
{
    const std::int32_t x = std::max({box.low.x - p.x, 0, p.x - box.high.x});
    const std::int32_t y = std::max({box.low.y - p.y, 0, p.y - box.high.y});
    return x + y;
}

RackHook hookOn(const Placement& placement, const TrayGraph& graph, std::uint32_t tray, RackId rack)
{
    const TrayLine& line = placement.tray(TrayId(tray));
    const Box& box = placement.rack(rack);
    RackHook hook{tray, nearestOnLine(line, graph.lengthMm[tray], middleOf(box, box.high.z)), 0, {}};
    const Point point = pointOnLine(line, graph.lengthMm[tray], hook.at);
    hook.point = point;
    hook.offsetMm = besideMm(box, point);
    return hook;
}

/// Corners of a joint: down or up first, then along x, then along y.
std::array<Point, 4> jointPoints(Point a, Point b) { return {a, {a.x, a.y, b.z}, {b.x, a.y, b.z}, b}; }

std::uint32_t findJoint(const TrayGraph& graph, std::uint32_t a, std::uint32_t b)
{
    const std::pair key(std::min(a, b), std::max(a, b));
    const auto it = std::lower_bound(graph.joints.begin(), graph.joints.end(), key,
                                     [](const TrayJoint& j, const auto& k) { return std::tie(j.a, j.b) < std::tie(k.first, k.second); });
    return std::uint32_t(it - graph.joints.begin());
}

/// Collects the section numbers along a way.
struct SectionWalk {
    const RoutingPaths& ways;
    std::vector<std::uint32_t> sections;

    std::uint32_t breakIndex(std::uint32_t tray, std::int32_t at) const
    {
        const auto begin = ways.breaks.begin() + ways.firstBreak[tray], end = ways.breaks.begin() + ways.firstBreak[tray + 1];
        return std::uint32_t(std::lower_bound(begin, end, at) - begin);
    }

    void along(std::uint32_t tray, std::int32_t from, std::int32_t to)
    {
        const std::uint32_t i = breakIndex(tray, from), j = breakIndex(tray, to), base = ways.firstTraySection[tray];
        for (std::uint32_t k = i; k < j; ++k) sections.push_back(base + k);
        for (std::uint32_t k = i; k > j; --k) sections.push_back(base + k - 1);
    }

    void across(std::uint32_t from, std::uint32_t to)
    {
        const std::uint32_t joint = findJoint(ways.graph, from, to);
        const std::uint32_t begin = ways.firstJointSection[joint], end = ways.firstJointSection[joint + 1];
        if (from < to)
            for (std::uint32_t s = begin; s < end; ++s) sections.push_back(s);
        else
            for (std::uint32_t s = end; s > begin; --s) sections.push_back(s - 1);
    }
};

std::vector<std::uint32_t> orientedStops(const RoutingPaths& ways, const PairRoute& route)
{
    if (route.way == PairRoute::kNone) return {};
    const auto stops = ways.stopsOf(route.way);
    std::vector<std::uint32_t> result(stops.begin(), stops.end());
    if (route.reversed) std::reverse(result.begin(), result.end());
    return result;
}

void appendBend(std::vector<Point>& line, Point p)
{
    if (!line.empty() && line.back() == p) return;
    if (line.size() >= 2) { // drop the middle one of three points on an axis
        const Point &a = line[line.size() - 2], &b = line.back();
        const int same = int(a.x == b.x && b.x == p.x) + int(a.y == b.y && b.y == p.y) + int(a.z == b.z && b.z == p.z);
        const std::int64_t ahead =
            std::int64_t(b.x - a.x) * (p.x - b.x) + std::int64_t(b.y - a.y) * (p.y - b.y) + std::int64_t(b.z - a.z) * (p.z - b.z);
        if (same == 2 && ahead > 0) line.pop_back();
    }
    line.push_back(p);
}

} // namespace

void hookRacks(const Snapshot& s, const Placement& placement, RoutingPaths& ways, Medium medium, const std::vector<char>* wanted)
{
    std::vector<std::vector<std::uint32_t>> ofRow(s.rows.nextId()), spines(s.halls.nextId());
    s.trays.forEach([&](TrayId id) {
        if (!carriesMedium(s.trays.carries[id], medium) || (medium != Medium::Data && s.trays.kind[id] == TrayKind::Duct)) return;
        if (s.trays.row[id])
            ofRow[(*s.trays.row[id]).value].push_back(id.value);
        else if (s.trays.hall[id])
            spines[(*s.trays.hall[id]).value].push_back(id.value);
    });
    ways.firstHook.assign(s.racks.nextId() + 1, 0);
    ways.hooks.clear();
    s.racks.forEach([&](RackId rack) {
        if (wanted && !(*wanted)[rack.value]) return;
        const RowId row = s.racks.row[rack];
        const auto& own = ofRow[row.value];
        for (const std::uint32_t tray : own.empty() ? spines[s.rows.hall[row].value] : own) {
            ways.hooks.push_back(hookOn(placement, ways.graph, tray, rack));
            ++ways.firstHook[rack.value + 1];
        }
    });
    for (std::size_t r = 1; r < ways.firstHook.size(); ++r) ways.firstHook[r] += ways.firstHook[r - 1];
}

void makeSections(const Placement& placement, RoutingPaths& ways, std::vector<TraySection>& sections)
{
    const auto& graph = ways.graph;
    const std::size_t trays = graph.lengthMm.size();
    std::vector<std::vector<std::int32_t>> cuts(trays);
    for (const RackHook& hook : ways.hooks) cuts[hook.tray].push_back(hook.at);
    sections.clear();
    ways.breaks.clear();
    ways.firstBreak.assign(trays + 1, 0);
    ways.firstTraySection.assign(trays + 1, 0);
    for (std::uint32_t t = 0; t < trays; ++t) {
        auto& cut = cuts[t];
        for (std::uint32_t i = graph.firstStop[t]; i < graph.firstStop[t + 1]; ++i) cut.push_back(graph.stops[i].at);
        if (graph.lengthMm[t] > 0) cut.insert(cut.end(), {0, graph.lengthMm[t]});
        std::sort(cut.begin(), cut.end());
        cut.erase(std::unique(cut.begin(), cut.end()), cut.end());
        const TrayLine& line = placement.tray(TrayId(t));
        for (std::size_t i = 1; i < cut.size(); ++i)
            sections.push_back({pointOnLine(line, graph.lengthMm[t], cut[i - 1]), pointOnLine(line, graph.lengthMm[t], cut[i]), TrayId(t)});
        ways.breaks.insert(ways.breaks.end(), cut.begin(), cut.end());
        ways.firstBreak[t + 1] = std::uint32_t(ways.breaks.size());
        ways.firstTraySection[t + 1] = std::uint32_t(sections.size());
    }
    ways.firstJointSection.assign(1, std::uint32_t(sections.size()));
    for (const TrayJoint& joint : graph.joints) {
        const auto points = jointPoints(graph.stops[joint.a].point, graph.stops[joint.b].point);
        for (std::size_t i = 1; i < points.size(); ++i)
            if (points[i - 1] != points[i]) sections.push_back({points[i - 1], points[i], {}});
        ways.firstJointSection.push_back(std::uint32_t(sections.size()));
    }
}

std::vector<std::uint32_t> Routing::sectionsOf(std::uint32_t pair) const
{
    const PairRoute& route = m_ways->routes[pair];
    if (route.hookA == PairRoute::kNone) return {};
    const RackHook &a = m_ways->hooks[route.hookA], &b = m_ways->hooks[route.hookB];
    const auto& all = m_ways->graph.stops;
    SectionWalk walk{*m_ways, {}};
    const auto stops = orientedStops(*m_ways, route);
    std::uint32_t tray = a.tray;
    std::int32_t at = a.at;
    for (std::size_t i = 0; i < stops.size(); ++i) {
        const TrayStop& stop = all[stops[i]];
        if (stop.tray == tray)
            walk.along(tray, at, stop.at);
        else
            walk.across(stops[i - 1], stops[i]);
        tray = stop.tray;
        at = stop.at;
    }
    walk.along(tray, at, b.at);
    return std::move(walk.sections);
}

std::vector<Point> Routing::path(std::uint32_t pair) const
{
    const PairRoute& route = m_ways->routes[pair];
    if (route.hookA == PairRoute::kNone) return {};
    const RackHook &a = m_ways->hooks[route.hookA], &b = m_ways->hooks[route.hookB];
    const auto& graph = m_ways->graph;
    const auto rackTop = [&](RackId rack, const RackHook& hook) {
        return middleOf(m_racks[rack.value], std::min(m_racks[rack.value].high.z, hook.point.z));
    };

    std::vector<Point> line;
    const auto rise = [&](Point from, Point to) {
        for (const Point p : jointPoints(from, to)) appendBend(line, p);
    };
    rise(rackTop(m_pairs[pair].a, a), a.point);
    std::uint32_t tray = a.tray;
    for (const std::uint32_t s : orientedStops(*m_ways, route)) {
        const TrayStop& stop = graph.stops[s];
        if (stop.tray == tray)
            appendBend(line, stop.point);
        else
            rise(line.back(), stop.point);
        tray = stop.tray;
    }
    appendBend(line, b.point);
    auto down = jointPoints(rackTop(m_pairs[pair].b, b), b.point);
    for (auto p = down.rbegin(); p != down.rend(); ++p) appendBend(line, *p);
    return line;
}

} // namespace hw
