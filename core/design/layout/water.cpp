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

WaterRoom waterRoom(const Demand& demand, const Options& o, const Parts& parts)
{
    WaterRoom room;
    if (!o.cooling || o.chiller == "none" || demand.designMw == 0) return room;
    const double liquid = double(demand.liquidMw) / 1e3, air = double(demand.designMw - demand.liquidMw) / 1e3;
    double draw = 0;
    const auto units = [&](const std::string& slug, int count) {
        if (slug != "none") draw += double(count) * toWatts(parts.device(slug).design.value);
        return slug == "none" ? 0 : count;
    };
    const int fans = units(o.fanWall, fanWallsFor(demand.designMw - demand.liquidMw, o, parts));
    const int cdus = units(o.cdu, 2 * cdusFor(demand.liquidMw, o, parts)); // of many small loops
    if (fans + cdus == 0) return room;
    const WaterConditions at = waterConditions(parts.design(), o);
    const FacilityNeed need =
        facilityNeed(1.05 * waterHeatW(fans > 0 ? air : 0, cdus > 0 ? liquid : 0, draw), std::size_t(fans + cdus), at, o, parts);
    room.header = need.header, room.chiller = need.chiller, room.headers = (o.headers == Headers::Dual ? 4 : 2) * need.loops;
    room.pump = need.pump, room.pumps = need.pump == "none" ? 0 : need.loops * need.pumps, room.tanks = need.loops * need.tanks;
    room.tank = need.tank, room.yardHeaders = need.condenser.wanted() ? 0 : room.headers / 2;
    room.rejectors = need.loops * need.rejectors, room.valves = o.valve == "none" ? 0 : (fans + cdus) * (o.headers == Headers::Dual ? 2 : 1);
    room.drawMw = room.rejectors * parts.device(need.chiller).nameplate.value.count();
    if (need.condenser.wanted()) {
        room.chillersInside = true, room.condenser = need.condenser.rejector, room.condenserHeader = need.condenser.header;
        room.condenserHeaders = 2 * need.loops, room.condensers = need.loops * need.condenser.rejectors;
        room.condenserPump = need.condenser.pump;
        room.condenserPumps = need.condenser.pump == "none" ? 0 : need.loops * need.condenser.pumps;
        room.drawMw += room.condensers * parts.device(room.condenser).nameplate.value.count();
        if (room.condenserPumps > 0) room.drawMw += room.condenserPumps * parts.device(need.condenser.pump).nameplate.value.count();
    }
    if (fans > 0) room.drawMw += fans * parts.device(o.fanWall).nameplate.value.count();
    return room;
}

} // namespace hw::layout
