// SPDX-License-Identifier: GPL-3.0-or-later
// What every unit carries, and how many of a loop's are needed.
#include "core/derived/cooling/capacity.h"
#include "core/derived/cooling/reading.h"
#include "core/derived/cooling/survey.h"

#include <algorithm>
#include <cmath>

namespace hw::cooling {

namespace {

void fillUnits(const Design& d, const Survey::Answer& base, CoolingChain& chain)
{
    for (std::size_t u = 0; u < chain.units.size(); ++u) {
        CoolingUnit& unit = chain.units[u];
        const auto& carried = base.units[u];
        if (unit.feeds < 0 || !partsLoops(unit.element)) continue;
        unit.heatW = carried.heatW;
        const CoolingLoop& loop = chain.loops[std::size_t(unit.feeds)];
        const double face = d.spec(unit.device).cooling.faceM2.value;
        (loop.kind == LoopKind::Air ? unit.airM3s : unit.lpm) = carried.lpm;
        if (face > 0) unit.faceMs = unit.airM3s / face;
        const double capacity = capacityW(chain, unit, carried.lpm);
        unit.capacityW = std::isfinite(capacity) ? capacity : 0;
        const double flow = loop.wattsPerLpmK * carried.lpm;
        unit.returnC = unit.supplyC + (flow > 0 ? carried.heatW / flow : 0);
        if (unit.takes < 0) continue;
        const double watts = chain.loops[std::size_t(unit.takes)].wattsPerLpmK;
        if (unit.onReturn)
            unit.takesLpm = onReturnLpm(chain, unit, carried.takesW);
        else if (watts > 0)
            unit.takesLpm = carried.takesW / watts / chain.at.facilityDeltaK;
    }
}

/// So many of `units` take out `heatW` (and what `own` says of them) at the flow that it needs, should the smallest be left; one more than
/// there are where all do not.
std::int64_t needed(const CoolingChain& chain, const CoolingLoop& loop, std::vector<const CoolingUnit*> units)
{
    const bool air = loop.kind == LoopKind::Air;
    const auto pumped = [&](const CoolingUnit* unit) { return air ? unit->capacityM3s : unit->capacityLpm; };
    std::ranges::stable_sort(units, {},
                             [&](const CoolingUnit* unit) { return std::pair(unit->capacityW > 0 ? unit->capacityW : unit->ratedW, pumped(unit)); });
    const bool stated = std::ranges::all_of(units, [&](const CoolingUnit* unit) { return pumped(unit) > 0; });
    double pumpHeat = 0;
    for (const DeviceId id : loop.pumps) pumpHeat += chain.unit(id)->ownW;
    double flow = 0, own = pumpHeat;
    for (std::size_t k = 1; k <= units.size(); ++k) {
        flow += pumped(units[k - 1]);
        if (units[k - 1]->element == CoolingElement::Cdu) own += units[k - 1]->ownW;
        const double heat = loop.heatW + own;
        const double need = air                                                       ? loop.airM3s
                            : loop.kind == LoopKind::Liquid || loop.wattsPerLpmK <= 0 ? loop.lpm
                                                                                      : heat / loop.wattsPerLpmK / loop.riseK;
        if (stated && flow < need * (1 - 1e-9)) continue;
        double capacity = 0;
        for (std::size_t i = 0; i < k; ++i) capacity += capacityW(chain, *units[i], stated ? need * pumped(units[i]) / flow : need / double(k));
        if (capacity >= heat * (1 - 1e-9)) return std::int64_t(k);
    }
    return std::int64_t(units.size()) + 1;
}

/// Pumps of their own: by flow alone.
std::int64_t neededPumps(const CoolingChain& chain, const CoolingLoop& loop)
{
    std::vector<double> flows;
    for (const DeviceId id : loop.pumps) flows.push_back(chain.unit(id)->capacityLpm);
    std::ranges::sort(flows);
    double flow = 0;
    for (std::size_t k = 0; k < flows.size(); ++k)
        if ((flow += flows[k]) >= loop.lpm * (1 - 1e-9)) return std::int64_t(k + 1);
    return std::int64_t(flows.size()) + 1;
}

void sizeLoop(CoolingChain& chain, CoolingLoop& loop)
{
    std::vector<const CoolingUnit*> sources;
    for (const DeviceId id : loop.sources)
        if (!chain.unit(id)->dry) sources.push_back(chain.unit(id));
    bool flows = loop.pumps.empty(), heats = true;
    for (const CoolingUnit* unit : sources) {
        loop.capacityW += unit->capacityW, loop.capacityM3s += loop.kind == LoopKind::Air ? unit->capacityM3s : 0;
        if (flows) loop.capacityLpm += unit->capacityLpm;
        heats = heats && unit->ratedW > 0;
    }
    if (!heats) loop.capacityW = 0;
    for (const DeviceId id : loop.pumps) loop.capacityLpm += chain.unit(id)->capacityLpm;
    loop.units = std::int64_t(loop.sources.size());
    loop.running = loop.runningSources = needed(chain, loop, sources);
    loop.runningPumps = std::int64_t(loop.pumps.size());
    if (loop.pumps.empty() || loop.capacityLpm <= 0) return;
    const auto pumps = std::int64_t(loop.pumps.size()), running = loop.runningPumps = neededPumps(chain, loop);
    if (pumps - running < loop.spare()) loop.units = pumps, loop.running = running;
}

} // namespace

void loadUnits(const Design& d, CoolingChain& chain)
{
    const Survey survey(chain);
    for (std::size_t l = 0; l < chain.loops.size(); ++l) {
        CoolingLoop& loop = chain.loops[l];
        for (const DeviceId id : loop.pumps) loop.ownW += chain.unit(id)->ownW;
        for (const DeviceId id : loop.sources)
            if (chain.unit(id)->element == CoolingElement::Cdu) loop.ownW += chain.unit(id)->ownW;
        if (loop.kind != LoopKind::Facility) continue;
        loop.heatW = std::max(survey.base().loops[l].heatW - loop.ownW, 0.0);
        double onReturn = 0;
        for (std::size_t u = 0; u < chain.units.size(); ++u)
            if (chain.units[u].onReturn && chain.units[u].takes == std::int32_t(l)) onReturn += survey.base().units[u].takesW;
        const double all = loop.heatW + loop.ownW;
        loop.lpm = facilityLpm(chain, std::int32_t(l), all - onReturn, onReturn);
        if (onReturn > 0 && loop.lpm > 0) loop.riseK = all / loop.wattsPerLpmK / loop.lpm;
    }
    fillUnits(d, survey.base(), chain);
    for (CoolingLoop& loop : chain.loops) {
        sizeLoop(chain, loop);
        const double flow = loop.wattsPerLpmK * (loop.kind == LoopKind::Air ? loop.airM3s : loop.lpm);
        loop.returnC = loop.supplyC + (flow > 0 ? (loop.heatW + (loop.kind == LoopKind::Facility ? loop.ownW : 0)) / flow : 0);
        for (const DeviceId id : loop.pumps) {
            CoolingUnit& pump = chain.units[std::size_t(chain.unitOf[id.value])];
            pump.lpm = loop.capacityLpm > 0 ? loop.lpm * pump.capacityLpm / loop.capacityLpm : loop.lpm / double(loop.pumps.size());
            pump.heatW = loop.heatW * (loop.lpm > 0 ? pump.lpm / loop.lpm : 0);
            pump.returnC = loop.returnC;
        }
    }
}

} // namespace hw::cooling
