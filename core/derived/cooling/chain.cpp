// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cooling/chain.h"

#include "core/derived/cooling/reading.h"
#include "core/derived/figures/node_info.h"

#include <fmt/format.h>

namespace hw {

std::string CoolingLoop::redundancy() const
{
    if (!carries()) return "short";
    return spare() == 0 ? "N" : fmt::format("N+{}", spare());
}

std::shared_ptr<const CoolingChain> CoolingChainNode::compute(const Now<CoolingChainNode>& now)
{
    auto chain = std::make_shared<CoolingChain>();
    chain->at = coolingConditions(now.snapshot());
    const cooling::Design design{now.snapshot(),
                                 now.get<PartsNode>(),
                                 now.get<PlacementNode>(),
                                 now.get<SupplyNode>(),
                                 now.get<PowerNode>(),
                                 now.get<PowerFeedsNode>(),
                                 now.get<MediumNode<Medium::Coolant>>(),
                                 powerChain(now.figures(), chain->at.basis)};
    cooling::readDevices(design, *chain);
    cooling::formLoops(design, *chain);
    cooling::stateLoops(design, *chain);
    cooling::loadUnits(design, *chain);
    cooling::solveFlows(design, *chain);
    cooling::findRideThrough(design, *chain);
    cooling::findWorst(design, *chain);
    return chain;
}

template const NodeInfo& nodeInfo<CoolingChainNode>();

} // namespace hw
