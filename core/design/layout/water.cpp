// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/layout/water.h"

#include "core/design/layout/water_bench.h"

#include <cmath>

namespace hw::layout {

WaterMade writeWater(DesignBuilder& builder, const Options& options, Parts& parts, PlantRooms& rooms, const Scope& scope)
{
    Snapshot& out = builder.design();
    Wirer wire(builder, parts, Medium::Coolant);
    WaterBench bench{out, options, parts, wire, rooms, scope, waterConditions(out, options), demandsOf(out, parts)};
    writeCabinetLoops(bench);
    if (options.chiller != "none") writeFacility(bench);
    if (options.facilitySupplyC > 0 && out.setting("cooling.facility_supply_c").empty())
        out.putSetting("cooling.facility_supply_c", std::to_string(options.facilitySupplyC));
    return std::move(bench.made);
}

namespace {

/// Footprints and draw of what one sort of loops needs.
void addLoops(WaterRoom& room, const FacilityNeed& need, int consumers, const Options& o, const Parts& parts)
{
    const std::int64_t sides = o.headers == Headers::Dual ? 2 : 1, loops = need.loops;
    const auto add = [&](auto& into, const std::string& slug, std::int64_t count) {
        if (slug != "none" && !slug.empty() && count > 0) into.emplace_back(slug, count);
    };
    const auto draws = [&](const std::string& slug, std::int64_t count) {
        if (slug != "none" && !slug.empty()) room.drawMw += count * parts.device(slug).nameplate.value.count();
    };
    const auto& beyond = need.condenser;
    add(room.plant, need.header, 2 * sides * loops), add(room.plant, need.pump, loops * need.pumps);
    add(room.plant, o.valve, consumers * sides), add(room.coolers, need.tank, loops * need.tanks);
    add(room.plant, need.series, sides * loops);
    if (!beyond.wanted() && need.series.empty()) add(room.coolers, need.header, sides * loops);
    add(beyond.wanted() ? room.plant : room.coolers, need.chiller, loops * need.rejectors);
    add(room.coolers, need.trim, loops * need.trims);
    draws(need.chiller, loops * need.rejectors), draws(need.trim, loops * need.trims);
    if (!beyond.wanted()) return;
    add(room.plant, beyond.header, 2 * loops), add(room.plant, beyond.pump, loops * beyond.pumps);
    add(room.coolers, beyond.rejector, loops * beyond.rejectors);
    draws(beyond.rejector, loops * beyond.rejectors), draws(beyond.pump, loops * beyond.pumps);
}

} // namespace

WaterRoom waterRoom(const Demand& demand, const Options& o, const Parts& parts)
{
    WaterRoom room;
    if (!o.cooling || o.chiller == "none" || demand.designMw == 0) return room;
    const double liquid = double(demand.liquidMw) / 1e3, air = double(demand.designMw - demand.liquidMw) / 1e3;
    const auto unitsOf = [](const std::string& slug, int count) { return slug == "none" ? 0 : count; };
    const auto drawOf = [&](const std::string& slug, int count) { return count > 0 ? double(count) * toWatts(parts.device(slug).design.value) : 0; };
    const int fans = unitsOf(o.fanWall, fanWallsFor(demand.designMw - demand.liquidMw, o, parts));
    const int cdus = unitsOf(o.cdu, 2 * cdusFor(demand.liquidMw, o, parts)); // of many small loops
    if (fans + cdus == 0) return room;
    const RoomUnits electrical = fans > 0 ? roomUnitsFor(double(demand.designMw) / 1e3, o, parts) : RoomUnits{};
    if (electrical.count > 0) room.electrical.emplace_back(electrical.slug, electrical.count);
    const int airUnits = fans + int(electrical.count);
    const WaterConditions at = waterConditions(parts.design(), o);
    const double airW = fans > 0 ? air : 0, liquidW = cdus > 0 ? liquid : 0,
                 fanW = drawOf(o.fanWall, fans) + drawOf(electrical.slug, int(electrical.count)), cduW = drawOf(o.cdu, cdus);
    const auto loops = [&](double watts, int consumers, const WaterConditions& of, const Options& with) {
        if (consumers > 0) addLoops(room, facilityNeed(1.05 * watts, std::size_t(consumers), of, with, parts), consumers, with, parts);
    };
    if (cdus > 0 && inSeries(o)) {
        const double coolW = 1.05 * airLoopHeatW(airW, liquidW, fanW), warmW = 1.05 * waterHeatW(0, liquidW, cduW);
        const auto series = seriesConditions(at, parts.device(o.cdu), coolW, std::size_t(airUnits), warmW, std::size_t(cdus), o, parts);
        const double returnW = series.cool.onReturnW;
        addLoops(room, facilityNeed(coolW + returnW, std::size_t(airUnits + 2), series.cool, o, parts), airUnits, o, parts);
        addLoops(room, facilityNeed(warmW, std::size_t(cdus), series.warm, warmOptions(o), parts), cdus, o, parts);
    } else if (cdus > 0 && wantsWarmLoop(at, parts.device(o.cdu), o)) {
        loops(airLoopHeatW(airW, liquidW, fanW), airUnits, at, o);
        loops(waterHeatW(0, liquidW, cduW), cdus, warmConditions(at, parts.device(o.cdu), o), warmOptions(o));
    } else {
        loops(waterHeatW(airW, liquidW, fanW + cduW), airUnits + cdus, at, o);
    }
    if (fans > 0) room.drawMw += fans * parts.device(o.fanWall).nameplate.value.count();
    if (electrical.count > 0) room.drawMw += electrical.count * parts.device(electrical.slug).nameplate.value.count();
    return room;
}

} // namespace hw::layout
