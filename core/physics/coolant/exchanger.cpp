// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/coolant/exchanger.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hw::coolant {

namespace {

constexpr double kFilmExponent = 0.8; ///< turbulent flow between plates
constexpr double kBalanced = 1e-6;    ///< so near to equal capacity rates the limit is used

bool balanced(double ratio) { return std::abs(1 - ratio) < kBalanced; }

} // namespace

double counterflowEffectiveness(double transferUnits, double ratio)
{
    if (balanced(ratio)) return transferUnits / (1 + transferUnits);
    const double e = std::exp(-transferUnits * (1 - ratio));
    return (1 - e) / (1 - ratio * e);
}

double counterflowTransferUnits(double effectiveness, double ratio)
{
    if (balanced(ratio)) return effectiveness / (1 - effectiveness);
    return std::log((1 - effectiveness * ratio) / (1 - effectiveness)) / (1 - ratio);
}

Result<Exchanger> Exchanger::of(const ExchangerRating& r)
{
    const double cf = r.facility.wattsPerKelvin(), cl = r.loop.wattsPerKelvin();
    const auto positive = [](double v) { return std::isfinite(v) && v > 0; };
    if (!positive(r.heatW) || !positive(r.approachK) || !positive(cf) || !positive(cl) || !positive(r.filmRatio))
        return fail(ErrorCode::Refused, "exchanger", i18n("heat, approach, flows and specific heats must be greater than 0"),
                    i18n("correct the rating"));
    const double least = std::min(cf, cl), span = r.approachK + r.heatW / cl;
    const double effectiveness = r.heatW / (least * span);
    if (effectiveness >= 1)
        return fail(ErrorCode::Refused, "exchanger",
                    i18n("no heat exchanger transfers {:g} W at an approach of {:g} K with these flows", r.heatW, r.approachK),
                    i18n("increase the facility flow or the approach"));
    const double ua = counterflowTransferUnits(effectiveness, least / std::max(cf, cl)) * least;
    Exchanger out;
    out.m_facilityFilm = ua * (1 + r.filmRatio);
    out.m_loopFilm = ua * (1 + r.filmRatio) / r.filmRatio;
    out.m_facilityKgPerS = r.facility.kgPerS, out.m_loopKgPerS = r.loop.kgPerS;
    return out;
}

double Exchanger::conductance(const Stream& facility, const Stream& loop) const
{
    const double a = m_facilityFilm * std::pow(facility.kgPerS / m_facilityKgPerS, kFilmExponent);
    const double b = m_loopFilm * std::pow(loop.kgPerS / m_loopKgPerS, kFilmExponent);
    return a > 0 && b > 0 ? a * b / (a + b) : 0;
}

double Exchanger::perKelvin(const Stream& facility, const Stream& loop) const
{
    const double cf = facility.wattsPerKelvin(), cl = loop.wattsPerKelvin();
    const double least = std::min(cf, cl), most = std::max(cf, cl);
    return least > 0 ? counterflowEffectiveness(conductance(facility, loop) / least, least / most) * least : 0;
}

double Exchanger::heatW(const Stream& facility, const Stream& loop, double facilityC, double returnC) const
{
    return perKelvin(facility, loop) * (returnC - facilityC);
}

double Exchanger::capacityW(const Stream& facility, const Stream& loop, double approachK) const
{
    // The loop returns at supply + Q / Cl: Q = k (approach + Q / Cl).
    const double k = perKelvin(facility, loop), cl = loop.wattsPerKelvin();
    return k > 0 ? k * approachK / (1 - k / cl) : 0;
}

double Exchanger::approachK(const Stream& facility, const Stream& loop, double heatW) const
{
    const double k = perKelvin(facility, loop), cl = loop.wattsPerKelvin();
    return k > 0 ? heatW * (1 / k - 1 / cl) : std::numeric_limits<double>::infinity();
}

} // namespace hw::coolant
