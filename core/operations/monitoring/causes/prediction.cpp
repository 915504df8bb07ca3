// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/causes/prediction.h"

#include "core/derived/cooling/reading.h"
#include "core/foundation/model/places.h"

#include <algorithm>
#include <map>

namespace hw::monitoring {

using bindings::PointNo;

namespace {

constexpr double kDeadRatio = 0.02, kEmptyRatio = 0.1;
constexpr double kValveRatio = 0.15;               ///< of its flow, that the valve of a unit without load lets pass (assumed)
constexpr std::int64_t kSooner = 2;                ///< times as soon as the study has it something may be too hot: a place may be worse (assumed)
constexpr std::int64_t kLateMs = 5000;             ///< after the end of a gap as the study has it, meters still say so (assumed)
constexpr double kUpRatio = 1.2, kDownRatio = 0.8; ///< below these a change cannot be told from noise and other jobs

/// The loop whose air a point measures where it is breathed: in a hall, a rack, a device that takes no part in cooling it; -1: none.
std::int32_t airAt(const impact::Model& m, const bindings::Point& point, const Plan& plan)
{
    const Snapshot& s = *m.s;
    if (point.measure != bindings::Measure::AirInlet) return -1;
    Maybe<HallId> hall;
    if (point.entity.kind == EntityKind::Hall)
        hall = HallId(point.entity.id);
    else if (plan.criterion != Criterion::Air)
        return -1;
    else if (point.entity.kind == EntityKind::Rack)
        hall = s.rows.hall[s.racks.row[RackId(point.entity.id)]];
    else if (point.entity.kind == EntityKind::Device)
        hall = hallOf(s, DeviceId(point.entity.id));
    const auto& of = m.coolant.chain->airOf;
    return hall && (*hall).value < of.size() ? of[(*hall).value] : -1;
}

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

Predictor::Predictor(impact::ModelPtr model, const Plans& plans, const bindings::Bound& bound)
    : m_study(std::move(model)), m_cooling(*m_study.model().coolant.chain), m_kept(*m_study.model().coolant.chain, m_study.model().coolant.flow),
      m_plans(plans), m_bound(bound), m_headers(cooling::parallelHeaders(*m_study.model().coolant.chain)), m_power(m_study.model().chain->network),
      m_bridged(m_study.model().plant->network)
{
    const Snapshot& s = *m_study.model().s;
    std::vector<std::pair<std::uint32_t, PointNo>> devices, links, racks, ports, said, air;
    for (PointNo p = 0; p < plans.points.size(); ++p) {
        const Plan& plan = plans.points[p];
        const bindings::Point& point = bound.points[p];
        if (const auto group = groupOf(p)) {
            said.emplace_back(group->device.value, p);
            if (plan.signal == Signal::Link) ports.emplace_back(group->device.value, p);
        }
        if (const std::int32_t loop = airAt(m_study.model(), point, plan); loop >= 0) air.emplace_back(std::uint32_t(loop), p);
        switch (plan.signal) {
        case Signal::None: break;
        case Signal::Link:
        case Signal::Breaker: links.emplace_back(plan.target, p); break;
        case Signal::RackPower: racks.emplace_back(plan.target, p); break;
        default: devices.emplace_back(plan.target, p); break;
        }
    }
    m_ofDevice.build(s.devices.nextId(), std::move(devices));
    m_ofLink.build(s.links.nextId(), std::move(links));
    m_ofRack.build(s.racks.nextId(), std::move(racks));
    m_ofPorts.build(s.devices.nextId(), std::move(ports));
    m_said.build(s.devices.nextId(), std::move(said));
    m_ofAir.build(m_study.model().coolant.chain->loops.size(), std::move(air));
}

std::optional<Predictor::PortGroup> Predictor::groupOf(PointNo point) const
{
    const EntityRef entity = m_bound.points[point].entity;
    const Snapshot& s = *model().s;
    if (entity.kind != EntityKind::Port || !s.ports.contains(PortId(entity.id))) return {};
    return PortGroup{s.ports.device[PortId(entity.id)], s.ports.network[PortId(entity.id)]};
}

std::vector<PointNo> Predictor::saidBy(const PortGroup& group) const
{
    std::vector<PointNo> out;
    for (const PointNo p : m_said.of(group.device.value))
        if (model().s->ports.network[PortId(m_bound.points[p].entity.id)] == group.network) out.push_back(p);
    return out;
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
    m_fromMs = std::numeric_limits<std::int64_t>::min(), m_untilMs = std::numeric_limits<std::int64_t>::max();
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
    return onePerPoint();
}

std::shared_ptr<const Predictor::Prediction> Predictor::remembered(std::span<const Suspect> lost, std::int64_t elapsedMs)
{
    constexpr std::size_t kMostForecasts = 1'000'000; // 32 MB
    std::vector<Suspect> key(lost.begin(), lost.end());
    if (const auto known = m_remembered.find(key); known != m_remembered.end()) {
        if (known->second->fromMs <= elapsedMs && elapsedMs < known->second->untilMs) return known->second;
        m_size -= known->second->forecasts.size();
        m_remembered.erase(known);
    }
    auto made = std::make_shared<Prediction>();
    made->forecasts = of(lost, elapsedMs);
    made->reached = m_reached, made->fromMs = m_fromMs, made->untilMs = m_untilMs;
    if (m_size + made->forecasts.size() > kMostForecasts) m_remembered.clear(), m_size = 0;
    m_size += made->forecasts.size();
    return m_remembered[std::move(key)] = std::move(made);
}

/// Whether it has happened by now; what was made then holds until the next thing happens.
bool Predictor::hasCome(std::int64_t ms, std::int64_t elapsedMs)
{
    if (ms <= elapsedMs)
        m_fromMs = std::max(m_fromMs, ms);
    else
        m_untilMs = std::min(m_untilMs, ms);
    return ms <= elapsedMs;
}

/// The gravest forecast of each point; what only may come leaves what is so until then.
std::vector<Forecast> Predictor::onePerPoint()
{
    constexpr int kWhatBits = 3, kPlaceBits = 29; // by point, what, place: numbers sort several times as fast as forecasts
    static_assert(std::uint64_t(Predicted::MayUp) < 1u << kWhatBits);
    m_order.clear();
    for (std::size_t i = 0; i < m_out.size(); ++i)
        m_order.push_back(std::uint64_t(m_out[i].point) << (kWhatBits + kPlaceBits) | std::uint64_t(m_out[i].what) << kPlaceBits | i);
    std::ranges::sort(m_order);
    const auto at = [&](std::size_t k) -> const Forecast& { return m_out[m_order[k] & ((1u << kPlaceBits) - 1)]; };
    std::vector<Forecast> kept;
    kept.reserve(m_out.size());
    for (std::size_t i = 0, next = 0; i < m_order.size(); i = next) {
        while (next < m_order.size() && at(next).point == at(i).point) ++next;
        Forecast one = at(i);
        for (std::size_t k = i + 1; k < next && at(k).what == one.what; ++k) one.fromMs = std::min(one.fromMs, at(k).fromMs);
        if (one.what == Predicted::MayDie)
            for (std::size_t k = i + 1; k < next && !one.later; ++k)
                if (at(k).what == Predicted::Up || at(k).what == Predicted::Down) {
                    const std::int64_t dueMs = one.dueMs;
                    one = at(k), one.later = true, one.dueMs = dueMs;
                }
        kept.push_back(one);
    }
    return kept;
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
        if (m_plans.points[p].signal != Signal::Temperature) put(p, what);
    for (const auto& arc : model().data->arcs(id))
        for (const PointNo p : pointsOf(arc.link)) put(p, what);
}

void Predictor::powerOf(const impact::Effect& e, std::int64_t elapsedMs)
{
    m_dead = e.failed.devices;
    std::map<DeviceId, std::int64_t> dueMs; // of what batteries carry
    for (std::size_t i = 0; i < e.dark.size(); ++i) {
        const bool come = hasCome(e.darkMs[i], elapsedMs);
        (come ? m_dead : m_maybe).push_back(e.dark[i]);
        if (!come) dueMs[e.dark[i]] = e.darkMs[i];
    }
    for (const impact::CascadeEvent& h : e.course.happenings) {
        using enum impact::CascadeEvent::What;
        if (h.what == Tripped || h.what == PhaseTripped) (hasCome(h.ms, elapsedMs) ? m_dead : m_maybe).push_back(DeviceId(h.device));
        if (h.what != impact::CascadeEvent::What::OnBattery) continue; // it takes nothing in; its loads see none of that
        const bool cut = std::ranges::any_of(e.failed.ways, [&](const auto& way) { return way.consumer == h.device; }); // by its own input
        for (const PointNo p : pointsOf(DeviceId(h.device)))
            if (const Signal signal = m_plans.points[p].signal; signal == Signal::Power || (signal == Signal::Live && !cut))
                put(p, cut ? Predicted::Dead : Predicted::MayDie);
    }
    std::ranges::sort(m_dead);
    const auto twice = std::ranges::unique(m_dead);
    m_dead.erase(twice.begin(), twice.end());
    for (const DeviceId id : m_dead) device(id, Predicted::Dead);
    for (const DeviceId id : m_maybe) {
        const std::size_t from = m_out.size();
        device(id, Predicted::MayDie);
        if (const auto due = dueMs.find(id); due != dueMs.end())
            for (std::size_t i = from; i < m_out.size(); ++i) m_out[i].dueMs = due->second;
    }
    for (const auto& [id, ms] : e.coolant.hot) {
        const std::size_t from = m_out.size();
        device(id, Predicted::MayDie);
        for (std::size_t i = from; i < m_out.size(); ++i) m_out[i].fromMs = ms / kSooner;
        m_maybe.push_back(id);
    }
    const bool later = std::ranges::any_of(e.darkMs, [&](std::int64_t ms) { return ms > elapsedMs; }); // batteries carry
    std::int64_t firstMs = 0;
    for (const auto& [id, ms] : dueMs) firstMs = firstMs == 0 ? ms : std::min(firstMs, ms);
    std::int64_t startsMs = 0; // until reserves carry
    for (const auto& gap : e.course.gaps) startsMs = std::max(startsMs, gap.toMs + kLateMs);
    const power::Flow& base = model().chain->flow;
    for (const auto& change : e.changed) {
        const double was = toWatts(base.through[change.element].total()), now = toWatts(change.through.total());
        bool changes = false;
        const double ratio = was > 1 ? now / was : 1000;
        Predicted what = byRatioOf(ratio, changes);
        if (what == Predicted::Dead) what = Predicted::Empties; // it lives
        if (what == Predicted::Up && later) what = Predicted::MayRise;
        if (what == Predicted::Up && was <= 1 && startsMs > 0 && !hasCome(startsMs, elapsedMs)) what = Predicted::MayUp; // a reserve that starts
        const std::size_t from = m_out.size();
        for (const PointNo p : pointsOf(DeviceId(change.element)))
            if (changes && m_plans.points[p].signal == Signal::Power) put(p, what, float(ratio));
        for (std::size_t i = from; i < m_out.size() && what == Predicted::MayRise; ++i) m_out[i].dueMs = firstMs;
    }
    if (later) {
        std::vector<power::Index> lost;
        for (const DeviceId id : e.failed.devices) lost.push_back(id.value);
        bridgedRises(std::move(lost), e, Predicted::Up);
    }
    coolDownOf(e);
    gapsOf(e);
}

/// What rises while batteries carry: the loads without any go over to the other side at once.
void Predictor::bridgedRises(std::vector<power::Index> lost, const impact::Effect& e, Predicted what)
{
    std::ranges::sort(lost);
    const auto twice = std::ranges::unique(lost);
    lost.erase(twice.begin(), twice.end());
    const power::Flow& base = model().chain->flow;
    for (const auto& change : m_bridged.lose(lost, e.failed.ways).changed) {
        if (change.element >= base.through.size()) continue; // a battery
        const double was = toWatts(base.through[change.element].total()), now = toWatts(change.through.total());
        const double ratio = was > 1 ? now / was : 1000;
        for (const PointNo p : pointsOf(DeviceId(change.element)))
            if (ratio >= kUpRatio && m_plans.points[p].signal == Signal::Power) put(p, what, float(ratio));
    }
}

/// Until generators have started and change-overs acted, what depends on them is dark, and the other side carries its load; not where batteries do.
void Predictor::gapsOf(const impact::Effect& e)
{
    if (e.course.gaps.empty()) return;
    std::vector<power::Index> lost;
    for (const DeviceId id : e.failed.devices) lost.push_back(id.value);
    for (const auto& gap : e.course.gaps) {
        lost.push_back(gap.device);
        const std::size_t from = m_out.size();
        device(DeviceId(gap.device), Predicted::MayStop);
        std::int64_t until = gap.toMs;
        for (const impact::CoolantRestart& restart : e.coolant.restarts)
            if (restart.device == DeviceId(gap.device) && restart.fromMs == gap.fromMs) until = restart.readyMs;
        for (std::size_t i = from; i < m_out.size(); ++i) {
            m_out[i].forMs = until - gap.fromMs + kLateMs;
            if (gap.fromMs == 0 && m_plans.points[m_out[i].point].signal == Signal::Live) m_out[i].sureMs = gap.toMs;
        }
    }
    startsOf(e);
    bridgedRises(std::move(lost), e, Predicted::MayUp);
}

/// While units of cooling start again the others have nothing to pass on or take over, and heat stays.
void Predictor::startsOf(const impact::Effect& e)
{
    const auto& restarts = e.coolant.restarts;
    if (restarts.empty()) return;
    std::vector<DeviceId> lost = m_dead;
    std::int64_t forMs = 0;
    for (const impact::CoolantRestart& restart : restarts) {
        lost.push_back(restart.device);
        forMs = std::max(forMs, restart.readyMs - restart.fromMs + kLateMs);
    }
    std::ranges::sort(lost);
    const auto twice = std::ranges::unique(lost);
    lost.erase(twice.begin(), twice.end());
    const CoolingChain& chain = *model().coolant.chain;
    const cooling::Survey::Answer base = m_cooling.base();
    const auto& now = m_cooling.without(lost, e.failed.links);
    for (std::size_t u = 0; u < chain.units.size(); ++u)
        for (const PointNo p : pointsOf(chain.units[u].device)) {
            const Signal signal = m_plans.points[p].signal;
            if (signal != Signal::Flow && signal != Signal::Heat) continue;
            const double was = signal == Signal::Flow ? base.units[u].lpm : base.units[u].heatW,
                         is = signal == Signal::Flow ? now.units[u].lpm : now.units[u].heatW;
            if (!(was > 0) || (is > kEmptyRatio * was && is < kUpRatio * was)) continue;
            put(p, is < was ? Predicted::MayStop : Predicted::MayUp, float(is / was));
            if (is < was && m_out.back().point == p) m_out.back().forMs = forMs;
        }
    for (std::size_t l = 0; l < chain.loops.size(); ++l) {
        if (now.loops[l].shortW() <= base.loops[l].shortW()) continue;
        airOf(l);
        for (const DeviceId id : chain.loops[l].members)
            for (const PointNo p : pointsOf(id))
                if (m_plans.points[p].signal == Signal::Temperature) put(p, Predicted::MayRise);
    }
    for (const cooling::ParallelHeaders& group : m_headers)
        for (const std::uint32_t u : group.headers) {
            const std::size_t from = m_out.size();
            for (const PointNo p : pointsOf(chain.units[u].device)) put(p, Predicted::MayStop);
            for (std::size_t i = from; i < m_out.size(); ++i) m_out[i].forMs = forMs;
        }
}

void Predictor::airOf(std::size_t loop)
{
    for (const PointNo p : m_ofAir.of(std::uint32_t(loop))) put(p, Predicted::MayRise);
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

/// Of the loops that pumps and fans of the units circulate by themselves, whether facility water flows or not.
cooling::Survey::Answer Predictor::flowsOf(std::vector<DeviceId> lost, const impact::Effect& e)
{
    const impact::CoolantPlant& plant = model().coolant;
    std::erase_if(lost, [&](DeviceId id) { return plant.chain->unit(id) && plant.flow.facility[std::size_t(plant.chain->unitOf[id.value])]; });
    std::vector<LinkId> shut;
    for (const LinkId link : e.failed.links)
        if (const auto way = plant.flow.loopOfWay(link); way && plant.chain->loops[*way].kind != LoopKind::Facility) shut.push_back(link);
    return m_cooling.without(lost, shut);
}

bool Predictor::isOwnCircle(std::size_t unit) const
{
    const CoolingChain& chain = *model().coolant.chain;
    const std::int32_t feeds = chain.units[unit].feeds;
    return feeds >= 0 && chain.loops[std::size_t(feeds)].kind != LoopKind::Facility;
}

/// Whether a flow of a unit is that of the loop that it takes from.
bool Predictor::isTaken(PointNo p) const { return !m_plans.points[p].counted && m_plans.points[p].signal == Signal::Flow; }

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
    const cooling::Survey::Answer base = m_cooling.base(), flows = flowsOf(lost, e);
    const auto& now = m_cooling.without(lost, e.failed.links);
    for (const DeviceId id : e.failed.stalled) device(id, Predicted::MayDie);
    waterOf(lost, e);
    headersOf(lost, now);
    for (std::size_t u = 0; u < chain.units.size(); ++u) {
        const bool circulates = isOwnCircle(u);
        if (base.units[u].lpm > 0 && now.units[u].lpm <= 0) // what moves nothing may stop
            for (const PointNo p : pointsOf(chain.units[u].device))
                if (m_plans.points[p].signal == Signal::Speed || m_plans.points[p].signal == Signal::Pump ||
                    (circulates && m_plans.points[p].signal == Signal::Flow && !isTaken(p)))
                    put(p, Predicted::MayStop);
        if (circulates && base.units[u].lpm > 0 && base.units[u].lpm != flows.units[u].lpm) flowOf(u, false, flows.units[u].lpm / base.units[u].lpm);
        if (base.units[u].heatW == now.units[u].heatW || base.units[u].heatW <= 0) continue;
        bool changes = false;
        const double ratio = now.units[u].heatW / base.units[u].heatW;
        const Predicted what = byRatioOf(ratio, changes);
        for (const PointNo p : pointsOf(chain.units[u].device))
            if (changes && m_plans.points[p].signal == Signal::Heat) put(p, what, float(ratio));
    }
    for (std::size_t l = 0; l < chain.loops.size(); ++l) {
        if (now.loops[l] == base.loops[l]) continue;
        const bool facility = chain.loops[l].kind == LoopKind::Facility;
        for (const DeviceId id : now.loops[l].cutOff) {
            const bool stands = facility || std::ranges::find(flows.loops[l].cutOff, id) != flows.loops[l].cutOff.end();
            for (const PointNo p : pointsOf(id)) {
                const Signal signal = m_plans.points[p].signal;
                if (signal == Signal::Temperature) put(p, Predicted::MayRise);
                const bool others =
                    chain.unit(id) && isTaken(p) && chain.unit(id)->takes != std::int32_t(l);   // it feeds this loop, and takes from another
                if (signal != Signal::Flow || others || (facility && chain.unit(id))) continue; // of units: waterOf
                put(p, stands ? Predicted::Dead : Predicted::MayStop);
            }
        }
        if (now.loops[l].shortW() <= base.loops[l].shortW()) continue;
        airOf(l);
        for (const DeviceId id : chain.loops[l].members)
            for (const PointNo p : pointsOf(id))
                if (m_plans.points[p].signal == Signal::Temperature) put(p, Predicted::MayRise);
    }
}

/// Those beside a header that is lost carry its flow. Where water stands still in a loop, less may flow through any of its headers, or nothing.
void Predictor::headersOf(std::span<const DeviceId> lost, const cooling::Survey::Answer& now)
{
    const CoolingChain& chain = *model().coolant.chain;
    std::vector<char> stands(chain.loops.size(), 0);
    for (std::size_t l = 0; l < stands.size(); ++l) stands[l] = now.loops[l] != m_cooling.base().loops[l];
    for (std::size_t u = 0; u < chain.units.size(); ++u)
        for (const std::int32_t l : {chain.units[u].takes, chain.units[u].feeds})
            if (l >= 0 && (m_kept.still()[u] || m_kept.dry()[u])) stands[std::size_t(l)] = 1;
    const auto isLost = [&](std::uint32_t u) { return std::ranges::find(lost, chain.units[u].device) != lost.end(); };
    for (const cooling::ParallelHeaders& group : m_headers) {
        double all = 0, left = 0;
        for (const std::uint32_t u : group.headers) all += chain.units[u].lpm, left += isLost(u) ? 0 : chain.units[u].lpm;
        for (const std::uint32_t u : group.headers) {
            if (isLost(u)) continue;
            if (stands[std::size_t(group.loop)])
                for (const PointNo p : pointsOf(chain.units[u].device)) put(p, Predicted::MayStop);
            else if (left < all)
                flowOf(u, false, all / left);
        }
    }
}

std::vector<PointNo> Predictor::flowsBeside(PointNo p) const
{
    std::vector<PointNo> out;
    const CoolingChain& chain = *model().coolant.chain;
    const CoolingUnit* own = m_plans.points[p].signal == Signal::Flow ? chain.unit(DeviceId(m_plans.points[p].target)) : nullptr;
    if (!own || own->element != CoolingElement::Header) return out;
    for (const cooling::ParallelHeaders& group : m_headers) {
        if (std::ranges::none_of(group.headers, [&](std::uint32_t u) { return chain.units[u].device == own->device; })) continue;
        for (const CoolingUnit& unit : chain.units) {
            const bool feeds = unit.feeds == group.loop, takes = unit.takes == group.loop;
            if (unit.parts() && (feeds || takes))
                for (const PointNo other : pointsOf(unit.device))
                    if (m_plans.points[other].signal == Signal::Flow && measureOf(other) == bindings::Measure::Flow && isTaken(other) == takes)
                        out.push_back(other);
        }
    }
    return out;
}

void Predictor::flowOf(std::size_t u, bool taken, double ratio)
{
    bool changes = false;
    const Predicted what = byRatioOf(ratio, changes);
    for (const PointNo p : pointsOf(model().coolant.chain->units[u].device))
        if (changes && m_plans.points[p].signal == Signal::Flow && isTaken(p) == taken) put(p, what, float(ratio));
}

/// Facility water through units: what flows does so whether it is cooled or not, as the study of the ride-through counts.
void Predictor::waterOf(std::span<const DeviceId> lost, const impact::Effect& e)
{
    const CoolingChain& chain = *model().coolant.chain;
    std::vector<cooling::KeptHeat::Out> out;
    std::vector<char> isOut(chain.units.size(), 0);
    for (const DeviceId id : lost) {
        const std::int32_t u = id.value < chain.unitOf.size() ? chain.unitOf[id.value] : -1;
        if (u < 0 || isOut[std::size_t(u)]) continue;
        const bool dark = std::ranges::binary_search(e.dark, id);
        if (dark && model().coolant.flow.passive[std::size_t(u)]) continue;
        isOut[std::size_t(u)] = 1;
        out.push_back({std::uint32_t(u), dark});
    }
    m_kept.settle(out, e.failed.links, model().coolant.cabinetHeat);
    std::vector<power::Index> tripped;
    const auto& base = m_kept.survey().base().units;
    std::vector<double> was(chain.loops.size(), 0), is(chain.loops.size(), 0); // heat that their units share
    const auto carried = [&](std::size_t u) { return isOut[u] || m_kept.trips(u) ? 0.0 : m_kept.units()[u].heatW; };
    for (std::size_t u = 0; u < chain.units.size(); ++u)
        if (const CoolingUnit& unit = chain.units[u]; unit.parts() && unit.feeds >= 0)
            was[std::size_t(unit.feeds)] += base[u].heatW, is[std::size_t(unit.feeds)] += carried(u);
    for (std::size_t u = 0; u < chain.units.size(); ++u) {
        const CoolingUnit& unit = chain.units[u];
        if (!unit.parts()) continue;
        const bool trips = !isOut[u] && m_kept.trips(u);
        if (trips) tripped.push_back(unit.device.value);
        if (trips) // at once, or after its own protection has
            for (const PointNo p : pointsOf(unit.device))
                if (const Signal signal = m_plans.points[p].signal; signal == Signal::Live || signal == Signal::Power || signal == Signal::Speed)
                    put(p, Predicted::MayStop);
        if (unit.feeds >= 0 && !isOwnCircle(u) && base[u].heatW > 0) {
            const auto l = std::size_t(unit.feeds);
            if (m_kept.still()[u])
                flowOf(u, false, 0);
            else if (is[l] > 0 && !isCondenser(unit.feeds))
                flowOf(u, false, carried(u) / is[l] * was[l] / base[u].heatW);
        }
        if (unit.takes < 0) continue;
        if (isOut[u] || m_kept.dry()[u])
            flowOf(u, true, 0);
        else if (trips || (isCondenser(unit.takes) && carried(u) <= 0 && base[u].heatW > 0)) {
            for (const PointNo p : pointsOf(unit.device))
                if (m_plans.points[p].signal == Signal::Flow && isTaken(p)) put(p, Predicted::MayStop);
        } else if (base[u].takesW > 0 && !isCondenser(unit.takes)) {
            flowOf(u, true, std::max(kValveRatio, carried(u) / std::max(base[u].heatW, 1e-9)));
        }
    }
    shedBy(std::move(tripped), e);
}

/// What feeds chillers that trip carries less.
void Predictor::shedBy(std::vector<power::Index> tripped, const impact::Effect& e)
{
    if (tripped.empty()) return;
    for (const DeviceId id : e.failed.devices) tripped.push_back(id.value);
    std::ranges::sort(tripped);
    const auto twice = std::ranges::unique(tripped);
    tripped.erase(twice.begin(), twice.end());
    for (const auto& change : m_power.lose(tripped, e.failed.ways).changed) {
        const double was = toWatts(model().chain->flow.through[change.element].total()), now = toWatts(change.through.total());
        bool changes = false;
        const double ratio = was > 1 ? now / was : 1;
        const Predicted what = byRatioOf(ratio, changes);
        if (!changes || ratio > 1) continue;
        for (const PointNo p : pointsOf(DeviceId(change.element)))
            if (m_plans.points[p].signal == Signal::Power) put(p, what == Predicted::Down ? what : Predicted::MayStop, float(ratio));
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

} // namespace hw::monitoring
