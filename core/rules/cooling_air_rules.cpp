// SPDX-License-Identifier: GPL-3.0-or-later
// C5, C6, C12: air before racks, its direction through them, its speed in aisles and before coils.
#include "core/rules/cooling_view.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace hw::rules {

std::vector<Finding> inletAir(const RuleInput& input)
{
    const CoolingView v(input);
    const double recommended = input.threshold(kInletRecommended), allowed = input.threshold(kInletAllowed);
    std::vector<Finding> out;
    for (const CoolingLoop& loop : v.chain.loops) {
        if (loop.kind != LoopKind::Air || loop.sources.empty() || loop.supplyC <= recommended) continue;
        const bool over = loop.supplyC > allowed;
        out.push_back({.severity = over ? Severity::Error : Severity::Warning,
                       .message = over ? i18n("air before the racks of {} has {:.1f} °C, {:.0f} °C are allowed", input.name(ref(*loop.hall)),
                                              loop.supplyC, allowed)
                                       : i18n("air before the racks of {} has {:.1f} °C, {:.0f} °C are recommended at most",
                                              input.name(ref(*loop.hall)), loop.supplyC, recommended),
                       .entities = {ref(*loop.hall)},
                       .id = findingId("C5", {input.subject(ref(*loop.hall))})});
    }
    for (const CoolingUnit& unit : v.chain.units) { // coils cannot give colder air than their water and approach
        if (unit.takes < 0 || unit.feeds < 0 || v.loop(unit.feeds).kind != LoopKind::Air || unit.approachK <= 0) continue;
        const double coldest = v.loop(unit.takes).supplyC + unit.approachK;
        if (coldest <= v.loop(unit.feeds).supplyC) continue;
        out.push_back({.severity = Severity::Error,
                       .message = i18n("{} gives air of {:.1f} °C at the coldest ({:.1f} °C of water, {:.1f} K of approach), {:.1f} °C are planned",
                                       v.name(unit.device), coldest, v.loop(unit.takes).supplyC, unit.approachK, v.loop(unit.feeds).supplyC),
                       .entities = {ref(unit.device)},
                       .id = findingId("C5", {input.subject(ref(unit.device))})});
    }
    return out;
}

namespace {

/// True for what draws air from behind its rack: rear to front, or front to rear and mounted from behind.
bool breathesHot(const CoolingView& v, DeviceId id)
{
    const std::string& airflow = v.spec(id).airflow;
    if (airflow != "front-to-rear" && airflow != "rear-to-front") return false;
    return (airflow == "rear-to-front") != (v.s.devices.face[id] == Face::Rear);
}

} // namespace

std::vector<Finding> airDirection(const RuleInput& input)
{
    const CoolingView v(input);
    Groups groups(input, "C6");
    v.s.devices.forEach([&](DeviceId id) {
        const auto rack = v.s.devices.rack[id];
        const Load& load = input.figures.power->device(id);
        if (!rack || !breathesHot(v, id) || load.at(input.basis) <= load.liquid[std::size_t(input.basis)]) return;
        groups.add(v.room(id) + "|" + input.parts()[v.s.devices.type[id]].slug, ref(id), Severity::Warning, 0, [&] {
            return i18n("{} in {} draws its air from the hot aisle: turn it, or take the type with the other direction of air", v.name(id),
                        input.name(ref(*rack)));
        });
    });
    return groups.findings();
}

namespace {

/// An aisle before the fronts of one row, or between the fronts of two.
struct ColdAisle {
    std::int64_t widthMm = 0;
    double heatW = 0;
    std::vector<RowId> rows;
};

/// Free floor before a row's fronts: to a row there, else to the wall of the room.
std::int64_t before(const Box& row, const Box& other, int facing)
{
    const bool alongX = facing % 180 == 0;
    if (alongX ? row.low.y >= other.high.y || other.low.y >= row.high.y : row.low.x >= other.high.x || other.low.x >= row.high.x) return -1;
    switch (facing) {
    case 0: return other.low.x - row.high.x;
    case 90: return other.low.y - row.high.y;
    case 180: return row.low.x - other.high.x;
    default: return row.low.y - other.high.y;
    }
}

std::int64_t toWall(const Box& row, const Box& hall, int facing)
{
    switch (facing) {
    case 0: return hall.high.x - row.high.x;
    case 90: return hall.high.y - row.high.y;
    case 180: return row.low.x - hall.low.x;
    default: return row.low.y - hall.low.y;
    }
}

double airHeatW(const CoolingView& v, RowId row)
{
    const Load& load = v.input.figures.power->row(row);
    return toWatts(load.at(v.chain.at.basis) - load.liquid[std::size_t(v.chain.at.basis)]);
}

std::vector<ColdAisle> coldAisles(const CoolingView& v)
{
    const Placement& places = *v.input.figures.placement;
    std::vector<int> facing(v.s.rows.nextId(), -1);
    v.s.racks.forEach([&](RackId id) { facing[v.s.racks.row[id].value] = places.facing(id); });
    std::map<RowId, RowId> opposite;
    std::map<RowId, std::int64_t> width;
    v.s.rows.forEach([&](RowId row) {
        if (facing[row.value] < 0) return;
        std::int64_t nearest = toWall(places.row(row), places.hall(v.s.rows.hall[row]), facing[row.value]);
        v.s.rows.forEach([&](RowId other) {
            if (other == row || facing[other.value] < 0 || v.s.rows.hall[other] != v.s.rows.hall[row]) return;
            const std::int64_t gap = before(places.row(row), places.row(other), facing[row.value]);
            if (gap <= 0 || gap > nearest) return;
            nearest = gap;
            if (facing[other.value] == (facing[row.value] + 180) % 360)
                opposite.insert_or_assign(row, other);
            else
                opposite.erase(row);
        });
        width[row] = nearest;
    });
    std::vector<ColdAisle> aisles;
    for (const auto& [row, wide] : width) {
        const auto with = opposite.find(row);
        const bool shared = with != opposite.end() && opposite.contains(with->second) && opposite.at(with->second) == row;
        if (shared && with->second < row) continue; // told by the other row
        ColdAisle aisle{wide, airHeatW(v, row), {row}};
        if (shared) aisle.heatW += airHeatW(v, with->second), aisle.rows.push_back(with->second);
        aisles.push_back(std::move(aisle));
    }
    return aisles;
}

} // namespace

std::vector<Finding> airSpeed(const RuleInput& input)
{
    constexpr int kEnds = 2; // through which an aisle is open to the room
    const CoolingView v(input);
    const double most = input.threshold(kAirSpeed);
    Groups groups(input, "C12");
    if (!v.cools()) return {};
    for (const ColdAisle& aisle : coldAisles(v)) {
        const HallId hall = v.s.rows.hall[aisle.rows.front()];
        const auto air = v.chain.airOf[hall.value];
        const auto clear = v.s.halls.clearHeight[hall].count() > 0 ? v.s.halls.clearHeight[hall] : v.s.halls.sizeZ[hall];
        if (air < 0 || v.loop(air).wattsPerLpmK <= 0 || aisle.widthMm <= 0 || clear.count() <= 0) continue;
        const double flow = aisle.heatW / v.loop(air).wattsPerLpmK / v.chain.at.airDeltaK;
        const double speed = flow / (kEnds * double(aisle.widthMm) / 1000 * toMetres(clear));
        if (speed <= most) continue;
        for (const RowId row : aisle.rows)
            groups.add("aisle|" + input.subject(ref(aisle.rows.front())), ref(row), Severity::Warning, speed, [&] {
                return i18n(
                    "the cold aisle before {} takes {:.1f} m³/s at {:.2f} m/s through two ends of {:.1f} m × {:.1f} m, {:.2f} m/s are the most",
                    input.name(ref(row)), flow, speed, double(aisle.widthMm) / 1000, toMetres(clear), most);
            });
    }
    for (const CoolingUnit& unit : v.chain.units)
        if (unit.faceMs > most)
            groups.add("coil|" + v.room(unit.device) + "|" + input.parts()[v.s.devices.type[unit.device]].slug, ref(unit.device), Severity::Warning,
                       unit.faceMs, [&] {
                           return i18n("air passes {} at {:.2f} m/s ({:.1f} m³/s), {:.2f} m/s are the most", v.name(unit.device), unit.faceMs,
                                       unit.airM3s, most);
                       });
    return groups.findings();
}

} // namespace hw::rules
