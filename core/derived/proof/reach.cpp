// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/proof/reach.h"

#include "core/derived/figures/node_info.h"
#include "core/derived/proof/sections.h"
#include "core/derived/proof/single_points.h"
#include "core/foundation/catalog/catalog.h"

namespace hw {

std::shared_ptr<const std::vector<NetworkReach>> ReachNode::compute(const Now<ReachNode>& now)
{
    const Snapshot& s = now.snapshot();
    const auto links = linksByNetwork(s);
    std::vector<NetworkReach> all;
    for (const NetworkId id : s.networks.ids()) {
        if (now.progress().stopRequested()) return nullptr;
        NetworkReach& out = all.emplace_back();
        out.network = id;
        out.scaleUp = s.networks.kind[id] == NetworkKind::ScaleUp;
        const proof::NetworkGraph made(s, now.get<PartsNode>(), id, links);
        out.hasCables = !made.graph().links().empty();
        if (!out.hasCables) continue;
        out.connectivity = proof::proveConnectivity(made.graph());
        auto single = proof::singlePoints(made.graph());
        out.singleSwitches = std::move(single.switches), out.singleCables = std::move(single.cables);
    }
    return std::make_shared<const Value>(std::move(all));
}

template const NodeInfo& nodeInfo<ReachNode>();

} // namespace hw
