// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

namespace hw::coolant {

/// What flows through one side of a heat exchanger.
struct Stream {
    double kgPerS = 0;
    double specificHeat = 0; ///< J/(kg K)
    [[nodiscard]] double wattsPerKelvin() const { return kgPerS * specificHeat; }
};

/// Share of the heat that an endless counterflow exchanger would pass on (ε-NTU); `ratio` is Cmin / Cmax.
[[nodiscard]] double counterflowEffectiveness(double transferUnits, double ratio);
/// The inverse, for ε below 1 (and below what any number of transfer units reaches).
[[nodiscard]] double counterflowTransferUnits(double effectiveness, double ratio);

/// What a maker states of a CDU: heat at an approach (supply of the loop over supply of the facility) with these flows.
struct ExchangerRating {
    double heatW = 0, approachK = 0;
    Stream facility, loop;
    double filmRatio = 1; ///< facility side's film conductance over the loop side's
};

/// A plate heat exchanger in counterflow: both films grow with flow^0.8 from the rating on, the plate between counts for nothing.
class Exchanger {
public:
    /// Errors: Refused for what is not above zero and for a rating that no exchanger reaches.
    [[nodiscard]] static Result<Exchanger> of(const ExchangerRating& rating);

    [[nodiscard]] double conductance(const Stream& facility, const Stream& loop) const; ///< W/K
    /// Heat that passes when the facility's water enters at `facilityC` and the loop returns at `returnC`.
    [[nodiscard]] double heatW(const Stream& facility, const Stream& loop, double facilityC, double returnC) const;
    /// Heat that passes while the loop's supply is `approachK` above the facility's: the capacity at these flows.
    /// The loop returns as hot as that takes; less loop flow returns hotter.
    [[nodiscard]] double capacityW(const Stream& facility, const Stream& loop, double approachK) const;
    /// The approach at which `heatW` passes at these flows.
    [[nodiscard]] double approachK(const Stream& facility, const Stream& loop, double heatW) const;

private:
    double m_facilityFilm = 0, m_loopFilm = 0; ///< W/K at the rating
    double m_facilityKgPerS = 0, m_loopKgPerS = 0;
    /// W per kelvin between the two entering temperatures.
    [[nodiscard]] double perKelvin(const Stream& facility, const Stream& loop) const;
};

} // namespace hw::coolant
