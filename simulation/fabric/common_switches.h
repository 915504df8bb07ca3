// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/fabric/fabric_graph.h"

#include <vector>

namespace hw::sim {
inline namespace fabric {

/// Switches that two paths between the same NICs share, except those at both ends.
[[nodiscard]] inline int commonSwitches(const FabricGraph& graph, const std::vector<DirectedLink>& a, const std::vector<DirectedLink>& b)
{
    int common = 0;
    for (std::size_t i = 1; i + 2 < a.size(); ++i)
        for (std::size_t j = 1; j + 2 < b.size(); ++j) common += graph.head(a[i]) == graph.head(b[j]);
    return common;
}

} // namespace fabric
} // namespace hw::sim
