// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cooling/capacity.h"

#include "core/derived/cooling/reading.h"
#include "core/foundation/catalog/rejection.h"
#include "core/foundation/model/places.h"
#include "core/physics/coolant/exchanger.h"
#include "core/physics/coolant/flow_need.h"
#include "core/physics/coolant/heat.h"
#include "core/physics/coolant/library.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace hw::cooling {

namespace {

constexpr double kStandardAirC = 20; ///< of the air that flows of fans are stated in

double middleWatts(const std::string& fluid, double supplyC, double deltaK)
{
    return wattsPerLpmK(fluidAt(fluid, coolant::middleC(supplyC, deltaK)));
}

/// What a device asks of its loop as a table over the supply; nothing where its type states none.
double leastLpm(const CoolingSpec& spec, double liquidW, double supplyC, double fallback)
{
    if (spec.flowNeed.value.empty()) return fallback;
    coolant::FlowNeed need;
    for (const auto& [celsius, lpm] : spec.flowNeed.value) need.supplyC.push_back(celsius), need.lpmPerKw.push_back(lpm);
    return need.lpm(liquidW, std::min(supplyC, need.supplyC.back())).value_or(fallback);
}

void stateTaker(const Design& d, const CoolingChain& chain, CooledLoad& taker)
{
    const bool fed = taker.loop >= 0;
    taker.supplyC = fed ? chain.loops[std::size_t(taker.loop)].supplyC : chain.at.supplyC;
    const double watts = fed ? chain.loops[std::size_t(taker.loop)].wattsPerLpmK : middleWatts(chain.at.coolant, chain.at.supplyC, chain.at.deltaK);
    for (const DeviceId id : taker.cooled) {
        const CoolingSpec& spec = d.spec(id).cooling;
        const double heat = toWatts(d.power.device(id).liquid[std::size_t(chain.at.basis)]);
        taker.leastLpm += leastLpm(spec, heat, taker.supplyC, watts > 0 ? heat / watts / chain.at.deltaK : 0);
        taker.liters += spec.liters.value;
        for (const double limit : {spec.warmestSupplyC.value, spec.flowNeed.value.empty() ? 0 : spec.flowNeed.value.back().first})
            if (limit > 0 && (taker.warmestC == 0 || limit < taker.warmestC)) taker.warmestC = limit;
    }
    taker.lpm = watts > 0 ? std::max(taker.leastLpm, taker.liquidW / watts / chain.at.deltaK) : taker.leastLpm;
    taker.returnC = taker.supplyC + (watts > 0 && taker.lpm > 0 ? taker.liquidW / watts / taker.lpm : 0);
}

/// The loops that cool others first.
std::vector<std::int32_t> fromOutside(const CoolingChain& chain)
{
    std::vector<int> level(chain.loops.size(), 0);
    for (std::size_t round = 0; round <= chain.loops.size(); ++round) {
        bool more = false;
        for (const CoolingUnit& unit : chain.units)
            if (unit.parts() && unit.takes >= 0 && unit.feeds >= 0 && level[std::size_t(unit.feeds)] <= level[std::size_t(unit.takes)])
                level[std::size_t(unit.feeds)] = level[std::size_t(unit.takes)] + 1, more = true;
        if (!more) break;
    }
    std::vector<std::int32_t> order(chain.loops.size());
    for (std::size_t l = 0; l < order.size(); ++l) order[l] = std::int32_t(l);
    std::ranges::stable_sort(order, {}, [&](std::int32_t l) { return level[std::size_t(l)]; });
    return order;
}

double outdoorC(const CoolingChain& chain, const CoolingUnit& unit)
{
    if (unit.takes >= 0) return chain.loops[std::size_t(unit.takes)].supplyC;
    return unit.element == CoolingElement::Tower ? chain.at.wetBulbC : chain.at.ambientC;
}

/// Heat of a loop that only CDUs take from, about: that of their cabinets, in proportion to their ratings, with their pumps and its own. Negative for
/// others.
double heatOfCdusW(const CoolingChain& chain, std::int32_t loop)
{
    double heat = 0, rated = 0;
    for (const CoolingUnit& unit : chain.units) {
        if (unit.element == CoolingElement::Pump && unit.feeds == loop) heat += unit.ownW;
        if (!unit.parts() || unit.takes != loop) continue;
        if (unit.element != CoolingElement::Cdu) return -1;
        rated += unit.ratedW, heat += unit.ownW;
        if (unit.feeds < 0) continue;
        double own = 0, all = 0;
        for (const CooledLoad& taker : chain.takers)
            if (taker.loop == unit.feeds) own += taker.liquidW;
        for (const DeviceId id : chain.loops[std::size_t(unit.feeds)].sources) all += chain.unit(id)->ratedW;
        if (all > 0) heat += own * unit.ratedW / all;
    }
    return rated > 0 ? heat : -1;
}

/// The approach to their coolant that all CDUs of a loop reach.
double approachOfCdusK(const CoolingChain& chain, std::int32_t loop)
{
    double most = 0;
    for (const CoolingUnit& unit : chain.units)
        if (unit.element == CoolingElement::Cdu && unit.takes == loop) most = std::max(most, unit.approachK);
    return most;
}

/// The setting, or what its sources reach: dry coolers and towers alone give what the outdoor air allows, plates their approach above their own
/// supply.
double facilitySupplyC(const Design& d, const CoolingChain& chain, const CoolingLoop& loop)
{
    // Condenser water is as cold as it gets; the setting is that of what cools rooms and CDUs.
    bool condenser = false, others = false;
    for (const CoolingUnit& unit : chain.units)
        if (unit.parts() && unit.takes >= 0 && &chain.loops[std::size_t(unit.takes)] == &loop)
            (unit.element == CoolingElement::Chiller || (unit.element == CoolingElement::Exchanger && !unit.onReturn) ? condenser : others) = true;
    const auto element = [&](DeviceId id) { return chain.unit(id)->element; };
    const bool free = !loop.sources.empty() && std::ranges::all_of(loop.sources, [&](DeviceId id) {
        return element(id) == CoolingElement::DryCooler || element(id) == CoolingElement::Tower;
    });
    double supply = free && condenser && !others ? kColdestWaterC : chain.at.facilitySupplyC;
    // With dry coolers or towers, what cools nothing but CDUs is as warm as they allow; all of a dry loop but the largest cooler then carry its heat.
    const auto number = std::int32_t(&loop - chain.loops.data());
    const bool dry = std::ranges::any_of(
        loop.sources, [&](DeviceId id) { return element(id) == CoolingElement::DryCooler || element(id) == CoolingElement::Tower; });
    const bool series = std::ranges::any_of(loop.sources, [&](DeviceId id) { return chain.unit(id)->onReturn; });
    const double cdusW = dry || series ? heatOfCdusW(chain, number) : -1, approach = cdusW >= 0 ? approachOfCdusK(chain, number) : 0;
    if (approach > 0) supply = std::max(supply, chain.at.supplyC - approach);
    double share = 1;
    if (free && cdusW >= 0) {
        double rated = 0, largest = 0;
        for (const DeviceId id : loop.sources) rated += chain.unit(id)->ratedW, largest = std::max(largest, chain.unit(id)->ratedW);
        if (rated > largest) share = std::min(1.0, cdusW / (rated - largest));
    }
    for (const DeviceId id : loop.sources) {
        const CoolingUnit& unit = *chain.unit(id);
        if (unit.element == CoolingElement::Exchanger && unit.takes >= 0)
            supply = std::max(supply, chain.loops[std::size_t(unit.takes)].supplyC + unit.approachK);
        if (free) supply = leastSupplyC(d.spec(id).cooling.points, outdoorC(chain, unit), supply, share);
    }
    return supply;
}

std::string facilityCoolant(const Design& d, const CoolingLoop& loop)
{
    for (const DeviceId id : loop.sources)
        if (const auto& stated = d.spec(id).cooling.coolant.value; !stated.empty() && rejectsHeat(coolingElement(d.spec(id)))) return stated;
    return "water";
}

void stateLoop(const Design& d, CoolingChain& chain, CoolingLoop& loop)
{
    double deltaK = chain.at.deltaK;
    switch (loop.kind) {
    case LoopKind::Liquid: loop.coolant = chain.at.coolant, loop.supplyC = chain.at.supplyC; break;
    case LoopKind::Facility:
        loop.coolant = facilityCoolant(d, loop), loop.supplyC = facilitySupplyC(d, chain, loop);
        deltaK = chain.at.facilityDeltaK;
        break;
    case LoopKind::Air: {
        const auto air = fluidAt("air", kStandardAirC);
        loop.supplyC = chain.at.airSupplyC, loop.wattsPerLpmK = air.volumetricHeat();
        return;
    }
    }
    loop.wattsPerLpmK = middleWatts(loop.coolant, loop.supplyC, deltaK), loop.riseK = deltaK;
}

/// Losses of power equipment where they end: in the air of their room, if something cools it.
void addAirHeat(const Design& d, CoolingChain& chain)
{
    const auto basis = std::size_t(chain.at.basis);
    for (CoolingLoop& loop : chain.loops)
        if (loop.kind == LoopKind::Air) {
            const Load& load = d.power.hall(*loop.hall);
            loop.heatW = toWatts(load.power[basis] - load.liquid[basis]);
        }
    d.s.devices.forEach([&](DeviceId id) {
        if (d.s.tiers.kind[d.s.devices.tier[id]] != TierKind::Power) return;
        const auto hall = hallOf(d.s, id);
        if (!hall || d.s.halls.kind[*hall] == RoomKind::Yard) return;
        const double loss = toWatts(d.chain.load(id) - d.chain.through(id));
        if (const auto air = chain.airOf[(*hall).value]; air >= 0) {
            chain.loops[std::size_t(air)].heatW += loss, chain.loops[std::size_t(air)].lossesW += loss;
        } else {
            chain.ventilatedW += loss;
        }
    });
    for (CoolingLoop& loop : chain.loops)
        if (loop.kind == LoopKind::Air && loop.wattsPerLpmK > 0)
            loop.airM3s = loop.heatW / loop.wattsPerLpmK / chain.at.airDeltaK / std::max(1 - chain.at.bypassShare, 0.1);
}

} // namespace

coolant::Properties fluidAt(const std::string& fluid, double celsius)
{
    return coolant::shippedProperties(fluid, celsius).value_or(coolant::Properties{});
}

double wattsPerLpmK(const coolant::Properties& fluid) { return fluid.volumetricHeat() / 60'000; }

double facilityLpm(const CoolingChain& chain, std::int32_t l, double directW, double onReturnW)
{
    const CoolingLoop& loop = chain.loops[std::size_t(l)];
    if (loop.wattsPerLpmK <= 0) return 0;
    const double direct = directW / loop.wattsPerLpmK / chain.at.facilityDeltaK;
    if (onReturnW <= 0) return direct;
    double warmestK = 0; // the return is no warmer than that of what takes it
    for (const CoolingUnit& unit : chain.units)
        if (unit.onReturn && unit.takes == l && unit.feeds >= 0)
            warmestK = std::max(warmestK, chain.loops[std::size_t(unit.feeds)].supplyC + chain.at.facilityDeltaK - loop.supplyC);
    return warmestK > 0 ? std::max(direct, (directW + onReturnW) / loop.wattsPerLpmK / warmestK) : direct;
}

double beforeReturnK(const CoolingChain& chain, std::int32_t l)
{
    const CoolingLoop& loop = chain.loops[std::size_t(l)];
    if (loop.lpm <= 0 || loop.wattsPerLpmK <= 0) return chain.at.facilityDeltaK;
    std::set<std::int32_t> fed;
    double passed = 0;
    for (const CoolingUnit& unit : chain.units) {
        if (!unit.onReturn || !unit.parts() || unit.takes != l || unit.feeds < 0 || !fed.insert(unit.feeds).second) continue;
        passed += chain.loops[std::size_t(unit.feeds)].heatW + chain.loops[std::size_t(unit.feeds)].ownW;
    }
    return std::max(0.0, loop.riseK - passed / loop.wattsPerLpmK / loop.lpm);
}

double onReturnLpm(const CoolingChain& chain, const CoolingUnit& unit, double watts)
{
    const CoolingLoop &from = chain.loops[std::size_t(unit.takes)], &to = chain.loops[std::size_t(unit.feeds)];
    const double rise = to.supplyC + chain.at.facilityDeltaK - from.supplyC - beforeReturnK(chain, unit.takes);
    return from.wattsPerLpmK > 0 && rise > 0 ? watts / from.wattsPerLpmK / rise : 0;
}

double capacityW(const CoolingChain& chain, const CoolingUnit& unit, double lpm)
{
    constexpr double kUnlimited = std::numeric_limits<double>::infinity();
    if (unit.ratedW <= 0) return kUnlimited;
    const bool plates = unit.element == CoolingElement::Cdu || (unit.element == CoolingElement::Exchanger && !unit.onReturn);
    if (!plates || unit.approachK <= 0 || unit.capacityLpm <= 0 || unit.feeds < 0) return unit.ratedW * unit.share;
    const CoolingLoop& loop = chain.loops[std::size_t(unit.feeds)];
    const bool given = unit.takes < 0; // facility water from outside the design
    const double facilityC = given ? chain.at.facilitySupplyC : chain.loops[std::size_t(unit.takes)].supplyC;
    const double facilityWatts = given ? middleWatts("water", facilityC, chain.at.facilityDeltaK) : chain.loops[std::size_t(unit.takes)].wattsPerLpmK;
    const double approach = loop.supplyC - facilityC, facilityLpm = unit.ratedTakesLpm > 0 ? unit.ratedTakesLpm : unit.capacityLpm;
    if (approach <= 0 || lpm <= 0 || facilityWatts <= 0 || loop.wattsPerLpmK <= 0) return approach <= 0 ? 0 : unit.ratedW;
    const coolant::Stream facility{facilityLpm, facilityWatts}, rated{unit.capacityLpm, loop.wattsPerLpmK}, now{lpm, loop.wattsPerLpmK};
    const auto exchanger = coolant::Exchanger::of({unit.ratedW, unit.approachK, facility, rated});
    return exchanger ? std::min(unit.ratedW, exchanger->capacityW(facility, now, approach)) : unit.ratedW;
}

void stateLoops(const Design& d, CoolingChain& chain)
{
    for (const std::int32_t l : fromOutside(chain)) stateLoop(d, chain, chain.loops[std::size_t(l)]);
    for (CooledLoad& taker : chain.takers) stateTaker(d, chain, taker);
    for (CoolingUnit& unit : chain.units) {
        const std::int32_t of = unit.feeds >= 0 ? unit.feeds : unit.takes;
        if (of < 0) continue;
        const CoolingLoop& loop = chain.loops[std::size_t(of)];
        unit.supplyC = loop.supplyC;
        if (!rejectsHeat(unit.element)) continue;
        const RejectionPoint at = rejectionAt(d.spec(unit.device).cooling.points, outdoorC(chain, unit), loop.supplyC);
        unit.share = at.share, unit.cop = at.cop;
    }
    for (const CooledLoad& taker : chain.takers)
        if (taker.loop >= 0) {
            CoolingLoop& loop = chain.loops[std::size_t(taker.loop)];
            loop.heatW += taker.liquidW, loop.lpm += taker.lpm;
        }
    addAirHeat(d, chain);
}

} // namespace hw::cooling
