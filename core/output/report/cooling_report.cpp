// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/report/cooling_report.h"

#include "core/derived/cooling/aisles.h"
#include "core/foundation/catalog/entity.h"
#include "core/output/report/amounts.h"
#include "core/output/report/json_values.h"
#include "core/physics/coolant/heat.h"
#include "core/physics/coolant/library.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kAirC = 20; ///< of standard air

double wattsOf(double watts) { return rounded(watts, 0.001); }

/// Zero flows where this installation has no data, as where there is no catalog.
coolant::Properties shippedFluid(const std::string& name, double celsius)
{
    return coolant::shippedProperties(name, celsius).value_or(coolant::Properties{});
}

/// The air units of a room by type, each type against the heat of IT that liquid leaves to the air, as planners count them: by what their
/// maker states, without the losses of power equipment; in a room without IT, such as an electrical room, against these.
void addAirUnits(const Figures& figures, const CoolingLoop& air, Report& report)
{
    const Snapshot& s = *figures.snapshot;
    std::map<PartTypeId, std::int64_t> units;
    for (const DeviceId id : air.sources) ++units[s.devices.type[id]];
    const auto basis = std::size_t(report.power.basis);
    const Load& heat = figures.power->hall(*air.hall);
    const Milliwatts it = heat.power[basis] - heat.liquid[basis], load = it.count() > 0 ? it : Milliwatts(std::llround(air.heatW * 1000));
    for (const auto& [type, count] : units) {
        const Milliwatts each = figures.parts->device(type).capacity.value;
        const std::int64_t needed = each.count() > 0 ? (load.count() + each.count() - 1) / each.count() : 0; // 0: not stated
        report.cooling.levels.push_back({s.halls.name[*air.hall] + " " + (*figures.parts)[type].slug, load, each * count, count, needed});
    }
}

/// CDUs by loop, air units by room.
void fillLevels(const Figures& figures, Report& report)
{
    const auto watts = [](double w) { return Milliwatts(std::llround(w * 1000)); };
    for (const CoolingLoop& loop : report.cooling.loops)
        if (loop.kind == LoopKind::Liquid && loop.units > 0)
            report.cooling.levels.push_back({loop.name, watts(loop.heatW), watts(loop.capacityW), loop.units, loop.running});
    for (const CoolingLoop& loop : report.cooling.loops)
        if (loop.kind == LoopKind::Air) addAirUnits(figures, loop, report);
}

std::vector<std::string> names(const Snapshot& s, const std::vector<DeviceId>& devices)
{
    std::vector<std::string> out;
    for (const DeviceId id : devices) out.push_back(s.devices.name[id]);
    return out;
}

std::vector<std::string> worstOf(const Figures& figures, const CoolingLoop& loop)
{
    if (loop.worstShut) return {entityName(*figures.snapshot, *figures.parts, ref(*loop.worstShut))};
    return names(*figures.snapshot, loop.worstLost);
}

/// What 15.0 / ΔT L/min a kW gives for a loop of cabinets; null where no PG25 flows.
Json ruleLpm(const CoolingLoop& loop)
{
    if (loop.coolant != "pg25" || loop.kind != LoopKind::Liquid || loop.lpm <= 0) return nullptr;
    return rounded(coolant::pg25RuleLpm(loop.heatW, loop.returnC - loop.supplyC), 0.001);
}

std::string_view servesOf(LoopKind kind)
{
    switch (kind) {
    case LoopKind::Liquid: return "cabinets";
    case LoopKind::Facility: return "facility";
    case LoopKind::Air: return "room";
    }
    return {};
}

Json loopJson(const CoolingLoop& loop, const Figures& figures)
{
    const Snapshot& s = *figures.snapshot;
    return {{"name", loop.name},
            {"kind", loop.kind == LoopKind::Air ? "air" : "liquid"},
            {"serves", servesOf(loop.kind)},
            {"coolant", loop.coolant},
            {"implied", loop.implied},
            {"units", loop.units},
            {"running", loop.running},
            {"redundancy", loop.redundancy()},
            {"heat_w", wattsOf(loop.heatW)},
            {"pumps_w", wattsOf(loop.ownW)},
            {"losses_w", wattsOf(loop.lossesW)},
            {"flow_lpm", rounded(loop.lpm, 0.001)},
            {"flow_rule_lpm", ruleLpm(loop)},
            {"air_m3s", rounded(loop.airM3s, 0.001)},
            {"supply_c", rounded(loop.supplyC, 0.001)},
            {"return_c", rounded(loop.returnC, 0.001)},
            {"capacity_w", wattsOf(loop.capacityW)},
            {"capacity_lpm", rounded(loop.capacityLpm, 0.001)},
            {"capacity_m3s", rounded(loop.capacityM3s, 0.001)},
            {"worst_w", wattsOf(loop.worstW)},
            {"worst_lost", worstOf(figures, loop)},
            {"liters", rounded(loop.liters, 0.1)},
            {"flowing_liters", rounded(loop.flowingLiters, 0.1)},
            {"limit_k", rounded(loop.limitK, 0.1)},
            {"ride_through_s", rounded(loop.rideThroughS, 0.1)},
            {"head_kpa", rounded(loop.headKpa, 0.1)},
            {"needed_kpa", rounded(loop.neededKpa, 0.1)},
            {"fastest_ms", rounded(loop.fastestMs, 0.001)},
            {"sources", names(s, loop.sources)},
            {"pumps", names(s, loop.pumps)},
            {"fits", loop.fits}};
}

Json nameOf(const CoolingChain& chain, std::int32_t loop) { return loop >= 0 ? Json(chain.loops[std::size_t(loop)].name) : Json(); }

Json nodesJson(const CoolingChain& chain, const Figures& figures)
{
    const Snapshot& s = *figures.snapshot;
    Json out = Json::array();
    for (const CoolingUnit& unit : chain.units)
        out.push_back({{"name", s.devices.name[unit.device]},
                       {"kind", wordOf(unit.element)},
                       {"loop", nameOf(chain, unit.feeds)},
                       {"takes_from", unit.parts() ? nameOf(chain, unit.takes) : Json()},
                       {"heat_w", wattsOf(unit.heatW)},
                       {"capacity_w", wattsOf(unit.capacityW)},
                       {"flow_lpm", rounded(unit.lpm, 0.001)},
                       {"section_lpm", unit.element == CoolingElement::Header ? Json(rounded(unit.sectionLpm, 0.001)) : Json()},
                       {"takes_lpm", rounded(unit.takesLpm, 0.001)},
                       {"air_m3s", rounded(unit.airM3s, 0.001)},
                       {"supply_c", rounded(unit.supplyC, 0.001)},
                       {"return_c", rounded(unit.returnC, 0.001)},
                       {"loss_kpa", rounded(unit.lossKpa, 0.001)},
                       {"head_kpa", rounded(unit.headKpa, 0.001)},
                       {"pumps", unit.pumps},
                       {"spare_pumps", unit.sparePumps},
                       {"lpm_without_pump", unit.pumps > 0 ? Json(rounded(unit.lpmWithoutPump(), 0.001)) : Json()},
                       {"margin_kpa", unit.headKpa > 0 && unit.neededKpa > 0 ? Json(rounded(unit.marginKpa(), 0.001)) : Json()}});
    for (const CooledLoad& taker : chain.takers)
        out.push_back({{"name", taker.rack ? s.racks.name[*taker.rack] : s.devices.name[taker.device]},
                       {"kind", "cabinet"},
                       {"loop", nameOf(chain, taker.loop)},
                       {"heat_w", wattsOf(taker.liquidW)},
                       {"flow_lpm", rounded(taker.lpm, 0.001)},
                       {"available_lpm", rounded(taker.availableLpm, 0.001)},
                       {"supply_c", rounded(taker.supplyC, 0.001)},
                       {"return_c", rounded(taker.returnC, 0.001)},
                       {"loss_kpa", rounded(taker.lossKpa, 0.001)},
                       {"path_kpa", rounded(taker.pathKpa, 0.001)},
                       {"margin_kpa", rounded(taker.marginKpa, 0.001)}});
    return out;
}

Json aislesJson(const CoolingChain& chain, const Figures& figures)
{
    const Snapshot& s = *figures.snapshot;
    Json out = Json::array();
    for (const ColdAisle& aisle : coldAisles(figures, chain)) {
        Json rows = Json::array();
        for (const RowId row : aisle.rows) rows.push_back(s.rows.name[row]);
        out.push_back({{"hall", s.halls.name[aisle.hall]},
                       {"rows", rows},
                       {"width_m", double(aisle.widthMm) / 1000},
                       {"heat_w", wattsOf(aisle.heatW)},
                       {"air_m3s", rounded(aisle.airM3s, 0.001)},
                       {"end_m2", rounded(aisle.sectionM2, 0.001)},
                       {"speed_ms", rounded(aisle.speedMs(), 0.001)}});
    }
    return out;
}

Text heatText(double watts) { return watts >= 1e6 ? i18n("{:.2f} MW", watts / 1e6) : i18n("{:.1f} kW", watts / 1e3); }

Text flowText(const CoolingLoop& loop) { return loop.kind == LoopKind::Air ? i18n("{:.1f} m³/s", loop.airM3s) : i18n("{:.0Lf} L/min", loop.lpm); }

} // namespace

void fillCooling(const Figures& figures, Report& report)
{
    const auto& s = *figures.snapshot;
    const CoolingConditions at = coolingConditions(s);
    auto& out = report.cooling;
    const auto basis = std::size_t(report.power.basis);
    s.buildings.forEach([&](BuildingId id) {
        if (s.buildings.kind[id] == BuildingKind::Pod) out.liquid += figures.power->building(id).liquid[basis];
    });
    out.air = report.power.itAtBasis() - out.liquid;
    out.coolant = at.coolant;
    out.coolantDeltaK = at.deltaK, out.airDeltaK = at.airDeltaK, out.coolantSupplyC = at.supplyC;
    const auto liquid = shippedFluid(out.coolant, coolant::middleC(out.coolantSupplyC, out.coolantDeltaK));
    out.flowLpm = toWatts(out.liquid) / 1000.0 * coolant::litersPerMinutePerKilowatt(out.coolantDeltaK, liquid);
    out.airFlowM3s = coolant::volumeFlow(toWatts(out.air), out.airDeltaK, shippedFluid("air", kAirC));
    out.loops = figures.get<CoolingChainNode>().loops;
    fillLevels(figures, report);
}

Json coolingJson(const Report::Cooling& cooling, const Figures& figures)
{
    const std::string ambientSource = figures.snapshot->setting("site.ambient_source");
    Json levels = Json::array(), loops = Json::array();
    for (const auto& level : cooling.levels)
        levels.push_back({{"name", level.name},
                          {"load_w", wattsJson(level.load)},
                          {"capacity_w", wattsJson(level.capacity)},
                          {"redundancy", level.redundancy()},
                          {"units", level.units},
                          {"needed", level.needed}});
    for (const auto& loop : cooling.loops) loops.push_back(loopJson(loop, figures));
    const CoolingChain& chain = figures.get<CoolingChainNode>();
    return {{"liquid_w", wattsJson(cooling.liquid)},
            {"air_w", wattsJson(cooling.air)},
            {"flow_lpm", rounded(cooling.flowLpm, 0.001)},
            {"coolant", cooling.coolant},
            {"coolant_supply_c", cooling.coolantSupplyC},
            {"coolant_delta_k", cooling.coolantDeltaK},
            {"air_flow_m3s", rounded(cooling.airFlowM3s, 0.001)},
            {"air_delta_k", cooling.airDeltaK},
            {"ambient_c", chain.at.ambientC},
            {"ambient_source", ambientSource.empty() ? "assumed" : ambientSource},
            {"ventilated_w", wattsOf(chain.ventilatedW)},
            {"unfed", names(*figures.snapshot, chain.unfed)},
            {"levels", levels},
            {"loops", loops},
            {"aisles", aislesJson(chain, figures)},
            {"nodes", nodesJson(chain, figures)}};
}

Text lossesText(const Report& report)
{
    const auto& facility = report.power.facility;
    const auto losses = amounts::powerText(facility.losses), feeders = amounts::powerText(facility.feeders),
               atLoad = amounts::powerText(facility.coolingAtLoad);
    const bool rejects = std::ranges::any_of(report.cooling.loops, [](const CoolingLoop& loop) { return loop.kind == LoopKind::Facility; });
    if (!rejects)
        return i18n("{} in the power chain, {} in feeders, {} for cooling equipment of the design: PUE {:.3f} without heat rejection", losses,
                    feeders, atLoad, facility.pue());
    return i18n("{} in the power chain, {} in feeders, {} for cooling equipment at the design heat load ({} with all "
                "units at full draw): PUE {:.3f}",
                losses, feeders, atLoad, amounts::powerText(facility.cooling), facility.pue());
}

std::optional<Text> flowRuleText(const Report::Cooling& cooling)
{
    const double rule = coolant::pg25RuleLpm(toWatts(cooling.liquid), cooling.coolantDeltaK);
    if (cooling.coolant != "pg25" || rule <= 0) return std::nullopt;
    const double more = (cooling.flowLpm / rule - 1) * 100;
    return i18n("{:L} L/min from {:.1f} / ΔT L/min per kW (PG25, accurate within 0.6 %); with "
                "fluid properties at {:g} °C: {:.1f} % {}",
                std::llround(rule), coolant::kPg25Rule, coolant::middleC(cooling.coolantSupplyC, cooling.coolantDeltaK), std::abs(more),
                more < 0 ? i18n("less") : i18n("more"));
}

std::vector<Text> coolingLines(const Report::Cooling& cooling, const Figures& figures)
{
    std::vector<Text> lines;
    if (!cooling.loops.empty())
        lines.push_back(verbatim(fmt::format("{:<28} {:>9} {:>12} {:>13}  {:<16} {:>12}", i18n("loop"), i18n("heat"), i18n("flow"),
                                             i18n("supply, return"), i18n("units in use"), i18n("ride-through"))));
    for (const CoolingLoop& loop : cooling.loops) {
        const Text units = loop.carries() || loop.units == 0 ? i18n("{} of {}", loop.running, loop.units) : i18n("more than {}", loop.units);
        lines.push_back(i18n("{:<28} {:>9} {:>12} {:>4.1f} to {:.1f} °C  {:<16} {:>10.0f} s {}", loop.name, heatText(loop.heatW), flowText(loop),
                             loop.supplyC, loop.returnC, i18n("{}: {}", units, loop.redundancy()), loop.rideThroughS, loop.fits ? " " : "!"));
        if (loop.worstW >= loop.heatW * (1 - 1e-9)) continue;
        for (const std::string& lost : worstOf(figures, loop)) lines.push_back(i18n("  without {}: {} still removed", lost, heatText(loop.worstW)));
    }
    const CoolingChain& chain = figures.get<CoolingChainNode>();
    if (!chain.unfed.empty())
        lines.push_back(i18np(std::int64_t(chain.unfed.size()), "! {:L} liquid-cooled device is not connected to a coolant loop",
                              "! {:L} liquid-cooled devices are not connected to a coolant loop"));
    return lines;
}

} // namespace hw
