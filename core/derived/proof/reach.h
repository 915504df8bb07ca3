// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/proof/proof_node.h"

namespace hw {

/// The part of a network's proof that the rules read: who reaches whom, and what alone parts them. Far less work than the whole proof, and the same
/// functions of the same graph, so that both give one answer.
struct NetworkReach {
    NetworkId network;
    bool scaleUp = false, hasCables = false;
    NetworkProof::Connectivity connectivity; ///< only with cables
    NamedSet singleSwitches, singleCables;   ///< whose loss alone parts two NICs
    [[nodiscard]] bool connected() const { return connectivity.holds(scaleUp); }
    [[nodiscard]] bool needsForwarding() const { return hasCables && !scaleUp && connectivity.throughHosts && !connectivity.devicesMeet; }
    bool operator==(const NetworkReach&) const = default;
};

/// Of every network, in the order of their ids.
struct ReachNode {
    using Value = std::vector<NetworkReach>;
    static constexpr TextId kName = TextId("reachability of the networks");
    using Inputs = ProofNode::Inputs;
    static std::shared_ptr<const Value> compute(const Now<ReachNode>& now);
};

} // namespace hw
