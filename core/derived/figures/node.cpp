// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/node_info.h"

#include <mutex>

namespace hw {

namespace {

struct Registry {
    std::mutex guard;
    std::vector<const NodeInfo*> nodes;
};

Registry& registry()
{
    static Registry it;
    return it;
}

} // namespace

const std::vector<const NodeInfo*>& knownNodes() { return registry().nodes; }

std::size_t detail::makeKnown(const NodeInfo& node)
{
    Registry& known = registry();
    const std::scoped_lock lock(known.guard);
    if (known.nodes.size() == kMostNodes) throw std::logic_error("more derived parts than kMostNodes");
    known.nodes.push_back(&node);
    return known.nodes.size() - 1;
}

} // namespace hw
