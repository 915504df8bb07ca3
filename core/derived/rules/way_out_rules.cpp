// SPDX-License-Identifier: GPL-3.0-or-later
// S4, second part: rows with a closed end. S5, third part: how far it is to a door.
#include "core/derived/rules/floor_things.h"

#include <algorithm>
#include <cmath>

namespace hw::rules {

std::vector<Finding> closedEnds(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    const double most = input.threshold(kDeadEnd), passage = input.threshold(kCirculation);
    struct Extent {
        Box box;
        std::int64_t racks = 0;
    };
    std::vector<Extent> rows(s.rows.nextId());
    s.racks.forEach([&](RackId id) {
        const Box& box = input.figures.placement->rack(id);
        Extent& row = rows[s.racks.row[id].value];
        if (row.racks++ == 0) row.box = box;
        row.box.low.x = std::min(row.box.low.x, box.low.x), row.box.low.y = std::min(row.box.low.y, box.low.y);
        row.box.high.x = std::max(row.box.high.x, box.high.x), row.box.high.y = std::max(row.box.high.y, box.high.y);
    });
    Groups groups(input, "S4");
    s.rows.forEach([&](RowId id) {
        const Extent& row = rows[id.value];
        if (double(row.racks) <= most) return;
        const Box& hall = input.figures.placement->hall(s.rows.hall[id]);
        const bool alongX = row.box.high.x - row.box.low.x >= row.box.high.y - row.box.low.y;
        const std::int32_t before = alongX ? row.box.low.x - hall.low.x : row.box.low.y - hall.low.y,
                           after = alongX ? hall.high.x - row.box.high.x : hall.high.y - row.box.high.y, narrow = std::min(before, after);
        if (narrow < 0 || narrow >= passage) return; // outside its room: see S5
        groups.add("end|" + input.subject(ref(s.rows.hall[id])), ref(id), Severity::Warning, passage - narrow, [&] {
            return i18n("{} has {:L} racks and only {} to the wall at one end: below {} it counts as a dead end with a maximum of {:.0f} racks",
                        input.name(ref(id)), row.racks, lengthText(narrow), lengthText(std::llround(passage)), most);
        });
    });
    return groups.findings();
}

/// Along walls and aisles it is at least as far as straight along the axes of the room.
std::vector<Finding> egress(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    const double most = input.threshold(kEgress);
    if (most <= 0) return {};
    std::vector<std::vector<std::pair<double, double>>> doors(s.halls.nextId());
    s.structures.forEach([&](StructureId id) {
        if (s.structures.kind[id] != StructureKind::Door) return;
        const StructureShape& shape = input.figures.placement->structure(id);
        doors[s.structures.hall[id].value].emplace_back((shape.a.x + shape.b.x) / 2.0, (shape.a.y + shape.b.y) / 2.0);
    });
    Groups groups(input, "S5");
    s.racks.forEach([&](RackId id) {
        const HallId hall = s.rows.hall[s.racks.row[id]];
        if (doors[hall.value].empty()) return;
        const Box& box = input.figures.placement->rack(id);
        double nearest = 1e18;
        for (const auto& [x, y] : doors[hall.value])
            nearest = std::min(nearest, std::abs((box.low.x + box.high.x) / 2.0 - x) + std::abs((box.low.y + box.high.y) / 2.0 - y));
        if (nearest <= most) return;
        groups.add("egress|" + input.subject(ref(hall)), ref(id), Severity::Error, nearest, [&] {
            return i18n("egress distance of {} from {} to the nearest door of {}; maximum {}", lengthText(std::llround(nearest)), input.name(ref(id)),
                        input.name(ref(hall)), lengthText(std::llround(most)));
        });
    });
    return groups.findings();
}

} // namespace hw::rules
