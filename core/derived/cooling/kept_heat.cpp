// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cooling/kept_heat.h"

#include "core/derived/cooling/reading.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace hw::cooling {

namespace {

constexpr double kHeatPerJoule = 1e6; ///< mW for a millisecond
constexpr double kKeepsW = 1;         ///< what less of it stays in condenser water has no part in warming up

Heat heatOf(double joules) { return std::llround(joules * kHeatPerJoule); }
Milliwatts milliwattsOf(double w) { return Milliwatts(std::llround(w * 1000)); }

/// What needs no power to let coolant through.
bool isPassive(CoolingElement element)
{
    using enum CoolingElement;
    return element == None || element == Manifold || element == Header || element == Valve || element == Exchanger || element == Tank;
}

HeatLoop::Kind kindOf(LoopKind kind)
{
    switch (kind) {
    case LoopKind::Liquid: return HeatLoop::Kind::Liquid;
    case LoopKind::Facility: return HeatLoop::Kind::Facility;
    case LoopKind::Air: return HeatLoop::Kind::Air;
    }
    return HeatLoop::Kind::Liquid;
}

/// The loop that a unit is in: what it feeds, else what it takes from.
std::int32_t loopOf(const CoolingUnit& unit) { return unit.feeds >= 0 ? unit.feeds : unit.takes; }

/// Loops behind chillers cooled by water, and behind plates: only other loops of facility water give their heat to them.
std::vector<char> condensersOf(const CoolingChain& chain)
{
    const auto& loops = chain.loops;
    const auto water = [&](std::int32_t l) { return l >= 0 && loops[std::size_t(l)].kind == LoopKind::Facility; };
    std::vector<char> cools(loops.size(), 0), others(loops.size(), 0), condensers;
    for (const CoolingUnit& unit : chain.units) {
        if (!unit.parts() || !water(unit.takes)) continue;
        (water(unit.feeds) ? cools : others)[std::size_t(unit.takes)] = 1;
    }
    for (std::size_t l = 0; l < loops.size(); ++l) condensers.push_back(cools[l] && !others[l]);
    return condensers;
}

} // namespace

FlowTraits FlowTraits::of(const CoolingChain& chain)
{
    FlowTraits out;
    out.condenser = condensersOf(chain);
    for (const CoolingUnit& unit : chain.units) {
        const std::int32_t in = loopOf(unit);
        out.facility.push_back(in >= 0 && chain.loops[std::size_t(in)].kind == LoopKind::Facility);
        const bool plates = unit.element == CoolingElement::Exchanger && out.facility.back();
        out.rejects.push_back(unit.element == CoolingElement::Chiller || plates || unit.element == CoolingElement::DryCooler ||
                              unit.element == CoolingElement::Tower || (in >= 0 && out.condenser[std::size_t(in)]));
        out.ownFlow.push_back(in >= 0 && chain.loops[std::size_t(in)].pumps.empty());
        out.passive.push_back(isPassive(unit.element));
    }
    for (const CoolantPath& way : chain.ways)
        if (way.link && way.loop >= 0) out.ways.emplace_back(*way.link, std::uint32_t(way.loop));
    std::ranges::sort(out.ways);
    const Survey survey(chain);
    for (const LoopAfterLoss& now : survey.base().loops) out.kept.push_back(milliwattsOf(now.shortW()));
    return out;
}

std::optional<std::uint32_t> FlowTraits::loopOfWay(LinkId link) const
{
    const auto found = std::ranges::lower_bound(ways, link, {}, [](const auto& way) { return way.first; });
    if (found == ways.end() || found->first != link) return std::nullopt;
    return found->second;
}

std::vector<HeatLoop> heatLoops(const CoolingChain& chain)
{
    std::vector<HeatLoop> loops;
    for (const CoolingLoop& loop : chain.loops) loops.push_back({kindOf(loop.kind), heatOf(loop.storedJ), {}, loop.limitK});
    struct Handed {
        double takenW = 0, givenW = 0;
    };
    const Survey survey(chain);
    std::map<std::pair<std::int32_t, std::int32_t>, Handed> onward; // from, to
    std::vector<double> taken(chain.loops.size(), 0);
    for (std::size_t u = 0; u < chain.units.size(); ++u) {
        const CoolingUnit& unit = chain.units[u];
        if (unit.feeds < 0 || unit.takes < 0 || !unit.parts()) continue;
        Handed& handed = onward[{unit.feeds, unit.takes}];
        handed.takenW += survey.base().units[u].heatW, handed.givenW += survey.base().units[u].takesW;
        taken[std::size_t(unit.feeds)] += survey.base().units[u].heatW;
    }
    for (const auto& [between, handed] : onward) {
        const auto from = std::size_t(between.first);
        const double all = chain.loops[from].heatW;
        if (all <= 0 || handed.takenW <= 0) continue;
        loops[from].onward.push_back({std::uint32_t(between.second), std::min(1.0, handed.takenW / all),
                                      handed.givenW / handed.takenW * taken[from] / std::min(all, taken[from])});
    }
    return loops;
}

std::vector<HeatCabinet> heatCabinets(const CoolingChain& chain)
{
    std::vector<HeatCabinet> cabinets;
    for (const CooledLoad& taker : chain.takers) {
        const auto at = std::uint32_t(std::max(0, taker.loop));
        const CoolingUnit* manifold = chain.unit(taker.device);
        const double liters = taker.liters + (manifold ? manifold->liters : 0);
        const double perKelvin = taker.loop >= 0 ? chain.loops[at].wattsPerLpmK * 60 * liters : 0;
        cabinets.push_back({at, heatOf(perKelvin > 0 ? perKelvin * chain.loops[at].limitK : chain.at.cabinetMarginS * taker.liquidW)});
    }
    return cabinets;
}

KeptHeat::KeptHeat(const CoolingChain& chain, const FlowTraits& traits)
    : m_chain(chain), m_traits(traits), m_survey(chain), m_loops(chain.loops.size()), m_cabinets(chain.takers.size()), m_missing(chain.loops.size()),
      m_units(m_survey.base().units), m_dry(chain.units.size(), 0), m_out(chain.units.size(), 0), m_still(chain.units.size(), 0),
      m_takers(chain.loops.size())
{
    for (std::uint32_t t = 0; t < chain.takers.size(); ++t)
        if (chain.takers[t].loop >= 0) m_takers[std::size_t(chain.takers[t].loop)].push_back(t);
}

void KeptHeat::settle(std::span<const Out> out, std::span<const LinkId> shut, std::span<const Milliwatts> cabinetHeat)
{
    std::ranges::fill(m_out, 0);
    for (std::size_t t = 0; t < m_cabinets.size(); ++t) m_cabinets[t] = {cabinetHeat[t], false};
    std::vector<DeviceId> lost, flowing, own; // all; without heat rejection whose water still flows; without all of facility water
    std::vector<DeviceId> stopping;           // what stops water behind chillers: headers, pumps, valves
    for (const Out& one : out) {
        const CoolingUnit& unit = m_chain.units[one.unit];
        m_out[one.unit] = 1;
        lost.push_back(unit.device);
        const bool behind = loopOf(unit) >= 0 && m_traits.condenser[std::size_t(loopOf(unit))];
        if (!m_traits.rejects[one.unit] || (m_traits.ownFlow[one.unit] && !behind && one.unpowered)) flowing.push_back(unit.device);
        if (!m_traits.facility[one.unit]) own.push_back(unit.device);
        if (behind && !partsLoops(unit.element)) stopping.push_back(unit.device);
    }
    std::vector<LinkId> ofCabinets, before; // and those of all water but that behind the chillers
    for (const LinkId id : shut) {
        const auto loop = m_traits.loopOfWay(id);
        if (loop && m_chain.loops[*loop].kind != LoopKind::Facility) ofCabinets.push_back(id);
        if (!loop || !m_traits.condenser[*loop]) before.push_back(id);
    }
    readStanding(m_survey.without(own, ofCabinets));
    std::vector<Milliwatts> kept;
    const auto& flow = m_survey.without(flowing, before);
    for (const LoopAfterLoss& loop : flow.loops) kept.push_back(milliwattsOf(loop.shortW()));
    readFlow(flow);
    if (!stopping.empty() || before.size() != shut.size()) {
        stopping.insert(stopping.end(), flowing.begin(), flowing.end());
        readCondensers(m_survey.without(stopping, shut));
    }
    readStill();
    const auto& after = m_survey.without(lost, shut).loops;
    for (std::uint32_t l = 0; l < after.size(); ++l) {
        m_loops[l] = {}, m_missing[l] = {};
        m_loops[l].keeps = !m_traits.condenser[l] || after[l].shortW() > kKeepsW;
        if (m_chain.loops[l].kind != LoopKind::Facility) readLoop(l, milliwattsOf(after[l].shortW()), kept[l]);
    }
}

/// Cabinets, and units that feed them, through which nothing flows, whether or not facility water takes heat.
void KeptHeat::readStanding(const Survey::Answer& flow)
{
    for (std::size_t l = 0; l < flow.loops.size(); ++l)
        if (m_chain.loops[l].kind == LoopKind::Liquid)
            for (const DeviceId id : flow.loops[l].cutOff)
                if (m_chain.takerOf[id.value] >= 0) m_cabinets[std::size_t(m_chain.takerOf[id.value])].stands = true;
    for (std::size_t u = 0; u < m_units.size(); ++u) {
        const CoolingUnit& unit = m_chain.units[u];
        const bool feedsCabinets = unit.parts() && unit.feeds >= 0 && m_chain.loops[std::size_t(unit.feeds)].kind == LoopKind::Liquid;
        m_still[u] = feedsCabinets && m_survey.base().units[u].lpm > 0 && flow.units[u].lpm <= 0;
    }
}

void KeptHeat::readFlow(const Survey::Answer& flow)
{
    m_units = flow.units;
    std::ranges::fill(m_dry, 0);
    for (std::size_t l = 0; l < flow.loops.size(); ++l)
        for (const DeviceId id : flow.loops[l].cutOff)
            if (const std::int32_t u = m_chain.unitOf[id.value]; u >= 0 && m_chain.units[std::size_t(u)].takes == std::int32_t(l))
                m_dry[std::size_t(u)] = 1;
}

/// Water behind chillers: what of it stands leaves the water before them flowing.
void KeptHeat::readCondensers(const Survey::Answer& flow)
{
    for (std::size_t u = 0; u < m_units.size(); ++u)
        if (const std::int32_t l = m_chain.units[u].feeds; l >= 0 && m_traits.condenser[std::size_t(l)]) m_units[u] = flow.units[u];
    for (std::size_t l = 0; l < flow.loops.size(); ++l) {
        if (!m_traits.condenser[l]) continue;
        for (const DeviceId id : flow.loops[l].cutOff)
            if (const std::int32_t u = m_chain.unitOf[id.value]; u >= 0 && m_chain.units[std::size_t(u)].takes == std::int32_t(l))
                m_dry[std::size_t(u)] = 1;
    }
}

/// Pumps of condenser water run while it can flow, whether it carries heat or not.
void KeptHeat::readStill()
{
    std::vector<double> carried(m_chain.loops.size(), 0);
    std::vector<char> takes(m_chain.loops.size(), 0); // something that is there takes water from it
    for (std::size_t u = 0; u < m_units.size(); ++u) {
        const CoolingUnit& unit = m_chain.units[u];
        if (!unit.parts()) continue;
        if (unit.feeds >= 0 && !m_out[u] && !trips(u)) carried[std::size_t(unit.feeds)] += m_units[u].lpm;
        if (unit.takes >= 0 && !m_out[u] && !m_dry[u]) takes[std::size_t(unit.takes)] = 1;
    }
    for (std::size_t u = 0; u < m_units.size(); ++u) {
        const CoolingUnit& unit = m_chain.units[u];
        if (!unit.parts() || unit.feeds < 0 || m_chain.loops[std::size_t(unit.feeds)].kind != LoopKind::Facility) continue;
        const auto l = std::size_t(unit.feeds);
        const bool idles = m_traits.condenser[l] && takes[l] && carried[l] <= 0;
        m_still[u] = m_out[u] || trips(u) || (m_traits.condenser[l] && !takes[l]) || (m_units[u].lpm <= 0 && !idles);
    }
}

/// What a loop of cabinets, or the air of a room, keeps: `missing` in all, `flowing` were all of its facility water cooled.
void KeptHeat::readLoop(std::uint32_t l, Milliwatts missing, Milliwatts flowing)
{
    const CoolingLoop& loop = m_chain.loops[l];
    Milliwatts stands;
    bool flows =
        loop.kind == LoopKind::Air && std::ranges::any_of(loop.sources, [&](DeviceId id) { return !m_out[std::size_t(m_chain.unitOf[id.value])]; });
    for (const std::uint32_t t : m_takers[l]) {
        if (m_cabinets[t].stands)
            stands += m_cabinets[t].heat;
        else
            flows = true;
    }
    const Milliwatts before = m_traits.kept[l], all = std::max(stands, missing - before), own = std::max(stands, flowing - before);
    m_loops[l] = {own - stands, std::max(Milliwatts(), all - own), flows, true};
    m_missing[l] = all;
}

} // namespace hw::cooling
