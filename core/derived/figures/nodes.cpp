// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/nodes.h"

#include "core/derived/figures/node_info.h"

namespace hw {

namespace {

template <class Node, class W, class N>
bool sameInput(const W& was, const N& now)
{
    return &was.template get<Node>() == &now.template get<Node>();
}

/// Pairs whose length or heights differ, ascending.
std::vector<std::uint32_t> changedPairs(const Routing& before, const Routing& after)
{
    std::vector<std::uint32_t> changed;
    for (std::uint32_t p = 0; p < after.pairs().size(); ++p)
        if (!(after.pairs()[p] == before.pairs()[p])) changed.push_back(p);
    return changed;
}

template <class T>
std::shared_ptr<const T> shared(T value)
{
    return std::make_shared<const T>(std::move(value));
}

} // namespace

std::shared_ptr<const ProjectParts> PartsNode::compute(const Now<PartsNode>& now) { return ProjectParts::of(now.snapshot().partTypes).value(); }

std::shared_ptr<const Placement> PlacementNode::compute(const Now<PlacementNode>& now)
{
    return Placement::compute(now.snapshot(), now.get<PartsNode>());
}

std::shared_ptr<const Placement> PlacementNode::update(const Was<PlacementNode>& was, const Now<PlacementNode>& now, const ChangeSet& changes)
{
    using PlacedEntities = Alive<Buildings, Halls, Rows, Racks, Trays>;
    if (!sameInput<PartsNode>(was, now) || PlacedEntities::touched(changes, was.snapshot(), now.snapshot())) return nullptr;
    return Placement::update(*was.value(), now.snapshot(), now.get<PartsNode>(), changes);
}

std::shared_ptr<const Routing> RoutingNode::compute(const Now<RoutingNode>& now)
{
    return Routing::compute(now.snapshot(), now.get<PartsNode>(), now.get<PlacementNode>()).value();
}

std::shared_ptr<const Routing> RoutingNode::update(const Was<RoutingNode>& was, const Now<RoutingNode>& now, const ChangeSet& changes)
{
    if (Pairs::touched(changes, was.snapshot(), now.snapshot())) return nullptr;
    const bool stands = !was.value()->stands().empty();
    if (stands && was.snapshot().racks.nextId() != now.snapshot().racks.nextId()) return nullptr; // they are numbered after the racks
    const bool still = sameInput<PartsNode>(was, now) && sameInput<PlacementNode>(was, now);
    if (still && !stands && !TrayPlaces::touched(changes, was.snapshot(), now.snapshot())) return was.value(); // of devices in racks it asks no place
    std::vector<std::uint32_t> changed;
    return Routing::moved(*was.value(), now.snapshot(), now.get<PartsNode>(), now.get<PlacementNode>(), changed);
}

std::shared_ptr<const CableIndex> CableIndexNode::compute(const Now<CableIndexNode>& now)
{
    return CableIndex::build(now.snapshot(), now.get<PartsNode>(), now.get<RoutingNode>());
}

/// It takes from the routes only which pairs there are, not how long they are.
std::shared_ptr<const CableIndex> CableIndexNode::update(const Was<CableIndexNode>& was, const Now<CableIndexNode>& now, const ChangeSet& changes)
{
    const bool same = sameInput<PartsNode>(was, now) && now.get<RoutingNode>().sharesPairs(was.get<RoutingNode>()) &&
                      !Inputs::touched(changes, was.snapshot(), now.snapshot());
    return same ? was.value() : nullptr;
}

std::shared_ptr<const Cabling> CablingNode::compute(const Now<CablingNode>& now)
{
    return Cabling::compute(now.snapshot(), now.share<CableIndexNode>(), now.get<RoutingNode>());
}

std::shared_ptr<const Cabling> CablingNode::update(const Was<CablingNode>& was, const Now<CablingNode>& now, const ChangeSet& changes)
{
    if (!sameInput<PartsNode>(was, now) || !sameInput<CableIndexNode>(was, now) || Inputs::touched(changes, was.snapshot(), now.snapshot()))
        return nullptr;
    const auto changed = changedPairs(was.get<RoutingNode>(), now.get<RoutingNode>());
    return changed.empty() ? was.value() : Cabling::moved(*was.value(), now.snapshot(), now.get<RoutingNode>(), changed);
}

std::shared_ptr<const PowerFigures> PowerNode::compute(const Now<PowerNode>& now)
{
    return PowerFigures::compute(now.snapshot(), now.get<PartsNode>(), now.get<CablingNode>());
}

std::shared_ptr<const PowerFigures> PowerNode::update(const Was<PowerNode>& was, const Now<PowerNode>& now, const ChangeSet& changes)
{
    if (!sameInput<PartsNode>(was, now) || Inputs::touched(changes, was.snapshot(), now.snapshot())) return nullptr;
    const Cabling &before = was.get<CablingNode>(), &after = now.get<CablingNode>();
    const auto refitted = after.refittedSince(before);
    if (!refitted) return nullptr;
    return refitted->empty() ? was.value() : PowerFigures::refitted(*was.value(), now.snapshot(), now.get<PartsNode>(), before, after, *refitted);
}

std::shared_ptr<const FabricFigures> FabricNode::compute(const Now<FabricNode>& now)
{
    return FabricFigures::compute(now.snapshot(), now.get<PartsNode>());
}

std::shared_ptr<const DesignIndex> IndexNode::compute(const Now<IndexNode>& now) { return DesignIndex::compute(now.snapshot()); }

std::shared_ptr<const RackKinds> RackKindsNode::compute(const Now<RackKindsNode>& now) { return shared(RackKinds::of(now.snapshot())); }

std::shared_ptr<const std::vector<Uncabled>> UncabledNode::compute(const Now<UncabledNode>& now)
{
    return shared(uncabled(now.snapshot(), now.get<CablingNode>()));
}

std::shared_ptr<const CableTotals> CableTotalsNode::compute(const Now<CableTotalsNode>& now)
{
    return shared(cableTotals(now.get<PartsNode>(), now.get<CablingNode>()));
}

template const NodeInfo& nodeInfo<PartsNode>();
template const NodeInfo& nodeInfo<PlacementNode>();
template const NodeInfo& nodeInfo<RoutingNode>();
template const NodeInfo& nodeInfo<CableIndexNode>();
template const NodeInfo& nodeInfo<CablingNode>();
template const NodeInfo& nodeInfo<PowerNode>();
template const NodeInfo& nodeInfo<FabricNode>();
template const NodeInfo& nodeInfo<IndexNode>();
template const NodeInfo& nodeInfo<MediumNode<Medium::Data>>();
template const NodeInfo& nodeInfo<MediumNode<Medium::Power>>();
template const NodeInfo& nodeInfo<MediumNode<Medium::Coolant>>();
template const NodeInfo& nodeInfo<RackKindsNode>();
template const NodeInfo& nodeInfo<UncabledNode>();
template const NodeInfo& nodeInfo<PowerFeedsNode>();
template const NodeInfo& nodeInfo<PowerChainNode<PowerBasis::Typical>>();
template const NodeInfo& nodeInfo<PowerChainNode<PowerBasis::Design>>();
template const NodeInfo& nodeInfo<PowerChainNode<PowerBasis::Nameplate>>();
template const NodeInfo& nodeInfo<PowerWorstNode<PowerBasis::Typical>>();
template const NodeInfo& nodeInfo<PowerWorstNode<PowerBasis::Design>>();
template const NodeInfo& nodeInfo<PowerWorstNode<PowerBasis::Nameplate>>();
template const NodeInfo& nodeInfo<CableTotalsNode>();

} // namespace hw
