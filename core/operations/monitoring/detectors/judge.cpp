// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/detectors/judge.h"

#include "core/operations/monitoring/detectors/detector.h"

#include <algorithm>
#include <cmath>

namespace hw::monitoring {

using bindings::PointNo;

namespace {

constexpr std::int64_t kTogetherMs = 30'000;    ///< between servers whose job ends (assumed)
constexpr std::int64_t kInQuestionMs = 300'000; ///< so long a sensor that others contradict is waited for at most (assumed)
constexpr double kFlowS = 20;                   ///< over which flow and need are averaged (assumed: the water of a rack turns over in less)
constexpr std::int64_t kUnheardMs = 120'000;    ///< without a value, after which a mean begins anew
constexpr std::int32_t kSeldomMs = 2000;        ///< between readings, from which on others are of another moment
constexpr float kMostHeatOfPlan = 2;            ///< more heat than so is a matter of sensors
constexpr float kReadApart = 0.05f;             ///< by which products of values of different moments may be wrong (assumed)

/// The detector of the registry that compares points of a criterion with their plan; null: none.
PointDetector detectorOf(Criterion criterion)
{
    static const auto all = [] {
        std::array<PointDetector, std::size_t(Criterion::Leak) + 1> found{};
        for (const DetectorInfo& info : detectors())
            for (const Criterion its : info.criteria) found[std::size_t(its)] = info.verdict;
        return found;
    }();
    return all[std::size_t(criterion)];
}

} // namespace

/// By the heat of its rack; of a unit that takes facility water, by the heat that it hands on.
float Judge::neededOf(PointNo taker, const Readings& readings, const Plans& plans)
{
    const Plan& plan = plans.points[taker];
    if (!(plan.planned > 0) || plan.other == kNobody) return kUnknown; // how much heat there is nobody says
    const auto read = [&](PointNo p) { return p == bindings::kNoPoint || readings.bad.contains(p) ? kUnknown : readings.values[p]; };
    if (plan.criterion != Criterion::Flow) {
        const UnitHeat& heat = plans.heats[plan.other];
        float less = 1; // of what is read at different moments
        for (const PointNo p : {heat.flow, heat.supply, heat.back}) {
            if (p == bindings::kNoPoint || readings.disputed.contains(p)) return kUnknown;
            less -= readings.everyMs[p] > kSeldomMs ? kReadApart + readings.swing[p] : readings.swing[p]; // NaN: not known
        }
        if (std::isnan(less)) return kUnknown;
        const float watts = std::max(less, 0.3f) * read(heat.flow) * (read(heat.back) - read(heat.supply)) * heat.wattsPerLpmK;
        return heat.planned > 0 ? plan.planned * std::clamp(watts / heat.planned, 0.0f, kMostHeatOfPlan) : kUnknown;
    }
    float power = read(plan.other);
    const float planned = plans.points[plan.other].planned;
    if (std::isnan(power)) return kUnknown;
    // Of what swings between its readings, so much less may be its mean.
    if (std::isnan(readings.swing[plan.other])) return kUnknown;
    if (readings.swing[plan.other] > 0) power = readings.steady[plan.other] * std::max(0.3f, 1 - readings.swing[plan.other]);
    return planned > 0 ? plan.planned * std::clamp(power / planned, 0.0f, kMostHeatOfPlan) : plan.planned;
}

/// Of what the heat on a loop needs, the share that half of it gets at most: one cabinet that is clogged says nothing of the loop. 1 where
/// nobody says.
double Judge::suppliedOf(const LoopFlows& flows, const Readings& readings, const Plans& plans)
{
    std::vector<std::pair<float, float>> shares; // and of how much
    double all = 0;
    for (const PointNo p : flows.takers) {
        const float flow = readings.values[p], need = neededOf(p, readings, plans), planned = plans.points[p].planned;
        if (std::isnan(flow) || readings.bad.contains(p) || readings.disputed.contains(p) || !(need > kHardlyAny * planned)) continue;
        if (plans.points[p].criterion != Criterion::Flow && flow < kStands * planned) continue; // a unit that does not work: others do what it did
        shares.emplace_back(flow / need, need), all += double(need);
    }
    std::ranges::sort(shares);
    double sum = 0;
    for (const auto& [share, need] : shares)
        if (sum += double(need); 2 * sum >= all) return double(share);
    return 1;
}

Verdict Judge::verdictOf(PointNo point, const Readings& readings, const LoadFactors& factors, const Plans& plans, const Limits& limits,
                         std::int64_t atMs)
{
    const Plan& plan = plans.points[point];
    const float value = readings.values[point];
    const PointDetector detector = detectorOf(plan.criterion);
    if (!detector || std::isnan(value) || !readings.good[point]) return {};
    return detector({point, value, plan, readings, factors, plans, limits, atMs, m_phases, m_lanes});
}

void Judge::average(PointNo point, Verdict& v, const Readings& readings, std::int64_t atMs, const Limits& limits)
{
    if (v.kind != DeviationKind::LowFlow || std::isnan(v.beyond)) return;
    const auto [at, isNew] = m_means.try_emplace(point, Mean{double(v.measured), double(v.expected), atMs});
    Mean& mean = at->second;
    const double part = isNew ? 1 : 1 - std::exp(-double(atMs - mean.ms) / 1000 / kFlowS);
    if (!isNew && atMs - mean.ms > kUnheardMs) mean.anewMs = atMs;
    mean.flow += (double(v.measured) - mean.flow) * part, mean.need += (double(v.expected) - mean.need) * part, mean.ms = atMs;
    const float swing = readings.swing[point]; // NaN: not known
    v.beyond =
        float(1 - mean.flow / (mean.need * limits.flow * double(std::max(0.3f, 1 - swing - (readings.everyMs[point] > kSeldomMs ? kReadApart : 0)))));
    if (std::isnan(swing) || (mean.anewMs > 0 && double(atMs - mean.anewMs) < 1000 * kFlowS)) v.beyond = kUnknown;
}

void Judge::settle(PointNo point, const Verdict& verdict, std::int64_t atMs, const Limits& limits)
{
    const auto at = m_conditions.find(point);
    if (at == m_conditions.end()) {
        if (verdict.beyond > 0)
            m_conditions.emplace(point,
                                 Condition{verdict.kind, verdict.measured, verdict.expected, verdict.beyond, atMs, -1, false, verdict.fullest});
        return;
    }
    Condition& c = at->second;
    if (std::isnan(verdict.beyond)) return; // nothing is known now: as it was
    c.measured = verdict.measured, c.expected = verdict.expected, c.beyond = verdict.beyond;
    if (verdict.fullest != bindings::kNoPoint) c.fullest = verdict.fullest;
    const bool out = verdict.beyond > 0, back = verdict.beyond < -limits.hysteresis;
    if (!c.stands) {
        if (!out) m_conditions.erase(at);
    } else if (!back) {
        c.backMs = -1;
    } else if (c.backMs < 0) {
        c.backMs = atMs;
    }
}

/// Servers that fall idle together have come to the end of their job; of one that does so alone, or stays so when they work again, that is not
/// known.
bool Judge::idleWithOthers(const Condition& c) const
{
    return std::ranges::any_of(m_conditions, [&](const auto& entry) {
        const Condition& other = entry.second;
        return &other != &c && other.kind == DeviationKind::Idle && !other.stands && std::abs(other.sinceMs - c.sinceMs) <= kTogetherMs;
    });
}

template <class Is>
bool Judge::anyOf(PointNo point, const Plans& plans, Is&& is)
{
    const Plan& plan = plans.points[point];
    if (plan.criterion == Criterion::Phase && plan.other != kNobody) return std::ranges::any_of(plans.phases[plan.other].point, is);
    return is(point) || (plan.criterion == Criterion::Flow && plan.other != kNobody && is(plan.other));
}

/// Of a sensor that cannot be right nothing follows.
void Judge::dropBad(const Readings& readings, const Plans& plans)
{
    if (readings.bad.empty()) return;
    for (auto at = m_conditions.begin(); at != m_conditions.end();) {
        if (!anyOf(at->first, plans, [&](PointNo p) { return readings.bad.contains(p); })) {
            ++at;
            continue;
        }
        if (at->second.stands) m_ended.emplace_back(at->first, at->second);
        at = m_conditions.erase(at);
    }
}

/// What waited long enough begins or ends to stand.
void Judge::settleAll(std::int64_t atMs, const Readings& readings, const Plans& plans, const Limits& limits)
{
    const auto disputed = [&](PointNo p) { return readings.disputed.contains(p); };
    for (auto at = m_conditions.begin(); at != m_conditions.end();) {
        Condition& c = at->second;
        const std::int64_t hold = c.kind == DeviationKind::Idle ? std::max(limits.holdMs, limits.idleMs) : limits.holdMs;
        const bool waits = atMs - c.sinceMs < kInQuestionMs && anyOf(at->first, plans, disputed);
        const bool due = !c.stands && atMs - c.sinceMs >= hold && !waits;
        if (due && c.kind == DeviationKind::Idle && plans.points[at->first].other == kNobody && idleWithOthers(c)) {
            ++at;
            continue;
        }
        if (due) {
            c.stands = true;
            m_began.push_back(at->first);
        } else if (c.stands && c.backMs >= 0 && atMs - c.backMs >= limits.holdMs) {
            m_ended.emplace_back(at->first, c);
            at = m_conditions.erase(at);
            continue;
        }
        ++at;
    }
}

void Judge::second(std::int64_t atMs, std::span<const PointNo> dirty, const Readings& readings, const LoadFactors& factors, const Plans& plans,
                   const Limits& limits)
{
    m_began.clear(), m_ended.clear();
    dropBad(readings, plans);
    for (const PointNo p : dirty)
        if (plans.points[p].criterion == Criterion::HostPower && !std::isnan(readings.values[p])) m_phases.host(p, readings);
    for (const PointNo p : dirty) {
        const Plan& plan = plans.points[p];
        if (plan.criterion == Criterion::None) continue;
        const PointNo judged = plan.criterion == Criterion::Phase && plan.other != kNobody ? plans.phases[plan.other].point[0] : p;
        Verdict verdict = verdictOf(judged, readings, factors, plans, limits, atMs);
        average(judged, verdict, readings, atMs, limits);
        settle(judged, verdict, atMs, limits);
        if (plan.criterion != Criterion::RackPower) continue;
        for (auto at = std::ranges::lower_bound(plans.follows, std::pair(p, PointNo(0))); at != plans.follows.end() && at->first == p; ++at) {
            Verdict follows = verdictOf(at->second, readings, factors, plans, limits, atMs);
            average(at->second, follows, readings, atMs, limits);
            settle(at->second, follows, atMs, limits);
        }
    }
    settleAll(atMs, readings, plans, limits);
}

void Judge::lose(PointNo point, const Plans& plans)
{
    const auto drop = [&](PointNo p) {
        if (const auto at = m_conditions.find(p); at != m_conditions.end() && !at->second.stands) m_conditions.erase(at);
    };
    const Plan& plan = plans.points[point];
    drop(plan.criterion == Criterion::Phase && plan.other != kNobody ? plans.phases[plan.other].point[0] : point);
    for (auto at = std::ranges::lower_bound(plans.follows, std::pair(point, PointNo(0))); at != plans.follows.end() && at->first == point; ++at)
        drop(at->second);
}

void Judge::forget(DeviationKind kind)
{
    for (auto at = m_conditions.begin(); at != m_conditions.end();) {
        if (at->second.kind != kind) {
            ++at;
            continue;
        }
        if (at->second.stands) m_ended.emplace_back(at->first, at->second);
        at = m_conditions.erase(at);
    }
}

void Judge::renumber(const std::vector<PointNo>& now)
{
    m_means.clear(), m_phases.clear();
    Conditions kept;
    for (auto& [point, c] : m_conditions) {
        if (now[point] == bindings::kNoPoint) continue;
        if (c.fullest != bindings::kNoPoint) c.fullest = now[c.fullest];
        kept.emplace(now[point], c);
    }
    m_conditions = std::move(kept);
    std::map<PointNo, float> lanes;
    for (const auto& [point, most] : m_lanes)
        if (now[point] != bindings::kNoPoint) lanes.emplace(now[point], most);
    m_lanes = std::move(lanes);
}

} // namespace hw::monitoring
