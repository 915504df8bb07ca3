// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/conductor.h"

#include "core/model/entity.h"
#include "core/watch/saying.h"

#include <algorithm>
#include <cmath>

namespace hw::watch {

using live::PointNo;

namespace {

constexpr std::int64_t kAfterGapMs = 120'000; ///< slow channels have not spoken again yet
constexpr std::int64_t kRepeatMs = 90'000;    ///< what speaks on change alone repeats itself after 100 s (DSX event bus)
constexpr std::size_t kMany = 20;             ///< that fall silent in one second together with most others: their source is away

} // namespace

std::string Watch::State::nameOf(EntityRef entity) const { return entityName(*figures->snapshot, *figures->parts, entity); }

std::string Watch::State::aboutOf(const char* kind, PointNo p) const
{
    const live::Point& point = bound->points[p];
    std::string about = std::string(kind) + ':' + nameOf(point.entity) + ':' + std::string(wordOf(point.measure)); // no text: a key
    if (!point.element.empty()) about += ':' + point.element;
    return about;
}

void Watch::State::design(FiguresPtr newFigures, live::BoundPtr newBound)
{
    const live::BoundPtr before = std::move(bound);
    const bool sameDesign = figures == newFigures;
    figures = std::move(newFigures), bound = std::move(newBound);
    m_limits = Limits::of(*figures->snapshot);
    m_plans = Plans::of(*figures, *bound);
    m_plans.simulated(loads);
    if (before)
        renumber(*before);
    else
        m_readings.resize(bound->points.size()), m_silence.resize(bound->points.size()), m_evidence.resize(bound->points.size()),
            m_life.design(m_plans), chooseRecent(nullptr);
    m_factors.measured = {}, m_factors.planned = {};
    m_factors.counted.assign(bound->points.size(), kUnknown);
    for (PointNo p = 0; p < bound->points.size(); ++p)
        if (!std::isnan(m_readings.values[p]) && m_readings.arrived[p] != Readings::kNever)
            m_factors.update(p, m_plans.points[p], m_readings.values[p]);
    m_linkFaults.emplace(*figures, *bound, m_plans);
    m_plausibility.emplace(figures, bound);
    if (!sameDesign) m_risks.clear();
}

/// Points have other numbers now; what is known of those that stay is kept.
void Watch::State::renumber(const live::Bound& before)
{
    const std::size_t size = bound->points.size();
    std::vector<PointNo> nowOf(before.points.size(), live::kNoPoint);
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
        if (to == live::kNoPoint) continue;
        m_readings.values[to] = was.values[p], m_readings.times[to] = was.times[p];
        m_readings.arrived[to] = was.arrived[p], m_readings.good[to] = was.good[p], m_readings.repeats[to] = was.repeats[p];
    }
    m_judge.renumber(nowOf);
    m_silence.renumber(nowOf, size);
    m_evidence.renumber(nowOf, size);
    m_trends.renumber(nowOf);
    m_life.renumber(nowOf, m_plans);
    std::vector<PointNo> dirty;
    for (const PointNo p : m_dirty)
        if (nowOf[p] != live::kNoPoint) dirty.push_back(nowOf[p]);
    m_dirty = std::move(dirty);
    m_isDirty.assign(size, 0);
    for (const PointNo p : m_dirty) m_isDirty[p] = 1;
    const auto moved = [&](auto& map) {
        auto old = std::move(map);
        map.clear();
        for (auto& [p, value] : old)
            if (nowOf[p] != live::kNoPoint) map.emplace(nowOf[p], std::move(value));
    };
    moved(m_deviations);
    for (auto at = m_missing.begin(); at != m_missing.end();) {
        std::set<PointNo> points;
        for (const PointNo p : at->second.second)
            if (nowOf[p] != live::kNoPoint) points.insert(nowOf[p]);
        at->second.second = std::move(points);
        at = at->second.second.empty() ? m_missing.erase(at) : std::next(at);
    }
    moved(m_badSensors);
    if (m_causes) m_causes->renumber(nowOf, figures, bound, m_plans);
    chooseRecent(&nowOf);
}

void Watch::State::take(std::span<const PointSample> samples)
{
    if (!bound) return;
    m_plausibility->take(samples);
    if (m_isDirty.size() != bound->points.size()) m_isDirty.assign(bound->points.size(), 0);
    for (const PointSample& sample : samples) {
        const PointNo p = sample.point;
        if (p >= bound->points.size() || std::isnan(sample.value)) continue;                            // a source that has no value falls silent
        if (m_readings.arrived[p] != Readings::kNever && sample.timeMs < m_readings.times[p]) continue; // later ones came before it
        const bool heard = m_readings.arrived[p] != Readings::kNever && m_readings.values[p] == float(sample.value);
        const Aim aim = m_plans.points[p].aim; // a steady rate comes of a counter that moves
        const bool rate = aim == Aim::Traffic || aim == Aim::Errors || aim == Aim::Drops;
        if (heard && !rate && now - m_readings.arrived[p] < kRepeatMs && !m_isDirty[p]) m_readings.repeats[p] = 1;
        m_readings.values[p] = float(sample.value), m_readings.times[p] = sample.timeMs,
        m_readings.good[p] = sample.good && !m_badSensors.contains(p);
        m_readings.arrived[p] = now;
        if (!m_isDirty[p]) m_isDirty[p] = 1, m_dirty.push_back(p);
    }
}

void Watch::State::simulated(std::span<const float> gbps)
{
    loads.assign(gbps.begin(), gbps.end());
    m_plans.simulated(loads);
}

/// A sensor that cannot be right says nothing of causes and limits.
void Watch::State::judgeSensors(std::int64_t t)
{
    std::map<PointNo, live::Doubt> doubts;
    for (live::Doubt& doubt : m_plausibility->judge(t)) doubts.emplace(doubt.point, std::move(doubt));
    for (auto at = m_badSensors.begin(); at != m_badSensors.end();) {
        if (doubts.contains(at->first)) {
            ++at;
            continue;
        }
        m_readings.good[at->first] = 1;
        tell(Event::Kind::DeviationEnds, at->second, t);
        at = m_badSensors.erase(at);
    }
    for (const auto& [p, doubt] : doubts) {
        m_readings.good[p] = 0;
        if (m_badSensors.contains(p)) continue;
        const live::Point& point = bound->points[p];
        Deviation d;
        d.kind = DeviationKind::BadSensor, d.entity = point.entity, d.element = point.element, d.measure = point.measure;
        d.measured = doubt.measured, d.expected = doubt.expected, d.sinceMs = doubt.sinceMs, d.what = doubt.what;
        d.share = doubt.expected != 0 ? std::abs(doubt.measured - doubt.expected) / std::abs(doubt.expected) : 1;
        tell(Event::Kind::Deviation, d, t);
        m_badSensors.emplace(p, std::move(d));
    }
}

void Watch::State::gap(const live::Gap& gap)
{
    const auto known = std::ranges::find_if(m_gaps, [&](const live::Gap& g) { return g.source == gap.source && g.fromMs == gap.fromMs; });
    if (known != m_gaps.end())
        *known = gap;
    else
        m_gaps.push_back(gap);
    Event event;
    event.kind = Event::Kind::Gap, event.atMs = gap.toMs ? gap.toMs : gap.fromMs, event.gap = gap;
    events.push_back(std::move(event));
}

bool Watch::State::sourceAway(std::int64_t t) const
{
    const bool gap = std::ranges::any_of(m_gaps, [&](const live::Gap& g) { return g.fromMs <= t && (g.toMs == 0 || t - g.toMs < kAfterGapMs); });
    return gap || (m_silence.silent().size() > kMany && m_silence.nowSilent() * 2 > m_silence.heard());
}

void Watch::State::readNew(std::int64_t t)
{
    std::ranges::sort(m_dirty);
    for (const PointNo p : m_dirty) {
        m_isDirty[p] = 0;
        m_readings.arrived[p] = t;
        m_silence.seen(p, t, m_readings.repeats[p] != 0);
        m_factors.update(p, m_plans.points[p], m_readings.values[p]);
    }
}

void Watch::State::second(std::int64_t t)
{
    now = t;
    if (!bound) return;
    readNew(t);
    m_silence.second(t, m_limits.missingMs);
    judgeSensors(t);
    m_judge.second(t, m_dirty, m_readings, m_factors, m_plans, m_limits);
    m_trends.second(t, m_dirty, m_readings, *bound, m_limits);
    m_evidence.second(t, m_dirty, m_readings, m_factors, m_plans, *bound, m_silence, sourceAway(t));
    m_life.second(m_dirty, m_readings);
    tellCauses(t);
    tellConditions(t);
    tellLinkFaults(t);
    thresholdAlarms(t);
    stateAlarms(t);
    missingAlarms(t);
    alarms.second(t, events);
    if (t % Recent::kStepMs == 0) remember(t);
    if (t % 10'000 == 0) m_lifeNow = m_life.life();
    std::erase_if(m_gaps, [&](const live::Gap& g) { return g.toMs != 0 && t - g.toMs >= kAfterGapMs; });
    m_dirty.clear();
}

/// Which points the last minutes are kept of; what is known of those that stay goes over.
void Watch::State::chooseRecent(const std::vector<PointNo>* nowOf)
{
    auto next = std::make_shared<Recent>();
    std::vector<std::uint32_t> placeOf(bound->points.size(), kNobody);
    for (PointNo p = 0; p < m_plans.points.size(); ++p) {
        const Signal signal = m_plans.points[p].signal;
        const bool load = (signal == Signal::Power || signal == Signal::RackPower) && bound->points[p].measure == live::Measure::ActivePower;
        if ((!load && signal != Signal::Flow && signal != Signal::Warmth) || m_plans.points[p].aim == Aim::Phase) continue;
        placeOf[p] = std::uint32_t(next->points.size());
        next->points.push_back(p);
    }
    if (m_recent && nowOf) {
        next->timesMs = m_recent->timesMs;
        for (const auto& values : m_recent->values) {
            auto moved = std::make_shared<std::vector<float>>(next->points.size(), kUnknown);
            for (std::size_t i = 0; i < m_recent->points.size(); ++i) {
                const PointNo p = (*nowOf)[m_recent->points[i]];
                if (p != live::kNoPoint && placeOf[p] != kNobody) (*moved)[placeOf[p]] = (*values)[i];
            }
            next->values.push_back(std::move(moved));
        }
    }
    m_recent = std::move(next);
}

void Watch::State::remember(std::int64_t t)
{
    auto next = std::make_shared<Recent>(*m_recent); // pointers to the moments
    auto values = std::make_shared<std::vector<float>>();
    values->reserve(next->points.size());
    for (const PointNo p : next->points) values->push_back(m_silence.isSilent(p) ? kUnknown : m_readings.values[p]);
    next->timesMs.push_back(t), next->values.push_back(std::move(values));
    if (next->timesMs.size() > Recent::kMost) next->timesMs.erase(next->timesMs.begin()), next->values.erase(next->values.begin());
    m_recent = std::move(next);
}

void Watch::State::tellCauses(std::int64_t t)
{
    if (!m_causes) {
        if (m_evidence.sights().empty()) return;
        m_causes.emplace(figures, bound, m_plans);
    }
    m_causes->second(t, m_evidence, m_silence, m_readings, m_limits, alarms, events);
}

void Watch::State::tell(Event::Kind kind, const Deviation& deviation, std::int64_t t)
{
    Event event;
    event.kind = kind, event.atMs = t, event.deviation = deviation;
    events.push_back(std::move(event));
}

Deviation Watch::State::deviationOf(PointNo p, const Judge::Condition& c) const
{
    const PointNo at = c.fullest == live::kNoPoint ? p : c.fullest;
    const live::Point& point = bound->points[at];
    Deviation d;
    d.kind = c.kind, d.entity = point.entity, d.element = point.element, d.measure = point.measure;
    d.measured = c.measured, d.expected = c.expected, d.sinceMs = c.sinceMs;
    d.share = c.expected != 0 ? std::abs(double(c.measured) - c.expected) / std::abs(double(c.expected)) : c.beyond;
    d.what = deviationText(c.kind, point.measure, c.measured, c.expected);
    return d;
}

Text Watch::State::riskOf(EntityRef entity)
{
    if (!impact::canFail(entity.kind)) return {};
    const auto [at, isNew] = m_risks.try_emplace(entity);
    if (isNew) {
        if (!m_causes) m_causes.emplace(figures, bound, m_plans);
        at->second = lossText(m_causes->study().lose({entity}));
    }
    return at->second;
}

void Watch::State::tellConditions(std::int64_t t)
{
    for (const auto& [p, c] : m_judge.ended()) {
        const auto told = m_deviations.find(p);
        if (told == m_deviations.end()) continue;
        tell(Event::Kind::DeviationEnds, told->second, t);
        m_deviations.erase(told);
    }
    for (const PointNo p : m_judge.began()) {
        if (LinkFaults::isOfLink(m_plans.points[p].aim)) continue;
        Deviation d = deviationOf(p, m_judge.conditions().at(p));
        d.risk = riskOf(d.entity);
        tell(Event::Kind::Deviation, d, t);
        m_deviations.insert_or_assign(p, std::move(d));
    }
}

Deviation Watch::State::deviationOf(const LinkFault& fault) const
{
    const live::Point& point = bound->points[fault.point];
    Deviation d;
    d.kind = fault.kind, d.entity = fault.at, d.measure = point.measure;
    d.measured = fault.measured, d.expected = fault.expected, d.sinceMs = fault.sinceMs;
    d.share = fault.expected > 0 ? std::abs(double(fault.measured) - fault.expected) / fault.expected : fault.beyond;
    d.what = linkFaultText(fault, point.measure, nameOf(ref(fault.link)));
    return d;
}

/// Symptoms of links are told where they arise, so that a port, cable or switch comes up once. What a cause explains is its symptom.
void Watch::State::tellLinkFaults(std::int64_t t)
{
    const auto ofLink = [&](PointNo p) { return LinkFaults::isOfLink(m_plans.points[p].aim); };
    const bool changed =
        std::ranges::any_of(m_judge.began(), ofLink) || std::ranges::any_of(m_judge.ended(), [&](const auto& entry) { return ofLink(entry.first); });
    const std::size_t causes = m_causes ? m_causes->standing() : 0;
    if (!changed && causes == m_causesSeen) return;
    m_causesSeen = causes;
    std::map<Place, LinkFault> faults;
    for (const LinkFault& fault : m_linkFaults->locate(m_judge.conditions()))
        if (!m_causes || !m_causes->explains(fault.point)) faults.emplace(Place{fault.kind, fault.at}, fault);
    for (auto at = m_faults.begin(); at != m_faults.end();) {
        if (!faults.contains(at->first)) {
            tell(Event::Kind::DeviationEnds, at->second.deviation, t);
            at = m_faults.erase(at);
        } else {
            ++at;
        }
    }
    for (const auto& [place, fault] : faults) {
        const auto [at, isNew] = m_faults.try_emplace(place, Told{deviationOf(fault), fault});
        if (!isNew) continue;
        at->second.deviation.risk = riskOf(fault.at);
        tell(Event::Kind::Deviation, at->second.deviation, t);
    }
}

void Watch::State::raise(const std::string& about, AlarmKind kind, PointNo p, std::int64_t since, Text what, std::int64_t t)
{
    if (alarms.stands(about)) return;
    Alarm alarm;
    alarm.kind = kind, alarm.sinceMs = since, alarm.what = std::move(what);
    alarm.symptoms = {bound->points[p].entity}, alarm.element = bound->points[p].element;
    alarms.raise(about, std::move(alarm), t, events);
}

/// What is beyond a limit of the equipment, not of the plan alone. What a cause explains is its symptom, and no alarm of its own.
void Watch::State::thresholdAlarms(std::int64_t t)
{
    std::map<std::string, PointNo> due;
    for (const auto& [p, c] : m_judge.conditions()) {
        const Plan& plan = m_plans.points[p];
        const bool limits = plan.aim == Aim::FeedPower || plan.aim == Aim::Supply || plan.aim == Aim::LoopSupply || plan.aim == Aim::Air ||
                            plan.aim == Aim::Flow || (plan.aim == Aim::RackPower && c.expected == plan.limit);
        if (c.stands && limits && !(m_causes && m_causes->explains(p))) due.emplace(aboutOf("threshold", p), p); // no text: a key
    }
    for (const auto& [p, rising] : m_trends.rising())
        if (!(m_causes && m_causes->explains(p))) due.emplace(aboutOf("rate", p), p); // no text: a key
    for (const auto& [p, changes] : m_trends.changes())
        if (double(changes.size()) >= m_limits.flaps) due.emplace(aboutOf("flapping", p), p); // no text: a key
    for (const auto& about : m_raised)
        if (!due.contains(about)) alarms.end(about, t, events);
    std::erase_if(m_raised, [&](const std::string& about) { return !due.contains(about); });
    for (const auto& [about, p] : due) {
        if (!m_raised.insert(about).second) continue;
        const std::string name = nameOf(bound->points[p].entity);
        if (about.starts_with("rate")) // no text: a key
            raise(about, AlarmKind::RateOfChange, p, m_trends.rising().at(p).sinceMs,
                  i18n("{}: {} rises by {:.1f} K a minute", name, live::infoOf(bound->points[p].measure).title,
                       m_trends.rising().at(p).kelvinPerMinute),
                  t);
        else if (about.starts_with("flapping")) // no text: a key
            raise(about, AlarmKind::Flapping, p, m_trends.changes().at(p).front(),
                  i18np(std::int64_t(m_trends.changes().at(p).size()), "{1} changed its state {0} time within {2:.0f} s",
                        "{1} changed its state {0} times within {2:.0f} s", name, double(m_limits.flapMs) / 1000),
                  t);
        else {
            const Judge::Condition& c = m_judge.conditions().at(p);
            raise(about, AlarmKind::Threshold, p, c.sinceMs, i18n("{}: {}", name, deviationOf(p, c).what), t);
        }
    }
}

void Watch::State::stateAlarms(std::int64_t t)
{
    for (const PointNo p : m_dirty) {
        if (m_plans.points[p].aim != Aim::Leak || !m_readings.good[p]) continue;
        const std::string about = aboutOf("leak", p); // no text: a key
        if (m_readings.values[p] < 0.5f)
            alarms.end(about, t, events);
        else
            raise(about, AlarmKind::Threshold, p, t, i18n("{}: coolant where there should be none", nameOf(bound->points[p].entity)), t);
    }
}

/// An entity whose points fall silent while its source speaks; once no cause tells why.
void Watch::State::missingAlarms(std::int64_t t)
{
    for (const PointNo p : m_silence.back()) {
        const EntityRef entity = bound->points[p].entity;
        const auto at = m_missing.find(entity);
        if (at == m_missing.end()) continue;
        at->second.second.erase(p);
        if (!at->second.second.empty()) continue;
        m_missing.erase(at);
        alarms.end("missing:" + nameOf(entity), t, events); // no text: a key
    }
    if (!sourceAway(t))
        for (const PointNo p : m_silence.silent())
            if (!live::isSetpoint(bound->points[p]))
                m_missing.try_emplace(bound->points[p].entity, std::pair(t, std::set<PointNo>())).first->second.second.insert(p);
    for (const auto& [entity, missing] : m_missing) {
        const auto& [since, points] = missing;
        if (t - since < m_limits.causeHoldMs + 3000 || points.empty()) continue;
        const std::string about = "missing:" + nameOf(entity); // no text: a key
        const bool explained = m_causes && std::ranges::any_of(points, [&](PointNo p) { return m_causes->explains(p); });
        if (explained)
            alarms.end(about, t, events);
        else if (!alarms.stands(about))
            raise(about, AlarmKind::MissingData, *points.begin(), since,
                  i18np(std::int64_t(points.size()), "{1}: {0} value is missing", "{1}: {0} values are missing", nameOf(entity)), t);
    }
}

FramePtr Watch::State::frame() const
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
    for (const auto& [p, d] : m_badSensors) f->deviations.push_back(d);
    std::ranges::stable_sort(f->deviations, std::greater(), &Deviation::share);
    f->alarms = alarms.newestFirst();
    f->life = m_lifeNow, f->recent = m_recent;
    return f;
}

} // namespace hw::watch
