// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/conductor.h"

#include <algorithm>
#include <cmath>

namespace hw::monitoring {

using bindings::PointNo;

namespace {

constexpr std::int64_t kRepeatMs = 90'000; ///< what speaks on change alone repeats itself after 100 s (DSX event bus)
constexpr std::int64_t kJitterMs = 2000;   ///< of what is asked regularly (assumed)

/// Whether two intervals are of one that asks at regular times; what speaks on change may say the same twice, but not so.
bool isRegular(std::int64_t before, std::int64_t after) { return std::max(before, after) <= 2 * std::min(before, after) + kJitterMs; }

} // namespace

void Monitor::State::design(FiguresPtr newFigures, bindings::BoundPtr newBound)
{
    const bindings::BoundPtr before = std::move(bound);
    const bool sameDesign = figures == newFigures;
    figures = std::move(newFigures), bound = std::move(newBound);
    m_limits = Limits::of(*figures->snapshot);
    m_plans = Plans::of(*figures, *bound);
    m_rerouted.design(m_plans);
    m_lost.design(*figures, *bound, m_plans);
    std::optional<bindings::Plausibility> sensors = std::move(m_plausibility);
    m_plausibility.emplace(figures, bound);
    if (before)
        renumber(*before, sensors ? &*sensors : nullptr);
    else
        m_readings.resize(bound->points.size()), m_silence.resize(bound->points.size()), m_evidence.resize(bound->points.size()),
            m_life.design(m_plans), chooseRecent(nullptr);
    m_factors.measured = {}, m_factors.planned = {};
    m_factors.counted.assign(bound->points.size(), kUnknown);
    for (PointNo p = 0; p < bound->points.size(); ++p)
        if (!std::isnan(m_readings.values[p]) && m_readings.arrived[p] != Readings::kNever)
            m_factors.update(p, m_plans.points[p], m_readings.values[p]);
    m_job.emplace(m_plans);
    m_linkFaults.emplace(*figures, *bound, m_plans, *m_job);
    m_flowFaults.emplace(*figures, *bound, m_plans);
    m_slowCards.emplace(*figures, *bound, m_plans, m_limits);
    m_slowHosts.emplace(*bound, m_plans, m_limits);
    m_detectors.clear(), m_detectedPoints.clear();
    for (const DetectorInfo& info : detectors())
        if (info.make) m_detectors.emplace_back(&info, info.make({*figures, *bound, m_plans}));
    m_detectingSinceMs = -1;
    if (!sameDesign) m_risks.clear();
}

/// Points have other numbers now; what is known of those that stay is kept.
void Monitor::State::renumber(const bindings::Bound& before, const bindings::Plausibility* sensors)
{
    const std::size_t size = bound->points.size();
    std::vector<PointNo> nowOf(before.points.size(), bindings::kNoPoint);
    for (std::size_t a = 0, b = 0; a < before.points.size() && b < size;) {
        if (before.points[a] == bound->points[b])
            nowOf[a++] = PointNo(b++);
        else if (before.points[a] < bound->points[b])
            ++a;
        else
            ++b;
    }
    Readings was = std::move(m_readings);
    m_readings = {};
    m_readings.resize(size);
    for (PointNo p = 0; p < nowOf.size(); ++p) {
        const PointNo to = nowOf[p];
        if (to == bindings::kNoPoint) continue;
        m_readings.values[to] = was.values[p], m_readings.times[to] = was.times[p];
        m_readings.arrived[to] = was.arrived[p], m_readings.good[to] = was.good[p], m_readings.repeats[to] = was.repeats[p];
        m_readings.gaps[to] = was.gaps[p];
        m_readings.everyMs[to] = was.everyMs[p], m_readings.swing[to] = was.swing[p], m_readings.steady[to] = was.steady[p];
    }
    if (sensors) m_plausibility->follow(*sensors, nowOf);
    m_judge.renumber(nowOf);
    m_silence.renumber(nowOf, size);
    m_absence.renumber(nowOf);
    m_evidence.renumber(nowOf, size);
    m_trends.renumber(nowOf);
    m_life.renumber(nowOf, m_plans);
    std::vector<PointNo> dirty;
    for (const PointNo p : m_dirty)
        if (nowOf[p] != bindings::kNoPoint) dirty.push_back(nowOf[p]);
    m_dirty = std::move(dirty);
    m_isDirty.assign(size, 0);
    for (const PointNo p : m_dirty) m_isDirty[p] = 1;
    const auto moved = [&](auto& map) {
        auto old = std::move(map);
        map.clear();
        for (auto& [p, value] : old)
            if (nowOf[p] != bindings::kNoPoint) map.emplace(nowOf[p], std::move(value));
    };
    moved(m_deviations), moved(m_doubted);
    std::set<PointNo> symptoms;
    for (const PointNo p : m_symptoms)
        if (nowOf[p] != bindings::kNoPoint) symptoms.insert(nowOf[p]);
    m_symptoms = std::move(symptoms);
    for (auto at = m_missing.begin(); at != m_missing.end();) {
        std::set<PointNo> points;
        for (const PointNo p : at->second.second)
            if (nowOf[p] != bindings::kNoPoint) points.insert(nowOf[p]);
        at->second.second = std::move(points);
        at = at->second.second.empty() ? m_missing.erase(at) : std::next(at);
    }
    moved(m_badSensors);
    for (const auto& [p, told] : m_badSensors) m_readings.bad.insert(p);
    moved(m_cards), moved(m_hosts);
    if (m_causes) m_causes->renumber(nowOf, figures, bound, m_plans);
    chooseRecent(&nowOf);
}

void Monitor::State::take(std::span<const PointSample> samples)
{
    if (!bound) return;
    m_plausibility->take(samples);
    if (m_isDirty.size() != bound->points.size()) m_isDirty.assign(bound->points.size(), 0);
    for (const PointSample& sample : samples) {
        const PointNo p = sample.point;
        if (p >= bound->points.size()) continue;
        if (m_readings.arrived[p] != Readings::kNever && sample.timeMs < m_readings.times[p]) continue; // later ones came before it
        if (std::isnan(sample.value)) {
            lose(p);
            continue;
        }
        const bool heard = m_readings.arrived[p] != Readings::kNever && m_readings.values[p] == float(sample.value);
        const Criterion criterion = m_plans.points[p].criterion; // a steady rate comes of a counter that moves
        const bool rate =
            criterion == Criterion::Traffic || criterion == Criterion::Errors || criterion == Criterion::Drops || criterion == Criterion::LinkChanges;
        if (const std::int64_t after = now - m_readings.arrived[p]; m_readings.arrived[p] != Readings::kNever && !m_isDirty[p]) {
            const std::int64_t before = std::exchange(m_readings.gaps[p], after);
            if (heard && !rate && after >= kRepeatMs)
                m_silence.repeated(after);
            else if (heard && !rate && before >= 0 && isRegular(before, after))
                m_readings.repeats[p] = 1;
        }
        m_readings.values[p] = float(sample.value), m_readings.times[p] = sample.timeMs,
        m_readings.good[p] = sample.good && !m_badSensors.contains(p);
        m_readings.arrived[p] = now;
        if (!m_isDirty[p]) m_isDirty[p] = 1, m_dirty.push_back(p);
    }
}

/// A sensor says that it has no value: what it said before holds no longer.
void Monitor::State::lose(PointNo p)
{
    if (std::isnan(m_readings.values[p])) return;
    m_readings.values[p] = kUnknown;
    m_factors.update(p, m_plans.points[p], kUnknown);
    m_judge.lose(p, m_plans);
    m_silence.denied(p);
}

void Monitor::State::simulated(std::span<const float> gbps, impact::LoadsAfter after)
{
    m_rerouted.simulated({gbps.begin(), gbps.end()}, std::move(after), m_plans);
}

void Monitor::State::gap(const bindings::Gap& gap)
{
    m_absence.gap(gap);
    Event event;
    event.kind = Event::Kind::Gap, event.atMs = gap.toMs ? gap.toMs : gap.fromMs, event.gap = gap;
    events.push_back(std::move(event));
}

void Monitor::State::readNew(std::int64_t t)
{
    std::ranges::sort(m_dirty);
    for (const PointNo p : m_dirty) {
        m_isDirty[p] = 0;
        m_readings.arrived[p] = t;
        const bindings::Pace pace = m_plausibility->paceOf(p);
        m_readings.everyMs[p] = std::int32_t(std::min(pace.everyS, 86400.0) * 1000), m_readings.swing[p] = pace.swing,
        m_readings.steady[p] = pace.mean;
        m_silence.seen(p, t, m_readings.repeats[p] != 0);
        m_factors.update(p, m_plans.points[p], m_readings.bad.contains(p) ? kUnknown : m_readings.values[p]);
    }
}

void Monitor::State::second(std::int64_t t)
{
    now = t;
    if (!bound) return;
    readNew(t);
    m_silence.second(t, m_limits.missingMs);
    m_absence.second(t, m_silence, m_limits.silentMs);
    judgeSensors(t);
    tellShares(t);
    m_judge.second(t, m_dirty, m_readings, m_factors, m_plans, m_limits);
    m_trends.second(t, m_dirty, m_readings, m_plans, *bound, m_limits);
    m_evidence.second(t, m_dirty, m_readings, m_factors, m_plans, *bound, m_absence);
    m_life.second(m_dirty, m_readings);
    m_job->second(t, m_dirty, m_readings, m_limits);
    m_slowCards->second(t, m_dirty, m_readings, linksWithSymptoms());
    m_slowHosts->second(t, m_dirty, m_readings);
    tellDetections(t);
    tellCauses(t);
    tellFlowFaults(t);
    tellClock(t);
    reroute(t);
    tellConditions(t);
    tellSlowCards(t);
    tellLinkFaults(t);
    tellSlowJob(t);
    tellSlowHosts(t);
    thresholdAlarms(t);
    stateAlarms(t);
    missingAlarms(t);
    alarms.second(t, events);
    if (t % Recent::kStepMs == 0) remember(t);
    if (t % 10'000 == 0) m_lifeNow = m_life.life();
    m_dirty.clear();
}

/// Which points the last minutes are kept of; what is known of those that stay goes over.
void Monitor::State::chooseRecent(const std::vector<PointNo>* nowOf)
{
    auto next = std::make_shared<Recent>();
    std::vector<std::uint32_t> placeOf(bound->points.size(), kNobody);
    for (PointNo p = 0; p < m_plans.points.size(); ++p) {
        const Signal signal = m_plans.points[p].signal;
        const bool load = (signal == Signal::Power || signal == Signal::RackPower) && bound->points[p].measure == bindings::Measure::ActivePower;
        if ((!load && signal != Signal::Flow && signal != Signal::Temperature) || m_plans.points[p].criterion == Criterion::Phase) continue;
        placeOf[p] = std::uint32_t(next->points.size());
        next->points.push_back(p);
    }
    if (m_recent && nowOf) {
        next->timesMs = m_recent->timesMs;
        for (const auto& values : m_recent->values) {
            auto moved = std::make_shared<std::vector<float>>(next->points.size(), kUnknown);
            for (std::size_t i = 0; i < m_recent->points.size(); ++i) {
                const PointNo p = (*nowOf)[m_recent->points[i]];
                if (p != bindings::kNoPoint && placeOf[p] != kNobody) (*moved)[placeOf[p]] = (*values)[i];
            }
            next->values.push_back(std::move(moved));
        }
    }
    m_recent = std::move(next);
}

void Monitor::State::remember(std::int64_t t)
{
    auto next = std::make_shared<Recent>(*m_recent); // pointers to the moments
    auto values = std::make_shared<std::vector<float>>();
    values->reserve(next->points.size());
    for (const PointNo p : next->points) values->push_back(m_silence.isSilent(p) ? kUnknown : m_readings.values[p]);
    next->timesMs.push_back(t), next->values.push_back(std::move(values));
    if (next->timesMs.size() > Recent::kMost) next->timesMs.erase(next->timesMs.begin()), next->values.erase(next->values.begin());
    m_recent = std::move(next);
}

FramePtr Monitor::State::frame() const
{
    auto f = std::make_shared<Frame>();
    f->atMs = now, f->design = figures, f->bound = bound;
    f->values = m_readings.values, f->times = m_readings.times;
    for (PointNo p = 0; p < f->values.size(); ++p)
        if (m_silence.isSilent(p) && f->values[p] != 0) f->values[p] = kUnknown; // what said nothing flows has nothing more to say
    for (const auto& [p, told] : m_deviations) {
        const auto c = m_judge.conditions().find(p);
        Deviation d = c == m_judge.conditions().end() ? told : deviationOf(p, c->second);
        d.risk = told.risk;
        f->deviations.push_back(std::move(d));
    }
    for (const auto& [place, told] : m_faults) f->deviations.push_back(told.deviation);
    for (const auto* told : {&m_badSensors, &m_cards, &m_hosts})
        for (const auto& [p, d] : *told) f->deviations.push_back(d);
    for (const auto& [entity, d] : m_slowRacks) f->deviations.push_back(d);
    if (m_slowJob) f->deviations.push_back(*m_slowJob);
    for (const auto& [entity, d] : m_shares) f->deviations.push_back(d);
    std::ranges::stable_sort(f->deviations, std::greater(), &Deviation::share);
    f->alarms = alarms.newestFirst();
    f->life = m_lifeNow, f->recent = m_recent;
    return f;
}

} // namespace hw::monitoring
