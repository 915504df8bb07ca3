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
    m_parts.design(m_plans, *bound);
    std::optional<bindings::Plausibility> sensors = std::move(m_plausibility);
    m_plausibility.emplace(figures, bound);
    if (before)
        renumber(*before, sensors ? &*sensors : nullptr);
    else
        m_readings.resize(bound->points.size()), m_silence.resize(bound->points.size()), m_evidence.resize(bound->points.size()),
            m_life.design(m_plans), m_recent.design(m_plans, *bound, nullptr);
    m_factors.measured = {}, m_factors.planned = {};
    m_factors.counted.assign(bound->points.size(), kUnknown);
    for (PointNo p = 0; p < bound->points.size(); ++p)
        if (!std::isnan(m_readings.values[p]) && m_readings.arrived[p] != Readings::kNever)
            m_factors.update(p, m_plans.points[p], m_readings.values[p]);
    m_job.emplace(m_plans);
    const DetectorScene scene{*figures, *bound, m_plans, *m_job};
    std::vector<System> systems = std::exchange(m_systems, {});
    m_detectors.clear(), m_detectedPoints.clear();
    for (const DetectorInfo& info : detectors()) {
        if (info.make) m_detectors.emplace_back(&info, info.make(scene));
        if (!info.system) continue;
        System one{&info, info.system(scene), {}};
        if (const auto was = std::ranges::find(systems, &info, &System::info); was != systems.end())
            one.detector->follow(*was->detector), one.standing = std::move(was->standing);
        m_systems.push_back(std::move(one));
    }
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
    m_missing.renumber(nowOf);
    moved(m_badSensors);
    for (const auto& [p, told] : m_badSensors) m_readings.bad.insert(p);
    if (m_causes) m_causes->renumber(nowOf, figures, bound, m_plans);
    m_recent.design(m_plans, *bound, &nowOf);
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
        const bool rate = criterion == Criterion::Traffic || criterion == Criterion::Errors || criterion == Criterion::Drops ||
                          criterion == Criterion::LinkChanges || criterion == Criterion::Retransmits;
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
    m_evidence.fellSilent(m_parts.second(t, m_dirty, m_silence), t);
    m_life.second(m_dirty, m_readings);
    tellDetections(t);
    tellCauses(t);
    seeSystems(t);
    m_clocks.second(t, clock, alarms, events);
    reroute(t);
    tellConditions(t);
    tellSystems(t);
    thresholdAlarms(t);
    stateAlarms(t);
    const auto explained = [this](EntityRef entity, const std::set<PointNo>& points) { return isMissingExplained(entity, points); };
    m_missing.second({*figures, *bound, m_silence, m_absence, m_limits, explained, alarms, events}, t);
    alarms.second(t, events);
    m_recent.second(t, m_readings, m_silence);
    if (t % 10'000 == 0) m_lifeNow = m_life.life();
    m_dirty.clear();
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
    for (const auto& [p, d] : m_badSensors) f->deviations.push_back(d);
    for (const System& system : m_systems)
        for (const auto& [place, d] : system.standing) f->deviations.push_back(d);
    for (const auto& [entity, d] : m_shares) f->deviations.push_back(d);
    std::ranges::stable_sort(f->deviations, std::greater(), &Deviation::share);
    f->alarms = alarms.newestFirst();
    f->life = m_lifeNow, f->recent = m_recent.now();
    return f;
}

} // namespace hw::monitoring
