// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <string>
#include <vector>

namespace hw::coolant {

inline constexpr double kZeroCelsiusK = 273.15;

/// Σ rows[i][j] (T − T0)^i (x − x0)^j, or its exponential where the polynomial is of the property's logarithm.
struct Polynomial {
    std::vector<std::vector<double>> rows;
    bool logarithm = false;
    std::string source;
    char confidence = 'C';
    [[nodiscard]] bool stated() const { return !rows.empty(); }
    /// The polynomial over temperature alone, at one fraction.
    [[nodiscard]] std::vector<double> at(double fractionOff) const;
};

/// What is known of a fluid, or of a mixture over its volume fraction.
struct Fluid {
    std::string slug, title;
    double leastC = 0, mostC = 0;               ///< where the polynomials hold
    double leastFraction = 0, mostFraction = 0; ///< equal: not a mixture
    double referenceK = kZeroCelsiusK, referenceFraction = 0;
    Polynomial density, specificHeat, conductivity, viscosity; ///< the last two may be unknown
    [[nodiscard]] bool mixture() const { return mostFraction > leastFraction; }
};

/// A coolant at one temperature. Zero where nothing is known.
struct Properties {
    double density = 0;                                                                               ///< kg/m³
    double specificHeat = 0;                                                                          ///< J/(kg K)
    double conductivity = 0;                                                                          ///< W/(m K)
    double viscosity = 0;                                                                             ///< dynamic, Pa s
    [[nodiscard]] double kinematicViscosity() const { return density > 0 ? viscosity / density : 0; } ///< m²/s
    [[nodiscard]] double volumetricHeat() const { return density * specificHeat; }                    ///< J/(m³ K)
};

/// A fluid at one fraction: what flows in a loop.
class Coolant {
public:
    /// Error: Refused for a fraction outside the fluid's range, or one for what is no mixture.
    [[nodiscard]] static Result<Coolant> of(const Fluid& fluid, double fraction);

    [[nodiscard]] double leastC() const { return m_leastC; }
    [[nodiscard]] double mostC() const { return m_mostC; }
    /// Error: Refused outside the range of the data; nothing is extrapolated.
    [[nodiscard]] Result<Properties> at(double celsius) const;

private:
    struct Line {
        std::vector<double> powers;
        bool logarithm = false;
        [[nodiscard]] double operator()(double offK) const;
    };
    std::string m_name;
    double m_leastC = 0, m_mostC = 0, m_referenceK = 0;
    Line m_density, m_specificHeat, m_conductivity, m_viscosity;
};

} // namespace hw::coolant
