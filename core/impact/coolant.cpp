// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/impact/coolant.h"

#include "core/model/places.h"
#include "core/model/setting_values.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hw::impact {

namespace {

constexpr double kHeatPerJoule = 1e6; ///< mW for a millisecond

Heat heatOf(double joules) { return std::llround(joules * kHeatPerJoule); }
Milliwatts milliwatts(double w) { return Milliwatts(std::llround(w * 1000)); }

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

struct Margins {
    double cabinetS, airS, restartS;
};

/// Up to its limit: what the chain says; the margin of planners for the air of a room, and for coolant of which nothing is stated.
Heat mostOf(const CoolingLoop& loop, const Margins& margins)
{
    if (loop.kind == LoopKind::Air) return heatOf(margins.airS > 0 ? margins.airS * loop.heatW : loop.storedJ);
    if (loop.kind == LoopKind::Liquid && loop.storedJ <= 0) return heatOf(margins.cabinetS * loop.heatW);
    return heatOf(loop.storedJ);
}

void readLoops(CoolantPlant& plant, const Margins& margins)
{
    const CoolingChain& chain = *plant.chain;
    for (const CoolingLoop& loop : chain.loops) plant.loops.push_back({kindOf(loop.kind), mostOf(loop, margins), {}});
    std::map<std::pair<std::int32_t, std::int32_t>, double> onward; // from, to: W
    for (const CoolingUnit& unit : chain.units)
        if (unit.feeds >= 0 && unit.takes >= 0 && unit.parts()) onward[{unit.feeds, unit.takes}] += unit.heatW;
    for (const auto& [between, heat] : onward) {
        const double all = chain.loops[std::size_t(between.first)].heatW;
        if (all > 0) plant.loops[std::size_t(between.first)].onward.push_back({std::uint32_t(between.second), std::min(1.0, heat / all)});
    }
    const cooling::Survey survey(chain);
    for (const LoopAfterLoss& now : survey.base().loops) plant.missing.push_back(milliwatts(now.shortW()));
}

void readTakers(CoolantPlant& plant, const PowerFigures& power, const Margins& margins)
{
    const CoolingChain& chain = *plant.chain;
    const auto basis = std::size_t(chain.at.basis);
    plant.firstTaker.assign(chain.loops.size() + 1, 0);
    std::vector<std::uint32_t> order(chain.takers.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return chain.takers[i].loop; });
    for (const std::uint32_t i : order) {
        if (chain.takers[i].loop < 0) continue;
        plant.takersOf.push_back(i);
        ++plant.firstTaker[std::size_t(chain.takers[i].loop) + 1];
    }
    std::partial_sum(plant.firstTaker.begin(), plant.firstTaker.end(), plant.firstTaker.begin());
    plant.heated.resize(chain.takerOf.size());
    for (const CoolingTaker& taker : chain.takers) {
        Milliwatts& heat = plant.cabinetHeat.emplace_back();
        for (const DeviceId id : taker.cooled) {
            auto& own = plant.heated[id.value];
            own.liquid = power.device(id).liquid[basis], own.taker = std::int32_t(plant.cabinetHeat.size() - 1);
            heat += own.liquid;
        }
        const auto loop = std::uint32_t(std::max(0, taker.loop));
        const CoolingUnit* manifold = chain.unit(taker.device);
        const double litres = taker.litres + (manifold ? manifold->litres : 0);
        const double joules = taker.loop >= 0 ? chain.loops[loop].wattsPerLpmK * 60 * litres * chain.at.rideThroughK : 0;
        plant.cabinets.push_back({loop, heatOf(joules > 0 ? joules : margins.cabinetS * taker.liquidW)});
    }
}

/// Loops behind chillers cooled by water, and behind plates: what hangs on them are other loops of facility water.
void readCondensers(CoolantPlant& plant)
{
    const auto& loops = plant.chain->loops;
    const auto water = [&](std::int32_t l) { return l >= 0 && loops[std::size_t(l)].kind == LoopKind::Facility; };
    std::vector<char> cools(loops.size(), 0), others(loops.size(), 0);
    for (const CoolingUnit& unit : plant.chain->units) {
        if (!unit.parts() || !water(unit.takes)) continue;
        (water(unit.feeds) ? cools : others)[std::size_t(unit.takes)] = 1;
    }
    for (std::size_t l = 0; l < loops.size(); ++l) plant.condenser.push_back(cools[l] && !others[l]);
}

void readUnits(CoolantPlant& plant, const Snapshot& s, const ProjectParts& parts, const Margins& margins)
{
    for (const CoolingUnit& unit : plant.chain->units) {
        const CoolingSpec& spec = parts.device(s.devices.type[unit.device]).cooling;
        const bool chiller = unit.element == CoolingElement::Chiller;
        const double restart = spec.restartS.value > 0 ? spec.restartS.value : chiller ? margins.restartS : 0;
        plant.restartMs.push_back(std::llround(restart * 1000));
        const std::int32_t in = unit.feeds >= 0 ? unit.feeds : unit.takes;
        plant.facility.push_back(in >= 0 && plant.chain->loops[std::size_t(in)].kind == LoopKind::Facility);
        const bool plates = unit.element == CoolingElement::Exchanger && plant.facility.back();
        plant.rejects.push_back(chiller || plates || unit.element == CoolingElement::DryCooler || unit.element == CoolingElement::Tower ||
                                (in >= 0 && plant.condenser[std::size_t(in)]));
        plant.ownFlow.push_back(in >= 0 && plant.chain->loops[std::size_t(in)].pumps.empty());
        plant.passive.push_back(isPassive(unit.element));
    }
    for (const CoolantWay& way : plant.chain->ways)
        if (way.link && way.loop >= 0) plant.ways.emplace_back(*way.link, std::uint32_t(way.loop));
    std::ranges::sort(plant.ways);
}

/// What stands in rooms and gives heat to their air.
void readAir(CoolantPlant& plant, const Snapshot& s, const PowerFigures& power)
{
    const CoolingChain& chain = *plant.chain;
    const auto basis = std::size_t(chain.at.basis);
    plant.inAir.resize(chain.loops.size());
    s.devices.forEach([&](DeviceId id) {
        const TierKind kind = s.tiers.kind[s.devices.tier[id]];
        const auto hall = hallOf(s, id);
        if (kind == TierKind::Power || kind == TierKind::Cooling || !hall || (*hall).value >= chain.airOf.size()) return;
        const std::int32_t loop = chain.airOf[(*hall).value];
        const Load& load = power.device(id);
        if (loop < 0 || load.power[basis] <= load.liquid[basis]) return;
        plant.heated[id.value].air = load.power[basis] - load.liquid[basis], plant.heated[id.value].loop = loop;
        plant.inAir[std::size_t(loop)].push_back(id);
    });
}

} // namespace

CoolantPlant CoolantPlant::of(const Snapshot& s, const ProjectParts& parts, const PowerFigures& power, const CoolingChain& chain)
{
    CoolantPlant plant;
    plant.chain = &chain;
    const Margins margins{numberSetting(s, "impact.cabinet_margin_s"), numberSetting(s, "impact.air_margin_s"),
                          numberSetting(s, "impact.chiller_restart_s")};
    readLoops(plant, margins);
    readTakers(plant, power, margins);
    readCondensers(plant);
    readUnits(plant, s, parts, margins);
    readAir(plant, s, power);
    return plant;
}

std::optional<std::uint32_t> CoolantPlant::wayOf(LinkId link) const
{
    const auto found = std::ranges::lower_bound(ways, link, {}, [](const auto& way) { return way.first; });
    if (found == ways.end() || found->first != link) return std::nullopt;
    return found->second;
}

CoolantClock::CoolantClock(const CoolantPlant& plant, std::size_t devices)
    : m_plant(plant), m_chain(*plant.chain), m_survey(m_chain), m_heat(plant.loops, plant.cabinets), m_state(devices, 0),
      m_loopNow(plant.loops.size()), m_cabinetNow(plant.cabinets.size()), m_missing(plant.loops.size()), m_open(plant.loops.size()),
      m_short(plant.loops.size(), 0)
{
}

bool CoolantClock::touches(const PowerLoss& loss) const
{
    const CoolingChain& chain = *m_plant.chain;
    const auto isUnit = [&](DeviceId id) { return chain.unit(id) != nullptr; };
    const auto isWay = [&](LinkId id) { return m_plant.wayOf(id).has_value(); };
    return std::ranges::any_of(loss.failed, isUnit) || std::ranges::any_of(loss.dark, isUnit) || !loss.stalled.empty() ||
           std::ranges::any_of(loss.shut, isWay) || std::ranges::any_of(loss.gaps, [&](const auto& gap) { return isUnit(DeviceId(gap.device)); });
}

void CoolantClock::readEvents(const PowerLoss& loss)
{
    const CoolingChain& chain = *m_plant.chain;
    const auto add = [&](std::int64_t ms, DeviceId id, Reason reason, bool begins) { m_events.push_back({ms, id, reason, begins}); };
    const auto works = [&](DeviceId id) { // without power
        return id.value < chain.unitOf.size() && chain.unitOf[id.value] >= 0 && m_plant.passive[std::size_t(chain.unitOf[id.value])];
    };
    for (const DeviceId id : loss.failed) add(0, id, Failed, true);
    for (const DeviceId id : loss.stalled) add(0, id, Failed, true);
    for (std::size_t i = 0; i < loss.dark.size(); ++i)
        if (!works(loss.dark[i])) add(loss.darkMs[i], loss.dark[i], Dark, true);
    for (const Course::Gap& gap : loss.gaps) {
        const DeviceId id(gap.device);
        if (works(id)) continue;
        add(gap.fromMs, id, Dark, true), add(gap.toMs, id, Dark, false);
        const std::int64_t restart = chain.unit(id) ? m_plant.restartMs[std::size_t(chain.unitOf[id.value])] : 0;
        if (restart == 0) continue;
        m_course.restarts.push_back({id, gap.fromMs, gap.toMs, gap.toMs + restart});
        add(gap.toMs, id, Starting, true), add(gap.toMs + restart, id, Starting, false);
    }
    std::ranges::stable_sort(m_events, {}, [](const Event& e) { return std::tuple(e.ms, e.device, e.begins); });
    std::ranges::sort(m_course.restarts, {}, [](const CoolantRestart& r) { return std::tuple(r.device, r.fromMs); });
}

void CoolantClock::put(DeviceId id, Reason reason, bool on)
{
    std::uint8_t& state = m_state[id.value];
    if (state == 0) m_out.push_back(id);
    state = std::uint8_t((on ? state | reason : state & ~reason) | Listed);
}

const CoolantCourse& CoolantClock::run(const PowerLoss& loss)
{
    m_course = {};
    if (!touches(loss)) return m_course;
    for (const DeviceId id : m_out) m_state[id.value] = 0;
    m_out.clear(), m_events.clear();
    m_shut.assign(loss.shut.begin(), loss.shut.end());
    m_now = m_settled = 0, m_next = 0;
    std::ranges::fill(m_open, std::array<Open, 2>());
    std::ranges::fill(m_short, 0);
    m_heat.restart();
    readEvents(loss);
    for (;;) {
        happen(m_now);
        settle();
        while (markHot()) settle();
        readSpells();
        auto next = m_heat.soonest();
        if (m_next < m_events.size()) next = std::min(m_events[m_next].ms, next.value_or(m_events[m_next].ms));
        if (!next) break;
        m_heat.passTo(*next);
        m_now = *next;
        (void)markHot();
    }
    std::ranges::sort(m_course.hot);
    readLoops(loss);
    return m_course;
}

void CoolantClock::happen(std::int64_t ms)
{
    for (; m_next < m_events.size() && m_events[m_next].ms <= ms; ++m_next) {
        const Event& e = m_events[m_next];
        const bool again =
            !e.begins && e.reason == Starting && // it lost its power anew while it started
            std::ranges::any_of(m_course.restarts, [&](const auto& r) { return r.device == e.device && r.toMs < ms && ms < r.readyMs; });
        if (!again) put(e.device, e.reason, e.begins);
    }
}

/// What is out gives no heat.
void CoolantClock::readHeat()
{
    const CoolingChain& all = *m_plant.chain;
    for (std::size_t t = 0; t < m_cabinetNow.size(); ++t) m_cabinetNow[t] = {m_plant.cabinetHeat[t], false};
    std::vector<Milliwatts> gone(all.loops.size()); // of air
    for (const DeviceId id : m_out) {
        const auto& heated = m_plant.heated[id.value];
        if (!out(id)) continue;
        if (heated.taker >= 0) m_cabinetNow[std::size_t(heated.taker)].heat -= heated.liquid;
        if (heated.loop >= 0) gone[std::size_t(heated.loop)] += heated.air;
    }
    for (std::size_t t = 0; t < m_cabinetNow.size(); ++t) {
        const double whole = toWatts(m_plant.cabinetHeat[t]), share = whole > 0 ? toWatts(m_cabinetNow[t].heat) / whole : 0;
        m_chain.takers[t].liquidW = all.takers[t].liquidW * share, m_chain.takers[t].lpm = all.takers[t].lpm * share;
    }
    for (std::size_t l = 0; l < gone.size(); ++l) {
        if (all.loops[l].kind != LoopKind::Air) continue;
        const double left = std::max(0.0, all.loops[l].heatW - toWatts(gone[l]));
        m_chain.loops[l].heatW = left;
        m_chain.loops[l].airM3s = all.loops[l].heatW > 0 ? all.loops[l].airM3s * left / all.loops[l].heatW : 0;
    }
}

/// Cabinets through which nothing flows, whether or not facility water takes heat.
void CoolantClock::readCut(const std::vector<LoopAfterLoss>& flow)
{
    for (std::size_t l = 0; l < flow.size(); ++l)
        if (m_chain.loops[l].kind == LoopKind::Liquid)
            for (const DeviceId id : flow[l].cutOff)
                if (m_chain.takerOf[id.value] >= 0) m_cabinetNow[std::size_t(m_chain.takerOf[id.value])].stands = true;
}

/// What a loop of cabinets, or the air of a room, keeps: `missing` in all, `flowing` were all of its facility water cooled.
void CoolantClock::readKept(std::uint32_t l, Milliwatts missing, Milliwatts flowing)
{
    const CoolingLoop& loop = m_chain.loops[l];
    Milliwatts stands;
    bool flows = loop.kind == LoopKind::Air && std::ranges::any_of(loop.sources, [&](DeviceId id) { return !out(id); });
    for (const std::uint32_t t : m_plant.takers(l)) {
        if (m_cabinetNow[t].stands)
            stands += m_cabinetNow[t].heat;
        else
            flows = true;
    }
    const Milliwatts before = m_plant.missing[l], all = std::max(stands, missing - before), own = std::max(stands, flowing - before);
    m_loopNow[l] = {own - stands, std::max(Milliwatts(), all - own), flows, true};
    m_missing[l] = all;
}

void CoolantClock::settle()
{
    const CoolingChain& chain = m_chain;
    readHeat();
    std::vector<DeviceId> lost, flowing, own; // all; without heat rejection whose water still flows; without all of facility water
    for (const DeviceId id : m_out) {
        const std::int32_t at = chain.unitOf[id.value];
        if (at < 0 || !out(id)) continue;
        const auto u = std::size_t(at);
        lost.push_back(id);
        const std::int32_t in = chain.units[u].feeds >= 0 ? chain.units[u].feeds : chain.units[u].takes;
        const bool behind = in >= 0 && m_plant.condenser[std::size_t(in)];
        if (!m_plant.rejects[u] || (m_plant.ownFlow[u] && !behind && m_state[id.value] & Dark)) flowing.push_back(id);
        if (!m_plant.facility[u]) own.push_back(id);
    }
    std::vector<LinkId> shut, before; // of cabinets; and with those of water before the condensers
    for (const LinkId id : m_shut) {
        const auto way = m_plant.wayOf(id);
        if (way && chain.loops[*way].kind != LoopKind::Facility) shut.push_back(id);
        if (!way || !m_plant.condenser[*way]) before.push_back(id);
    }
    readCut(m_survey.without(own, shut).loops);
    std::vector<Milliwatts> kept;
    for (const LoopAfterLoss& loop : m_survey.without(flowing, before).loops) kept.push_back(milliwatts(loop.shortW()));
    const auto& after = m_survey.without(lost, m_shut).loops;
    Milliwatts missing;
    for (std::uint32_t l = 0; l < after.size(); ++l) {
        m_loopNow[l] = {}, m_missing[l] = {};
        m_loopNow[l].keeps = !m_plant.condenser[l] || after[l].shortW() > 1; // W
        if (chain.loops[l].kind != LoopKind::Facility) readKept(l, milliwatts(after[l].shortW()), kept[l]);
        m_short[l] = m_short[l] || m_missing[l].count() > 0;
        missing += m_missing[l];
    }
    m_course.missing = std::max(m_course.missing, missing);
    m_heat.settle(m_loopNow, m_cabinetNow);
}

bool CoolantClock::heats(DeviceId id)
{
    if (out(id)) return false;
    put(id, Hot, true);
    m_course.hot.emplace_back(id, m_now);
    return true;
}

/// Takes everything along that hangs on what is at its limit and still warms up. True: something was.
bool CoolantClock::markHot()
{
    bool any = false;
    const auto takeCabinet = [&](std::uint32_t taker) {
        for (const DeviceId id : m_chain.takers[taker].cooled) any = heats(id) || any;
    };
    for (std::uint32_t t = 0; t < m_cabinetNow.size(); ++t)
        if (m_heat.cabinetHot(t) && m_heat.cabinetRate(t).count() > 0) takeCabinet(t);
    for (std::uint32_t l = 0; l < m_loopNow.size(); ++l) {
        if (!m_heat.loopHot(l) || m_heat.loopRate(l).count() <= 0) continue;
        for (const std::uint32_t t : m_plant.takers(l)) takeCabinet(t);
        for (const DeviceId id : m_plant.inAir[l]) any = heats(id) || any;
    }
    return any;
}

void CoolantClock::readSpells()
{
    for (std::uint32_t l = 0; l < m_loopNow.size(); ++l) {
        std::optional<std::int64_t> lasts;
        Milliwatts heat;
        std::int64_t standing = 0;
        bool hot = false;
        for (const std::uint32_t t : m_plant.takers(l)) {
            hot = hot || m_heat.cabinetHot(t);
            const auto own = m_heat.cabinetLasts(t);
            if (!own) continue;
            lasts = std::min(*own, lasts.value_or(*own)), heat += m_heat.cabinetRate(t), ++standing;
        }
        readSpell(l, true, lasts, heat, standing, hot);
        if (m_plant.loops[l].kind != HeatLoop::Kind::Facility)
            readSpell(l, false, m_heat.loopLasts(l), m_loopNow[l].own + m_loopNow[l].upstream, 0, m_heat.loopHot(l));
    }
    m_settled = m_now;
}

/// `lasts`: none where it does not warm up now.
void CoolantClock::readSpell(std::uint32_t loop, bool stands, std::optional<std::int64_t> lasts, Milliwatts heat, std::int64_t cabinets, bool hot)
{
    Open& open = m_open[loop][stands];
    if (open.spell < 0 && lasts && !hot) {
        open.spell = std::int32_t(m_course.spells.size());
        m_course.spells.push_back({loop, stands, cabinets, m_now, *lasts, heat, -1, 0, -1});
        if (const std::int64_t limit = m_now + *lasts; !m_course.rideThroughMs || limit < *m_course.rideThroughMs) {
            m_course.rideThroughMs = limit;
            m_course.ofAir = m_plant.loops[loop].kind == HeatLoop::Kind::Air;
        }
    }
    if (open.spell < 0) return;
    CoolantSpell& spell = m_course.spells[std::size_t(open.spell)];
    if (hot && spell.hotMs < 0) spell.hotMs = m_now;
    if (lasts) {
        spell.heat = std::max(spell.heat, heat), spell.cabinets = std::max(spell.cabinets, cabinets);
        open.lasts = *lasts;
        return;
    }
    if (spell.hotMs < 0) spell.toMs = m_now, spell.leftMs = std::max<std::int64_t>(0, open.lasts - (m_now - m_settled));
    open = {};
}

/// Loops whose units or ways the failure takes, also for a while.
void CoolantClock::readLoops(const PowerLoss& loss)
{
    const CoolingChain& chain = *m_plant.chain;
    for (std::uint32_t l = 0; l < m_short.size(); ++l)
        if (m_short[l]) m_course.loops.push_back(l);
    for (const DeviceId id : m_out)
        if (const CoolingUnit* unit = chain.unit(id))
            if (const std::int32_t l = unit->feeds >= 0 ? unit->feeds : unit->takes; l >= 0) m_course.loops.push_back(std::uint32_t(l));
    for (const LinkId id : loss.shut)
        if (const auto way = m_plant.wayOf(id)) m_course.loops.push_back(*way);
    std::ranges::sort(m_course.loops);
    m_course.loops.erase(std::unique(m_course.loops.begin(), m_course.loops.end()), m_course.loops.end());
}

} // namespace hw::impact
