// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/evidence/trends.h"

#include <algorithm>
#include <cmath>

namespace hw::monitoring {

using bindings::Measure, bindings::PointNo;

namespace {

constexpr std::int64_t kLeastMs = 30'000; ///< over which a rise is measured, so that noise makes none (assumed)
constexpr double kLeastK = 1;
constexpr std::int64_t kStaleMs = 300'000; ///< after which a counter that says nothing more counts no longer (assumed)

/// Of what is supplied: what comes back follows the load. Air leaves what cools it, and enters what is cooled.
bool isSupply(const bindings::Point& point, const Plan& plan)
{
    switch (point.measure) {
    case Measure::SupplyTemperature: return true;
    case Measure::AirInlet: return plan.criterion == Criterion::Air || point.entity.kind == EntityKind::Hall;
    case Measure::AirOutlet: return plan.signal == Signal::Temperature;
    default: return false;
    }
}
bool isState(Measure m) { return m == Measure::Status || m == Measure::BreakerClosed || m == Measure::LinkUp || m == Measure::Leak; }

} // namespace

void Trends::rise(PointNo p, float value, std::int64_t atMs, const Limits& limits)
{
    auto [at, isNew] = m_anchors.try_emplace(p, Anchor{atMs, atMs, value, value});
    Anchor& a = at->second;
    if (atMs - a.nextMs >= kLeastMs) a.ms = a.nextMs, a.value = a.next, a.nextMs = atMs, a.next = value;
    if (atMs - a.ms < kLeastMs) return;
    const double rate = double(value - a.value) * 60'000 / double(atMs - a.ms);
    const auto known = m_rising.find(p);
    if (rate > limits.riseKPerMin && value - a.value > kLeastK) {
        if (known == m_rising.end())
            m_rising[p] = {rate, atMs};
        else
            known->second.kelvinPerMinute = rate;
    } else if (known != m_rising.end() && rate < limits.riseKPerMin * (1 - limits.hysteresis) / 2) {
        m_rising.erase(known);
    }
}

void Trends::second(std::int64_t atMs, std::span<const PointNo> dirty, const Readings& readings, const Plans& plans, const bindings::Bound& bound,
                    const Limits& limits)
{
    for (const PointNo p : readings.bad) m_rising.erase(p), m_anchors.erase(p);
    for (const PointNo p : dirty) {
        const Measure measure = bound.points[p].measure;
        const float value = readings.values[p];
        if (std::isnan(value) || bindings::isSetpoint(bound.points[p]) || !readings.good[p] || readings.disputed.contains(p)) continue;
        if (isSupply(bound.points[p], plans.points[p])) rise(p, value, atMs, limits);
        if (measure == Measure::LinkChanges) count(p, readings, atMs, limits);
        if (!isState(measure)) continue;
        const auto [at, isNew] = m_states.try_emplace(p, value >= 0.5f);
        if (isNew || at->second == (value >= 0.5f)) continue;
        at->second = value >= 0.5f;
        m_changes[p].push_back(atMs);
    }
    for (auto at = m_changes.begin(); at != m_changes.end();) {
        while (!at->second.empty() && at->second.front() <= atMs - limits.flapMs) at->second.pop_front();
        at = at->second.empty() ? m_changes.erase(at) : std::next(at);
    }
    findFlapping(atMs, plans, limits);
}

/// A rate since the reading before is so many changes since then. Spans are kept that fill the window; a longer one counts in part.
void Trends::count(PointNo p, const Readings& readings, std::int64_t atMs, const Limits& limits)
{
    const auto [at, isNew] = m_counted.try_emplace(p);
    Counted& c = at->second;
    const std::int64_t span = readings.times[p] - c.timeMs;
    c.timeMs = readings.times[p], c.heardMs = atMs;
    if (isNew || span <= 0) return;
    c.spans.emplace_back(double(readings.values[p]) * double(span) / 1000, span);
    std::int64_t all = 0;
    for (const auto& one : c.spans) all += one.second;
    while (c.spans.size() > 1 && all - c.spans.front().second >= limits.flapMs) all -= c.spans.front().second, c.spans.pop_front();
    double changes = 0;
    for (const auto& one : c.spans) changes += one.first;
    if (all > limits.flapMs) changes *= double(limits.flapMs) / double(all);
    changes = std::round(changes * 1000) / 1000;
    if (changes >= limits.flaps)
        m_many[p] = changes;
    else
        m_many.erase(p);
}

void Trends::findFlapping(std::int64_t atMs, const Plans& plans, const Limits& limits)
{
    std::erase_if(m_many, [&](const auto& entry) { return atMs - m_counted[entry.first].heardMs > kStaleMs; });
    std::map<PointNo, Flapping> now;
    for (const auto& [p, times] : m_changes)
        if (double(times.size()) >= limits.flaps) now[p] = {std::uint32_t(times.size()), times.front()};
    for (const auto& [p, changes] : m_many) now[p] = {std::uint32_t(changes), atMs};
    if (now.empty() && m_flapping.empty()) return;
    const auto linkOf = [&](PointNo p) {
        const Criterion criterion = plans.points[p].criterion;
        return criterion == Criterion::LinkUp || criterion == Criterion::LinkChanges ? plans.points[p].target : kNobody;
    };
    std::map<std::uint32_t, PointNo> told; // links, by the point that stands for them
    for (const auto& [p, flap] : m_flapping)
        if (linkOf(p) != kNobody) told.emplace(linkOf(p), p);
    const auto was = std::move(m_flapping);
    m_flapping.clear();
    for (auto& [p, flap] : now) {
        const std::uint32_t link = linkOf(p);
        const PointNo as = link == kNobody ? p : told.try_emplace(link, p).first->second;
        if (const auto before = was.find(as); before != was.end()) flap.sinceMs = before->second.sinceMs;
        Flapping& all = m_flapping.try_emplace(as, flap).first->second;
        all.changes = std::max(all.changes, flap.changes), all.sinceMs = std::min(all.sinceMs, flap.sinceMs);
    }
}

void Trends::renumber(const std::vector<PointNo>& now)
{
    const auto moved = [&](auto& map) {
        auto was = std::move(map);
        map.clear();
        for (auto& [p, value] : was)
            if (now[p] != bindings::kNoPoint) map.emplace(now[p], std::move(value));
    };
    moved(m_rising), moved(m_changes), moved(m_anchors), moved(m_states), moved(m_flapping), moved(m_counted), moved(m_many);
}

} // namespace hw::monitoring
