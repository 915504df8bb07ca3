// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cabling/cable_label.h"
#include "core/derived/figures/figures.h"
#include "core/foundation/files/plain_table.h"

namespace hw {

/// Papers for those who pull and plug cables. Every cable of the design with a known length is in them, whatever its medium; the figures
/// must outlive the table.

/// A cable, or a leg of one, with what is printed for its two ends.
struct LabelRow {
    CableId cable{};
    std::string medium, type;
    std::int64_t lengthMm = 0;
    CablePlug from, to;
};
/// Calls take(row) for each that is laid, cables of power and coolant included; passes its errors on.
[[nodiscard]] Result<void> forEachLabel(const Figures& figures, const std::function<Result<void>(const LabelRow&)>& take);
/// A row per cable, of breakouts per leg: both ends and the label of either.
[[nodiscard]] PlainTable labelTable(const Figures& figures);
/// A row per bundle and cable type, in the order in which to pull: the bundles of a first tray together, the longest first. A bundle is what
/// takes one way between two racks; `trunk_candidate` says that it is large enough for a trunk.
[[nodiscard]] PlainTable pullTable(const Figures& figures);
/// Step by step, rack by rack: what to mount, which modules to plug in, which cables to connect to what.
[[nodiscard]] PlainTable workTable(const Figures& figures);

/// Cables of a bundle from which a trunk over panels is worth looking at: one of 144 fibers has 12 connectors.
inline constexpr int kTrunkCandidate = 12;

} // namespace hw
