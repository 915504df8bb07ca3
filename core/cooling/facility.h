// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cooling/chain.h"

namespace hw {

/// What a campus takes besides its IT, from the design itself: losses of every element of the power chain, and what cooling equipment draws.
/// Heat rejection outside the halls (chillers, dry coolers, pumps) counts only where the design has it as devices.
struct FacilityPower {
    Milliwatts it, losses, cooling;                                          ///< cooling: what its feeds are made for, every unit at full draw
    Milliwatts coolingAtLoad;                                                ///< at the heat and weather of the design (`coolingDraw`)
    bool complete = false;                                                   ///< everything that draws power reaches a utility
    [[nodiscard]] Milliwatts total() const { return it + losses + cooling; } ///< asked of the utilities at most
    /// ISO/IEC 30134-2, of power at the design's heat and weather instead of the energy of a year.
    [[nodiscard]] double pue() const { return it.count() > 0 ? toWatts(it + losses + coolingAtLoad) / toWatts(it) : 1; }
};
[[nodiscard]] FacilityPower facilityPower(const Figures& figures, PowerBasis basis);

/// What a unit draws at the heat that it moves: chillers, dry coolers and towers their heat over the coefficient of performance that their points
/// state at this outdoor temperature and supply; of pumps, CDUs and air units those that run, at full draw (speed drives save more), and nothing
/// for those to spare. What states no such thing, or is in no loop, draws all of `ownW`.
[[nodiscard]] double coolingDraw(const CoolingChain& chain, const CoolingUnit& unit);

/// Facility over IT power as limits and reports count it: from the losses where the setting "site.pue_basis" is "losses" and the chain is
/// complete, else the constant "site.pue" (1.2 where none is given). At least 1.
struct Pue {
    double value = 1.2;
    bool computed = false;
};
[[nodiscard]] Pue pueOf(const Figures& figures, PowerBasis basis);

/// By device: a way leads on to a utility.
[[nodiscard]] std::vector<char> reachedByUtility(const Figures& figures, const PowerChain& chain);

} // namespace hw
