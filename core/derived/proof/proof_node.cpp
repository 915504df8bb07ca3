// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/proof/proof_node.h"

#include "core/derived/figures/node_info.h"
#include "core/foundation/catalog/catalog.h"

namespace hw {

std::shared_ptr<const std::vector<NetworkProof>> ProofNode::compute(const Now<ProofNode>& now)
{
    auto proofs = proveNetworks(now.snapshot(), now.get<PartsNode>(), now.progress());
    return proofs ? std::make_shared<const Value>(std::move(*proofs)) : nullptr; // it fails only where it is stopped
}

Result<const std::vector<NetworkProof>*> proofOf(const Figures& figures, const Progress& progress)
{
    if (auto made = figures.prepare<ProofNode>(progress); !made) return tl::unexpected(made.error());
    return &figures.get<ProofNode>();
}

template const NodeInfo& nodeInfo<ProofNode>();

} // namespace hw
