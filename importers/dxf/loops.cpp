// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/dxf/loops.h"

#include <algorithm>
#include <map>
#include <numbers>
#include <optional>
#include <set>

namespace hw::importers::dxf {

namespace {

constexpr std::int64_t kMeet = 20;         ///< ends that meet, mm
constexpr double kGap = 6000, kAside = 30; ///< a door in a straight wall, mm
constexpr double kWallThickest = 1000;     ///< of a wall drawn as two lines, mm
constexpr double kStraight = 5;            ///< a corner that is nearer to the line of its neighbors is none, mm

/// Lines as nodes and edges.
class Net {
public:
    explicit Net(const std::vector<Seg>& lines)
    {
        for (const Seg& line : lines) m_lines.push_back({node(line.a), node(line.b)});
        for (const auto& [a, b] : m_lines) addSplit(a, b);
        bridge();
        prune();
    }

    [[nodiscard]] std::vector<Pt> largest() const
    {
        std::vector<Pt> best;
        std::vector<char> seen(m_at.size(), 0);
        for (std::uint32_t n = 0; n < m_at.size(); ++n) {
            if (seen[n] || m_edges[n].empty()) continue;
            auto loop = walk(component(n, seen));
            if (best.empty() || area(loop) > area(best)) best = std::move(loop);
        }
        return best;
    }

private:
    std::uint32_t node(Pt p)
    {
        const auto cell = [](std::int64_t v) { return v >= 0 ? v / kMeet : -((-v + kMeet - 1) / kMeet); };
        for (std::int64_t dx = -1; dx <= 1; ++dx)
            for (std::int64_t dy = -1; dy <= 1; ++dy) {
                const auto [from, to] = m_cells.equal_range({cell(p.x) + dx, cell(p.y) + dy});
                for (auto it = from; it != to; ++it)
                    if (distance(m_at[it->second], p) <= double(kMeet)) return it->second;
            }
        m_at.push_back(p);
        m_edges.emplace_back();
        m_cells.emplace(std::pair(cell(p.x), cell(p.y)), std::uint32_t(m_at.size() - 1));
        return std::uint32_t(m_at.size() - 1);
    }

    void join(std::uint32_t a, std::uint32_t b)
    {
        if (a == b) return;
        m_edges[a].insert(b), m_edges[b].insert(a);
    }

    /// A line, cut where the ends of others stand on it.
    void addSplit(std::uint32_t a, std::uint32_t b)
    {
        if (a == b) return;
        std::vector<std::pair<double, std::uint32_t>> stops;
        Extent around;
        for (const Pt p : {m_at[a], m_at[b]}) around.add({p.x - kMeet, p.y - kMeet}), around.add({p.x + kMeet, p.y + kMeet});
        for (std::uint32_t n = 0; n < m_at.size(); ++n)
            if (n != a && n != b && around.holds(m_at[n]) && distance(m_at[n], Seg{m_at[a], m_at[b]}) <= double(kMeet))
                stops.emplace_back(distance(m_at[a], m_at[n]), n);
        std::ranges::sort(stops);
        std::uint32_t last = a;
        for (const auto& [at, n] : stops) join(std::exchange(last, n), n);
        join(last, b);
    }

    [[nodiscard]] double angle(std::uint32_t from, std::uint32_t to) const
    {
        return std::atan2(double(m_at[to].y - m_at[from].y), double(m_at[to].x - m_at[from].x));
    }

    /// Whether a line goes on from `n` in the direction of a unit vector.
    [[nodiscard]] bool goesOn(std::uint32_t n, double ux, double uy) const
    {
        return std::ranges::any_of(m_edges[n], [&](std::uint32_t to) {
            const double length = distance(m_at[n], m_at[to]);
            return (double(m_at[to].x - m_at[n].x) * ux + double(m_at[to].y - m_at[n].y) * uy) / length > 0.999;
        });
    }

    /// Closes gaps between two ends of one straight line.
    void bridge()
    {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
        for (std::uint32_t n = 0; n < m_at.size(); ++n)
            for (const std::uint32_t back : m_edges[n]) {
                const double length = distance(m_at[back], m_at[n]);
                const double ux = double(m_at[n].x - m_at[back].x) / length, uy = double(m_at[n].y - m_at[back].y) / length;
                if (goesOn(n, ux, uy)) continue;
                if (const auto to = facing(n, ux, uy)) found.emplace_back(n, *to);
            }
        for (const auto& [a, b] : found) join(a, b);
    }

    /// The nearest end ahead that looks back.
    [[nodiscard]] std::optional<std::uint32_t> facing(std::uint32_t n, double ux, double uy) const
    {
        std::optional<std::uint32_t> best;
        double nearest = kGap;
        for (std::uint32_t to = 0; to < m_at.size(); ++to) {
            if (std::abs(m_at[to].x - m_at[n].x) > std::int64_t(kGap) || std::abs(m_at[to].y - m_at[n].y) > std::int64_t(kGap)) continue;
            const double dx = double(m_at[to].x - m_at[n].x), dy = double(m_at[to].y - m_at[n].y), ahead = dx * ux + dy * uy;
            if (to == n || ahead <= 0 || ahead > nearest || std::abs(dx * uy - dy * ux) > kAside) continue;
            if (!goesOn(to, ux, uy) || goesOn(to, -ux, -uy)) continue;
            if (!best || ahead < nearest) best = to, nearest = ahead;
        }
        return best;
    }

    void prune()
    {
        std::vector<std::uint32_t> ends;
        for (std::uint32_t n = 0; n < m_at.size(); ++n)
            if (m_edges[n].size() == 1) ends.push_back(n);
        while (!ends.empty()) {
            const std::uint32_t n = ends.back();
            ends.pop_back();
            if (m_edges[n].size() != 1) continue;
            const std::uint32_t to = *m_edges[n].begin();
            m_edges[n].clear(), m_edges[to].erase(n);
            if (m_edges[to].size() == 1) ends.push_back(to);
        }
    }

    /// The lowest left node of what hangs together with `n`.
    std::uint32_t component(std::uint32_t n, std::vector<char>& seen) const
    {
        std::vector<std::uint32_t> open{n};
        std::uint32_t first = n;
        seen[n] = 1;
        while (!open.empty()) {
            const std::uint32_t at = open.back();
            open.pop_back();
            if (m_at[at] < m_at[first]) first = at;
            for (const std::uint32_t to : m_edges[at])
                if (!seen[to]) seen[to] = 1, open.push_back(to);
        }
        return first;
    }

    /// Counter-clockwise around the outside: at each node the first edge to the left of the way back.
    [[nodiscard]] std::vector<Pt> walk(std::uint32_t start) const
    {
        std::vector<Pt> loop;
        std::size_t most = 4;
        for (const auto& edges : m_edges) most += edges.size();
        std::uint32_t at = start;
        double back = std::numbers::pi / 2; // came from above
        std::optional<std::uint32_t> first;
        for (std::size_t steps = 0; steps < most; ++steps) {
            std::uint32_t next = at;
            double least = 10;
            for (const std::uint32_t to : m_edges[at]) {
                double turn = angle(at, to) - back;
                while (turn <= 1e-9) turn += 2 * std::numbers::pi;
                if (turn < least) least = turn, next = to;
            }
            if (at == start && first && *first == next) break;
            if (!first) first = next;
            loop.push_back(m_at[at]);
            back = angle(next, at);
            at = next;
        }
        return loop;
    }

    std::vector<Pt> m_at;
    std::vector<std::set<std::uint32_t>> m_edges;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_lines;
    std::multimap<std::pair<std::int64_t, std::int64_t>, std::uint32_t> m_cells;
};

/// Without corners that are none; from the lowest left corner on.
std::vector<Pt> simplified(std::vector<Pt> loop)
{
    for (bool changed = true; changed && loop.size() > 3;) {
        changed = false;
        for (std::size_t i = 0; i < loop.size() && loop.size() > 3; ++i) {
            const Pt before = loop[(i + loop.size() - 1) % loop.size()], after = loop[(i + 1) % loop.size()];
            if (before != after && distance(loop[i], Seg{before, after}) > kStraight) continue;
            loop.erase(loop.begin() + std::ptrdiff_t(i));
            changed = true;
        }
    }
    std::rotate(loop.begin(), std::ranges::min_element(loop), loop.end());
    return loop;
}

double distanceToLoop(Pt p, const std::vector<Pt>& loop)
{
    double least = 1e18;
    for (std::size_t i = 0; i < loop.size(); ++i) least = std::min(least, distance(p, Seg{loop[i], loop[(i + 1) % loop.size()]}));
    return least;
}

/// Every corner of one is near the other, and the other way round.
bool facesOfOneWall(const std::vector<Pt>& outer, const std::vector<Pt>& inner)
{
    const auto near = [](const std::vector<Pt>& a, const std::vector<Pt>& b) {
        return std::ranges::all_of(a, [&](Pt p) { return distanceToLoop(p, b) <= kWallThickest * std::numbers::sqrt2; });
    };
    return inner.size() >= 3 && area(inner) > area(outer) / 2 && area(inner) < area(outer) && near(inner, outer) && near(outer, inner);
}

} // namespace

double distance(Pt p, const Seg& seg)
{
    const double dx = double(seg.b.x - seg.a.x), dy = double(seg.b.y - seg.a.y), length2 = dx * dx + dy * dy;
    const double px = double(p.x - seg.a.x), py = double(p.y - seg.a.y);
    const double t = length2 > 0 ? std::clamp((px * dx + py * dy) / length2, 0.0, 1.0) : 0;
    return std::hypot(px - t * dx, py - t * dy);
}

double area(const std::vector<Pt>& loop)
{
    double twice = 0;
    for (std::size_t i = 0; i < loop.size(); ++i) {
        const Pt a = loop[i], b = loop[(i + 1) % loop.size()], o = loop.front();
        twice += double(a.x - o.x) * double(b.y - o.y) - double(b.x - o.x) * double(a.y - o.y);
    }
    return std::abs(twice) / 2;
}

void Extent::add(Pt p)
{
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
}

std::vector<Pt> outerLoop(const std::vector<Seg>& lines)
{
    auto loop = Net(lines).largest();
    return loop.size() < 3 ? std::vector<Pt>() : simplified(std::move(loop));
}

std::vector<Pt> roomLoop(const std::vector<Seg>& walls)
{
    auto outer = outerLoop(walls);
    if (outer.empty()) return outer;
    std::vector<Seg> inside;
    for (const Seg& wall : walls)
        if (distanceToLoop(wall.a, outer) > double(kMeet) && distanceToLoop(wall.b, outer) > double(kMeet)) inside.push_back(wall);
    auto inner = outerLoop(inside);
    return facesOfOneWall(outer, inner) ? inner : outer;
}

} // namespace hw::importers::dxf
