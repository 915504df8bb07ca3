// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/trends.h"

#include <cmath>

namespace hw::watch {

using live::Measure, live::PointNo;

namespace {

constexpr std::int64_t kLeastMs = 30'000; ///< over which a rise is measured, so that noise makes none (assumed)
constexpr double kLeastK = 1;

/// Of what is supplied: what comes back follows the load. Air leaves what cools it, and enters what is cooled.
bool isSupply(const live::Point& point, const Plan& plan)
{
    switch (point.measure) {
    case Measure::SupplyTemperature: return true;
    case Measure::AirInlet: return plan.aim == Aim::Air || point.entity.kind == EntityKind::Hall;
    case Measure::AirOutlet: return plan.signal == Signal::Warmth;
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

void Trends::second(std::int64_t atMs, std::span<const PointNo> dirty, const Readings& readings, const Plans& plans, const live::Bound& bound,
                    const Limits& limits)
{
    for (const PointNo p : readings.bad) m_rising.erase(p), m_anchors.erase(p);
    for (const PointNo p : dirty) {
        const Measure measure = bound.points[p].measure;
        const float value = readings.values[p];
        if (std::isnan(value) || live::isSetpoint(bound.points[p]) || !readings.good[p] || readings.disputed.contains(p)) continue;
        if (isSupply(bound.points[p], plans.points[p])) rise(p, value, atMs, limits);
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
}

void Trends::renumber(const std::vector<PointNo>& now)
{
    const auto moved = [&](auto& map) {
        auto was = std::move(map);
        map.clear();
        for (auto& [p, value] : was)
            if (now[p] != live::kNoPoint) map.emplace(now[p], std::move(value));
    };
    moved(m_rising), moved(m_changes), moved(m_anchors), moved(m_states);
}

} // namespace hw::watch
