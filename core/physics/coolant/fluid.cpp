// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/coolant/fluid.h"

#include <cmath>
#include <ranges>

namespace hw::coolant {

namespace {

double horner(const std::vector<double>& powers, double x)
{
    double sum = 0;
    for (const double c : std::views::reverse(powers)) sum = sum * x + c;
    return sum;
}

} // namespace

std::vector<double> Polynomial::at(double fractionOff) const
{
    std::vector<double> out;
    for (const auto& row : rows) out.push_back(horner(row, fractionOff));
    return out;
}

double Coolant::Line::operator()(double offK) const
{
    if (powers.empty()) return 0;
    const double value = horner(powers, offK);
    return logarithm ? std::exp(value) : value;
}

Result<Coolant> Coolant::of(const Fluid& fluid, double fraction)
{
    const bool inside = fluid.mixture() ? fraction >= fluid.leastFraction && fraction <= fluid.mostFraction : fraction == 0;
    if (!inside && !fluid.mixture())
        return fail(ErrorCode::Refused, fluid.slug, i18n("not a mixture; a fraction does not apply"), i18n("omit the fraction"));
    if (!inside)
        return fail(ErrorCode::Refused, fluid.slug, i18n("no data for a volume fraction of {:g}", fraction),
                    i18n("use {:g} to {:g}", fluid.leastFraction, fluid.mostFraction));
    Coolant out;
    out.m_name = fluid.slug;
    out.m_leastC = fluid.leastC, out.m_mostC = fluid.mostC, out.m_referenceK = fluid.referenceK;
    const auto line = [&](const Polynomial& p) { return Line{p.at(fraction - fluid.referenceFraction), p.logarithm}; };
    out.m_density = line(fluid.density);
    out.m_specificHeat = line(fluid.specificHeat);
    out.m_conductivity = line(fluid.conductivity);
    out.m_viscosity = line(fluid.viscosity);
    return out;
}

Result<Properties> Coolant::at(double celsius) const
{
    if (!(celsius >= m_leastC && celsius <= m_mostC))
        return fail(ErrorCode::Refused, m_name, i18n("no data for {:g} °C", celsius), i18n("use {:g} to {:g} °C", m_leastC, m_mostC));
    const double off = celsius + kZeroCelsiusK - m_referenceK;
    return Properties{m_density(off), m_specificHeat(off), m_conductivity(off), m_viscosity(off)};
}

} // namespace hw::coolant
