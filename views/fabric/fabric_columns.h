// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/fabric/fabric_index.h"

#include <map>
#include <set>

namespace hw::views {

/// The columns of a network: pods and segments that occur, as a tree in depth-first order, with lists
/// longer than kReadable cut into ranges.
struct FabricColumns {
    using Place = std::pair<int, int>; ///< pod, segment; -1 = none
    std::vector<FabricIndex::Column> columns;
    std::map<Place, int> own; ///< the column where devices of a place stand

    [[nodiscard]] static FabricColumns make(const std::set<Place>& places);
};

} // namespace hw::views
