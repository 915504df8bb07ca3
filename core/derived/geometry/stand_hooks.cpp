// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/geometry/routing_ways.h"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace hw {

namespace {

constexpr std::int32_t kLongMm = 3000; ///< what is longer has an entry at either end
constexpr std::size_t kNearest = 3;    ///< trays of one side or plane that an entry may use

/// Whether a tray passes through a box, seen from above.
bool passes(const TrayLine& line, const Box& box)
{
    const auto [x1, x2] = std::minmax(line.a.x, line.b.x);
    const auto [y1, y2] = std::minmax(line.a.y, line.b.y);
    return x1 <= box.high.x && x2 >= box.low.x && y1 <= box.high.y && y2 >= box.low.y;
}

bool holds(const Box& box, Point p) { return p.x >= box.low.x && p.x <= box.high.x && p.y >= box.low.y && p.y <= box.high.y; }
/// A duct is entered at its ends alone.
bool endsIn(const TrayLine& line, const Box& box) { return holds(box, line.a) || holds(box, line.b); }

/// Places at which cables enter.
std::vector<Point> entriesOf(const Box& box)
{
    const Point middle{(box.low.x + box.high.x) / 2, (box.low.y + box.high.y) / 2, box.high.z};
    const std::int32_t sizeX = box.high.x - box.low.x, sizeY = box.high.y - box.low.y;
    if (std::max(sizeX, sizeY) <= kLongMm) return {middle};
    if (sizeX >= sizeY) return {{box.low.x, middle.y, middle.z}, {box.high.x, middle.y, middle.z}};
    return {{middle.x, box.low.y, middle.z}, {middle.x, box.high.y, middle.z}};
}

class StandHooks {
public:
    StandHooks(const Snapshot& s, const Placement& placement, RoutingPaths& ways, Medium medium)
        : m_s(s), m_placement(placement), m_ways(ways), m_ofRow(s.rows.nextId()), m_ofHall(s.halls.nextId())
    {
        std::vector<TrayId> roaming; // not over a row: they may pass through rooms that are not theirs
        s.trays.forEach([&](TrayId id) {
            if (!carriesMedium(s.trays.carries[id], medium)) return;
            if (const auto row = s.trays.row[id])
                m_ofRow[(*row).value].push_back(id);
            else
                roaming.push_back(id);
        });
        s.halls.forEach([&](HallId hall) {
            for (const TrayId id : roaming)
                if (s.trays.kind[id] == TrayKind::Duct ? endsIn(placement.tray(id), placement.hall(hall))
                                                       : passes(placement.tray(id), placement.hall(hall)))
                    m_ofHall[hall.value].push_back(id);
        });
    }

    void add(const RouteState& stand)
    {
        std::vector<RackHook> hooks;
        for (const Point& entry : entriesOf(stand.box)) addNearest(traysOf(stand), entry, hooks);
        m_ways.hooks.insert(m_ways.hooks.end(), hooks.begin(), hooks.end());
        m_ways.firstHook.push_back(std::uint32_t(m_ways.hooks.size()));
    }

private:
    /// Those of the row, and those of the room; of a room that has none those over its rows.
    [[nodiscard]] std::vector<TrayId> traysOf(const RouteState& stand) const
    {
        std::vector<TrayId> trays;
        if (stand.row) trays = m_ofRow[(*stand.row).value];
        if (!stand.hall) return trays;
        const auto& own = m_ofHall[(*stand.hall).value];
        trays.insert(trays.end(), own.begin(), own.end());
        if (trays.empty())
            m_s.rows.forEach([&](RowId row) {
                if (m_s.rows.hall[row] == *stand.hall) trays.insert(trays.end(), m_ofRow[row.value].begin(), m_ofRow[row.value].end());
            });
        return trays;
    }

    void addNearest(const std::vector<TrayId>& trays, Point entry, std::vector<RackHook>& out) const
    {
        const TrayGraph& graph = m_ways.graph;
        std::map<std::int16_t, std::vector<RackHook>> byPlane;
        for (const TrayId id : trays) {
            const TrayLine& line = m_placement.tray(id);
            RackHook hook{id.value, nearestOnLine(line, graph.lengthMm[id.value], entry), 0, {}};
            if (m_s.trays.kind[id] == TrayKind::Duct)
                hook.at = manhattanMm(entry, line.a) <= manhattanMm(entry, line.b) ? 0 : graph.lengthMm[id.value];
            hook.point = pointOnLine(line, graph.lengthMm[id.value], hook.at);
            hook.offsetMm = manhattanMm(entry, hook.point);
            byPlane[graph.plane[id.value]].push_back(hook);
        }
        for (auto& [plane, hooks] : byPlane) {
            std::ranges::stable_sort(hooks, {}, [](const RackHook& h) { return h.offsetMm; });
            hooks.resize(std::min(hooks.size(), kNearest));
            out.insert(out.end(), hooks.begin(), hooks.end());
        }
    }

    const Snapshot& m_s;
    const Placement& m_placement;
    RoutingPaths& m_ways;
    std::vector<std::vector<TrayId>> m_ofRow, m_ofHall;
};

} // namespace

void hookStands(const Snapshot& snapshot, const Placement& placement, std::span<const RouteState> stands, RoutingPaths& ways, Medium medium)
{
    StandHooks hooks(snapshot, placement, ways, medium);
    for (const RouteState& stand : stands) hooks.add(stand);
}

} // namespace hw
