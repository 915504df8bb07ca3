// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/derived/proof/proof.h"

namespace hw {

/// What is proved of every network, in the order of their ids. Takes up to seconds: `prepare<ProofNode>(progress)` can be stopped.
struct ProofNode {
    using Value = std::vector<NetworkProof>;
    static constexpr TextId kName = TextId("network verification");
    using Inputs = Reads<Nodes<PartsNode>, Alive<Networks, Tiers, Devices, Cages, Ports, Links, Cables>,
                         Columns<&Networks::name, &Networks::kind, &Networks::planes, &Networks::rails, &Networks::domain, &Networks::acceleratorRate,
                                 &Tiers::name, &Tiers::kind, &Tiers::network, &Tiers::level, &Devices::name, &Devices::key, &Devices::tier,
                                 &Devices::type, &Devices::role, &Devices::pod, &Devices::segment, &Devices::rail, &Devices::plane, &Cages::device,
                                 &Cages::number, &Cages::split, &Ports::cage, &Ports::device, &Ports::network, &Ports::rate, &Ports::number,
                                 &Ports::lane, &Ports::role, &Ports::medium, &Links::from, &Links::to, &Links::cable, &Links::role>>;
    static std::shared_ptr<const Value> compute(const Now<ProofNode>& now);
};

/// The proof that goes with the figures, made once for all who ask. Errors: Canceled.
[[nodiscard]] Result<const std::vector<NetworkProof>*> proofOf(const Figures& figures, const Progress& progress = {});

} // namespace hw
