// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/power/trip_curve.h"

#include <algorithm>
#include <cmath>

namespace hw::power {

namespace {

constexpr double kOpensAtOnceS = 0.01; ///< a cycle or less: what an instantaneous release needs at least (assumed)

} // namespace

TripCurve TripCurve::miniature(char type, double amps)
{
    TripCurve curve;
    curve.m_holds = 1.13, curve.m_trips = 1.45;
    const double hours = amps <= 63 ? 3600 : 7200;
    // Below this multiple the magnetic release may not act, at the higher one it must; at the lower one the thermal release opens by then.
    const double low = type == 'B' ? 3 : type == 'D' ? 10 : 5, high = type == 'B' ? 5 : type == 'D' ? 20 : 10;
    const bool small = amps <= 32;
    const double lowLatest = type == 'B' ? (small ? 45 : 90) : type == 'D' ? (small ? 4 : 8) : small ? 15 : 30;
    curve.m_earliest = {{1.13, hours}, {2.55, 1}, {low, 0.1}, {low, kOpensAtOnceS}};
    curve.m_latest = {{1.45, hours}, {2.55, small ? 60.0 : 120.0}, {low, lowLatest}, {high, lowLatest}, {high, 0.1}};
    return curve;
}

TripCurve TripCurve::electronic(const ReleaseSettings& s, double amps)
{
    TripCurve curve;
    curve.m_holds = 1.05, curve.m_trips = 1.30;
    const double conventional = amps <= 63 ? 3600 : 7200;
    // I²t: tr at 6 Ir, minus 20 % at the earliest; short time and instantaneous act within 10 % of what they are set to.
    const auto longTime = [&](double multiple) { return s.longTimeS * 36 / (multiple * multiple); };
    const double delayed = std::max(1.31, std::min(s.shortTime, s.instantaneous)), atOnce = std::max(delayed, s.instantaneous);
    const double delayS = std::max(kOpensAtOnceS, s.shortTimeS);
    curve.m_earliest = {{1.05, std::min(conventional, 0.8 * longTime(1.05))}, {0.9 * delayed, 0.8 * longTime(0.9 * delayed)}};
    curve.m_latest = {{1.30, std::min(conventional, longTime(1.30))}, {1.1 * delayed, longTime(1.1 * delayed)}};
    if (delayed < atOnce) {
        curve.m_earliest.insert(curve.m_earliest.end(), {{0.9 * delayed, std::min(0.8 * delayS, curve.m_earliest.back().seconds)},
                                                         {0.9 * atOnce, std::min(0.8 * delayS, curve.m_earliest.back().seconds)}});
        curve.m_latest.insert(curve.m_latest.end(), {{1.1 * delayed, std::min(1.2 * delayS, curve.m_latest.back().seconds)},
                                                     {1.1 * atOnce, std::min(1.2 * delayS, curve.m_latest.back().seconds)}});
    }
    curve.m_earliest.push_back({0.9 * atOnce, kOpensAtOnceS});
    curve.m_latest.push_back({1.1 * atOnce, 0.05});
    return curve;
}

double TripCurve::carries(TripBound bound) const { return bound == TripBound::Earliest ? m_holds : m_trips; }

std::int64_t TripCurve::timeOn(const std::vector<Point>& bound, double multiple, bool latest)
{
    // Of two points at one current the longer time is the earliest bound there, the shorter one the latest.
    const auto next =
        latest ? std::ranges::upper_bound(bound, multiple, {}, &Point::multiple) : std::ranges::lower_bound(bound, multiple, {}, &Point::multiple);
    double seconds = 0;
    if (next == bound.begin())
        seconds = bound.front().seconds;
    else if (next == bound.end())
        seconds = bound.back().seconds;
    else {
        const Point &a = next[-1], &b = *next;
        const double share = std::log(multiple / a.multiple) / std::log(b.multiple / a.multiple);
        seconds = a.seconds * std::pow(b.seconds / a.seconds, share);
    }
    return std::llround(1000 * seconds);
}

TripBand TripCurve::at(double multiple) const
{
    TripBand band;
    if (multiple > m_holds) band.earliestMs = timeOn(m_earliest, multiple, false);
    if (multiple >= m_trips) band.latestMs = timeOn(m_latest, multiple, true);
    return band;
}

std::optional<std::int64_t> TripCurve::opensMs(double multiple, TripBound bound) const
{
    return bound == TripBound::Earliest ? at(multiple).earliestMs : at(multiple).latestMs;
}

} // namespace hw::power
