// SPDX-License-Identifier: GPL-3.0-or-later
// S3: what the floor bears. S7: gaps in contained rows.
#include "core/derived/geometry/frame.h"
#include "core/derived/rules/floor_things.h"

#include <algorithm>
#include <cmath>

namespace hw::rules {

std::vector<FloorThing> floorThings(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    std::vector<FloorThing> all;
    all.reserve(s.racks.size());
    s.racks.forEach([&](RackId id) { all.push_back({input.figures.placement->rack(id), s.rows.hall[s.racks.row[id]], ref(id), id}); });
    s.devices.forEach([&](DeviceId id) {
        if (s.devices.rack[id]) return;
        const auto hall = hallOf(s, id);
        if (!hall) return;
        const Box box = input.figures.placement->device(s, input.parts(), id);
        if (box.high.z - box.low.z < kLowestObstacleMm || box.low.z >= kHeadroomMm) return;
        FloorThing& thing = all.emplace_back(FloorThing{box, *hall, ref(id)});
        if (s.tiers.kind[s.devices.tier[id]] == TierKind::Power)
            thing.electricFront = (270 + 90 * quarterOf(s.devices.angle[id])) % 360; // as of racks
    });
    std::ranges::stable_sort(all, {}, [](const FloorThing& t) { return t.box.low.x; });
    return all;
}

std::vector<Finding> floorLoad(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    std::vector<std::int64_t> grams(s.racks.nextId());
    s.devices.forEach([&](DeviceId d) {
        if (const auto rack = s.devices.rack[d]) grams[(*rack).value] += input.parts().device(s.devices.type[d]).weight.value.count();
    });
    const double share = input.threshold(kAisleShare), point = input.threshold(kPointLoad), casters = std::max(1.0, input.threshold(kCasters)),
                 uneven = input.threshold(kUneven) / 100;
    Groups groups(input, "S3");
    for (const FloorThing& thing : floorThings(input)) {
        const double bears = s.halls.floorLoad[thing.hall].count();
        if (bears <= 0 && point <= 0) continue;
        std::int64_t weight = 0;
        double width = thing.box.high.x - thing.box.low.x, depth = thing.box.high.y - thing.box.low.y; // mm
        PartTypeId type{};
        if (thing.rack) {
            const RackSpec& spec = input.parts().rack(type = s.racks.type[*thing.rack]);
            weight = grams[(*thing.rack).value] + spec.weight.value.count();
            width = spec.width.value.count(), depth = spec.depth.value.count();
        } else {
            weight = input.parts().device(type = s.devices.type[DeviceId(thing.who.id)]).weight.value.count();
        }
        if (weight <= 0 || width <= 0 || depth <= 0) continue;
        const double kg = double(weight) / 1000, spread = kg / (width * (depth + share) / 1e6);
        const std::string group = input.subject(ref(thing.hall)) + '|' + s.partTypes.slug[type];
        if (const double under = kg / casters * uneven; thing.rack && point > 0 && under > point)
            groups.add("point|" + group, thing.who, Severity::Error, under, [&] {
                return i18n("{} weighs {:.0Lf} kg: {:.0Lf} kg under the most loaded caster, floor rating {:.0Lf} kg", input.name(thing.who), kg,
                            under, point);
            });
        if (bears <= 0 || spread <= bears) continue;
        groups.add(group, thing.who, Severity::Error, spread, [&] {
            return i18n("{} weighs {:.0Lf} kg: {:.0Lf} kg/m² on its footprint, {:.0f} including its share of the aisle; floor "
                        "rating of {}: {:.0f}",
                        input.name(thing.who), kg, kg / (width * depth / 1e6), spread, input.name(ref(thing.hall)), bears);
        });
    }
    return groups.findings();
}

namespace {

/// Units of cabinets in contained rows in front of which nothing stands.
void openUnits(const RuleInput& input, Groups& groups)
{
    const Snapshot& s = input.snapshot();
    const double most = input.threshold(kOpenUnits);
    if (most <= 0) return;
    std::vector<int> filled(s.racks.nextId(), 0); // half units, from the front
    s.devices.forEach([&](DeviceId d) {
        if (const auto rack = s.devices.rack[d]; rack && s.devices.u[d] > 0 && s.devices.face[d] == Face::Front)
            filled[(*rack).value] += input.parts().device(s.devices.type[d]).halfUnits;
    });
    s.racks.forEach([&](RackId id) {
        const RowId row = s.racks.row[id];
        if (s.rows.containment[row] == Containment::None) return;
        const int open = input.parts().rack(s.racks.type[id]).heightU - filled[id.value] / 2;
        if (open < most) return;
        groups.add("units|" + input.subject(ref(row)), ref(id), Severity::Warning, open, [&] {
            return i18n("{} U of {} in contained row {} are open: install blanking panels", open, input.name(ref(id)), input.name(ref(row)));
        });
    });
}

} // namespace

std::vector<Finding> containedGaps(const RuleInput& input)
{
    struct PlacedRack {
        std::int32_t from = 0, to = 0;
        RackId rack;
        auto operator<=>(const PlacedRack&) const = default;
    };
    const Snapshot& s = input.snapshot();
    const double least = input.threshold(kContainedGap), apart = input.threshold(kApart);
    std::vector<std::vector<PlacedRack>> rows(s.rows.nextId());
    s.racks.forEach([&](RackId id) {
        const RowId row = s.racks.row[id];
        if (s.rows.containment[row] == Containment::None || s.rows.containment[row] == Containment::Chimney) return;
        const std::int32_t from = s.racks.along[id].count();
        rows[row.value].push_back({from, from + input.parts().rack(s.racks.type[id]).width.value.count(), id});
    });
    Groups groups(input, "S7");
    openUnits(input, groups);
    s.rows.forEach([&](RowId row) {
        auto& racks = rows[row.value];
        std::ranges::sort(racks);
        for (std::size_t i = 1; i < racks.size(); ++i) {
            const std::int32_t gap = racks[i].from - racks[i - 1].to;
            if (gap < least || gap > apart) continue; // wider is a passage with doors
            groups.add(input.subject(ref(row)), ref(racks[i].rack), Severity::Warning, gap, [&] {
                return i18n("{} mm gap between {} and {} in contained row {}: air leakage", gap, input.name(ref(racks[i - 1].rack)),
                            input.name(ref(racks[i].rack)), input.name(ref(row)));
            });
        }
    });
    return groups.findings();
}

} // namespace hw::rules
