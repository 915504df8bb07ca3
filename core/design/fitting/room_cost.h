// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/fitting/room_fill.h"

namespace hw::layout {

/// Meters of data cable between racks and the longest run, through row trays and the spines over the rows' middles.
struct RoomCost {
    std::int64_t metersMm = 0;
    std::int32_t longestMm = 0;
    auto operator<=>(const RoomCost&) const = default;
};

/// Which racks are joined by how many cables, counted once.
class RackPairs {
public:
    RackPairs(const Snapshot& design, const Plan& plan);
    [[nodiscard]] RoomCost cost(const Filling& filling, std::span<const RowSlot> slots, const Plan& plan) const;

private:
    struct Pair {
        std::uint32_t a = 0, b = 0;
        std::int64_t cables = 0;
    };
    std::vector<Pair> m_pairs;
};

} // namespace hw::layout
