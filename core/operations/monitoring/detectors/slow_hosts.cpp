// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/detectors/slow_hosts.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace hw::monitoring {

using bindings::PointNo;

namespace {

constexpr std::size_t kLeastHosts = 4; ///< to say what is usual
constexpr float kNearly = 0.1f;        ///< of what is usual, above the threshold, to count as back (assumed)
constexpr float kBusy = 0.4f;          ///< minimum for a draw to be significant
constexpr float kNewest = 0.3f;        ///< of a mean, the share of the newest reading: an iteration has full and empty moments
constexpr int kLeastReadings = 4, kIdleInARow = 3;

float mean(float was, float now) { return std::isnan(was) ? now : was + kNewest * (now - was); }

} // namespace

SlowHosts::SlowHosts(const bindings::Bound& bound, const Plans& plans, const Limits& limits)
    : m_plans(plans), m_farOff(float(limits.throttled)), m_inARow(int(limits.throttledReadings))
{
    for (PointNo p = 0; p < bound.points.size(); ++p)
        if (plans.points[p].criterion == Criterion::HostPower && plans.points[p].other != kNobody && plans.points[p].planned > 0)
            m_hosts.emplace(p, Host());
}

/// What its GPUs say of their utilization, 0 to 1; NaN: most say nothing.
float SlowHosts::busyOf(const Plan& plan, const Readings& readings) const
{
    const PointRun& gpus = m_plans.working[plan.other];
    float sum = 0, known = 0;
    for (PointNo p = gpus.first; p < gpus.first + gpus.count; ++p)
        if (!std::isnan(readings.values[p]) && readings.good[p]) sum += readings.values[p], ++known;
    return 2 * known > float(gpus.count) ? sum / known / 100 : kUnknown;
}

float SlowHosts::usual() const
{
    std::vector<float> efforts;
    for (const auto& [p, host] : m_hosts)
        if (host.readings >= kLeastReadings) efforts.push_back(host.effort);
    if (efforts.size() < kLeastHosts) return kUnknown;
    const auto middle = efforts.begin() + std::ptrdiff_t(efforts.size() / 2);
    std::ranges::nth_element(efforts, middle);
    return *middle;
}

void SlowHosts::judge(PointNo p, Host& host, float others, std::int64_t atMs)
{
    if (host.readings < kLeastReadings || std::isnan(others)) return;
    const bool stands = m_slow.contains(p);
    if (host.effort < (stands ? m_farOff + kNearly : m_farOff) * others) {
        if (host.bad == 0) host.sinceMs = atMs;
        host.bad = std::min(host.bad + 1, m_inARow);
    } else {
        host.bad = 0;
    }
    const float design = m_plans.points[p].planned * host.busy;
    if (host.bad >= m_inARow)
        m_slow[p] = {host.effort * design, others * design, host.sinceMs};
    else if (host.bad == 0)
        m_slow.erase(p);
}

void SlowHosts::second(std::int64_t atMs, std::span<const PointNo> dirty, const Readings& readings)
{
    if (m_hosts.size() < kLeastHosts) return;
    std::optional<float> others;
    for (const PointNo p : dirty) {
        if (m_plans.points[p].criterion != Criterion::HostPower || std::isnan(readings.values[p]) || !readings.good[p]) continue;
        const auto at = m_hosts.find(p);
        if (at == m_hosts.end()) continue;
        Host& host = at->second;
        const float busy = busyOf(m_plans.points[p], readings);
        if (!(busy >= kBusy)) {
            if (++host.idle >= kIdleInARow) host = {}, m_slow.erase(p); // what it does later is another job
            continue;
        }
        host.idle = 0;
        host.busy = mean(host.busy, busy);
        host.effort = mean(host.effort, readings.values[p] / (m_plans.points[p].planned * busy));
        ++host.readings;
        if (!others) others = usual();
        judge(p, host, *others, atMs);
    }
}

} // namespace hw::monitoring
