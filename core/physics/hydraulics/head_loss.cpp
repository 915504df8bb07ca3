// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/hydraulics/head_loss.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace hw::hydraulics {

namespace {

using std::numbers::pi;

constexpr double kFoot = 0.3048, kCubicFoot = kFoot * kFoot * kFoot;
constexpr double kLaminarTo = 2000, kTurbulentFrom = 4000; ///< Reynolds numbers
constexpr double kHazenExponent = 1.852;
constexpr double kMostPumpM = 1e4;  ///< head of a pump of constant power below which its hyperbola goes on as a straight line
constexpr double kGuessPumpM = 10;  ///< of such a pump, to begin with
constexpr double kLeastFlow = 1e-6; ///< m³/s: below it a pump's power law is straight
/// Added to every link, so that those at rest or without a loss of their own do not make the equations singular:
/// kRestSlope q / (1 + |q| / kRestFlow), which is 0.1 µm at most, and kLeastSlope q, 0.1 µm at 1 L/s.
constexpr double kRestSlope = 1e-2, kLeastSlope = 1e-4; // m per m³/s
constexpr double kRestFlow = 1e-5;                      // m³/s
constexpr double kMinorFeet = 0.02517;                  ///< EPANET's 8 / (π² g), rounded; feet and cubic feet per second
constexpr double kDesignVelocity = 0.3;                 ///< m/s, to begin with
constexpr double kBar = 1e5, kKvDensity = 1000;         ///< what a Kv is defined with
constexpr double kHour = 3600;

double power4(double x) { return x * x * x * x; }

/// Loss factor of `k` velocity heads in a diameter: head = factor q².
double minorFactor(double k, double diameterM) { return k * kMinorFeet * kFoot / power4(diameterM / kFoot) / (kCubicFoot * kCubicFoot); }

double swameeJainArgument(double roughness, double reynoldsTerm) { return roughness / 3.7 + reynoldsTerm; }

/// Swamee-Jain: 0.25 / log10², with its derivative over the flow.
FrictionFactor turbulent(double re, double roughness, double q)
{
    const double term = 5.74 / std::pow(re, 0.9), argument = swameeJainArgument(roughness, term);
    const double root = -2 / std::numbers::ln10 * std::log(argument);
    const double f = 1 / (root * root);
    // df/dq = -2 root^-3 droot, droot = -2/ln10 / argument * dterm, dterm = -0.9 term / q
    return {f, -2 * f / root * (2 / std::numbers::ln10 / argument * 0.9 * term / q)};
}

/// Dunlop's cubic in Re / 2,000, which meets both neighbors in value and slope.
FrictionFactor transition(double re, double roughness, double q)
{
    const double at4000 = 5.74 / std::pow(kTurbulentFrom, 0.9);
    const double y2 = swameeJainArgument(roughness, at4000), y3 = -2 / std::numbers::ln10 * std::log(y2);
    const double fa = 1 / (y3 * y3);
    const double fb = (2 - 1.8 * 2 / std::numbers::ln10 * at4000 / (y2 * y3)) * fa;
    const double x1 = 7 * fa - fb, x2 = 0.128 - 17 * fa + 2.5 * fb, x3 = -0.128 + 13 * fa - 2 * fb, x4 = 0.032 - 3 * fa + 0.5 * fb;
    const double r = re / kLaminarTo;
    return {x1 + r * (x2 + r * (x3 + r * x4)), (x2 + r * (2 * x3 + r * 3 * x4)) * r / q};
}

} // namespace

double reynolds(double flowM3s, double diameterM, double viscosityM2s) { return 4 * std::abs(flowM3s) / (pi * diameterM * viscosityM2s); }

double velocity(double flowM3s, double diameterM) { return std::abs(flowM3s) * 4 / (pi * diameterM * diameterM); }

FrictionFactor frictionFactor(double flowM3s, double diameterM, double roughnessM, double viscosityM2s)
{
    const double re = reynolds(flowM3s, diameterM, viscosityM2s);
    if (re <= kLaminarTo) return {64 / re, -64 / re / flowM3s};
    return re < kTurbulentFrom ? transition(re, roughnessM / diameterM, flowM3s) : turbulent(re, roughnessM / diameterM, flowM3s);
}

HeadLoss::HeadLoss(const Network& network, const Link& link)
{
    switch (link.kind) {
    case LinkKind::Pipe: pipe(network, link); break;
    case LinkKind::Pump: pump(network, link); break;
    case LinkKind::Valve:
        if (!link.curve.empty()) {
            m_form = Form::LossLines, m_curve = link.curve;
            m_guess = link.curve.back().flowM3s / 2;
            break;
        }
        m_factor = kBar / (kKvDensity * kGravity) * (kHour / link.kv) * (kHour / link.kv);
        m_guess = link.kv / kHour * 0.3; // about 0.1 bar
        break;
    case LinkKind::Plate:
        m_exponent = link.exponent;
        m_factor = headOf(network, link.lossPa) / std::pow(link.atM3s, link.exponent);
        m_guess = link.atM3s;
        break;
    }
}

void HeadLoss::pipe(const Network& network, const Link& link)
{
    const double d = link.diameterM, area = pi * d * d / 4;
    m_minor = minorFactor(link.minorK, d);
    m_guess = kDesignVelocity * area;
    if (network.friction == Friction::HazenWilliams) {
        m_exponent = kHazenExponent;
        m_factor = 4.727 * (link.lengthM / kFoot) / (std::pow(link.hazenC, kHazenExponent) * std::pow(d / kFoot, 4.871)) * kFoot /
                   std::pow(kCubicFoot, kHazenExponent);
        return;
    }
    if (network.friction == Friction::ChezyManning) { // EPANET's constants, in feet and cubic feet per second
        const double feet = d / kFoot, term = 4 * link.manningN / (1.49 * pi * feet * feet);
        m_factor = term * term * std::pow(feet / 4, -1.333) * (link.lengthM / kFoot) * kFoot / (kCubicFoot * kCubicFoot);
        return;
    }
    m_form = Form::Darcy;
    m_diameter = d, m_roughness = link.roughnessM, m_viscosity = network.viscosityM2s;
    m_factor = link.lengthM / (2 * kGravity * d * area * area);
}

void HeadLoss::pump(const Network& network, const Link& link)
{
    if (link.law == PumpLaw::ConstantPower) {
        m_form = Form::PumpWatts;
        m_factor = headOf(network, link.powerW);
        m_guess = m_factor / kGuessPumpM, m_runOut = std::numeric_limits<double>::infinity();
        return;
    }
    if (link.law == PumpLaw::PowerLaw) return powerLaw(link);
    if (link.curve.size() == 1) { // shut-off 4/3 of the head, no head at twice the flow
        m_form = Form::PumpPower;
        const auto [flow, head] = link.curve.front();
        m_shutOff = 4 * head / 3 * link.speed * link.speed;
        m_factor = head / (3 * flow * flow), m_exponent = 2;
        m_guess = flow * link.speed, m_runOut = 2 * m_guess;
        return;
    }
    m_form = Form::Lines;
    m_curve = link.curve;
    for (auto& point : m_curve) point.flowM3s *= link.speed, point.headM *= link.speed * link.speed;
    m_guess = (m_curve.front().flowM3s + m_curve.back().flowM3s) / 2;
    m_runOut = m_curve.back().flowM3s;
}

/// H0 - r Q^n through three points, at the pump's speed.
void HeadLoss::powerLaw(const Link& link)
{
    const auto &shut = link.curve[0], &design = link.curve[1], &most = link.curve[2];
    const double first = shut.headM - design.headM, second = shut.headM - most.headM;
    m_form = Form::PumpPower;
    m_exponent = std::log(second / first) / std::log(most.flowM3s / design.flowM3s);
    m_factor = first / std::pow(design.flowM3s, m_exponent) * std::pow(link.speed, 2 - m_exponent);
    m_shutOff = shut.headM * link.speed * link.speed;
    m_guess = design.flowM3s * link.speed, m_runOut = std::pow(m_shutOff / m_factor, 1 / m_exponent);
}

Loss HeadLoss::pumpPower(double q) const
{
    const double size = std::abs(q);
    if (size < kLeastFlow) {
        const double slope = m_factor * std::pow(kLeastFlow, m_exponent - 1);
        return {-m_shutOff + slope * q, slope};
    }
    const double fall = m_factor * std::pow(size, m_exponent);
    return {-m_shutOff + (q < 0 ? -fall : fall), m_exponent * fall / size};
}

/// Power over flow, and a tangent to it where the head would be out of all bounds.
Loss HeadLoss::watts(double q) const
{
    const double least = m_factor / kMostPumpM;
    if (q >= least) return {-m_factor / q, m_factor / (q * q)};
    const double slope = m_factor / (least * least);
    return {-kMostPumpM + slope * (q - least), slope};
}

Loss HeadLoss::darcy(double q) const
{
    if (reynolds(q, m_diameter, m_viscosity) <= kLaminarTo) {
        const double laminar = 16 * pi * m_viscosity * m_diameter * m_factor; // f q² is linear
        return {q * (laminar + m_minor * q), laminar + 2 * m_minor * q};
    }
    const auto [f, slope] = frictionFactor(q, m_diameter, m_roughness, m_viscosity);
    const double all = f * m_factor + m_minor;
    return {all * q * q, 2 * all * q + slope * m_factor * q * q};
}

Loss HeadLoss::lines(double q) const
{
    std::size_t i = 1; // the outer pieces go on for ever
    while (i + 1 < m_curve.size() && q > m_curve[i].flowM3s) ++i;
    const auto &a = m_curve[i - 1], &b = m_curve[i];
    const double slope = (a.headM - b.headM) / (b.flowM3s - a.flowM3s);
    return {-(a.headM - slope * (q - a.flowM3s)), slope};
}

Loss HeadLoss::at(double flowM3s) const
{
    const double q = std::abs(flowM3s), sign = flowM3s < 0 ? -1 : 1;
    Loss loss;
    switch (m_form) {
    case Form::Darcy:
        loss = darcy(q);
        loss.head *= sign;
        break;
    case Form::Power: {
        const double toPower = m_factor * std::pow(q, m_exponent - 1);
        loss = {sign * q * (toPower + m_minor * q), m_exponent * toPower + 2 * m_minor * q};
        break;
    }
    case Form::PumpPower: loss = pumpPower(flowM3s); break;
    case Form::PumpWatts: loss = watts(flowM3s); break;
    case Form::Lines: loss = lines(flowM3s); break;
    case Form::LossLines: // the pump's lines upside down, the same either way
        loss = lines(q);
        loss = {-loss.head * sign, -loss.slope};
        break;
    }
    const double calm = 1 + q / kRestFlow;
    return {loss.head + (kRestSlope / calm + kLeastSlope) * flowM3s, loss.slope + kRestSlope / (calm * calm) + kLeastSlope};
}

double kvFor(double flowM3s, double headM) { return std::abs(flowM3s) * kHour * std::sqrt(kBar / (kKvDensity * kGravity) / headM); }

double pumpPowerW(const Network& network, double flowM3s, double headM, double efficiency)
{
    return efficiency > 0 ? pascalOf(network, headM) * flowM3s / efficiency : 0;
}

} // namespace hw::hydraulics
