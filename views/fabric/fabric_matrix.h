// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/fabric/fabric_model.h"

namespace hw::views {

/// Links between the parts of one tier and those of another, or between all tiers. No Qt.
struct FabricMatrix {
    std::vector<FabricIndex::Part> rows, columns;
    std::vector<FabricBundle> cells; ///< row by row; no links where nothing is wired
    bool same = false;               ///< rows are the columns: cells below the diagonal repeat those above
    std::int64_t most = 0;

    [[nodiscard]] const FabricBundle& at(std::size_t row, std::size_t column) const { return cells[row * columns.size() + column]; }
    /// Every tier against every tier; on the diagonal links between peers.
    [[nodiscard]] static FabricMatrix tiers(const FabricIndex& index, const FabricLoads* loads);
    /// The parts of `row` against those of `column`: one step down on both sides, as far as there is one.
    [[nodiscard]] static FabricMatrix between(const FabricIndex& index, const FabricIndex::Part& row, const FabricIndex::Part& column,
                                              const FabricLoads* loads);
};

} // namespace hw::views
