// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/impact/power_ducts.h"

#include "core/model/places.h"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace hw::impact {

namespace {

constexpr std::int32_t kTouchMm = 100;

class DuctGraph {
public:
    DuctGraph(const Snapshot& s, const Placement& placement) : m_s(s), m_placement(placement)
    {
        s.trays.forEach([&](TrayId id) {
            const auto hall = s.trays.hall[id];
            if (s.trays.kind[id] != TrayKind::Duct || !hall) return;
            if (s.halls.kind[*hall] != RoomKind::Hall && s.halls.kind[*hall] != RoomKind::Network) m_ducts.push_back(id);
        });
        m_next.resize(m_ducts.size());
        for (std::uint32_t a = 0; a < m_ducts.size(); ++a)
            for (std::uint32_t b = 0; b < m_ducts.size(); ++b)
                if (a != b && (endsOn(a, b) || endsOn(b, a))) m_next[a].push_back(b);
    }

    [[nodiscard]] bool empty() const { return m_ducts.empty(); }

    /// Numbers of the ducts from one room to another.
    [[nodiscard]] std::vector<TrayId> way(HallId from, HallId to) const
    {
        constexpr std::uint32_t kUnseen = 0xFFFFFFFFu;
        std::vector<std::uint32_t> before(m_ducts.size(), kUnseen), queue;
        for (std::uint32_t d = 0; d < m_ducts.size(); ++d)
            if (reaches(d, from)) before[d] = d, queue.push_back(d);
        for (std::size_t i = 0; i < queue.size(); ++i) {
            std::uint32_t at = queue[i];
            if (reaches(at, to)) {
                std::vector<TrayId> ducts{m_ducts[at]};
                for (; before[at] != at; at = before[at]) ducts.push_back(m_ducts[before[at]]);
                return ducts;
            }
            for (const std::uint32_t next : m_next[at])
                if (before[next] == kUnseen) before[next] = at, queue.push_back(next);
        }
        return {};
    }

private:
    [[nodiscard]] const TrayLine& line(std::uint32_t duct) const { return m_placement.tray(m_ducts[duct]); }

    /// An end of one lies on the other; ducts that only cross do not meet.
    [[nodiscard]] bool endsOn(std::uint32_t a, std::uint32_t b) const
    {
        const TrayLine &ends = line(a), &on = line(b);
        const auto [x1, x2] = std::minmax(on.a.x, on.b.x);
        const auto [y1, y2] = std::minmax(on.a.y, on.b.y);
        return std::ranges::any_of(std::array{ends.a, ends.b}, [&](const Point& p) {
            return p.x >= x1 - kTouchMm && p.x <= x2 + kTouchMm && p.y >= y1 - kTouchMm && p.y <= y2 + kTouchMm;
        });
    }
    [[nodiscard]] bool reaches(std::uint32_t duct, HallId room) const
    {
        const Box& box = m_placement.hall(room);
        return std::ranges::any_of(std::array{line(duct).a, line(duct).b}, [&](const Point& p) {
            return p.x >= box.low.x - kTouchMm && p.x <= box.high.x + kTouchMm && p.y >= box.low.y - kTouchMm && p.y <= box.high.y + kTouchMm;
        });
    }

    const Snapshot& m_s;
    const Placement& m_placement;
    std::vector<TrayId> m_ducts;
    std::vector<std::vector<std::uint32_t>> m_next;
};

} // namespace

std::vector<std::pair<TrayId, LinkId>> feedersInDucts(const Snapshot& s, const Placement& placement)
{
    const DuctGraph graph(s, placement);
    std::vector<std::pair<TrayId, LinkId>> all;
    if (graph.empty()) return all;
    std::map<std::pair<HallId, HallId>, std::vector<TrayId>> ways;
    s.links.forEach([&](LinkId link) {
        if (s.ports.medium[s.links.from[link]] != Medium::Power) return;
        const auto from = hallOf(s, s.ports.device[s.links.from[link]]), to = hallOf(s, s.ports.device[s.links.to[link]]);
        if (!from || !to || s.halls.building[*from] == s.halls.building[*to]) return;
        const auto [way, fresh] = ways.try_emplace({*from, *to});
        if (fresh) way->second = graph.way(*from, *to);
        for (const TrayId duct : way->second) all.emplace_back(duct, link);
    });
    std::ranges::sort(all);
    return all;
}

} // namespace hw::impact
