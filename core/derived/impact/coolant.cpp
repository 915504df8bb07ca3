// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/impact/coolant.h"

#include "core/foundation/model/places.h"
#include "core/foundation/model/setting_values.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hw::impact {

namespace {

void readTakers(CoolantPlant& plant, const PowerFigures& power)
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
    for (const CooledLoad& taker : chain.takers) {
        Milliwatts& heat = plant.cabinetHeat.emplace_back();
        for (const DeviceId id : taker.cooled) {
            auto& own = plant.heated[id.value];
            own.liquid = power.device(id).liquid[basis], own.taker = std::int32_t(plant.cabinetHeat.size() - 1);
            heat += own.liquid;
        }
    }
}

void readUnits(CoolantPlant& plant, const Snapshot& s, const ProjectParts& parts)
{
    const double chillerS = numberSetting(s, "impact.chiller_restart_s");
    for (const CoolingUnit& unit : plant.chain->units) {
        const CoolingSpec& spec = parts.device(s.devices.type[unit.device]).cooling;
        const double restart = spec.restartS.value > 0 ? spec.restartS.value : unit.element == CoolingElement::Chiller ? chillerS : 0;
        plant.restartMs.push_back(std::llround(restart * 1000));
    }
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
    plant.flow = cooling::FlowTraits::of(chain);
    plant.loops = cooling::heatLoops(chain), plant.cabinets = cooling::heatCabinets(chain);
    readTakers(plant, power);
    readUnits(plant, s, parts);
    readAir(plant, s, power);
    return plant;
}

CoolantTransient::CoolantTransient(const CoolantPlant& plant, std::size_t devices)
    : m_plant(plant), m_chain(*plant.chain), m_kept(m_chain, plant.flow), m_heat(plant.loops, plant.cabinets), m_state(devices, 0),
      m_cabinetHeat(plant.cabinets.size()), m_open(plant.loops.size()), m_short(plant.loops.size(), 0)
{
}

bool CoolantTransient::touches(const PowerLoss& loss) const
{
    const CoolingChain& chain = *m_plant.chain;
    const auto isUnit = [&](DeviceId id) { return chain.unit(id) != nullptr; };
    const auto isWay = [&](LinkId id) { return m_plant.flow.loopOfWay(id).has_value(); };
    return std::ranges::any_of(loss.failed, isUnit) || std::ranges::any_of(loss.dark, isUnit) || !loss.stalled.empty() ||
           std::ranges::any_of(loss.shut, isWay) || std::ranges::any_of(loss.gaps, [&](const auto& gap) { return isUnit(DeviceId(gap.device)); });
}

void CoolantTransient::readEvents(const PowerLoss& loss)
{
    const CoolingChain& chain = *m_plant.chain;
    const auto add = [&](std::int64_t ms, DeviceId id, Reason reason, bool begins) { m_events.push_back({ms, id, reason, begins}); };
    const auto works = [&](DeviceId id) { // without power
        return id.value < chain.unitOf.size() && chain.unitOf[id.value] >= 0 && m_plant.flow.passive[std::size_t(chain.unitOf[id.value])];
    };
    for (const DeviceId id : loss.failed) add(0, id, Failed, true);
    for (const DeviceId id : loss.stalled) add(0, id, Failed, true);
    for (std::size_t i = 0; i < loss.dark.size(); ++i)
        if (!works(loss.dark[i])) add(loss.darkMs[i], loss.dark[i], Dark, true);
    for (const CascadeTimeline::Gap& gap : loss.gaps) {
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

void CoolantTransient::put(DeviceId id, Reason reason, bool on)
{
    std::uint8_t& state = m_state[id.value];
    if (state == 0) m_out.push_back(id);
    state = std::uint8_t((on ? state | reason : state & ~reason) | Listed);
}

const CoolantTimeline& CoolantTransient::run(const PowerLoss& loss)
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

void CoolantTransient::happen(std::int64_t ms)
{
    for (; m_next < m_events.size() && m_events[m_next].ms <= ms; ++m_next) {
        const Event& e = m_events[m_next];
        const bool again =
            !e.begins && e.reason == Starting && // it lost its power again while it started
            std::ranges::any_of(m_course.restarts, [&](const auto& r) { return r.device == e.device && r.toMs < ms && ms < r.readyMs; });
        if (!again) put(e.device, e.reason, e.begins);
    }
}

/// What is out gives no heat.
void CoolantTransient::readHeat()
{
    const CoolingChain& all = *m_plant.chain;
    m_cabinetHeat = m_plant.cabinetHeat;
    std::vector<Milliwatts> gone(all.loops.size()); // of air
    for (const DeviceId id : m_out) {
        const auto& heated = m_plant.heated[id.value];
        if (!out(id)) continue;
        if (heated.taker >= 0) m_cabinetHeat[std::size_t(heated.taker)] -= heated.liquid;
        if (heated.loop >= 0) gone[std::size_t(heated.loop)] += heated.air;
    }
    for (std::size_t t = 0; t < m_cabinetHeat.size(); ++t) {
        const double whole = toWatts(m_plant.cabinetHeat[t]), share = whole > 0 ? toWatts(m_cabinetHeat[t]) / whole : 0;
        m_chain.takers[t].liquidW = all.takers[t].liquidW * share, m_chain.takers[t].lpm = all.takers[t].lpm * share;
    }
    for (std::size_t l = 0; l < gone.size(); ++l) {
        if (all.loops[l].kind != LoopKind::Air) continue;
        const double left = std::max(0.0, all.loops[l].heatW - toWatts(gone[l]));
        m_chain.loops[l].heatW = left;
        m_chain.loops[l].airM3s = all.loops[l].heatW > 0 ? all.loops[l].airM3s * left / all.loops[l].heatW : 0;
    }
}

void CoolantTransient::settle()
{
    readHeat();
    std::vector<cooling::KeptHeat::Out> units;
    for (const DeviceId id : m_out)
        if (const std::int32_t u = m_chain.unitOf[id.value]; u >= 0 && out(id)) units.push_back({std::uint32_t(u), (m_state[id.value] & Dark) != 0});
    m_kept.settle(units, m_shut, m_cabinetHeat);
    Milliwatts missing;
    for (std::uint32_t l = 0; l < m_short.size(); ++l) {
        m_short[l] = m_short[l] || m_kept.missing()[l].count() > 0;
        missing += m_kept.missing()[l];
    }
    m_course.missing = std::max(m_course.missing, missing);
    m_heat.settle(m_kept.loops(), m_kept.cabinets());
}

bool CoolantTransient::heats(DeviceId id)
{
    if (out(id)) return false;
    put(id, Hot, true);
    m_course.hot.emplace_back(id, m_now);
    return true;
}

/// Takes everything along that depends on what is at its limit and still warms up. True: something was.
bool CoolantTransient::markHot()
{
    bool any = false;
    const auto takeCabinet = [&](std::uint32_t taker) {
        for (const DeviceId id : m_chain.takers[taker].cooled) any = heats(id) || any;
    };
    for (std::uint32_t t = 0; t < m_cabinetHeat.size(); ++t)
        if (m_heat.cabinetHot(t) && m_heat.cabinetRate(t).count() > 0) takeCabinet(t);
    for (std::uint32_t l = 0; l < m_short.size(); ++l) {
        if (!m_heat.loopHot(l) || m_heat.loopRate(l).count() <= 0) continue;
        for (const std::uint32_t t : m_plant.takers(l)) takeCabinet(t);
        for (const DeviceId id : m_plant.inAir[l]) any = heats(id) || any;
    }
    return any;
}

void CoolantTransient::readSpells()
{
    for (std::uint32_t l = 0; l < m_short.size(); ++l) {
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
        if (m_plant.loops[l].kind != cooling::HeatLoop::Kind::Facility)
            readSpell(l, false, m_heat.loopLasts(l), m_kept.loops()[l].own + m_kept.loops()[l].upstream, 0, m_heat.loopHot(l));
    }
    m_settled = m_now;
}

/// `lasts`: none where it does not warm up now.
void CoolantTransient::readSpell(std::uint32_t loop, bool stands, std::optional<std::int64_t> lasts, Milliwatts heat, std::int64_t cabinets, bool hot)
{
    Open& open = m_open[loop][stands];
    if (open.spell < 0 && lasts && !hot) {
        open.spell = std::int32_t(m_course.spells.size());
        m_course.spells.push_back({loop, stands, cabinets, m_now, *lasts, heat, -1, 0, -1});
        if (const std::int64_t limit = m_now + *lasts; !m_course.rideThroughMs || limit < *m_course.rideThroughMs) {
            m_course.rideThroughMs = limit;
            m_course.ofAir = m_plant.loops[loop].kind == cooling::HeatLoop::Kind::Air;
        }
    }
    if (open.spell < 0) return;
    CoolantInterval& spell = m_course.spells[std::size_t(open.spell)];
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
void CoolantTransient::readLoops(const PowerLoss& loss)
{
    const CoolingChain& chain = *m_plant.chain;
    for (std::uint32_t l = 0; l < m_short.size(); ++l)
        if (m_short[l]) m_course.loops.push_back(l);
    for (const DeviceId id : m_out)
        if (const CoolingUnit* unit = chain.unit(id))
            if (const std::int32_t l = unit->feeds >= 0 ? unit->feeds : unit->takes; l >= 0) m_course.loops.push_back(std::uint32_t(l));
    for (const LinkId id : loss.shut)
        if (const auto way = m_plant.flow.loopOfWay(id)) m_course.loops.push_back(*way);
    std::ranges::sort(m_course.loops);
    m_course.loops.erase(std::unique(m_course.loops.begin(), m_course.loops.end()), m_course.loops.end());
}

} // namespace hw::impact
