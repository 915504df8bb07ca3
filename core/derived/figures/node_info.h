// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/node.h"

/// How a node is described to `Figures`: compiled once for each, by who names it as `template const NodeInfo& nodeInfo<FabricNode>();`.
namespace hw {

namespace detail {
[[nodiscard]] std::size_t makeKnown(const NodeInfo& node); ///< its number

template <class Node>
NodeInfo describe()
{
    using Value = typename Node::Value;
    NodeInfo info;
    info.name = Node::kName;
    info.nodes = Node::Inputs::NodeList::infos();
    info.touched = &Node::Inputs::touched;
    info.compute = [](const Sources& now) -> ValuePtr { return Node::compute(Now<Node>(now)); };
    if constexpr (requires { &Node::update; })
        info.update = [](const ValuePtr& value, const Snapshot& before, std::span<const ValuePtr> inputs, const Sources& now,
                         const ChangeSet& changes) -> ValuePtr { return Node::update(Was<Node>(value, before, inputs), Now<Node>(now), changes); };
    info.same = [](const void* a, const void* b) {
        if constexpr (requires { &Node::same; })
            return Node::same(*static_cast<const Value*>(a), *static_cast<const Value*>(b));
        else
            return *static_cast<const Value*>(a) == *static_cast<const Value*>(b);
    };
    return info;
}

template <class Node>
struct Known {
    NodeInfo info = describe<Node>();
    Known() { info.number = makeKnown(info); }
};
template <class Node>
inline const NodeInfo& kKnown = nodeInfo<Node>(); ///< so that a node is known before anybody asks for it
} // namespace detail

template <class Node>
const NodeInfo& nodeInfo()
{
    static const detail::Known<Node> known;
    (void)&detail::kKnown<Node>;
    return known.info;
}

} // namespace hw
