// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cooling/chain.h"

namespace hw {

/// An aisle before the fronts of one row, or between the fronts of two, and the air that its racks draw.
struct ColdAisle {
    HallId hall{};
    std::vector<RowId> rows{};
    std::int64_t widthMm = 0;
    double heatW = 0;     ///< to air, of its rows
    double airM3s = 0;    ///< that takes it, without what passes no rack
    double sectionM2 = 0; ///< width × clear height, of one of the two ends through which air comes in
    [[nodiscard]] double speedMs() const { return sectionM2 > 0 ? airM3s / (2 * sectionM2) : 0; }
    friend bool operator==(const ColdAisle&, const ColdAisle&) = default;
};

/// In the order of rows. Flow and section are 0 in rooms without an air loop or a height.
[[nodiscard]] std::vector<ColdAisle> coldAisles(const Figures& figures, const CoolingChain& chain);

} // namespace hw
