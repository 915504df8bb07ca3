// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/geometry/frame.h"
#include "core/derived/geometry/tray_graph.h"
#include "core/design/fitting/room.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <fmt/format.h>

namespace hw::layout {

namespace {

struct CampusPoint {
    std::int32_t x = 0, y = 0;
};

/// Ends of the spines of a hall that take data, on the campus.
std::vector<CampusPoint> spineEnds(const Snapshot& s, HallId hall)
{
    const Frame o = hallFrame(s, hall);
    std::vector<CampusPoint> ends;
    s.trays.forEach([&](TrayId id) {
        if (s.trays.row[id] || !s.trays.hall[id] || !(*s.trays.hall[id] == hall) || !carriesMedium(s.trays.carries[id], Medium::Data)) return;
        ends.push_back({o.x + s.trays.x1[id].count(), o.y + s.trays.y1[id].count()});
        ends.push_back({o.x + s.trays.x2[id].count(), o.y + s.trays.y2[id].count()});
    });
    return ends;
}

} // namespace

void joinHalls(DesignBuilder& builder, const Plan& plan, Parts& parts)
{
    Snapshot& s = builder.design();
    const HallId here = plan.halls.front().id;
    std::map<HallId, std::int64_t> cables; // to racks of other halls
    s.links.forEach([&](LinkId link) {
        const DeviceId from = s.ports.device[s.links.from[link]], to = s.ports.device[s.links.to[link]];
        if (s.ports.medium[s.links.from[link]] != Medium::Data || !s.devices.rack[from] || !s.devices.rack[to]) return;
        const HallId a = s.rows.hall[s.racks.row[*s.devices.rack[from]]], b = s.rows.hall[s.racks.row[*s.devices.rack[to]]];
        if (a == b || (a != here && b != here)) return;
        ++cables[a == here ? b : a];
    });
    const auto own = spineEnds(s, here);
    for (const auto& [other, count] : cables) {
        const auto far = spineEnds(s, other);
        if (own.empty() || far.empty()) continue;
        CampusPoint p = own.front(), q = far.front();
        const auto way = [](CampusPoint a, CampusPoint b) { return std::abs(a.x - b.x) + std::abs(a.y - b.y); };
        for (const CampusPoint a : own)
            for (const CampusPoint b : far)
                if (way(a, b) < way(p, q)) p = a, q = b;
        const std::int16_t trays = std::min<std::int16_t>(64, parts.traysFor(double(count) * parts.cableArea(way(p, q)), plan.options.duct));
        const std::array<CampusPoint, 3> line{p, CampusPoint{q.x, p.y}, q};
        for (std::size_t i = 0; i < 2; ++i) {
            if (line[i].x == line[i + 1].x && line[i].y == line[i + 1].y) continue;
            (void)builder.tray({.key = "tray.auto-duct",
                                .name = fmt::format("duct-{}-{}-{}", s.halls.name[here], s.halls.name[other], i + 1),
                                .kind = TrayKind::Duct,
                                .type = parts.use(plan.options.duct),
                                .x1 = Millimeters(line[i].x),
                                .y1 = Millimeters(line[i].y),
                                .z1 = Millimeters(kDuctZ),
                                .x2 = Millimeters(line[i + 1].x),
                                .y2 = Millimeters(line[i + 1].y),
                                .z2 = Millimeters(kDuctZ),
                                .count = trays,
                                .carries = Carries::Data});
        }
    }
}

} // namespace hw::layout
