// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/detectors/flow_faults.h"

#include "core/foundation/catalog/entity.h"
#include "core/foundation/model/places.h"
#include "core/operations/monitoring/incident/alarm_texts.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace hw::monitoring {

using bindings::PointNo;

namespace {

constexpr std::int64_t kShortStillMs =
    180'000;                         ///< so long after a loop has its flow again consumers may still have low flow or high temperature (assumed)
constexpr double kNeedsLittle = 0.5; ///< of what the heat needed: with less, a repair cannot be verified (assumed)
constexpr std::size_t kMostFlows = 16;

EntityRef entityOf(PointNo p, const bindings::Bound& bound) { return bound.points[p].entity; }

} // namespace

FlowFaults::FlowFaults(const Figures& figures, const bindings::Bound& bound, const Plans& plans)
    : m_figures(figures), m_bound(bound), m_plans(plans), m_chain(figures.get<CoolingChainNode>()), m_loopOf(bound.points.size(), -1)
{
    if (plans.loops.empty()) return;
    const Snapshot& s = *figures.snapshot;
    const auto airOf = [&](HallId hall) { return hall.value < m_chain.airOf.size() ? m_chain.airOf[hall.value] : -1; };
    std::vector<std::int32_t> ofRack(s.racks.nextId(), -1);
    for (const CooledLoad& taker : m_chain.takers)
        if (taker.rack) ofRack[(*taker.rack).value] = taker.loop;
    const auto ofDevice = [&](DeviceId id, bool air) {
        if (const CoolingUnit* unit = m_chain.unit(id)) return unit->feeds;
        const auto rack = s.devices.rack[id];
        if (!rack) return -1; // a busway, a panel: heat does not stop it
        if (!air && ofRack[(*rack).value] >= 0) return ofRack[(*rack).value];
        return airOf(s.rows.hall[s.racks.row[*rack]]);
    };
    for (PointNo p = 0; p < bound.points.size(); ++p) {
        const EntityRef entity = bound.points[p].entity;
        const bool air = plans.points[p].criterion == Criterion::Air;
        switch (entity.kind) {
        case EntityKind::Device: m_loopOf[p] = s.devices.contains(DeviceId(entity.id)) ? ofDevice(DeviceId(entity.id), air) : -1; break;
        case EntityKind::Port: m_loopOf[p] = s.ports.contains(PortId(entity.id)) ? ofDevice(s.ports.device[PortId(entity.id)], air) : -1; break;
        case EntityKind::Rack:
            if (!s.racks.contains(RackId(entity.id))) break;
            m_loopOf[p] = air || ofRack[entity.id] < 0 ? airOf(s.rows.hall[s.racks.row[RackId(entity.id)]]) : ofRack[entity.id];
            break;
        default: break;
        }
    }
}

bool FlowFaults::isBehind(std::int32_t loop, std::int32_t of) const
{
    return std::ranges::any_of(m_chain.units, [&](const CoolingUnit& unit) {
        return unit.parts() && unit.feeds == loop && unit.takes >= 0 && unit.takes != loop && (unit.takes == of || isBehind(unit.takes, of));
    });
}

std::optional<FlowFaults::Fault> FlowFaults::locate(std::uint32_t l, const Judge::Conditions& conditions, const Readings& readings,
                                                    const Limits& limits, const std::function<bool(PointNo)>& excused) const
{
    const LoopFlows& flows = m_plans.loops[l];
    Fault fault;
    fault.sinceMs = std::numeric_limits<std::int64_t>::max();
    std::vector<PointNo> soon; // units that may stand before long
    bool stands = false;
    double all = 0, under = 0;           // L/min that the heat needs
    const auto tenths = [&](PointNo p) { // of what it should be; nearer ones do not change places with every reading
        return std::lround(10 * Judge::of(conditions, p).measured / std::max(Judge::of(conditions, p).expected, 1e-3f));
    };
    const auto look = [&](PointNo p, std::vector<PointNo>& out, std::vector<PointNo>& later) {
        const auto c = conditions.find(p);
        if (c == conditions.end() || readings.bad.contains(p) || readings.disputed.contains(p) || excused(p)) return false;
        fault.sinceMs = std::min(fault.sinceMs, c->second.sinceMs);
        fault.back = fault.back || c->second.backMs >= 0;
        stands = stands || c->second.stands;
        (c->second.stands ? out : later).push_back(p);
        return true;
    };
    for (const PointNo p : flows.units) (void)look(p, fault.units, soon);
    for (const PointNo p : flows.takers) {
        const float need = Judge::neededOf(p, readings, m_plans);
        if (std::isnan(need) || std::isnan(readings.values[p]) || m_plans.points[p].criterion != Criterion::Flow) continue;
        all += double(need), under += look(p, fault.takers, fault.takers) ? double(need) : 0;
    }
    if (!stands) return {};
    fault.whole = all > 0 ? 2 * under > all : Judge::suppliedOf(flows, readings, m_plans) < limits.flow;
    if (fault.whole) fault.units.insert(fault.units.end(), soon.begin(), soon.end());
    if (fault.units.empty() && !fault.whole) return {};                                         // cabinets by themselves
    if (!fault.whole && Judge::suppliedOf(flows, readings, m_plans) >= 1) fault.takers.clear(); // so are those that are short then
    std::ranges::sort(fault.units, {}, [&](PointNo p) { return std::pair(tenths(p), p); });
    std::ranges::sort(fault.takers, {}, [&](PointNo p) { return std::pair(tenths(p), p); });
    return fault;
}

void FlowFaults::second(std::int64_t atMs, const Judge::Conditions& conditions, const Readings& readings, const Limits& limits,
                        const std::function<bool(PointNo)>& excused, const std::function<bool(DeviceId)>& failed)
{
    std::erase_if(m_faults, [&](const auto& entry) { return entry.second.endedMs >= 0 && atMs - entry.second.endedMs > kShortStillMs; });
    if (m_faults.empty() && std::ranges::none_of(conditions, [](const auto& c) { return c.second.kind == DeviationKind::LowFlow; })) return;
    for (std::uint32_t l = 0; l < m_plans.loops.size(); ++l) {
        auto now = locate(l, conditions, readings, limits, excused);
        const auto was = m_faults.find(l);
        const bool stood = was != m_faults.end() && was->second.endedMs < 0;
        if (!now) {
            const double needs = stood ? needsNow(m_plans.loops[l], readings) : 0;
            if (stood && !(was->second.whole && needs < kNeedsLittle * was->second.needs)) was->second.endedMs = atMs;
            continue;
        }
        now->needs = needsNow(m_plans.loops[l], readings);
        for (const auto& [p, c] : conditions)
            if (c.kind == DeviationKind::HighSupply && now->whole && cools(*now, l, p)) now->warm.push_back(p);
        now->hot = !now->warm.empty();
        now->firstMs = atMs;
        if (stood) {
            now->sinceMs = std::min(now->sinceMs, was->second.sinceMs), now->firstMs = was->second.firstMs;
            now->whole = now->whole || was->second.whole, now->told = was->second.told, now->hot = now->hot || was->second.hot;
            now->needs = std::max(now->needs, was->second.needs);
        }
        now->told = now->told || now->whole || atMs - now->firstMs >= limits.aloneMs;
        const CoolingLoop& loop = m_chain.loops[std::size_t(m_plans.loops[l].loop)];
        now->known = std::ranges::any_of(loop.sources, failed) || std::ranges::any_of(loop.pumps, failed);
        m_faults[l] = std::move(*now);
    }
}

std::map<std::uint32_t, FlowFaults::Fault> FlowFaults::standing() const
{
    std::map<std::uint32_t, Fault> out;
    for (const auto& [l, fault] : m_faults)
        if (fault.endedMs < 0 && fault.told && !fault.known) out.emplace(l, fault);
    return out;
}

bool FlowFaults::explains(PointNo p, bool alarm) const
{
    const Criterion criterion = m_plans.points[p].criterion;
    const bool flow = criterion == Criterion::Flow || criterion == Criterion::UnitFlow;
    if (!flow && criterion != Criterion::Supply && criterion != Criterion::LoopSupply && criterion != Criterion::Air) return false;
    if (!flow) return std::ranges::any_of(m_faults, [&](const auto& entry) { return cools(entry.second, entry.first, p); });
    return std::ranges::any_of(m_faults, [&](const auto& entry) {
        const Fault& fault = entry.second;
        if (m_loopOf[p] != m_plans.loops[entry.first].loop) return false;
        if (fault.whole || fault.known) return true;
        const auto& its = criterion == Criterion::Flow ? fault.takers : fault.units;
        return (criterion == Criterion::Flow || alarm || !fault.told) && std::ranges::find(its, p) != its.end();
    });
}

bool FlowFaults::cools(const Fault& fault, std::uint32_t l, PointNo p) const
{
    const std::int32_t loop = m_plans.loops[l].loop;
    return fault.whole && m_loopOf[p] >= 0 && (m_loopOf[p] == loop || isBehind(m_loopOf[p], loop));
}

/// What feeds what shuts down carries less, and says by its voltage whether it lives.
bool FlowFaults::shutsDown(PointNo p) const
{
    const Plan& plan = m_plans.points[p];
    const bool load = plan.signal == Signal::Power && plan.scale <= Plans::kFeeds;
    return std::ranges::any_of(m_faults, [&](const auto& entry) { return entry.second.hot && (load || cools(entry.second, entry.first, p)); });
}

/// Of what the heat on a loop needs by design, the share that it needs now.
double FlowFaults::needsNow(const LoopFlows& flows, const Readings& readings) const
{
    double needs = 0, planned = 0;
    for (const PointNo p : flows.takers) {
        const float need = Judge::neededOf(p, readings, m_plans);
        if (!std::isnan(need)) needs += double(need), planned += double(m_plans.points[p].planned);
    }
    return planned > 0 ? needs / planned : 1;
}

/// How fast the pumps of units turn, %; NaN: nobody says.
double FlowFaults::pumpsOf(const std::vector<EntityRef>& units, const Readings& readings) const
{
    double sum = 0, known = 0;
    for (const EntityRef unit : units) {
        const auto first = std::ranges::lower_bound(m_bound.points, bindings::Point{unit, bindings::Measure::PumpSpeed, ""});
        for (auto at = first; at != m_bound.points.end() && at->entity == unit && at->measure == bindings::Measure::PumpSpeed; ++at)
            if (const float value = readings.values[std::size_t(at - m_bound.points.begin())]; value > 0) sum += double(value), ++known;
    }
    return known > 0 ? sum / known : std::nan("");
}

/// Whose heat goes into a loop, also through others.
std::uint32_t FlowFaults::gpusOn(std::int32_t loop, const impact::Model& m) const
{
    std::uint32_t sum = 0;
    m.s->devices.forEach([&](DeviceId id) {
        if (m.gpus[id.value] == 0) return;
        const CooledLoad* taker = m_chain.taker(id);
        const auto hall = hallOf(*m.s, id);
        const std::int32_t its = taker ? taker->loop : hall && (*hall).value < m_chain.airOf.size() ? m_chain.airOf[(*hall).value] : -1;
        if (its >= 0 && (its == loop || isBehind(its, loop))) sum += m.gpus[id.value];
    });
    return sum;
}

Alarm FlowFaults::alarmOf(std::uint32_t l, const Fault& fault, const Judge::Conditions& conditions, const Readings& readings,
                          impact::Study& study) const
{
    Alarm alarm;
    alarm.kind = AlarmKind::Cause, alarm.sinceMs = fault.sinceMs;
    FlowText said;
    said.loop = nameOf(l), said.whole = fault.whole;
    std::vector<EntityRef> units;
    for (const PointNo p : fault.units) {
        units.push_back(entityOf(p, m_bound));
        said.moved += double(Judge::of(conditions, p).measured), said.part += double(Judge::of(conditions, p).expected);
    }
    if (units.empty()) // what they move nobody says
        for (const DeviceId id : m_chain.loops[std::size_t(m_plans.loops[l].loop)].sources) units.push_back(ref(id));
    std::vector<impact::Failing> lost;
    for (const EntityRef unit : units) {
        lost.push_back({unit});
        said.units.push_back(entityName(*m_figures.snapshot, *m_figures.parts, unit));
    }
    said.pumps = pumpsOf(units, readings);
    if (!units.empty()) alarm.cause = units.front();
    if (units.size() > 1) alarm.together = units;
    std::set<EntityRef> symptoms(units.begin(), units.end()), racks;
    for (const PointNo p : fault.warm) symptoms.insert(entityOf(p, m_bound));
    std::set<EntityRef> warm;
    for (const PointNo p : fault.warm) {
        const EntityRef entity = entityOf(p, m_bound);
        if (entity.kind != EntityKind::Rack || !warm.insert(entity).second) continue;
        for (const DeviceId id : study.model().index->devicesOfRack[entity.id]) alarm.gpusDegraded += study.model().gpus[id.value];
    }
    said.warm = warm.size();
    for (const PointNo p : fault.takers) {
        symptoms.insert(entityOf(p, m_bound)), racks.insert(entityOf(p, m_bound));
        said.rackMoved += double(Judge::of(conditions, p).measured), said.rackNeed += double(Judge::of(conditions, p).expected);
        const CooledLoad* taker = m_chain.taker(DeviceId(m_plans.points[p].target));
        if (!taker) continue;
        for (const DeviceId id : taker->cooled)
            if (!warm.contains(entityOf(p, m_bound))) alarm.gpusDegraded += study.model().gpus[id.value];
    }
    alarm.symptoms.assign(symptoms.begin(), symptoms.end());
    said.gpus = alarm.gpusDegraded, said.racks = racks.size();
    for (const auto* list : {&fault.units, &fault.takers})
        for (const PointNo p : *list)
            if (alarm.compared.size() < kMostFlows)
                alarm.compared.push_back({entityOf(p, m_bound), m_bound.points[p].measure, m_bound.points[p].element, readings.values[p],
                                          m_plans.points[p].planned, Judge::of(conditions, p).expected});
    if (fault.whole) said.gpusOnIt = gpusOn(m_plans.loops[l].loop, study.model());
    const impact::Effect& effect = study.lose(lost);
    if (!fault.whole && fault.takers.empty()) alarm.redundancyLost = std::uint32_t(effect.loss.redundancyLost);
    alarm.what = flowText(said, effect);
    return alarm;
}

namespace {

/// One alarm of each loop with too little flow. One that comes and goes stands for longer each time.
class LowLoopFlow final : public SystemDetector {
public:
    explicit LowLoopFlow(const DetectorScene& scene) : m_scene(scene), m_faults(scene.figures, scene.bound, scene.plans) {}
    void follow(SystemDetector& before) override
    {
        auto& other = dynamic_cast<LowLoopFlow&>(before);
        m_reported = std::move(other.m_reported), m_ended = std::move(other.m_ended);
    }
    void second(const Seen& seen) override
    {
        const Judge::Conditions& conditions = seen.judge.conditions();
        m_faults.second(
            seen.atMs, conditions, seen.readings, seen.limits,
            [&](PointNo p) { return seen.reported.byCause(p) || seen.reported.leftByCause(p, Judge::of(conditions, p).sinceMs); },
            [&](DeviceId id) { return seen.reported.asFailed(id); });
    }
    void alarms(const Seen& seen, AlarmBook& book, std::vector<Event>& events) override
    {
        constexpr std::int64_t kSettledMs = 10'000; // between two words of one loop
        const auto standing = m_faults.standing();
        std::set<std::string> abouts;
        for (const auto& [loop, fault] : standing) {
            const std::string about = "flow:" + m_faults.nameOf(loop); // no text: a key
            abouts.insert(about);
            Last now{{}, fault.whole, fault.takers.size(), fault.warm.size(), seen.atMs};
            for (const PointNo p : fault.units) now.units.insert(entityOf(p, m_scene.bound));
            const auto at = m_reported.find(about);
            const bool isNew = at == m_reported.end();
            if (!isNew && (fault.back || seen.atMs - at->second.atMs < kSettledMs || !now.adds(at->second))) continue;
            const Alarm alarm = m_faults.alarmOf(loop, fault, seen.judge.conditions(), seen.readings, seen.reported.study());
            isNew ? book.raise(about, alarm, seen.atMs, events) : book.change(about, alarm, seen.atMs, events);
            m_reported.insert_or_assign(about, std::move(now));
        }
        endGone(abouts, seen.atMs, book, events);
    }
    [[nodiscard]] bool alarming() const override { return !m_reported.empty(); }
    [[nodiscard]] bool explains(PointNo p, bool alarm) const override { return m_faults.explains(p, alarm); }
    [[nodiscard]] bool shutsDown(PointNo p) const override { return m_faults.shutsDown(p); }

private:
    /// What was said of a loop last.
    struct Last {
        std::set<EntityRef> units;
        bool whole = false;
        std::size_t racks = 0, warm = 0;
        std::int64_t atMs = 0, goneMs = -1;
        [[nodiscard]] bool adds(const Last& was) const
        {
            return !std::ranges::includes(was.units, units) || whole != was.whole || racks > was.racks || warm > was.warm;
        }
    };
    struct Ended {
        int times = 0;
        std::int64_t atMs = 0;
    };
    void endGone(const std::set<std::string>& abouts, std::int64_t atMs, AlarmBook& book, std::vector<Event>& events)
    {
        constexpr std::int64_t kFirstWaitMs = 60'000, kLongestWaitMs = 960'000, kForgetMs = 3'600'000; // a slow leak, a pump that hunts (assumed)
        std::erase_if(m_ended, [&](const auto& entry) { return atMs - entry.second.atMs > kForgetMs && !m_reported.contains(entry.first); });
        for (auto& [about, last] : m_reported)
            if (abouts.contains(about))
                last.goneMs = -1;
            else if (last.goneMs < 0)
                last.goneMs = atMs;
        std::erase_if(m_reported, [&](const auto& entry) {
            const Last& last = entry.second;
            if (last.goneMs < 0) return false;
            const auto ended = m_ended.find(entry.first);
            const int times = ended == m_ended.end() ? 0 : ended->second.times;
            if (times > 0 && atMs - last.goneMs < std::min(kLongestWaitMs, kFirstWaitMs << std::min(times - 1, 8))) return false;
            book.end(entry.first, atMs, events);
            m_ended[entry.first] = {times + 1, atMs};
            return true;
        });
    }
    DetectorScene m_scene;
    FlowFaults m_faults;
    std::map<std::string, Last> m_reported; ///< by what the alarm is about
    std::map<std::string, Ended> m_ended;
};

} // namespace

std::unique_ptr<SystemDetector> makeFlowFaults(const DetectorScene& scene) { return std::make_unique<LowLoopFlow>(scene); }

} // namespace hw::monitoring
