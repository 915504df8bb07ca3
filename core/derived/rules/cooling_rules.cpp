// SPDX-License-Identifier: GPL-3.0-or-later
// C1 to C4 and C7: what cabinets get of coolant, how many units carry it, how warm it is, how fast it flows.
#include "core/derived/rules/cooling_view.h"

#include <algorithm>
#include <cmath>

namespace hw::rules {

namespace {

constexpr double kClose = 1 + 1e-6; ///< numbers that only rounding parts

/// What an air-cooled room has to get before it takes a cabinet that liquid cools.
void addUnfed(const CoolingView& v, const CooledLoad& taker, Groups& groups)
{
    const auto hall = hallOf(v.s, taker.device);
    const bool airOnly = std::ranges::none_of(
        v.chain.units, [&](const CoolingUnit& unit) { return unit.element == CoolingElement::Cdu && hallOf(v.s, unit.device) == hall; });
    const std::string name = v.input.name(v.who(taker));
    groups.add("unfed|" + v.room(taker.device), v.who(taker), Severity::Error, taker.liquidW, [&] {
        if (airOnly && hall)
            return i18n("{} rejects {} to liquid, but {} is air-cooled: it requires a CDU loop with {:.0Lf} L/min of {} at {:.0f} °C ({:.0f} K)",
                        name, wattsText(taker.liquidW), v.input.name(ref(*hall)), taker.lpm, v.chain.at.coolant, v.chain.at.supplyC,
                        v.chain.at.deltaK);
        return i18n("{} rejects {} to liquid, but has no coolant supply: connect its manifold to a CDU loop with {:.0f} "
                    "L/min of {} at {:.0f} °C",
                    name, wattsText(taker.liquidW), taker.lpm, v.chain.at.coolant, v.chain.at.supplyC);
    });
}

/// So many units may be out before less than all of a loop's heat is carried.
std::int64_t spareWanted(const RuleInput& input, const Threshold& threshold) { return std::int64_t(std::llround(input.threshold(threshold))); }

Text unitsText(const CoolingLoop& loop)
{
    if (!loop.carries()) return i18n("insufficient capacity even with all {:L} units", loop.units);
    return i18n("{:L} of {:L} units required, no redundancy", loop.running, loop.units);
}

} // namespace

std::vector<Finding> cabinetFlow(const RuleInput& input)
{
    const CoolingView v(input);
    Groups groups(input, "C1");
    for (const CooledLoad& taker : v.chain.takers) {
        if (taker.loop < 0) {
            addUnfed(v, taker, groups);
        } else if (taker.availableLpm * kClose < taker.lpm) {
            const CoolingLoop& loop = v.loop(taker.loop);
            groups.add("flow|" + v.subject(loop), v.who(taker), Severity::Error, taker.lpm - taker.availableLpm, [&] {
                return i18n("{} receives {:.0Lf} L/min of the {:.0Lf} L/min required for {} to liquid at {:.1f} °C: flow limit of {} reached",
                            input.name(v.who(taker)), taker.availableLpm, taker.lpm, wattsText(taker.liquidW), taker.supplyC, loop.name);
            });
        }
    }
    return groups.findings();
}

std::vector<Finding> cduGroups(const RuleInput& input)
{
    const CoolingView v(input);
    const std::int64_t spare = spareWanted(input, kCduSpare);
    std::vector<Finding> out;
    for (const CoolingLoop& loop : v.chain.loops) {
        if (loop.kind != LoopKind::Liquid || loop.sources.empty() || loop.spare() >= spare) continue;
        std::int64_t takers = 0;
        for (const CooledLoad& taker : v.chain.takers) takers += taker.loop >= 0 && &v.loop(taker.loop) == &loop;
        const bool own = loop.carries() && takers == 1; // a CDU of one cabinet: its pumps have a spare, it has none
        out.push_back({.severity = own ? Severity::Warning : Severity::Error,
                       .message = i18n("{} must remove {} and pump {:.0Lf} L/min at {:.1f} °C with {:L} CDUs out: {}", loop.name,
                                       wattsText(loop.heatW + loop.ownW), loop.lpm, loop.supplyC, spare, unitsText(loop)),
                       .entities = v.entities(loop),
                       .id = findingId("C2", {v.subject(loop)})});
    }
    return out;
}

namespace {

/// Coolant that is too warm for cabinets, coils or plates.
void addTooWarm(const CoolingView& v, Groups& groups)
{
    for (const CooledLoad& taker : v.chain.takers)
        if (taker.loop >= 0 && taker.warmestC > 0 && taker.supplyC > taker.warmestC)
            groups.add("warm|" + v.subject(v.loop(taker.loop)), v.who(taker), Severity::Error, taker.supplyC - taker.warmestC, [&] {
                return i18n("{} is supplied at {:.1f} °C; {} allows {:.1f} °C maximum", v.loop(taker.loop).name, taker.supplyC,
                            v.input.name(v.who(taker)), taker.warmestC);
            });
    for (const CoolingUnit& unit : v.chain.units) {
        const double most = v.spec(unit.device).cooling.warmestSupplyC.value;
        if (!unit.parts() || unit.takes < 0 || most <= 0 || v.loop(unit.takes).supplyC <= most) continue;
        const CoolingLoop& loop = v.loop(unit.takes);
        groups.add("coil|" + v.subject(loop) + "|" + v.input.parts()[v.s.devices.type[unit.device]].slug, ref(unit.device), Severity::Error,
                   loop.supplyC - most, [&] {
                       return i18n("{} is supplied at {:.1f} °C; {} requires {:.1f} °C or lower", loop.name, loop.supplyC, v.name(unit.device), most);
                   });
    }
}

} // namespace

std::vector<Finding> supplyTemperature(const RuleInput& input)
{
    const CoolingView v(input);
    const double margin = input.threshold(kDewMargin);
    Groups groups(input, "C3");
    addTooWarm(v, groups);
    for (const CoolingLoop& loop : v.chain.loops) {
        if (loop.kind != LoopKind::Liquid || loop.supplyC >= v.chain.at.dewPointC + margin) continue;
        for (const EntityRef who : v.entities(loop))
            groups.add("dew|" + v.subject(loop), who, Severity::Error, v.chain.at.dewPointC - loop.supplyC, [&] {
                return i18n("{} is supplied at {:.1f} °C; at least {:.1f} K above the dew point of {:.1f} °C required to prevent "
                            "condensation in cabinets",
                            loop.name, loop.supplyC, margin, v.chain.at.dewPointC);
            });
    }
    return groups.findings();
}

std::vector<Finding> residualAir(const RuleInput& input)
{
    const CoolingView v(input);
    std::vector<Finding> out;
    if (!v.cools()) return out;
    const std::int64_t spare = spareWanted(input, kAirSpare);
    for (const CoolingLoop& loop : v.chain.loops) {
        if (loop.kind != LoopKind::Air || loop.spare() >= spare) continue;
        const Text heat = wattsText(loop.heatW);
        const Text message = loop.sources.empty()
                                 ? i18n("{} has an air-side heat load of {} ({:.1f} m³/s at {:.0f} K), but no fan wall or air handler",
                                        input.name(ref(*loop.hall)), heat, loop.airM3s, v.chain.at.airDeltaK)
                                 : i18n("air-cooling units of {} must remove {} ({:.1f} m³/s at {:.0f} K) with {:L} units out: {}",
                                        input.name(ref(*loop.hall)), heat, loop.airM3s, v.chain.at.airDeltaK, spare, unitsText(loop));
        auto entities = v.entities(loop);
        const bool elsewhere = loop.sources.empty() && !v.coolsIn(v.s.halls.building[*loop.hall]); // its building leaves cooling to others
        out.push_back({.severity = elsewhere ? Severity::Info : Severity::Error,
                       .message = message,
                       .entities = std::move(entities),
                       .id = findingId("C4", {input.subject(ref(*loop.hall))})});
    }
    return out;
}

namespace {

void addFast(const CoolingView& v, Groups& groups)
{
    constexpr double kHoseMm = 51; // to 2 inches
    const double header = v.input.threshold(kHeaderSpeed), speed = v.input.threshold(kHoseSpeed), pipe = v.input.threshold(kPipeSpeed);
    for (const CoolingUnit& unit : v.chain.units)
        if (unit.element == CoolingElement::Header && unit.feeds >= 0) {
            const bool cabinets = v.loop(unit.feeds).kind == LoopKind::Liquid;
            const double most = cabinets ? header : pipe;
            if (unit.velocityMs > most)
                groups.add("header|" + v.subject(v.loop(unit.feeds)), ref(unit.device), Severity::Warning, unit.velocityMs / most, [&] {
                    return i18n("coolant velocity in {}: {:.2f} m/s, maximum {:.2f} m/s: use a larger diameter", v.name(unit.device), unit.velocityMs,
                                most);
                });
        }
    for (const CoolantPath& way : v.chain.ways) {
        const double most = way.innerMm <= kHoseMm ? speed : pipe;
        if (way.loop < 0 || way.velocityMs <= most) continue;
        groups.add((way.innerMm <= kHoseMm ? "hose|" : "pipe|") + v.subject(v.loop(way.loop)), ref(way.taker), Severity::Warning,
                   way.velocityMs / most, [&] {
                       return i18n("coolant velocity from {} to {}: {:.2f} m/s ({:.0Lf} L/min in {:.0f} mm), maximum {:.2f} m/s", v.name(way.feeder),
                                   v.name(way.taker), way.velocityMs, way.lpm, way.innerMm, most);
                   });
    }
    for (const CoolantHose& hose : v.chain.hoses)
        if (hose.loop >= 0 && hose.velocityMs > speed)
            groups.add("hose|" + v.subject(v.loop(hose.loop)), ref(hose.device), Severity::Warning, hose.velocityMs / speed, [&] {
                return i18n("{}: coolant velocity {:.2f} m/s ({:.0Lf} L/min in {:.0f} mm), maximum {:.2f} m/s", v.name(hose.device), hose.velocityMs,
                            hose.lpm, hose.innerMm, speed);
            });
}

/// Hoses whose couplings are rated for less than what flows through them.
void addOverRating(const CoolingView& v, Groups& groups)
{
    constexpr double kEqual = 1 + 1e-6;
    const auto add = [&](std::int32_t l, EntityRef what, const Text& name, double lpm, double rated) {
        if (l < 0 || rated <= 0 || lpm <= rated * kEqual) return;
        groups.add("rated|" + v.subject(v.loop(l)), what, Severity::Warning, lpm / rated, [&] {
            return i18n("{}: flow {:.1f} L/min exceeds the rating of the quick disconnects ({:.1f} L/min); use larger ones or more hoses", name, lpm,
                        rated);
        });
    };
    for (const CoolantPath& way : v.chain.ways)
        add(way.loop, ref(way.taker), i18n("hose from {} to {}", v.name(way.feeder), v.name(way.taker)), way.lpm, way.ratedLpm);
    for (const CoolantHose& hose : v.chain.hoses) add(hose.loop, ref(hose.device), i18n("hose of {}", v.name(hose.device)), hose.lpm, hose.ratedLpm);
}

/// What stands on a shut branch of a cabinets' loop: all of the head over the filling, at most what the relief valves let stand.
struct Pressure {
    double headKpa = 0, reliefKpa = 0, mostKpa = 0; ///< gauge; relief 0: not every source states one
};

Pressure pressureOf(const CoolingView& v, const CoolingLoop& loop)
{
    Pressure pressure;
    bool relieved = !loop.sources.empty();
    for (const auto* list : {&loop.sources, &loop.pumps})
        for (const DeviceId id : *list) pressure.headKpa = std::max(pressure.headKpa, v.chain.unit(id)->headKpa);
    for (const DeviceId id : loop.sources) {
        const double opens = v.spec(id).cooling.reliefKpa.value;
        relieved = relieved && opens > 0;
        pressure.reliefKpa = std::max(pressure.reliefKpa, opens);
    }
    if (!relieved) pressure.reliefKpa = 0;
    const double most = pressure.headKpa + v.input.threshold(kFillKpa);
    pressure.mostKpa = pressure.headKpa <= 0 ? 0 : relieved ? std::min(most, pressure.reliefKpa) : most;
    return pressure;
}

/// Manifolds, headers, cold plates and hoses that the pumps of their loop can press harder than they bear.
void addPressed(const CoolingView& v, Groups& groups)
{
    const double filled = v.input.threshold(kFillKpa);
    std::vector<Pressure> pressures;
    for (const CoolingLoop& loop : v.chain.loops) pressures.push_back(loop.kind == LoopKind::Liquid ? pressureOf(v, loop) : Pressure{});
    const auto over = [&](std::int32_t l, double bears) { return l >= 0 && bears > 0 && pressures[std::size_t(l)].mostKpa > bears; };
    const auto add = [&](std::int32_t l, EntityRef what, const std::string& kind, const Text& name, double bears) {
        const Pressure& p = pressures[std::size_t(l)];
        groups.add("pressure" + kind + "|" + v.subject(v.loop(l)), what, Severity::Warning, p.mostKpa / bears, [&] {
            if (p.reliefKpa > 0 && p.reliefKpa < p.headKpa + filled)
                return i18n("{} is rated for {:.0f} kPa, but the relief valves of {} open at {:.0f} kPa: use a higher pressure "
                            "rating, or lower the relief setting",
                            name, bears, v.loop(l).name, p.reliefKpa);
            return i18n("{} is rated for {:.0f} kPa, but the pumps of {} add up to {:.0f} kPa to a fill pressure of {:.0f} "
                        "kPa: use a higher pressure rating, or limit the pump head",
                        name, bears, v.loop(l).name, p.headKpa, filled);
        });
    };
    const auto part = [&](std::int32_t l, DeviceId id) {
        const double bears = v.spec(id).cooling.bearsKpa.value;
        if (over(l, bears)) add(l, ref(id), "-" + v.input.parts()[v.s.devices.type[id]].slug, verbatim(v.name(id)), bears);
    };
    for (std::int32_t l = 0; l < std::int32_t(v.chain.loops.size()); ++l)
        for (const DeviceId id : v.loop(l).members) {
            const CoolingUnit* unit = v.chain.unit(id);
            if (!unit || unit->element != CoolingElement::Manifold || v.spec(id).cooling.bearsKpa.value > 0)
                part(l, id);
            else if (const double bears = v.input.threshold(kManifoldKpa); over(l, bears)) // its maker states none
                add(l, ref(id), {}, verbatim(v.name(id)), bears);
        }
    for (const CooledLoad& taker : v.chain.takers)
        for (const DeviceId id : taker.cooled)
            if (id != taker.device) part(taker.loop, id);
    for (const CoolantPath& way : v.chain.ways)
        if (over(way.loop, way.bearsKpa))
            add(way.loop, ref(way.taker), "-hose", i18n("hose from {} to {}", v.name(way.feeder), v.name(way.taker)), way.bearsKpa);
    for (const CoolantHose& hose : v.chain.hoses)
        if (over(hose.loop, hose.bearsKpa)) add(hose.loop, ref(hose.device), "-hose", i18n("hose of {}", v.name(hose.device)), hose.bearsKpa);
}

} // namespace

std::vector<Finding> loopFlow(const RuleInput& input)
{
    const CoolingView v(input);
    Groups groups(input, "C7");
    addFast(v, groups);
    addOverRating(v, groups);
    addPressed(v, groups);
    const double share = input.threshold(kHeadMargin) / 100;
    for (const CoolingLoop& loop : v.chain.loops) {
        if (loop.headKpa <= 0 || loop.neededKpa <= loop.headKpa * (1 - share)) continue;
        for (const EntityRef who : v.entities(loop))
            groups.add("head|" + v.subject(loop), who, Severity::Warning, loop.neededKpa / loop.headKpa, [&] {
                return i18n("worst-case branch of {}: {:.0f} kPa required with one pump out, {:.0f} kPa available; required margin {:.0f} %",
                            loop.name, loop.neededKpa, loop.headKpa, 100 * share);
            });
    }
    return groups.findings();
}

} // namespace hw::rules
