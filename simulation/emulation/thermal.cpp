// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/emulation/thermal.h"

#include "core/derived/cooling/capacity.h"
#include "core/derived/cooling/reading.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace hw::emulation {

namespace {

constexpr double kRecoverS = 60;    // in which what was kept leaves again but for 1/e (assumed)
constexpr double kLeastFlow = 0.5;  // of the design flow, with nothing to cool (assumed)
constexpr double kMostStores = 3;   // a store takes up so many times what brings it to its limit, then heat goes into walls (assumed)
constexpr double kMostSpeed = 1.25; // of its usual flow, what a unit moves at full speed (assumed)
constexpr double kCoolAgain = 0.5;  // of its limit: what shut down for heat starts again
constexpr double kPinchK = 2;       // that water which cools stays below what it cools, at least (assumed)

} // namespace

Thermal::Thermal(const impact::Model& model)
    : m_model(model), m_plant(model.coolant), m_chain(*m_plant.chain), m_kept(m_chain, m_plant.flow), m_clock(m_plant.loops, m_plant.cabinets),
      m_carried(m_kept.survey().base().units), m_rate(m_plant.loops.size(), 0), m_cabinetRate(m_plant.cabinets.size(), 0),
      m_loops(m_plant.loops.size()), m_takers(m_chain.takers.size()), m_units(m_chain.units.size()), m_readyMs(m_chain.units.size(), 0),
      m_sources(m_plant.loops.size()), m_givers(m_plant.loops.size()), m_headers(cooling::parallelHeaders(m_chain))
{
    const std::size_t devices = m_model.s->devices.nextId();
    m_takerLeft.assign(m_takers.size(), 1), m_unitLeft.assign(m_units.size(), 1), m_comes.assign(m_loops.size(), 1);
    m_failed.assign(devices, 0), m_hot.assign(devices, 0), m_noPower.assign(devices, 0);
    for (std::uint32_t u = 0; u < m_chain.units.size(); ++u) {
        const CoolingUnit& unit = m_chain.units[u];
        if (!unit.parts() || !cooling::partsLoops(unit.element)) continue;
        if (unit.feeds >= 0) m_sources[std::size_t(unit.feeds)].push_back(u);
        if (unit.takes >= 0) m_givers[std::size_t(unit.takes)].push_back(u);
    }
    std::vector<int> level(m_loops.size(), 0); // above the loops that give it heat
    for (std::size_t round = 0; round < m_loops.size(); ++round)
        for (const CoolingUnit& unit : m_chain.units)
            if (unit.parts() && unit.takes >= 0 && unit.feeds >= 0)
                level[std::size_t(unit.takes)] =
                    std::min(int(m_loops.size()), std::max(level[std::size_t(unit.takes)], level[std::size_t(unit.feeds)] + 1));
    for (std::uint32_t l = 0; l < m_loops.size(); ++l) m_order.push_back(l);
    std::ranges::stable_sort(m_order, {}, [&](std::uint32_t l) { return level[l]; });
}

void Thermal::lose(std::span<const DeviceId> failed, std::span<const LinkId> shut)
{
    std::ranges::fill(m_failed, 0);
    for (const DeviceId id : failed) m_failed[id.value] = 1;
    m_shut.assign(shut.begin(), shut.end());
}

void Thermal::clog(const std::function<double(DeviceId)>& left)
{
    for (std::size_t t = 0; t < m_takerLeft.size(); ++t) m_takerLeft[t] = left(m_chain.takers[t].device);
    for (std::size_t u = 0; u < m_unitLeft.size(); ++u) m_unitLeft[u] = left(m_chain.units[u].device);
}

/// Which units work: what lost its power starts again when that is back.
void Thermal::readUnits(std::int64_t ms, std::span<const char> powered)
{
    for (std::size_t u = 0; u < m_units.size(); ++u) {
        const DeviceId id = m_chain.units[u].device;
        const bool dark = !m_plant.flow.passive[u] && !powered[id.value];
        if (!dark && m_noPower[id.value]) m_readyMs[u] = ms + m_plant.restartMs[u];
        m_noPower[id.value] = dark;
        m_units[u].works = !m_failed[id.value] && !dark && m_readyMs[u] <= ms;
    }
}

void Thermal::readHeat(std::span<const double> share)
{
    const CoolingChain& all = *m_plant.chain;
    std::vector<double> liquid(m_takers.size(), 0), air(m_loops.size(), 0);
    for (std::uint32_t d = 0; d < m_plant.heated.size(); ++d) {
        const auto& heated = m_plant.heated[d];
        if (heated.taker >= 0) liquid[std::size_t(heated.taker)] += toWatts(heated.liquid) * share[d];
        if (heated.loop >= 0) air[std::size_t(heated.loop)] += toWatts(heated.air) * share[d];
    }
    for (std::size_t t = 0; t < m_takers.size(); ++t) {
        const double part = all.takers[t].liquidW > 0 ? liquid[t] / all.takers[t].liquidW : 0;
        m_takers[t].heatW = m_chain.takers[t].liquidW = liquid[t];
        m_chain.takers[t].lpm = all.takers[t].lpm * part;
    }
    for (std::size_t l = 0; l < m_loops.size(); ++l) {
        const CoolingLoop& loop = all.loops[l];
        if (loop.kind != LoopKind::Air) continue;
        m_loops[l].inW = m_chain.loops[l].heatW = air[l] + loop.lossesW;
        m_chain.loops[l].airM3s = loop.heatW > 0 ? loop.airM3s * m_loops[l].inW / loop.heatW : 0;
    }
}

/// What loops and cabinets keep, with what is out now, at the heat of now.
void Thermal::settle()
{
    std::vector<cooling::KeptHeat::Out> out;
    for (std::uint32_t u = 0; u < m_units.size(); ++u)
        if (!m_units[u].works) out.push_back({u, m_noPower[m_chain.units[u].device.value] != 0});
    std::ranges::fill(m_rate, 0), std::ranges::fill(m_cabinetRate, 0);
    for (auto& taker : m_takers) taker.stands = false;
    for (auto& unit : m_units) unit.dry = unit.still = false;
    if (out.empty() && m_shut.empty()) {
        m_carried = m_kept.survey().base().units;
        return;
    }
    std::vector<Milliwatts> heat;
    for (const CooledState& taker : m_takers) heat.push_back(Milliwatts(std::llround(taker.heatW * 1000)));
    m_kept.settle(out, m_shut, heat);
    m_clock.settle(m_kept.loops(), m_kept.cabinets());
    m_carried = m_kept.units(); // water that flows takes heat along, also while nothing cools it
    for (std::size_t u = 0; u < m_units.size(); ++u) {
        m_units[u].dry = m_kept.dry()[u] != 0, m_units[u].still = m_kept.still()[u] != 0;
        m_units[u].works = m_units[u].works && !m_kept.trips(u);
    }
    for (std::size_t t = 0; t < m_takers.size(); ++t) m_takers[t].stands = m_kept.cabinets()[t].stands;
    for (std::size_t l = 0; l < m_rate.size(); ++l) m_rate[l] = toWatts(m_clock.loopRate(l));
    for (std::size_t t = 0; t < m_cabinetRate.size(); ++t) m_cabinetRate[t] = toWatts(m_clock.cabinetRate(t));
}

/// Of the sources that work; 0 where one of them states none.
double Thermal::capacityW(std::uint32_t l) const
{
    double sum = 0;
    for (const std::uint32_t u : m_sources[l]) {
        if (!m_units[u].works) continue;
        if (m_chain.units[u].capacityW <= 0) return 0;
        sum += m_chain.units[u].capacityW;
    }
    return sum;
}

/// A loop's heat into its store and out of it; `outW` is what its sources have to take. Where the design has none, heat leaves unseen.
void Thermal::keep(std::uint32_t l, double seconds)
{
    Hall::Heat& loop = m_loops[l];
    double share = 0;
    for (const std::uint32_t u : m_sources[l]) share += m_units[u].works ? m_carried[u].heatW * m_unitLeft[u] : 0;
    double rate = share > 0 ? std::min(m_rate[l], loop.inW) : m_sources[l].empty() ? 0 : loop.inW;
    if (loop.storedJ + rate * seconds > kMostStores * mostJ(l) && share <= 0) { // into walls and roof
        rate = std::max(0.0, (kMostStores * mostJ(l) - loop.storedJ) / seconds);
    }
    double release = 0;
    if (rate <= 0 && share > 0) {
        release = loop.storedJ * (1 - std::exp(-seconds / kRecoverS));
        if (const double spare = capacityW(l) - loop.inW; capacityW(l) > 0) release = std::min(release, std::max(0.0, spare) * seconds);
    }
    loop.storedJ = std::max(0.0, loop.storedJ + rate * seconds - release);
    loop.outW = loop.inW - rate + release / seconds;
    double stays = 0; // that what comes to its sources cannot take along
    for (const std::uint32_t u : m_sources[l]) {
        Unit& unit = m_units[u];
        unit.share = unit.works && share > 0 ? m_carried[u].heatW * m_unitLeft[u] / share : 0; // others take what a clogged one does not
        unit.wantsW = loop.outW * unit.share;
        unit.heatW = std::min(unit.wantsW, mostPassed(u));
        stays += unit.wantsW - unit.heatW;
    }
    stays = std::clamp(stays, 0.0, std::max(0.0, kMostStores * mostJ(l) - loop.storedJ) / seconds); // the rest goes into walls and roof
    loop.storedJ += stays * seconds, loop.outW -= stays;
    loop.risesK = mostJ(l) > 0 ? loop.storedJ / mostJ(l) * m_chain.loops[l].limitK : 0;
}

/// By how much the water that a unit takes may warm up in it: what it cools comes back warmer. A chiller lifts heat to what is warmer.
double Thermal::mayRiseK(std::size_t u) const
{
    const CoolingUnit& unit = m_chain.units[u];
    const auto takes = std::size_t(unit.takes);
    return m_units[u].returnC - kPinchK - m_plant.chain->loops[takes].supplyC - m_loops[takes].risesK;
}

/// Heat that a unit can hand on where less water comes to it than it wants: its water gets no warmer than that, and what it cools comes back
/// the less warm the less it hands on.
double Thermal::mostPassed(std::size_t u) const
{
    const CoolingUnit& unit = m_chain.units[u];
    const Unit& now = m_units[u];
    const double wants = now.wantsW;
    if (unit.takes < 0 || m_comes[std::size_t(unit.takes)] >= 1 || unit.element == CoolingElement::Chiller) return wants;
    const double perK = wants * m_comes[std::size_t(unit.takes)] / riseOf(unit), // W for each kelvin of its water
        ownK = now.lpm > 0 ? 1 / (now.lpm * m_plant.chain->loops[std::size_t(unit.feeds)].wattsPerLpmK) : 0;
    const double aboveK = mayRiseK(u) - (now.returnC - now.supplyC); // with nothing handed on
    return perK * ownK < 1 ? std::max(0.0, perK * aboveK / (1 - perK * ownK)) : wants;
}

/// From supply to return, as designed.
double Thermal::riseOf(std::uint32_t l) const { return std::max(1.0, m_plant.chain->loops[l].returnC - m_plant.chain->loops[l].supplyC); }

/// Of the water that a unit takes: what takes the return, and what its loop has beside such, have a rise of their own.
double Thermal::riseOf(const CoolingUnit& unit) const
{
    const double perK = m_plant.chain->loops[std::size_t(unit.takes)].wattsPerLpmK * unit.takesLpm;
    const double watts = m_kept.survey().base().units[std::size_t(&unit - m_chain.units.data())].takesW;
    return perK > 0 && watts > 0 ? std::max(1.0, watts / perK) : riseOf(std::uint32_t(unit.takes));
}

/// The share of the flow of a loop that its units still move: each at most kMostSpeed of its usual flow, or what is its where only as many run
/// as must; of what is clogged, what is left of that. 1 where nothing is clogged. `flow`: wanted now, L/min.
double Thermal::movedOf(std::uint32_t l, double flow) const
{
    const CoolingLoop& design = m_plant.chain->loops[l];
    double most = 0;
    bool clogged = false;
    for (const std::uint32_t u : m_sources[l]) {
        if (!m_units[u].works) continue;
        clogged = clogged || m_unitLeft[u] < 1;
        const double all = design.kind == LoopKind::Air ? design.airM3s : design.lpm;
        most += m_unitLeft[u] * std::max(kMostSpeed * m_kept.survey().base().units[u].lpm, design.running > 0 ? all / double(design.running) : 0);
    }
    return clogged && flow > most ? most / flow : 1;
}

/// Flow that a unit asks for of what it takes from. Valves follow the heat, down to a tenth; pumps of condenser water down to half.
double Thermal::askedLpm(std::size_t u) const
{
    const CoolingUnit& unit = m_chain.units[u];
    const Unit& now = m_units[u];
    if (!now.works || now.dry || unit.takes < 0) return 0;
    const double perLpm = m_plant.chain->loops[std::size_t(unit.takes)].wattsPerLpmK * riseOf(unit);
    const double asks = perLpm > 0 ? (now.takesW + now.wantsW - now.heatW) / perLpm : 0;
    return std::max(unit.takesLpm * (isCondenser(unit.takes) ? kLeastFlow : 0.1), asks);
}

/// Flow that those ask for that take from a loop of facility water.
double Thermal::wantedOf(std::uint32_t l) const
{
    if (isCondenser(std::int32_t(l))) { // nothing of it passes by
        double lpm = 0;
        for (const std::uint32_t u : m_givers[l]) lpm += askedLpm(u);
        return lpm;
    }
    const double perLpm = m_plant.chain->loops[l].wattsPerLpmK * riseOf(l);
    double watts = 0;
    for (const std::uint32_t u : m_givers[l])
        if (m_units[u].works && !m_units[u].dry) watts += m_units[u].takesW + m_units[u].wantsW - m_units[u].heatW;
    return perLpm > 0 ? watts / perLpm : 0;
}

/// Flows of a loop, and temperatures that carry its heat at them.
void Thermal::readFlows(std::uint32_t l)
{
    const CoolingLoop& design = m_plant.chain->loops[l];
    Hall::Heat& loop = m_loops[l];
    const double supplyC = design.supplyC + loop.risesK, wanted = design.kind == LoopKind::Air ? design.airM3s : design.lpm;
    const double load = design.heatW > 0 ? std::clamp(loop.inW / design.heatW, 0.0, 1.2) : 0;
    loop.flow = wanted * (kLeastFlow + (1 - kLeastFlow) * load);
    if (design.kind == LoopKind::Liquid) {
        loop.flow = 0;
        for (const std::uint32_t t : m_plant.takers(l)) loop.flow += m_takers[t].lpm;
        const double moved = movedOf(l, loop.flow);
        loop.flow *= moved;
        for (const std::uint32_t t : m_plant.takers(l)) m_takers[t].lpm *= moved;
    } else if (design.kind == LoopKind::Air) {
        loop.flow *= movedOf(l, loop.flow);
    } else if (isCondenser(std::int32_t(l))) {
        const double all = wantedOf(l);
        loop.flow = all * movedOf(l, all);
    } else if (design.kind == LoopKind::Facility && design.wattsPerLpmK > 0) {
        const double all = std::max(loop.flow, wantedOf(l)), moved = movedOf(l, all); // what nothing asks for passes by
        if (moved < 1) loop.flow = all * moved;
    }
    shareFlow(l);
    double heatW = 0, lpm = 0; // what comes back is mixed
    for (const std::uint32_t u : m_sources[l]) heatW += m_units[u].heatW, lpm += m_units[u].lpm;
    const double rises = lpm > 0 && design.wattsPerLpmK > 0 ? heatW / (lpm * design.wattsPerLpmK) : 0;
    for (const std::uint32_t u : m_sources[l]) {
        Unit& unit = m_units[u];
        const double own = unit.lpm > 0 && design.wattsPerLpmK > 0 ? unit.heatW / (unit.lpm * design.wattsPerLpmK) : 0;
        unit.returnC = supplyC + (unit.lpm > 0 ? rises : 0);
        unit.supplyC = unit.returnC - own;
        const double usual = m_kept.survey().base().units[u].lpm;
        unit.speed = usual > 0 ? std::min(1.0, unit.lpm / (usual * kMostSpeed * std::max(0.01, m_unitLeft[u]))) : unit.works ? 0.8 : 0;
    }
}

/// The flow of a loop over its sources: by the heat that they take; where some that move it take none, by what they move as designed.
void Thermal::shareFlow(std::uint32_t l)
{
    const bool facility = m_plant.chain->loops[l].kind == LoopKind::Facility, condenser = isCondenser(std::int32_t(l));
    const auto moves = [&](std::uint32_t u) {
        if (facility && !condenser) return 0.0;
        return m_units[u].works && !m_units[u].still ? m_kept.survey().base().units[u].lpm * m_unitLeft[u] : 0.0;
    };
    double all = 0;
    bool idles = false; // what moves air or coolant in a circle of its own does so, whether it carries heat or not
    for (const std::uint32_t u : m_sources[l]) all += moves(u), idles = idles || (moves(u) > 0 && m_units[u].share <= 0);
    for (const std::uint32_t u : m_sources[l]) m_units[u].lpm = m_loops[l].flow * (!idles || all <= 0 ? m_units[u].share : moves(u) / all);
}

void Thermal::passLoop(std::uint32_t l, double seconds)
{
    const CoolingLoop& design = m_plant.chain->loops[l];
    Hall::Heat& loop = m_loops[l];
    const bool moved = std::ranges::any_of(m_sources[l], [&](std::uint32_t u) { return m_units[u].works; });
    double pumpsW = 0; // of the pumps that run
    for (const DeviceId id : design.pumps)
        if (const auto u = std::size_t(m_chain.unitOf[id.value]); m_units[u].works) pumpsW += m_chain.units[u].ownW;
    for (const std::uint32_t u : m_sources[l])
        if (m_chain.units[u].element == CoolingElement::Cdu && m_units[u].works) pumpsW += m_chain.units[u].ownW;
    if (design.kind == LoopKind::Liquid) {
        loop.inW = moved ? pumpsW : 0;
        for (const std::uint32_t t : m_plant.takers(l)) {
            CooledState& taker = m_takers[t];
            const double most = cabinetMostJ(t), released = taker.stands ? 0 : taker.storedJ * (1 - std::exp(-seconds / kRecoverS));
            taker.storedJ = std::max(0.0, std::min(kMostStores * most, taker.storedJ + m_cabinetRate[t] * seconds) - released);
            const CooledLoad& full = m_plant.chain->takers[t];
            const double load = full.liquidW > 0 ? std::min(1.2, taker.heatW / full.liquidW) : 0;
            taker.lpm = taker.stands || !moved ? 0 : std::max(full.lpm, full.leastLpm) * (kLeastFlow + (1 - kLeastFlow) * load) * m_takerLeft[t];
            taker.outW = taker.lpm > 0 ? taker.heatW + released / seconds : 0;
            if (!taker.stands) loop.inW += taker.heatW + released / seconds;
        }
    } else if (design.kind == LoopKind::Facility) {
        loop.inW = pumpsW;
        for (const std::uint32_t u : m_givers[l]) loop.inW += m_units[u].takesW;
    }
    keep(l, seconds);
    readFlows(l);
    for (const std::uint32_t u : m_sources[l]) { // what it hands on
        const CoolingUnit& unit = m_chain.units[u];
        m_units[u].takesW = m_units[u].heatW;
        if (cooling::movesAir(unit.element)) m_units[u].takesW += m_units[u].works ? unit.ownW * m_units[u].speed : 0;
        if (unit.element == CoolingElement::Chiller && unit.cop > 0) m_units[u].takesW *= 1 + 1 / unit.cop;
    }
    if (design.kind != LoopKind::Liquid) return;
    const double supplyC = design.supplyC + loop.risesK;
    for (const std::uint32_t t : m_plant.takers(l)) {
        CooledState& taker = m_takers[t];
        taker.supplyC = supplyC;
        const double warmK = cabinetMostJ(t) > 0 ? taker.storedJ / cabinetMostJ(t) * design.limitK : 0;
        taker.returnC = taker.lpm > 0 && design.wattsPerLpmK > 0 ? supplyC + taker.outW / (taker.lpm * design.wattsPerLpmK) : supplyC + warmK;
    }
}

/// Flow through headers that stand side by side: what the equipment at them takes, or gives; else all of the loop.
double Thermal::passing(const cooling::ParallelHeaders& group) const
{
    double taken = 0, given = 0;
    bool takes = false, gives = false;
    for (const DeviceId id : group.ends) {
        const std::int32_t u = m_chain.unitOf[id.value];
        if (u >= 0 && m_chain.units[std::size_t(u)].parts()) {
            const CoolingUnit& unit = m_chain.units[std::size_t(u)];
            if (unit.takes == group.loop && !unit.onReturn) takes = true, taken += m_units[std::size_t(u)].takesLpm;
            if (unit.feeds == group.loop) gives = true, given += m_units[std::size_t(u)].lpm;
        } else if (const CooledLoad* taker = m_chain.taker(id); taker && taker->device == id && taker->loop == group.loop) {
            takes = true, taken += m_takers[std::size_t(taker - m_chain.takers.data())].lpm;
        }
    }
    if (takes || gives) return takes ? taken : given;
    for (const std::uint32_t u : m_sources[std::size_t(group.loop)]) given += m_units[u].lpm;
    return given;
}

/// Of headers side by side those that are left carry all.
void Thermal::passHeaders()
{
    for (const cooling::ParallelHeaders& group : m_headers) {
        double left = 0;
        for (const std::uint32_t u : group.headers) left += m_units[u].works ? m_chain.units[u].lpm : 0;
        const double flow = left > 0 ? passing(group) : 0;
        for (const std::uint32_t u : group.headers) m_units[u].lpm = m_units[u].works && left > 0 ? flow * m_chain.units[u].lpm / left : 0;
    }
}

void Thermal::passOn(double seconds)
{
    for (std::uint32_t l = 0; l < m_loops.size(); ++l) // by what was asked for in the last step
        if (const double wants = wantedOf(l); m_chain.loops[l].kind == LoopKind::Facility)
            m_comes[l] = wants > 0 ? std::min(1.0, movedOf(l, std::max(m_loops[l].flow, wants)) * std::max(m_loops[l].flow, wants) / wants) : 1;
    for (const std::uint32_t l : m_order) passLoop(l, seconds);
    for (std::size_t u = 0; u < m_units.size(); ++u) {
        const CoolingUnit& unit = m_chain.units[u];
        if (!unit.parts() || unit.takes < 0) continue;
        const CoolingLoop& from = m_plant.chain->loops[std::size_t(unit.takes)];
        Unit& now = m_units[u];
        now.takesInC = from.supplyC + m_loops[std::size_t(unit.takes)].risesK + (unit.onReturn ? cooling::beforeReturnK(m_chain, unit.takes) : 0);
        const double comes = m_comes[std::size_t(unit.takes)];
        now.takesLpm = askedLpm(u) * comes;                                                                    // of what it asks for so much comes
        if (comes < 1 && now.takesLpm > 0 && from.wattsPerLpmK > 0 && unit.element != CoolingElement::Chiller) // loads swing within a step
            now.takesLpm = std::max(now.takesLpm, now.takesW / (from.wattsPerLpmK * std::max(1.0, mayRiseK(u))));
        now.takesOutC = now.takesInC + (now.takesLpm > 0 && from.wattsPerLpmK > 0 ? now.takesW / (now.takesLpm * from.wattsPerLpmK) : 0);
    }
    passHeaders();
}

/// What depends on a store at its limit shuts down, and starts again when it is well below.
void Thermal::markHot(std::int64_t ms, std::vector<HallEvent>& happenings)
{
    std::map<std::string, std::int64_t> down; // by rack, or by name of what stands in none
    const auto mark = [&](DeviceId id, double part) {
        if (part >= 1 && !m_hot[id.value]) {
            m_hot[id.value] = 1;
            const auto rack = m_model.s->devices.rack[id];
            ++down[rack ? m_model.s->racks.name[*rack] : m_model.s->devices.name[id]];
        }
        if (part < kCoolAgain) m_hot[id.value] = 0;
    };
    for (std::uint32_t l = 0; l < m_loops.size(); ++l) {
        const double loop = mostJ(l) > 0 ? m_loops[l].storedJ / mostJ(l) : 0;
        for (const DeviceId id : m_plant.inAir[l])
            if (!isLiquid(id)) mark(id, loop);
        if (m_chain.loops[l].kind != LoopKind::Liquid) continue;
        for (const std::uint32_t t : m_plant.takers(l)) {
            const double own = cabinetMostJ(t) > 0 ? m_takers[t].storedJ / cabinetMostJ(t) : 0;
            for (const DeviceId id : m_chain.takers[t].cooled) {
                const std::int32_t air = m_plant.heated[id.value].loop;
                const double room = air >= 0 && mostJ(std::uint32_t(air)) > 0 ? m_loops[std::size_t(air)].storedJ / mostJ(std::uint32_t(air)) : 0;
                mark(id, std::max({own, loop, room}));
            }
        }
    }
    for (const auto& [place, count] : down)
        happenings.push_back(
            {ms, i18np(count, "{:L} device of {} shuts down: overtemperature", "{:L} devices of {} shut down: overtemperature", place)});
}

void Thermal::advance(std::int64_t ms, std::span<const double> share, std::span<const char> powered, std::vector<HallEvent>& happenings)
{
    const double seconds = std::max(1e-3, double(ms - m_now) / 1000);
    readUnits(ms, powered);
    readHeat(share);
    settle();
    passOn(seconds);
    markHot(ms, happenings);
    m_now = ms;
}

double Thermal::inletC(DeviceId id) const
{
    const auto& heated = m_plant.heated[id.value];
    if (heated.taker >= 0) {
        const CooledState& taker = m_takers[std::size_t(heated.taker)];
        return taker.lpm > 0 ? taker.supplyC : taker.returnC;
    }
    if (heated.loop >= 0) return m_plant.chain->loops[std::size_t(heated.loop)].supplyC + m_loops[std::size_t(heated.loop)].risesK;
    return m_plant.chain->at.airSupplyC;
}

} // namespace hw::emulation
