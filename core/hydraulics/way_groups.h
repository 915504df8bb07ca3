// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hydraulics/network.h"

namespace hw::hydraulics {

/// Which nodes hang together over the ways that are joined.
class WayGroups {
public:
    explicit WayGroups(std::size_t nodes);
    void join(Index a, Index b);
    [[nodiscard]] Index of(Index node); ///< one node that stands for the group

private:
    std::vector<Index> m_parent;
};

} // namespace hw::hydraulics
