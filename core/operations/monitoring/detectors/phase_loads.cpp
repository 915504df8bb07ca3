// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/detectors/phase_loads.h"

#include "core/operations/monitoring/evidence/readings.h"

#include <algorithm>
#include <cmath>

namespace hw::monitoring {

using bindings::PointNo;

namespace {

constexpr double kMeanMs = 120'000;           ///< over which loads are averaged (assumed: some readings of a server that is read every 30 s)
constexpr std::int64_t kLeastSeenMs = 60'000; ///< of phases, to judge them
constexpr std::int64_t kOldMs = 300'000;      ///< what a server said before that is not known any more
constexpr int kKnownAfter = 3;                ///< of a server, to know what it draws
constexpr double kIdleShare = 0.3;            ///< of its planned power, that a server draws at least (assumed)
constexpr double kSure = 2;                   ///< standard errors
constexpr double kMeterShare = 0.03;          ///< by which meters differ (assumed)
constexpr int kMostBelow = 6;                 ///< feeds one below the other

double partOf(double ms) { return 1 - std::exp(-ms / kMeanMs); }

} // namespace

void PhaseLoads::host(PointNo point, const Readings& readings)
{
    const double value = double(readings.values[point]);
    const auto [at, isNew] = m_hosts.try_emplace(point);
    Host& host = at->second;
    const std::int64_t passed = readings.times[point] - host.timeMs;
    host.timeMs = readings.times[point];
    if (isNew || passed > kOldMs || passed < 0) {
        host.mean = value, host.variance = 0, host.intervalMs = 0, host.readings = 1;
        return;
    }
    host.intervalMs = host.readings < 2 ? double(passed) : host.intervalMs + (double(passed) - host.intervalMs) * 0.2;
    ++host.readings;
    const double part = std::max(partOf(double(passed)), 1.0 / host.readings), off = value - host.mean;
    host.mean += off * part;
    host.variance = (1 - part) * (host.variance + part * off * off);
}

/// What a server draws of late, over its plan: at least, at most.
std::pair<double, double> PhaseLoads::rangeOf(const PhaseUse& use, const Readings& readings) const
{
    const auto at = m_hosts.find(use.power);
    const bool known = use.power != bindings::kNoPoint && at != m_hosts.end() && at->second.readings >= kKnownAfter && readings.good[use.power] &&
                       !readings.bad.contains(use.power);
    if (!known) return {kIdleShare, 1.0};
    const Host& host = at->second;
    const double of = std::clamp(host.intervalMs > 0 ? 2 * kMeanMs / host.intervalMs : 1.0, 1.0, double(host.readings));
    const double unsure = kSure * std::sqrt(host.variance / of) + kMeterShare * host.mean;
    return {std::max(0.0, host.mean - unsure) / use.watts, (host.mean + unsure) / use.watts};
}

/// With every server that may be there drawing what makes this phase the fullest.
float PhaseLoads::explained(const PhaseGroup& group, int phase, const Readings& readings) const
{
    const auto k = std::size_t(phase);
    double on = double(group.rest[k]), all = double(group.rest[0]) + double(group.rest[1]) + double(group.rest[2]);
    for (const PhaseUse& use : group.uses) {
        const double its = double(use.share[0]) + double(use.share[1]) + double(use.share[2]);
        const auto [least, most] = rangeOf(use, readings);
        const double factor = double(use.share[k]) * 3 > its ? most : least;
        on += double(use.share[k]) * factor, all += its * factor;
    }
    return all > 0 ? float(std::max(1.0, 3 * on / all)) : 1;
}

/// By phase, how far feeds below a group that are reported are from even.
std::array<double, 3> PhaseLoads::reportedBelow(std::uint32_t group, const Plans& plans, int deeper) const
{
    std::array<double, 3> off{};
    if (deeper <= 0) return off;
    for (const std::uint32_t below : plans.phases[group].below) {
        const auto at = m_groups.find(below);
        const bool itself = at != m_groups.end() && at->second.reported;
        const auto further = itself ? at->second.mean : reportedBelow(below, plans, deeper - 1);
        const double even = itself ? (further[0] + further[1] + further[2]) / 3 : 0;
        for (std::size_t k = 0; k < 3; ++k) off[k] += further[k] - even;
    }
    return off;
}

PhaseLoads::Uneven PhaseLoads::look(std::uint32_t number, std::int64_t atMs, const Readings& readings, const Plans& plans)
{
    const PhaseGroup& group = plans.phases[number];
    const auto [at, isNew] = m_groups.try_emplace(number);
    Group& seen = at->second;
    if (isNew || atMs - seen.ms > kOldMs) seen = {{}, 0, atMs, seen.reported};
    const double part = seen.ms == 0 ? 1 : partOf(double(atMs - seen.ms));
    seen.ms = atMs;
    Uneven out;
    const std::array<double, 3> off = reportedBelow(number, plans, kMostBelow);
    const auto without = [&](int k) { return seen.mean[std::size_t(k)] - off[std::size_t(k)]; };
    for (std::size_t k = 0; k < 3; ++k) seen.mean[k] += (double(readings.values[group.point[k]]) - seen.mean[k]) * part;
    for (int k = 1; k < 3; ++k)
        if (without(k) > without(out.fullest)) out.fullest = k;
    out.carries = float(seen.mean[std::size_t(out.fullest)]), out.without = float(without(out.fullest)),
    out.mean = float((seen.mean[0] + seen.mean[1] + seen.mean[2]) / 3);
    out.known = atMs - seen.sinceMs >= kLeastSeenMs;
    out.explained = group.uses.empty() ? group.planned : explained(group, out.fullest, readings);
    return out;
}

} // namespace hw::monitoring
