// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"

namespace hw {

/// How many of a cable type at a length are bought: what is laid, spares, and what fills the last pack.
struct CableOrder {
    std::int64_t laid = 0, spare = 0, fill = 0;
    [[nodiscard]] std::int64_t bought() const { return laid + spare + fill; }
    friend bool operator==(const CableOrder&, const CableOrder&) = default;
};

/// Settings of spares and packs.
struct CableOrdering {
    double sparePercent = 0;
    bool perRacks = false; ///< spares for each pair of racks; else over all cables of a type and length
    std::int64_t pack = 1;
    [[nodiscard]] static CableOrdering of(const Snapshot& snapshot);
};

/// By type and length. Copper that is direct has spares, too; trunks are bought one by one.
[[nodiscard]] std::map<Cabling::TypeLength, CableOrder> cableOrders(const Snapshot& snapshot, const ProjectParts& parts, const Cabling& cabling,
                                                                    const Routing& routing);

} // namespace hw
