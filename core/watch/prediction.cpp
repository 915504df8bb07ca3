// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/prediction.h"

#include "core/cooling/reading.h"

#include <algorithm>
#include <map>

namespace hw::watch {

using live::PointNo;

namespace {

constexpr double kDeadRatio = 0.02, kEmptyRatio = 0.1;
constexpr std::int64_t kLateMs = 5000;             ///< after the end of a gap as the study has it, meters still say so (assumed)
constexpr double kUpRatio = 1.2, kDownRatio = 0.8; ///< below these a change cannot be told from noise and other jobs

Predicted byRatioOf(double ratio, bool& changes)
{
    changes = ratio >= kUpRatio || ratio <= kDownRatio;
    return ratio <= kDeadRatio ? Predicted::Dead : ratio <= kEmptyRatio ? Predicted::Empties : ratio < 1 ? Predicted::Down : Predicted::Up;
}

} // namespace

void Predictor::Lists::build(std::size_t owners, std::vector<std::pair<std::uint32_t, PointNo>> pairs)
{
    std::ranges::sort(pairs);
    first.assign(owners + 1, 0);
    for (const auto& [owner, point] : pairs) ++first[owner + 1], points.push_back(point);
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
}

Predictor::Predictor(impact::ModelPtr model, const Plans& plans, const live::Bound&)
    : m_study(std::move(model)), m_cooling(*m_study.model().coolant.chain), m_plans(plans), m_power(m_study.model().chain->network)
{
    std::vector<std::pair<std::uint32_t, PointNo>> devices, links, racks;
    for (PointNo p = 0; p < plans.points.size(); ++p) {
        const Plan& plan = plans.points[p];
        switch (plan.signal) {
        case Signal::None: break;
        case Signal::Link:
        case Signal::Breaker: links.emplace_back(plan.target, p); break;
        case Signal::RackPower: racks.emplace_back(plan.target, p); break;
        default: devices.emplace_back(plan.target, p); break;
        }
    }
    const Snapshot& s = *m_study.model().s;
    m_ofDevice.build(s.devices.nextId(), std::move(devices));
    m_ofLink.build(s.links.nextId(), std::move(links));
    m_ofRack.build(s.racks.nextId(), std::move(racks));
}

const impact::Effect& Predictor::effect(std::span<const Suspect> lost)
{
    std::vector<impact::Failing> failing;
    for (const Suspect& suspect : lost)
        if (suspect.gpu < 0) failing.push_back(suspect.element);
    return m_study.lose(failing);
}

std::vector<Forecast> Predictor::of(std::span<const Suspect> lost, std::int64_t elapsedMs)
{
    m_out.clear(), m_dead.clear(), m_maybe.clear();
    const bool any = std::ranges::any_of(lost, [](const Suspect& suspect) { return suspect.gpu < 0; });
    if (any) {
        const impact::Effect& e = effect(lost);
        powerOf(e, elapsedMs);
        racksOf();
        coolingOf(e);
        linksOf(e);
    }
    m_reached = m_dead.size();
    partsOf(lost);
    std::ranges::stable_sort(m_out, {}, [](const Forecast& f) { return std::pair(f.point, f.what); });
    onePerPoint();
    return m_out;
}

/// The gravest forecast of each point; what only may come leaves what is so until then.
void Predictor::onePerPoint()
{
    std::size_t kept = 0;
    for (std::size_t i = 0, next = 0; i < m_out.size(); i = next) {
        while (next < m_out.size() && m_out[next].point == m_out[i].point) ++next;
        Forecast one = m_out[i];
        if (one.what == Predicted::MayDie)
            for (std::size_t k = i + 1; k < next && !one.later; ++k)
                if (m_out[k].what == Predicted::Up || m_out[k].what == Predicted::Down) one = m_out[k], one.later = true;
        m_out[kept++] = one;
    }
    m_out.resize(kept);
}

/// What carries nothing as planned cannot show that it carries nothing.
void Predictor::put(PointNo point, Predicted what, float ratio)
{
    const Plan& plan = m_plans.points[point];
    const bool silentAnyway = (plan.signal == Signal::Power && !(plan.planned > 0)) || (plan.signal == Signal::Live && plan.planned == 0);
    if (silentAnyway && what != Predicted::Up && what != Predicted::MayRise && what != Predicted::MayUp) return;
    m_out.push_back({point, what, ratio});
}

void Predictor::device(DeviceId id, Predicted what)
{
    for (const PointNo p : pointsOf(id))
        if (m_plans.points[p].signal != Signal::Warmth) put(p, what);
    for (const auto& arc : model().data->arcs(id))
        for (const PointNo p : pointsOf(arc.link)) put(p, what);
}

void Predictor::powerOf(const impact::Effect& e, std::int64_t elapsedMs)
{
    m_dead = e.failed.devices;
    for (std::size_t i = 0; i < e.dark.size(); ++i) (e.darkMs[i] <= elapsedMs ? m_dead : m_maybe).push_back(e.dark[i]);
    for (const impact::Happening& h : e.course.happenings) {
        using enum impact::Happening::What;
        if (h.what == Tripped || h.what == PhaseTripped) (h.ms <= elapsedMs ? m_dead : m_maybe).push_back(DeviceId(h.device));
        if (h.what == impact::Happening::What::OnBattery) // it takes nothing in; its loads see none of that
            for (const PointNo p : pointsOf(DeviceId(h.device)))
                if (m_plans.points[p].signal == Signal::Power || m_plans.points[p].signal == Signal::Live) put(p, Predicted::MayDie);
    }
    for (const auto& [id, ms] : e.coolant.hot) m_maybe.push_back(id);
    std::ranges::sort(m_dead);
    const auto twice = std::ranges::unique(m_dead);
    m_dead.erase(twice.begin(), twice.end());
    for (const DeviceId id : m_dead) device(id, Predicted::Dead);
    for (const DeviceId id : m_maybe) device(id, Predicted::MayDie);
    const bool later = std::ranges::any_of(e.darkMs, [&](std::int64_t ms) { return ms > elapsedMs; }); // batteries carry
    const power::Flow& base = model().chain->flow;
    for (const auto& change : e.changed) {
        const double was = toWatts(base.through[change.element].total()), now = toWatts(change.through.total());
        bool changes = false;
        const double ratio = was > 1 ? now / was : 1000;
        Predicted what = byRatioOf(ratio, changes);
        if (what == Predicted::Dead) what = Predicted::Empties; // it lives
        if (what == Predicted::Up && later) what = Predicted::MayRise;
        for (const PointNo p : pointsOf(DeviceId(change.element)))
            if (changes && m_plans.points[p].signal == Signal::Power) put(p, what, float(ratio));
    }
    coolDownOf(e);
    gapsOf(e);
}

/// Until generators have started and change-overs acted, what hangs on them is dark, and the other side carries its load.
void Predictor::gapsOf(const impact::Effect& e)
{
    if (e.course.gaps.empty()) return;
    std::vector<power::Index> lost;
    for (const DeviceId id : e.failed.devices) lost.push_back(id.value);
    for (const auto& gap : e.course.gaps) {
        lost.push_back(gap.device);
        const std::size_t from = m_out.size();
        device(DeviceId(gap.device), Predicted::MayStop);
        for (std::size_t i = from; i < m_out.size(); ++i) m_out[i].forMs = gap.toMs - gap.fromMs + kLateMs;
    }
    std::ranges::sort(lost);
    const auto twice = std::ranges::unique(lost);
    lost.erase(twice.begin(), twice.end());
    const power::Flow& base = model().chain->flow;
    for (const auto& change : m_power.lose(lost, e.failed.ways).changed) {
        const double was = toWatts(base.through[change.element].total()), now = toWatts(change.through.total());
        const double ratio = was > 1 ? now / was : 1000;
        for (const PointNo p : pointsOf(DeviceId(change.element)))
            if (ratio >= kUpRatio && m_plans.points[p].signal == Signal::Power) put(p, Predicted::MayUp, float(ratio));
    }
}

/// Servers that get too hot shut down, and what feeds them carries less.
void Predictor::coolDownOf(const impact::Effect& e)
{
    if (e.hot.empty()) return;
    std::vector<power::Index> lost;
    for (const auto* list : {&e.failed.devices, &e.tripped, &e.hot})
        for (const DeviceId id : *list) lost.push_back(id.value);
    std::ranges::sort(lost);
    const auto twice = std::ranges::unique(lost);
    lost.erase(twice.begin(), twice.end());
    for (const auto& change : m_power.lose(lost, e.failed.ways).changed)
        if (change.through.total().count() * 10 < model().chain->flow.through[change.element].total().count() * 8)
            for (const PointNo p : pointsOf(DeviceId(change.element)))
                if (m_plans.points[p].signal == Signal::Power) put(p, Predicted::MayDie);
    for (const DeviceId id : e.hot)
        if (const auto rack = model().s->devices.rack[id])
            for (const PointNo p : pointsOf(*rack)) put(p, Predicted::MayDie);
}

/// A rack draws what its devices that are left draw.
void Predictor::racksOf()
{
    std::map<RackId, double> lost;
    const impact::Model& m = model();
    for (const DeviceId id : m_dead)
        if (const auto rack = m.s->devices.rack[id]; rack && m.s->tiers.kind[m.s->devices.tier[id]] != TierKind::Power)
            lost[*rack] += toWatts(m.chain->network[id.value].draw);
    for (const auto& [rack, watts] : lost) {
        const double all = toWatts(m.figures->power->rack(rack).at(m.basis));
        if (all <= 0) continue;
        bool changes = false;
        const double ratio = std::max(0.0, 1 - watts / all);
        const Predicted what = byRatioOf(ratio, changes);
        for (const PointNo p : pointsOf(rack))
            if (changes) put(p, what, float(ratio));
    }
}

void Predictor::coolingOf(const impact::Effect& e)
{
    const CoolingChain& chain = *model().coolant.chain;
    std::vector<DeviceId> lost = m_dead;
    lost.insert(lost.end(), e.failed.stalled.begin(), e.failed.stalled.end());
    const bool touches = std::ranges::any_of(lost, [&](DeviceId id) { return chain.unit(id) || chain.taker(id); }) || !e.failed.links.empty();
    for (const auto& [id, pump] : e.failed.pumps)
        for (const PointNo p : pointsOf(id))
            if (m_plans.points[p].signal == Signal::Pump && m_plans.points[p].part == pump + 1) put(p, Predicted::Dead);
    if (!touches) return;
    const cooling::Survey::Answer base = m_cooling.base();
    const auto& now = m_cooling.without(lost, e.failed.links);
    for (const DeviceId id : e.failed.stalled) device(id, Predicted::MayDie);
    for (std::size_t u = 0; u < chain.units.size(); ++u) {
        const auto tell = [&](Signal signal, double was, double is) {
            bool changes = false;
            const double ratio = was > 0 ? is / was : 1;
            const Predicted what = byRatioOf(ratio, changes);
            for (const PointNo p : pointsOf(chain.units[u].device))
                if (changes && m_plans.points[p].signal == signal) put(p, what, float(ratio));
        };
        if (base.units[u].lpm > 0 && now.units[u].lpm <= 0) // what moves nothing may stop
            for (const PointNo p : pointsOf(chain.units[u].device))
                if (m_plans.points[p].signal == Signal::Turns || m_plans.points[p].signal == Signal::Pump) put(p, Predicted::MayStop);
        if (base.units[u].lpm != now.units[u].lpm) tell(Signal::Flow, base.units[u].lpm, now.units[u].lpm);
        if (base.units[u].heatW != now.units[u].heatW) tell(Signal::Heat, base.units[u].heatW, now.units[u].heatW);
    }
    for (std::size_t l = 0; l < chain.loops.size(); ++l) {
        if (now.loops[l] == base.loops[l]) continue;
        for (const DeviceId id : now.loops[l].cutOff)
            for (const PointNo p : pointsOf(id))
                if (m_plans.points[p].signal == Signal::Flow || m_plans.points[p].signal == Signal::Warmth)
                    put(p, m_plans.points[p].signal == Signal::Flow ? Predicted::Dead : Predicted::MayRise);
        if (now.loops[l].shortW() <= base.loops[l].shortW()) continue;
        for (const DeviceId id : chain.loops[l].members)
            for (const PointNo p : pointsOf(id))
                if (m_plans.points[p].signal == Signal::Warmth) put(p, Predicted::MayRise);
    }
}

void Predictor::linksOf(const impact::Effect& e)
{
    for (const LinkId link : e.failed.links)
        for (const PointNo p : pointsOf(link)) put(p, Predicted::Dead);
    const impact::Model& m = model();
    for (const auto& way : e.failed.ways) {
        const PowerFeed& feed = m.feeds->of(DeviceId(way.consumer))[way.feed];
        if (!feed.link) continue;
        for (const PointNo p : pointsOf(*feed.link))
            if (m_plans.points[p].signal == Signal::Breaker) put(p, Predicted::Dead);
    }
}

void Predictor::partsOf(std::span<const Suspect> lost)
{
    for (const Suspect& suspect : lost) {
        if (suspect.gpu < 0) continue;
        for (const PointNo p : pointsOf(DeviceId(suspect.element.entity.id)))
            if (m_plans.points[p].signal == Signal::Part && m_plans.points[p].part == suspect.gpu) put(p, Predicted::Dead);
    }
}

} // namespace hw::watch
