// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/catalog/entity.h"
#include "core/operations/monitoring/conductor.h"
#include "core/operations/monitoring/detectors/link_faults.h"
#include "core/operations/monitoring/incident/alarm_texts.h"

#include <algorithm>
#include <cmath>

namespace hw::monitoring {

// What a watch tells: deviations, symptoms of links, causes and alarms, each when it begins and when it ends.

using bindings::PointNo;

namespace {
constexpr std::int64_t kSensorClearMs = 60'000; ///< that nothing speaks against a bad sensor any more, before it counts as right (assumed)
}

std::string Monitor::State::nameOf(EntityRef entity) const { return entityName(*figures->snapshot, *figures->parts, entity); }

std::string Monitor::State::aboutOf(const char* kind, PointNo p) const
{
    const bindings::Point& point = bound->points[p];
    std::string about = std::string(kind) + ':' + nameOf(point.entity) + ':' + std::string(wordOf(point.measure)); // no text: a key
    if (!point.element.empty()) about += ':' + point.element;
    return about;
}

/// A sensor that cannot be right says nothing of causes and limits; one that is in question begins no deviation.
void Monitor::State::judgeSensors(std::int64_t t)
{
    std::map<PointNo, bindings::ImplausibleSensor> doubts;
    for (bindings::ImplausibleSensor& doubt : m_plausibility->judge(t)) {
        const bool contradicts = doubt.kind == bindings::ImplausibleSensor::Kind::Meter || doubt.kind == bindings::ImplausibleSensor::Kind::Heat;
        if (contradicts && m_causes && m_causes->explains(doubt.point)) continue; // batteries feed, heat stays: balances do not hold meanwhile
        if (m_detectedPoints.contains(doubt.point)) continue;
        const bool relative = contradicts || doubt.kind == bindings::ImplausibleSensor::Kind::Stuck;
        if (relative && m_causes && !m_badSensors.contains(doubt.point) && m_causes->names(bound->points[doubt.point].entity))
            continue; // what has failed is at no temperature of its own, and moves with nothing
        doubts.emplace(doubt.point, std::move(doubt));
    }
    for (auto at = m_badSensors.begin(); at != m_badSensors.end();) {
        if (doubts.contains(at->first)) m_doubted[at->first] = t;
        if (t - m_doubted[at->first] < kSensorClearMs) {
            ++at;
            continue;
        }
        m_doubted.erase(at->first);
        m_readings.good[at->first] = 1, m_readings.bad.erase(at->first);
        tell(Event::Kind::DeviationEnds, at->second, t);
        at = m_badSensors.erase(at);
    }
    for (const auto& [p, doubt] : doubts) {
        m_readings.good[p] = 0;
        if (!m_readings.bad.insert(p).second) continue;
        m_evidence.forget(p, t);
        m_factors.update(p, m_plans.points[p], kUnknown);
        const bindings::Point& point = bound->points[p];
        Deviation d;
        d.kind = DeviationKind::BadSensor, d.entity = point.entity, d.element = point.element, d.measure = point.measure;
        d.measured = doubt.measured, d.expected = doubt.expected, d.sinceMs = doubt.sinceMs, d.what = doubt.what;
        d.share = doubt.expected != 0 ? std::abs(doubt.measured - doubt.expected) / std::abs(doubt.expected) : 1;
        tell(Event::Kind::Deviation, d, t);
        m_badSensors.emplace(p, std::move(d)), m_doubted[p] = t;
    }
    m_readings.disputed = m_plausibility->disputed();
}

/// Racks whose coolant takes another share of their power than the design assumes.
void Monitor::State::tellShares(std::int64_t t)
{
    std::map<EntityRef, Deviation> now;
    for (const bindings::LiquidShare& share : m_plausibility->shares()) {
        Deviation d;
        d.kind = DeviationKind::WrongSetting, d.entity = share.entity, d.measure = bindings::Measure::Heat;
        d.measured = share.measuredW, d.expected = share.assumedW, d.share = std::abs(share.measured / share.assumed - 1), d.sinceMs = t;
        d.what = i18np(std::int64_t(share.places),
                       "liquid cooling removes {1:.0f} % of the power of {0} rack; the design assumes {2:.0f} %: check "
                       "liquid_share of its servers",
                       "liquid cooling removes {1:.0f} % of the power of {0} racks; the design assumes {2:.0f} %: check "
                       "liquid_share of their servers",
                       100 * share.measured, 100 * share.assumed);
        now.emplace(share.entity, std::move(d));
    }
    for (auto at = m_shares.begin(); at != m_shares.end();) {
        if (const auto still = now.find(at->first); still != now.end()) {
            still->second.sinceMs = at->second.sinceMs;
            at->second = still->second;
            ++at;
        } else {
            tell(Event::Kind::DeviationEnds, at->second, t);
            at = m_shares.erase(at);
        }
    }
    for (auto& [entity, d] : now)
        if (const auto [at, fresh] = m_shares.try_emplace(entity, d); fresh) tell(Event::Kind::Deviation, d, t);
}

void Monitor::State::tellCauses(std::int64_t t)
{
    if (!m_causes) {
        if (m_evidence.sights().empty()) return;
        m_causes.emplace(figures, bound, m_plans);
    }
    const auto hot = [&](PointNo p) { return shutsDown(p); };
    m_causes->second(t, m_evidence, m_silence, m_readings, m_limits, flappingLinks(), hot, alarms, events);
}

std::set<std::uint32_t> Monitor::State::flappingLinks() const
{
    std::set<std::uint32_t> flapping;
    for (const auto& [p, flap] : m_trends.flapping())
        if (m_plans.points[p].criterion == Criterion::LinkUp || m_plans.points[p].criterion == Criterion::LinkChanges)
            flapping.insert(m_plans.points[p].target);
    return flapping;
}

/// What the network has lost changes what its links should carry.
void Monitor::State::reroute(std::int64_t t)
{
    if (!m_rerouted.follows()) return;
    const std::set<std::uint32_t> flapping = flappingLinks();
    const LostNetwork::Seen seen{m_judge.conditions(), m_readings, m_evidence, flapping, m_rerouted.whole()};
    m_rerouted.second(t, m_lost.second(t, m_causes ? &*m_causes : nullptr, seen), m_dirty, m_plans, m_judge);
}

void Monitor::State::tell(Event::Kind kind, const Deviation& deviation, std::int64_t t)
{
    Event event;
    event.kind = kind, event.atMs = t, event.deviation = deviation;
    events.push_back(std::move(event));
}

Deviation Monitor::State::deviationOf(PointNo p, const Judge::Condition& c) const
{
    const PointNo at = c.fullest == bindings::kNoPoint ? p : c.fullest;
    const bindings::Point& point = bound->points[at];
    Deviation d;
    d.kind = c.kind, d.entity = point.entity, d.element = point.element, d.measure = point.measure;
    d.measured = c.measured, d.expected = c.expected, d.sinceMs = c.sinceMs;
    d.share = c.expected != 0 ? std::abs(double(c.measured) - c.expected) / std::abs(double(c.expected)) : c.beyond;
    d.what = deviationText(c.kind, point.measure, c.measured, c.expected);
    return d;
}

Text Monitor::State::riskOf(EntityRef entity)
{
    if (!impact::canFail(entity.kind)) return {};
    const auto [at, isNew] = m_risks.try_emplace(entity);
    if (isNew) { at->second = lossText(study().lose({entity})); }
    return at->second;
}

void Monitor::State::tellConditions(std::int64_t t)
{
    for (const auto& [p, c] : m_judge.ended()) {
        const auto told = m_deviations.find(p);
        if (told == m_deviations.end()) continue;
        tell(Event::Kind::DeviationEnds, told->second, t);
        m_deviations.erase(told);
    }
    for (const PointNo p : m_judge.began())
        if (!LinkFaults::isOfLink(m_plans.points[p].criterion)) m_symptoms.insert(p);
    groupConditions(t);
}

/// Whether a condition is of something that is reported, or about to be. What has failed supplies nothing, whatever its sensor is at.
bool Monitor::State::isSymptom(PointNo p, std::int64_t sinceMs, bool alarm) const
{
    const bindings::Point& point = bound->points[p];
    if (point.measure == bindings::Measure::SupplyTemperature && m_causes && m_causes->names(point.entity)) return true;
    return (m_causes && (m_causes->explains(p) || m_causes->left(p, sinceMs))) || systemExplains(p, alarm) || m_detectedPoints.contains(p);
}

/// What this watch reports, for its detectors.
class Monitor::State::ReportedHere final : public Reported {
public:
    explicit ReportedHere(State& state) : m(state) {}
    [[nodiscard]] bool byCause(PointNo p) const override { return m.m_causes && m.m_causes->explains(p); }
    [[nodiscard]] bool byPastCause(PointNo p, std::int64_t heardMs) const override { return m.m_causes && m.m_causes->explained(p, heardMs); }
    [[nodiscard]] bool leftByCause(PointNo p, std::int64_t sinceMs) const override { return m.m_causes && m.m_causes->left(p, sinceMs); }
    [[nodiscard]] bool asFailed(DeviceId device) const override { return m.m_causes && m.m_causes->names(ref(device)); }
    [[nodiscard]] std::size_t causes() const override { return m.m_causes ? m.m_causes->standing() : 0; }
    [[nodiscard]] bool causeEndedLately() const override { return m.m_causes && m.m_causes->endedLately(); }
    void addLinksDown(std::set<std::uint32_t>& links) const override
    {
        if (m.m_causes) m.m_causes->addLinksDown(links);
    }
    [[nodiscard]] bool deviates(PointNo p) const override { return m.m_deviations.contains(p) || m.m_detectedPoints.contains(p); }
    [[nodiscard]] bool isSlow(EntityRef entity) const override
    {
        return std::ranges::any_of(m.m_systems, [&](const System& one) { return one.standing.contains({DeviationKind::LowPerformance, entity}); });
    }
    [[nodiscard]] std::size_t slow() const override
    {
        std::size_t sum = 0;
        for (const System& one : m.m_systems)
            for (const auto& [place, deviation] : one.standing) sum += std::get<0>(place) == DeviationKind::LowPerformance;
        return sum;
    }
    [[nodiscard]] Text risk(EntityRef entity) const override { return m.riskOf(entity); }
    [[nodiscard]] impact::Study& study() const override { return m.study(); }

private:
    State& m;
};

impact::Study& Monitor::State::study()
{
    if (!m_causes) m_causes.emplace(figures, bound, m_plans);
    return m_causes->study();
}

bool Monitor::State::systemExplains(PointNo p, bool alarm) const
{
    return std::ranges::any_of(m_systems, [&](const System& one) { return one.detector->explains(p, alarm); });
}

bool Monitor::State::shutsDown(PointNo p) const
{
    return std::ranges::any_of(m_systems, [&](const System& one) { return one.detector->shutsDown(p); });
}

void Monitor::State::seeSystems(std::int64_t t)
{
    const ReportedHere reported(*this);
    const Seen seen{t, m_readings, m_dirty, m_judge, m_limits, reported, !m_rerouted.whole().empty()};
    m_job->second(t, m_dirty, m_readings, m_limits);
    for (const System& system : m_systems) system.detector->second(seen), system.detector->alarms(seen, alarms, events);
}

/// Deviations that links, jobs and servers show; each begins and ends once.
void Monitor::State::tellSystems(std::int64_t t)
{
    const ReportedHere reported(*this);
    const Seen seen{t, m_readings, m_dirty, m_judge, m_limits, reported, !m_rerouted.whole().empty()};
    for (System& system : m_systems) {
        auto found = system.detector->deviations(seen, system.standing);
        if (!found) continue;
        for (const auto& [place, deviation] : system.standing)
            if (!found->contains(place)) tell(Event::Kind::DeviationEnds, deviation, t);
        for (const auto& [place, deviation] : *found)
            if (!system.standing.contains(place)) tell(Event::Kind::Deviation, deviation, t);
        system.standing = std::move(*found);
    }
}

/// One alarm of each condition that a detector finds. While detectors begin again (other bindings), what they told before goes on.
void Monitor::State::tellDetections(std::int64_t t)
{
    constexpr std::int64_t kSettledMs = 30'000; // between two words of one condition
    constexpr std::int64_t kBeginMs = 30'000;   // in which a detector finds again what it had found
    if (m_detectingSinceMs < 0) m_detectingSinceMs = t;
    std::set<std::string> abouts;
    m_detectedPoints.clear();
    for (const auto& [info, detector] : m_detectors)
        for (auto& [key, found] : detector->second(t, m_readings)) {
            const std::string about = std::string(info->id) + ':' + key; // no text: a key
            const auto told = [&](PointNo p) { return (m_causes && m_causes->explains(p)) || systemExplains(p); };
            if (info->yields && std::ranges::any_of(found.covers, told)) continue;
            const auto hot = [&](PointNo p) { return shutsDown(p); };
            if (found.settles && !m_detected.contains(about) && std::ranges::any_of(found.covers, hot)) continue; // it shut down by itself
            abouts.insert(about);
            m_detectedPoints.insert(found.covers.begin(), found.covers.end());
            if (found.settles)
                for (const PointNo p : found.covers) m_evidence.forget(p, t);
            const auto [at, isNew] = m_detected.try_emplace(about);
            const bool known = (found.endsMs >= 0) == (at->second.endsMs >= 0);
            const bool sooner =
                !known || (found.endsMs >= 0 && std::abs(found.endsMs - at->second.endsMs) > std::max(kSettledMs, (found.endsMs - t) / 5));
            if (!isNew && (t - at->second.atMs < kSettledMs || (found.symptoms.size() == at->second.symptoms && !sooner))) continue;
            at->second = {found.symptoms.size(), t, found.endsMs};
            Alarm alarm;
            alarm.kind = AlarmKind::Condition, alarm.cause = found.entity, alarm.element = found.element;
            alarm.alike = std::move(found.alike);
            alarm.symptoms = found.symptoms.empty() ? std::vector{found.entity} : std::move(found.symptoms);
            alarm.sinceMs = found.sinceMs, alarm.what = std::move(found.what);
            if (found.endsMs >= 0) alarm.rideThroughEndsMs = found.endsMs, alarm.rideThroughS = double(found.endsMs - t) / 1000;
            isNew ? alarms.raise(about, std::move(alarm), t, events) : alarms.change(about, alarm, t, events);
        }
    std::erase_if(m_detected, [&](const auto& entry) {
        if (abouts.contains(entry.first) || t - m_detectingSinceMs < kBeginMs) return false;
        alarms.end(entry.first, t, events);
        return true;
    });
}

/// What a cause that was named tells of is its symptom, and no deviation of its own; what none tells of is.
void Monitor::State::groupConditions(std::int64_t t)
{
    const bool alarming = std::ranges::any_of(m_systems, [](const System& one) { return one.detector->alarming(); });
    if ((m_causes && m_causes->standing() > 0) || alarming || !m_detectedPoints.empty())
        for (auto at = m_deviations.begin(); at != m_deviations.end();) {
            if (!(m_causes && m_causes->explains(at->first, true)) && !systemExplains(at->first) && !m_detectedPoints.contains(at->first)) {
                ++at;
                continue;
            }
            tell(Event::Kind::DeviationEnds, at->second, t);
            events.back().explained = true;
            m_symptoms.insert(at->first);
            at = m_deviations.erase(at);
        }
    for (auto at = m_symptoms.begin(); at != m_symptoms.end();) {
        const PointNo p = *at;
        const auto c = m_judge.conditions().find(p);
        const bool stands = c != m_judge.conditions().end() && c->second.stands;
        if (stands && isSymptom(p, c->second.sinceMs, false)) {
            ++at;
            continue;
        }
        at = m_symptoms.erase(at);
        if (!stands) continue;
        if (c->second.kind == DeviationKind::Idle &&
            std::ranges::any_of(m_systems, [&](const System& one) { return one.detector->reportsInstead(p); }))
            continue; // told as slow
        Deviation d = deviationOf(p, c->second);
        d.risk = riskOf(d.entity);
        tell(Event::Kind::Deviation, d, t);
        m_deviations.insert_or_assign(p, std::move(d));
    }
}

void Monitor::State::raise(const std::string& about, AlarmKind kind, PointNo p, std::int64_t since, Text what, std::int64_t t)
{
    if (alarms.stands(about)) return;
    Alarm alarm;
    alarm.kind = kind, alarm.sinceMs = since, alarm.what = std::move(what);
    alarm.symptoms = {bound->points[p].entity}, alarm.element = bound->points[p].element;
    alarms.raise(about, std::move(alarm), t, events);
}

/// A link flaps, whichever port shows it.
std::string Monitor::State::flappingName(PointNo p) const
{
    const Plan& plan = m_plans.points[p];
    return nameOf(plan.criterion == Criterion::LinkUp || plan.criterion == Criterion::LinkChanges ? ref(LinkId(plan.target))
                                                                                                  : bound->points[p].entity);
}

/// Adds what rises fast to what is due; racks of one row whose inlets rise are one line.
std::map<std::string, Monitor::State::RisingRow> Monitor::State::risingRows(std::map<std::string, PointNo>& due) const
{
    constexpr std::size_t kLeastRacks = 2;
    constexpr std::int64_t kAloneMs = 12'000; // that one element alone waits: its sensor is judged by then
    std::set<EntityRef> elements;
    for (const auto& [p, rising] : m_trends.rising()) elements.insert(bound->points[p].entity);
    const Snapshot& s = *figures->snapshot;
    const auto rowOf = [&](PointNo p) {
        const bindings::Point& point = bound->points[p];
        const bool inlet = point.measure == bindings::Measure::AirInlet && point.entity.kind == EntityKind::Rack;
        return inlet && s.racks.contains(RackId(point.entity.id)) ? ref(s.racks.row[RackId(point.entity.id)]) : EntityRef{};
    };
    std::map<EntityRef, RisingRow> all;
    std::vector<PointNo> told;
    for (const auto& [p, rising] : m_trends.rising()) {
        if ((m_causes && m_causes->explains(p)) || systemExplains(p) || m_detectedPoints.contains(p)) continue;
        if (elements.size() == 1 && now - rising.sinceMs < kAloneMs && !m_raised.contains(aboutOf("rate", p))) continue; // no text: a key
        told.push_back(p);
        const EntityRef entity = rowOf(p);
        if (!entity) continue;
        RisingRow& row = all[entity];
        row.row = entity, row.sinceMs = row.racks.empty() ? rising.sinceMs : std::min(row.sinceMs, rising.sinceMs);
        row.racks.insert(bound->points[p].entity), row.kelvinPerMinute = std::max(row.kelvinPerMinute, rising.kelvinPerMinute);
    }
    std::map<std::string, RisingRow> rows;
    for (const PointNo p : told) {
        const auto row = all.find(rowOf(p));
        const bool together = row != all.end() && row->second.racks.size() >= kLeastRacks;
        const std::string about = together ? "rate:" + nameOf(row->first) + ":air-inlet" : aboutOf("rate", p); // no text: a key
        due.emplace(about, p);
        if (together) rows.emplace(about, row->second);
    }
    return rows;
}

void Monitor::State::raiseRow(const std::string& about, const RisingRow& row, std::int64_t t)
{
    Alarm alarm;
    alarm.kind = AlarmKind::RateOfChange, alarm.sinceMs = row.sinceMs;
    alarm.symptoms.assign(row.racks.begin(), row.racks.end());
    alarm.what = i18np(std::int64_t(row.racks.size()), "{1}: inlet air temperature of {0:L} rack rising at up to {2:.1f} K/min",
                       "{1}: inlet air temperature of {0:L} racks rising at up to {2:.1f} K/min", nameOf(row.row), row.kelvinPerMinute);
    alarms.raise(about, std::move(alarm), t, events);
}

/// What is beyond a limit of the equipment, not of the plan alone. What a cause explains is its symptom, and no alarm of its own.
void Monitor::State::thresholdAlarms(std::int64_t t)
{
    std::map<std::string, PointNo> due;
    for (const auto& [p, c] : m_judge.conditions()) {
        const Plan& plan = m_plans.points[p];
        const bool limits = plan.criterion == Criterion::FeedPower || plan.criterion == Criterion::Supply ||
                            plan.criterion == Criterion::LoopSupply || plan.criterion == Criterion::Air || plan.criterion == Criterion::Flow ||
                            plan.criterion == Criterion::UnitFlow || (plan.criterion == Criterion::RackPower && c.expected == plan.limit);
        if (c.stands && limits && !isSymptom(p, c.sinceMs, true)) due.emplace(aboutOf("threshold", p), p); // no text: a key
    }
    const std::map<std::string, RisingRow> rows = risingRows(due);
    for (const auto& [p, flapping] : m_trends.flapping()) due.emplace(aboutOf("flapping", p), p); // no text: a key
    for (const auto& about : m_raised)
        if (!due.contains(about)) alarms.end(about, t, events);
    std::erase_if(m_raised, [&](const std::string& about) { return !due.contains(about); });
    for (const auto& [about, p] : due) {
        if (!m_raised.insert(about).second) continue;
        const std::string name = nameOf(bound->points[p].entity);
        const auto rising = m_trends.rising().find(p);
        const auto flapping = m_trends.flapping().find(p);
        if (const auto row = rows.find(about); row != rows.end())
            raiseRow(about, row->second, t);
        else if (about.starts_with("rate") && rising != m_trends.rising().end()) // no text: a key
            raise(about, AlarmKind::RateOfChange, p, rising->second.sinceMs,
                  i18n("{}: {} rising at {:.1f} K/min", name, bindings::infoOf(bound->points[p].measure).title, rising->second.kelvinPerMinute), t);
        else if (about.starts_with("flapping") && flapping != m_trends.flapping().end()) // no text: a key
            raise(about, AlarmKind::Flapping, p, flapping->second.sinceMs,
                  i18np(std::int64_t(flapping->second.changes), "{1} flapping: {0} state change in {2:.0f} s",
                        "{1} flapping: {0} state changes in {2:.0f} s", flappingName(p), double(m_limits.flapMs) / 1000),
                  t);
        else {
            const Judge::Condition& c = Judge::of(m_judge.conditions(), p);
            raise(about, AlarmKind::Threshold, p, c.sinceMs, i18n("{}: {}", name, deviationOf(p, c).what), t);
        }
    }
}

/// What a GPU reports of its hardware; what it reports of the program that it runs is no alarm, and one that fell off the bus is a cause.
void Monitor::State::gpuAlarm(PointNo p, std::int64_t t)
{
    if (!m_readings.good[p]) return;
    const double code = double(m_readings.values[p]);
    const std::string about = aboutOf("xid", p); // no text: a key
    const Text meaning = xidText(code);
    if (meaning.empty()) return alarms.end(about, t, events); // most of all
    const bindings::Point& point = bound->points[p];
    const Text what = i18n("{} {}: XID {:.0f}, {}", nameOf(point.entity), point.element, code, meaning);
    if (const Alarm* stands = alarms.find(about); stands && !(stands->what == what)) alarms.end(about, t, events);
    raise(about, AlarmKind::Threshold, p, t, what, t);
}

void Monitor::State::stateAlarms(std::int64_t t)
{
    for (const PointNo p : m_dirty) {
        if (bound->points[p].measure == bindings::Measure::Xid) gpuAlarm(p, t);
        if (m_plans.points[p].criterion != Criterion::Leak) continue;
        const std::string about = aboutOf("leak", p), name = nameOf(bound->points[p].entity); // no text: a key
        const bool good = m_readings.good[p] != 0;
        if (m_readings.values[p] >= 0.5f) // also of a source that does not trust it: a leak is looked at, not waited for
            raise(about, AlarmKind::Threshold, p, t,
                  good ? i18n("{}: coolant leak detected", name)
                       : i18n("{}: coolant leak detected (value marked as bad quality by its source)", name),
                  t);
        else if (good)
            alarms.end(about, t, events);
    }
    for (const auto& [channel, leaks] : m_unboundLeaks) {
        const std::string about = "leak:" + channel; // no text: a key
        if (!leaks) {
            alarms.end(about, t, events);
        } else if (!alarms.stands(about)) {
            Alarm alarm;
            alarm.sinceMs = t, alarm.what = i18n("coolant leak detected by {}, which is not bound to an object of the design; bind it", channel);
            alarms.raise(about, std::move(alarm), t, events);
        }
    }
    m_unboundLeaks.clear();
}

/// Whether it is a port of what a cause tells to be dead, or told so of late.
bool Monitor::State::isOfDead(EntityRef entity, std::int64_t heardMs) const
{
    const Snapshot& s = *figures->snapshot;
    if (!m_causes || entity.kind != EntityKind::Port || !s.ports.contains(PortId(entity.id))) return false;
    const EntityRef owner = ref(s.ports.device[PortId(entity.id)]);
    if (m_causes->names(owner)) return true;
    auto at = std::ranges::lower_bound(bound->points, owner, {}, &bindings::Point::entity);
    for (; at != bound->points.end() && at->entity == owner; ++at) {
        const auto p = PointNo(at - bound->points.begin());
        if (m_causes->stops(p) || m_causes->explained(p, heardMs)) return true;
    }
    return false;
}

bool Monitor::State::isMissingExplained(EntityRef entity, const std::set<PointNo>& points) const
{
    return isOfDead(entity, m_silence.lastMs(*points.begin())) || std::ranges::any_of(points, [&](PointNo p) {
               return shutsDown(p) || m_detectedPoints.contains(p) ||
                      (m_causes && (m_causes->explains(p) || m_causes->explained(p, m_silence.lastMs(p))));
           });
}

} // namespace hw::monitoring
