// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"

namespace hw {

/// What the elements of the power chain can still carry at worst, and what of a rack's power comes over which.
struct PowerSupply {
    static constexpr std::int64_t kUnlimited = std::int64_t(1) << 60; ///< no capacity is stated
    struct Part {
        DeviceId element{};
        double share = 1; ///< of what the rack draws, at worst
    };
    std::vector<std::int64_t> spareMw;     ///< by device: capacity less its load when any one other element is lost; negative = over
    std::vector<std::vector<Part>> ofRack; ///< by rack: all elements upstream of it
    bool chain = false;                    ///< there is power equipment: racks without any have no feed

    [[nodiscard]] static PowerSupply of(const Figures& figures, PowerBasis basis);
    /// What the feeds of a rack can still give it; kUnlimited where no element upstream states a capacity.
    [[nodiscard]] std::int64_t spareOfRackMw(RackId rack) const;
};

} // namespace hw
