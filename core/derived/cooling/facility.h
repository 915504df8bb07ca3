// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cooling/chain.h"

namespace hw {

/// What a campus takes, from the design itself: IT power of every device, losses of the power chain and its feeders, and what cooling equipment
/// draws. Heat rejection outside the halls (chillers, dry coolers, towers, pumps) counts only where the design has it as devices.
struct FacilityPower {
    Milliwatts it, losses, cooling; ///< losses: of the elements of the chain; cooling: what its feeds are made for, every unit at full draw
    Milliwatts feeders;             ///< losses of feeders, whips and bus ducts, which the elements of the chain do not carry
    Milliwatts coolingAtLoad;       ///< at the heat and weather of the design (`coolingDraw`)
    bool complete = false;          ///< everything that draws power reaches a utility, and the design has heat rejection
    [[nodiscard]] Milliwatts total() const { return it + losses + cooling; }                  ///< asked of the utilities by the chain at most
    [[nodiscard]] Milliwatts atLoad() const { return it + losses + feeders + coolingAtLoad; } ///< facility power
    /// ISO/IEC 30134-2, of power at the design's heat and weather instead of the energy of a year.
    [[nodiscard]] double pue() const { return it.count() > 0 ? toWatts(atLoad()) / toWatts(it) : 1; }
};
[[nodiscard]] FacilityPower facilityPower(const Figures& figures, PowerBasis basis);

/// What a unit draws at the heat that it moves: chillers, dry coolers and towers their heat over the coefficient of performance that their points
/// state at this outdoor temperature and supply; of pumps, CDUs and air units those that run, at full draw (speed drives save more), and nothing
/// for those to spare. What states no such thing, or is in no loop, draws all of `ownW`.
[[nodiscard]] double coolingDraw(const CoolingChain& chain, const CoolingUnit& unit);

/// Facility power as everything counts it: report, limits, budgets, substations and cost. From the design's own losses and cooling where it has
/// all of them, unless the setting "site.pue_basis" is "constant"; else IT power times the constant "site.pue". PUE is at least 1.
struct Pue {
    double value = 1.2;
    bool computed = false; ///< from the design itself
    Milliwatts it;         ///< of the campus
    Milliwatts facility;
    [[nodiscard]] const char* basis() const { return computed ? "losses" : "constant"; } ///< no text
};
[[nodiscard]] Pue pueOf(const Figures& figures, PowerBasis basis);

/// By device: a way leads on to a utility.
[[nodiscard]] std::vector<char> reachedByUtility(const Figures& figures, const PowerChain& chain);

} // namespace hw
