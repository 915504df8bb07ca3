// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derive/figures.h"

namespace hw {

/// What a campus takes besides its IT, from the design itself: losses of every element of the power chain, and what cooling equipment draws.
/// Heat rejection outside the halls (chillers, dry coolers, pumps) counts only where the design has it as devices.
struct FacilityPower {
    Milliwatts it, losses, cooling;
    bool complete = false; ///< everything that draws power reaches a utility
    [[nodiscard]] Milliwatts total() const { return it + losses + cooling; }
    [[nodiscard]] double pue() const { return it.count() > 0 ? toWatts(total()) / toWatts(it) : 1; } ///< ISO/IEC 30134-2, of power instead of energy
};
[[nodiscard]] FacilityPower facilityPower(const Figures& figures, PowerBasis basis);

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
