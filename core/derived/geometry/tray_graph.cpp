// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/geometry/tray_graph.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <tuple>

namespace hw {

std::int32_t manhattanMm(Point a, Point b) { return std::abs(a.x - b.x) + std::abs(a.y - b.y) + std::abs(a.z - b.z); }

std::int32_t lineLengthMm(const TrayLine& line)
{
    const double x = line.b.x - line.a.x, y = line.b.y - line.a.y, z = line.b.z - line.a.z;
    return std::int32_t(std::lround(std::sqrt(x * x + y * y + z * z)));
}

Point pointOnLine(const TrayLine& line, std::int32_t length, std::int32_t at)
{
    if (length == 0) return line.a;
    const auto between = [&](std::int32_t from, std::int32_t to) { return from + std::int32_t(std::lround(double(to - from) * at / length)); };
    return {between(line.a.x, line.b.x), between(line.a.y, line.b.y), between(line.a.z, line.b.z)};
}

namespace {

constexpr std::int32_t kCrossingMm = 500; ///< trays this near in plan cross

struct Vec {
    double x = 0, y = 0;
};
double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y; }
Vec span2(Point from, Point to) { return {double(to.x) - from.x, double(to.y) - from.y}; }
double clamp01(double f) { return std::clamp(f, 0.0, 1.0); }

/// Share of the line at which `point` is nearest in plan; a riser answers by height.
double nearestShare(const TrayLine& line, Point point)
{
    const Vec u = span2(line.a, line.b);
    const double uu = dot(u, u);
    if (uu > 0) return clamp01(dot(u, span2(line.a, point)) / uu);
    const double rise = double(line.b.z) - line.a.z;
    return rise != 0 ? clamp01((point.z - line.a.z) / rise) : 0.0;
}

struct Approach {
    double f = 0, g = 0;
};

/// Shares of two lines where they are closest in plan. Parallel lines that run beside each other are
/// closest all along and give both ends of the common stretch.
std::pair<std::array<Approach, 2>, int> closest(const TrayLine& p, const TrayLine& q)
{
    const Vec u = span2(p.a, p.b), v = span2(q.a, q.b), w = span2(q.a, p.a);
    const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
    if (uu == 0) return {{Approach{nearestShare(p, q.a), nearestShare(q, p.a)}, {}}, 1};
    if (vv == 0) return {{Approach{nearestShare(p, q.a), nearestShare(q, p.a)}, {}}, 1};
    const double den = uu * vv - uv * uv;
    if (den > 1e-9 * uu * vv) {
        const double f = clamp01((uv * vw - vv * uw) / den);
        const double g = clamp01((uv * f + vw) / vv);
        return {{Approach{clamp01((uv * g - uw) / uu), g}, {}}, 1};
    }
    const double fa = -uw / uu, fb = (uv - uw) / uu; // the ends of q along p
    const double low = clamp01(std::min(fa, fb)), high = clamp01(std::max(fa, fb));
    const auto onQ = [&](double f) { return clamp01((uv * f + vw) / vv); };
    return {{Approach{low, onQ(low)}, Approach{high, onQ(high)}}, low < high ? 2 : 1};
}

class GraphBuilder {
public:
    GraphBuilder(const Snapshot& snapshot, const Placement& placement, Medium medium) : m_snapshot(snapshot), m_placement(placement), m_medium(medium)
    {
    }

    TrayGraph run()
    {
        sortTrays();
        for (auto& hall : m_halls) joinHall(hall);
        if (m_medium != Medium::Data) joinBuildings();
        for (const std::uint32_t duct : m_ducts) {
            joinDuctEnd(duct, false);
            joinDuctEnd(duct, true);
        }
        joinTouching(m_ducts);
        makeStops();
        return std::move(m_graph);
    }

private:
    struct Hall {
        std::vector<std::uint32_t> rowTrays, spines;
    };
    struct Meeting {
        std::uint32_t trayA, trayB;
        std::int32_t atA, atB;
        auto operator<=>(const Meeting&) const = default;
    };

    const TrayLine& line(std::uint32_t tray) const { return m_placement.tray(TrayId(tray)); }
    Point pointAt(std::uint32_t tray, std::int32_t at) const { return pointOnLine(line(tray), m_graph.lengthMm[tray], at); }

    void sortTrays()
    {
        const auto& t = m_snapshot.trays;
        m_halls.resize(m_snapshot.halls.nextId());
        m_graph.lengthMm.resize(t.nextId());
        m_graph.plane.assign(t.nextId(), -1);
        t.forEach([&](TrayId id) {
            if (!carriesMedium(t.carries[id], m_medium)) return;
            m_graph.lengthMm[id.value] = lineLengthMm(m_placement.tray(id));
            m_graph.plane[id.value] = planeOf(id);
            if (m_medium != Medium::Data && t.kind[id] == TrayKind::Duct)
                m_ducts.push_back(id.value);
            else if (t.row[id])
                m_halls[m_snapshot.rows.hall[*t.row[id]].value].rowTrays.push_back(id.value);
            else if (t.hall[id])
                m_halls[(*t.hall[id]).value].spines.push_back(id.value);
            else
                m_ducts.push_back(id.value);
        });
    }

    /// Of data the plane, of power the side.
    [[nodiscard]] std::int16_t planeOf(TrayId id) const
    {
        if (m_medium == Medium::Data) return m_snapshot.trays.plane[id];
        return m_medium == Medium::Power ? std::int16_t(int(m_snapshot.trays.side[id]) - 1) : std::int16_t(-1);
    }

    void meet(std::uint32_t a, std::int32_t atA, std::uint32_t b, std::int32_t atB)
    {
        if (a > b) {
            std::swap(a, b);
            std::swap(atA, atB);
        }
        m_meetings.push_back({a, b, atA, atB});
    }

    void join(std::uint32_t a, std::uint32_t b, bool onlyTouching)
    {
        if (!carries(m_graph.plane[a], m_graph.plane[b])) return;
        const auto [approaches, count] = closest(line(a), line(b));
        for (int i = 0; i < count; ++i) {
            const auto atA = std::int32_t(std::lround(approaches[std::size_t(i)].f * m_graph.lengthMm[a]));
            const auto atB = std::int32_t(std::lround(approaches[std::size_t(i)].g * m_graph.lengthMm[b]));
            if (onlyTouching) {
                const Point p = pointAt(a, atA), q = pointAt(b, atB);
                if (p.x != q.x || p.y != q.y) continue;
            }
            if (crossesOnly(a, atA, b, atB)) continue;
            meet(a, atA, b, atB);
        }
    }

    /// Ducts of power or coolant that cross do not meet: one of them must end there.
    [[nodiscard]] bool crossesOnly(std::uint32_t a, std::int32_t atA, std::uint32_t b, std::int32_t atB) const
    {
        const auto& kind = m_snapshot.trays.kind;
        if (m_medium == Medium::Data || kind[TrayId(a)] != TrayKind::Duct || kind[TrayId(b)] != TrayKind::Duct) return false;
        const auto end = [&](std::uint32_t tray, std::int32_t at) { return at == 0 || at == m_graph.lengthMm[tray]; };
        return !end(a, atA) && !end(b, atB);
    }

    void joinTouching(const std::vector<std::uint32_t>& trays)
    {
        for (std::size_t i = 0; i < trays.size(); ++i)
            for (std::size_t j = i + 1; j < trays.size(); ++j) join(trays[i], trays[j], true);
    }

    void joinHall(const Hall& hall)
    {
        for (const std::uint32_t row : hall.rowTrays) joinRow(row, hall.spines);
        joinTouching(hall.rowTrays);
        joinTouching(hall.spines);
    }

    /// Trays of different rooms of a building.
    void joinBuildings()
    {
        std::map<std::uint32_t, std::vector<std::uint32_t>> halls; // by building
        m_snapshot.halls.forEach([&](HallId id) {
            if (!m_halls[id.value].spines.empty()) halls[m_snapshot.halls.building[id].value].push_back(id.value);
        });
        for (const auto& [building, rooms] : halls)
            for (std::size_t i = 0; i < rooms.size(); ++i)
                for (std::size_t j = i + 1; j < rooms.size(); ++j)
                    for (const std::uint32_t a : m_halls[rooms[i]].spines)
                        for (const std::uint32_t b : m_halls[rooms[j]].spines) join(a, b, true);
    }

    /// How far apart two trays are in plan where they are closest, along the axes; mm.
    [[nodiscard]] std::int32_t apart(std::uint32_t a, std::uint32_t b) const
    {
        const Approach near = closest(line(a), line(b)).first[0];
        const Point p = pointAt(a, std::int32_t(std::lround(near.f * m_graph.lengthMm[a]))),
                    q = pointAt(b, std::int32_t(std::lround(near.g * m_graph.lengthMm[b])));
        return std::abs(p.x - q.x) + std::abs(p.y - q.y);
    }

    /// A row tray meets the spines that it crosses; of a plane of which it crosses none, the nearest.
    void joinRow(std::uint32_t row, const std::vector<std::uint32_t>& spines)
    {
        std::map<std::int16_t, std::int32_t> nearest; // by plane
        for (const std::uint32_t spine : spines) {
            auto& best = nearest.try_emplace(m_graph.plane[spine], INT32_MAX).first->second;
            best = std::min(best, apart(row, spine));
        }
        for (const std::uint32_t spine : spines)
            if (apart(row, spine) <= std::max(kCrossingMm, nearest[m_graph.plane[spine]])) join(row, spine, false);
    }

    static bool inside(const Box& box, Point p) { return p.x >= box.low.x && p.x <= box.high.x && p.y >= box.low.y && p.y <= box.high.y; }

    std::vector<std::uint32_t> hallsAt(Point p) const
    {
        std::vector<std::uint32_t> halls, ofBuilding;
        m_snapshot.halls.forEach([&](HallId id) {
            if (inside(m_placement.hall(id), p)) halls.push_back(id.value);
            if (inside(m_placement.building(m_snapshot.halls.building[id]), p)) ofBuilding.push_back(id.value);
        });
        return halls.empty() && m_medium == Medium::Data ? ofBuilding : halls;
    }

    void joinDuctEnd(std::uint32_t duct, bool last)
    {
        const std::int32_t at = last ? m_graph.lengthMm[duct] : 0;
        const Point end = last ? line(duct).b : line(duct).a;
        for (const std::uint32_t hall : hallsAt(end))
            for (const std::uint32_t spine : m_halls[hall].spines)
                if (carries(m_graph.plane[duct], m_graph.plane[spine]))
                    meet(duct, at, spine, nearestOnLine(line(spine), m_graph.lengthMm[spine], end));
    }

    void makeStops()
    {
        std::sort(m_meetings.begin(), m_meetings.end());
        m_meetings.erase(std::unique(m_meetings.begin(), m_meetings.end()), m_meetings.end());
        std::vector<std::uint64_t> keys; // tray and place; places are never negative
        for (const Meeting& m : m_meetings) {
            keys.push_back(std::uint64_t(m.trayA) << 32 | std::uint32_t(m.atA));
            keys.push_back(std::uint64_t(m.trayB) << 32 | std::uint32_t(m.atB));
        }
        std::sort(keys.begin(), keys.end());
        keys.erase(std::unique(keys.begin(), keys.end()), keys.end());

        m_graph.firstStop.assign(m_graph.lengthMm.size() + 1, 0);
        for (const std::uint64_t key : keys) {
            const auto tray = std::uint32_t(key >> 32);
            const auto at = std::int32_t(key & 0xFFFFFFFFu);
            m_graph.stops.push_back({tray, at, pointAt(tray, at)});
            ++m_graph.firstStop[tray + 1];
        }
        for (std::size_t t = 1; t < m_graph.firstStop.size(); ++t) m_graph.firstStop[t] += m_graph.firstStop[t - 1];

        const auto stopOf = [&](std::uint32_t tray, std::int32_t at) {
            const std::uint64_t key = std::uint64_t(tray) << 32 | std::uint32_t(at);
            return std::uint32_t(std::lower_bound(keys.begin(), keys.end(), key) - keys.begin());
        };
        for (const Meeting& m : m_meetings) {
            const std::uint32_t a = stopOf(m.trayA, m.atA), b = stopOf(m.trayB, m.atB);
            m_graph.joints.push_back({a, b, manhattanMm(m_graph.stops[a].point, m_graph.stops[b].point)});
        }
        std::sort(m_graph.joints.begin(), m_graph.joints.end(),
                  [](const TrayJoint& x, const TrayJoint& y) { return std::tie(x.a, x.b) < std::tie(y.a, y.b); });
    }

    const Snapshot& m_snapshot;
    const Placement& m_placement;
    const Medium m_medium;
    TrayGraph m_graph;
    std::vector<Hall> m_halls;
    std::vector<std::uint32_t> m_ducts;
    std::vector<Meeting> m_meetings;
};

} // namespace

std::int32_t nearestOnLine(const TrayLine& line, std::int32_t length, Point point)
{
    return std::int32_t(std::lround(nearestShare(line, point) * length));
}

TrayGraph TrayGraph::build(const Snapshot& snapshot, const Placement& placement, Medium medium)
{
    return GraphBuilder(snapshot, placement, medium).run();
}

} // namespace hw
