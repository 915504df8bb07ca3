// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Resistance and reactance of power cables and busways, and what they cost: voltage and heat. Knows nothing of designs.
namespace hw::power {

/// Of all of one line, a phase: milliohms of its parallel runs over its length.
struct Impedance {
    double r = 0, x = 0;
    [[nodiscard]] bool known() const { return r > 0; }
    friend bool operator==(const Impedance&, const Impedance&) = default;
};

/// How the current of a line comes and goes.
enum class LinePhases : unsigned char { Three, One, Direct };

inline constexpr double kRatedConductorC = 90; ///< XLPE: at which the resistances of the catalog hold
inline constexpr double kCopperPerK = 0.00393; ///< of the resistance at 20 °C

/// A resistance at 90 °C as it is at another temperature of the conductor.
[[nodiscard]] double resistanceAt(double at90, double celsius);
/// A copper conductor with no data of its own, mΩ/m at 90 °C, after the conductors of IEC 60228 class 2.
[[nodiscard]] double copperResistance(double squareMm);

/// Current that a power takes. `volts`: between phases, of direct current between poles; with one phase, to the neutral.
[[nodiscard]] double lineAmps(double watts, double volts, double powerFactor, LinePhases phases);
/// Share of the voltage lost: √3·I·(R cos φ + X sin φ)/U, twice the way with one phase or direct current (IEC 60364-5-52, Annex G).
[[nodiscard]] double voltageDrop(const Impedance& line, double watts, double volts, double powerFactor, LinePhases phases);
/// Heat of the line in W: 3·I²·R, or 2·I²·R.
[[nodiscard]] double lineLossW(const Impedance& line, double watts, double volts, double powerFactor, LinePhases phases);

} // namespace hw::power
