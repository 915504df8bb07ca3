// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/physics/power/network.h"

#include <complex>
#include <optional>

/// Bolted three-phase short circuits by impedances (IEC 60909-0, initial symmetrical current). Impedances are divided by the square of their
/// voltage, so that they hold on both sides of a transformer; unit 1/VA.
namespace hw::power {

using FaultImpedance = std::complex<double>;

inline constexpr double kFaultLow = 1.05, kFaultMedium = 1.10; ///< voltage factor c for maximum currents: up to 1 kV (±6 %), above

/// Behind a connection with this short-circuit power; `c` of its voltage. R = 0.1 X.
[[nodiscard]] FaultImpedance gridImpedance(double shortCircuitVa, double c);
/// Of a transformer, with the correction K_T = 0.95 c / (1 + 0.6 x); `c` of its low side. `loadLossW` at the rating gives R; 0: R = 0.1 X.
[[nodiscard]] FaultImpedance transformerImpedance(double ratedVa, double shortCircuitVoltage, double loadLossW, double c);
/// Of a generator by its subtransient reactance, 1 = 100 %; R = 0.15 X up to 1 kV, 0.07 X above.
[[nodiscard]] FaultImpedance generatorImpedance(double ratedVa, double subtransient, bool low);
/// Of a line with this resistance and reactance in mΩ, at a voltage between phases.
[[nodiscard]] FaultImpedance lineImpedance(double rMilliohm, double xMilliohm, double volts);

/// Initial symmetrical current in A.
[[nodiscard]] double faultAmps(const FaultImpedance& z, double volts, double c);
/// κ·√2 of the initial current: the first peak, κ = 1.02 + 0.98·e^(−3R/X).
[[nodiscard]] double peakAmps(const FaultImpedance& z, double initialAmps);

/// A connection between two nodes, or from a node to ground behind a source.
struct FaultBranch {
    Index from = 0, to = 0;
    FaultImpedance z;
};
/// Impedance of a network between a node and ground, by nodal admittances. `sources`: branches to ground, `to` unused. None where no source
/// reaches the node.
[[nodiscard]] std::optional<FaultImpedance> drivingPoint(std::size_t nodes, std::span<const FaultBranch> branches,
                                                         std::span<const FaultBranch> sources, Index at);

} // namespace hw::power
