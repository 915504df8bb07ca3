// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hydraulics/way_groups.h"

#include <algorithm>
#include <numeric>

namespace hw::hydraulics {

WayGroups::WayGroups(std::size_t nodes) : m_parent(nodes) { std::iota(m_parent.begin(), m_parent.end(), Index(0)); }

Index WayGroups::of(Index node)
{
    while (m_parent[node] != node) node = m_parent[node] = m_parent[m_parent[node]];
    return node;
}

void WayGroups::join(Index a, Index b)
{
    const Index x = of(a), y = of(b);
    m_parent[std::max(x, y)] = std::min(x, y);
}

} // namespace hw::hydraulics
