// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/physics/hydraulics/network.h"

namespace hw::hydraulics {

struct Loss {
    double head = 0;  ///< m, from the link's start to its end; a pump's is below 0
    double slope = 0; ///< of the head over the flow, always above 0
};

/// Darcy's friction factor and its derivative over the flow `q` (above 0, m³/s): Hagen-Poiseuille to Re 2,000, Swamee-Jain
/// from 4,000, Dunlop's cubic between, as EPANET.
struct FrictionFactor {
    double f = 0, slope = 0;
};
[[nodiscard]] FrictionFactor frictionFactor(double flowM3s, double diameterM, double roughnessM, double viscosityM2s);
[[nodiscard]] double reynolds(double flowM3s, double diameterM, double viscosityM2s);
[[nodiscard]] double velocity(double flowM3s, double diameterM);

/// Loss of one link over its flow: made once, asked in every trial. Rises with the flow without a step, for either direction.
class HeadLoss {
public:
    HeadLoss(const Network& network, const Link& link);

    [[nodiscard]] Loss at(double flowM3s) const;
    [[nodiscard]] double shutOffM() const { return -at(0).head; } ///< head that a pump gives without flow; 0 for all others
    [[nodiscard]] double firstGuess() const { return m_guess; }   ///< a flow to begin with
    [[nodiscard]] double runOut() const { return m_runOut; }      ///< flow at the end of a pump's curve (infinite without one); 0 for all others

private:
    enum class Form : std::uint8_t { Darcy, Power, PumpPower, PumpWatts, Lines, LossLines };
    void pipe(const Network& network, const Link& link);
    void pump(const Network& network, const Link& link);
    void powerLaw(const Link& link);
    [[nodiscard]] Loss darcy(double q) const;
    [[nodiscard]] Loss lines(double q) const;
    [[nodiscard]] Loss pumpPower(double q) const;
    [[nodiscard]] Loss watts(double q) const;

    Form m_form = Form::Power;
    double m_factor = 0, m_exponent = 2, m_minor = 0, m_shutOff = 0;
    double m_diameter = 0, m_roughness = 0, m_viscosity = 0;
    double m_guess = 1e-3, m_runOut = 0;
    std::vector<CurvePoint> m_curve;
};

/// Meters of the fluid as a loss in pascal, and back.
[[nodiscard]] inline double pascalOf(const Network& network, double headM) { return headM * kGravity * network.densityKgM3; }
[[nodiscard]] inline double headOf(const Network& network, double pascal) { return pascal / (kGravity * network.densityKgM3); }

/// Kv (m³/h at 1 bar of water) with a loss of `headM` at a flow. The density cancels: both are of one fluid.
[[nodiscard]] double kvFor(double flowM3s, double headM);

/// Power at the shaft: head and flow over the efficiency.
[[nodiscard]] double pumpPowerW(const Network& network, double flowM3s, double headM, double efficiency);

} // namespace hw::hydraulics
