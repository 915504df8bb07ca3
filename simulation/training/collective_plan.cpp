// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/training/collective_plan.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace hw::sim {
inline namespace training {

namespace {

TransferSet& stage(CollectivePlan& plan, std::size_t number)
{
    if (plan.size() <= number) plan.resize(number + 1);
    return plan[number];
}

void atLeast(double& steps, double wanted) { steps = std::max(steps, wanted); }

/// Channels of a group: one for each NIC that its best connected node has.
std::size_t channelsOf(const std::vector<std::vector<std::uint32_t>>& nodes)
{
    std::size_t most = 0;
    for (const auto& node : nodes) most = std::max(most, node.size());
    return most;
}

int ceilLog2(std::size_t n) { return n <= 1 ? 0 : int(std::bit_width(n - 1)); }

int treeParent(int node, int n)
{
    if (node == 0) return -1;
    const int bit = node & -node, up = (node ^ bit) | (bit << 1);
    return up < n ? up : node ^ bit;
}

} // namespace

const char* name(AllReduceAlgorithm way)
{
    switch (way) {
    case AllReduceAlgorithm::Automatic: return "automatic";
    case AllReduceAlgorithm::Ring: return "ring";
    case AllReduceAlgorithm::Tree: return "tree";
    case AllReduceAlgorithm::Hierarchical: return "hierarchical";
    case AllReduceAlgorithm::InNetwork: return "in-network";
    case AllReduceAlgorithm::FlatRing: return "flat-ring";
    }
    return "";
}

const char* name(AllToAllAlgorithm way)
{
    switch (way) {
    case AllToAllAlgorithm::Direct: return "direct";
    case AllToAllAlgorithm::Forwarded: return "forwarded";
    case AllToAllAlgorithm::Deduplicated: return "deduplicated";
    }
    return "";
}

double deduplicatedShare(int visited, int limit, std::size_t domains)
{
    const double d = double(std::max<std::size_t>(domains, 1)), k = std::max(visited, 1);
    const double distinct = d * (1 - std::pow(1 - 1 / d, k));
    return (limit > 0 ? std::min(distinct, double(limit)) : distinct) / k;
}

double allReduceS(AllReduceAlgorithm way, const GroupShape& group, double bytes, AlphaBeta inside, AlphaBeta outside)
{
    const double n = double(group.ranks), domains = double(group.domains), g = double(group.mostInDomain);
    const double crossing = domains / n; // of a ring's steps
    switch (way) {
    case AllReduceAlgorithm::Tree:
        return std::max((group.domains > 2 ? 2 : 1) * bytes / g / outside.bytesPerS, 2 * (g - 1) / g * bytes / inside.bytesPerS) +
               2 * ceilLog2(group.domains) * outside.alphaS + 2 * (g - 1) * inside.alphaS;
    case AllReduceAlgorithm::Hierarchical:
        return 2 * (g - 1) / g * bytes / inside.bytesPerS + 2 * (domains - 1) / domains * bytes / g / outside.bytesPerS +
               2 * (g - 1) * inside.alphaS + 2 * (domains - 1) * outside.alphaS;
    case AllReduceAlgorithm::Automatic: return allReduceS(chooseAllReduce(group, bytes, inside, outside), group, bytes, inside, outside);
    case AllReduceAlgorithm::Ring:
    case AllReduceAlgorithm::InNetwork:
    case AllReduceAlgorithm::FlatRing: break;
    }
    const double moved = 2 * (n - 1) / n * bytes;
    if (group.domains == 1) return moved / inside.bytesPerS + 2 * (n - 1) * inside.alphaS;
    return std::max(g > 1 ? moved / inside.bytesPerS : 0.0, moved / g / outside.bytesPerS) +
           2 * (n - 1) * (crossing * outside.alphaS + (1 - crossing) * inside.alphaS);
}

AllReduceAlgorithm chooseAllReduce(const GroupShape& group, double bytes, AlphaBeta inside, AlphaBeta outside)
{
    AllReduceAlgorithm best = AllReduceAlgorithm::Ring;
    if (group.domains < 2) return best;
    double least = allReduceS(best, group, bytes, inside, outside);
    for (const AllReduceAlgorithm way : {AllReduceAlgorithm::Tree, AllReduceAlgorithm::Hierarchical})
        if (const double time = allReduceS(way, group, bytes, inside, outside); time < least * (1 - 1e-9)) least = time, best = way;
    return best;
}

void TransferSet::add(std::uint32_t from, std::uint32_t to, double bytes, std::uint32_t withTag)
{
    transfers.push_back({from, to, bytes});
    tag.push_back(withTag);
}

TreePair doubleBinaryTree(int n)
{
    TreePair pair;
    for (int node = 0; node < n; ++node) {
        pair.first.push_back(treeParent(node, n));
        const bool mirrored = n % 2 == 0;
        const int image = mirrored ? n - 1 - node : (node + n - 1) % n;
        const int parent = treeParent(image, n);
        pair.second.push_back(parent < 0 ? -1 : mirrored ? n - 1 - parent : (parent + 1) % n);
    }
    return pair;
}

std::vector<CollectivePlanner::Node> CollectivePlanner::nodesOf(std::span<const std::uint32_t> gpus) const
{
    std::vector<Node> nodes;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> byDomain; // domain, place in nodes
    for (const std::uint32_t gpu : gpus) {
        const std::uint32_t d = domain(gpu);
        if (!nodes.empty() && domain(nodes.back().front()) == d) {
            nodes.back().push_back(gpu);
            continue;
        }
        const auto found = std::ranges::lower_bound(byDomain, std::pair(d, 0u));
        if (found != byDomain.end() && found->first == d) {
            nodes[found->second].push_back(gpu);
            continue;
        }
        byDomain.insert(found, {d, std::uint32_t(nodes.size())});
        nodes.push_back({gpu});
    }
    return nodes;
}

GroupShape CollectivePlanner::shape(std::span<const std::uint32_t> gpus) const
{
    const std::vector<Node> nodes = nodesOf(gpus);
    return {gpus.size(), nodes.size(), channelsOf(nodes)};
}

void CollectivePlanner::flatRing(std::span<const std::uint32_t> gpus, double bytesPerEdge, std::uint32_t lane, TransferSet& out) const
{
    for (std::size_t i = 0; i < gpus.size(); ++i) out.add(gpus[i], gpus[(i + 1) % gpus.size()], bytesPerEdge, lane);
}

/// A channel enters a node on the NIC of its own member, visits the others and comes back to that NIC.
void CollectivePlanner::railRings(const std::vector<Node>& nodes, double bytesPerEdge, std::uint32_t lane, TransferSet& out) const
{
    const std::size_t channels = channelsOf(nodes);
    for (std::size_t c = 0; c < channels; ++c)
        for (std::size_t k = 0; k < nodes.size(); ++k) {
            const Node& here = nodes[k];
            const Node& next = nodes[(k + 1) % nodes.size()];
            const double bytes = bytesPerEdge / double(channels);
            for (std::size_t i = 0; here.size() > 1 && i < here.size(); ++i)
                out.add(here[(c + i) % here.size()], here[(c + i + 1) % here.size()], bytes, lane);
            if (nodes.size() > 1) out.add(here[c % here.size()], next[c % next.size()], bytes, lane);
        }
}

void CollectivePlanner::trees(const std::vector<Node>& nodes, double bytes, std::uint32_t lane, TransferSet& out) const
{
    const std::size_t channels = channelsOf(nodes);
    const TreePair pair = doubleBinaryTree(int(nodes.size()));
    for (std::size_t c = 0; c < channels; ++c) {
        const double share = bytes / double(channels);
        for (std::size_t k = 0; k < nodes.size(); ++k) {
            const Node& here = nodes[k];
            for (std::size_t i = 0; i + 1 < here.size(); ++i) { // the sum comes down a chain, the result goes back
                const std::uint32_t near = here[(c + i) % here.size()], far = here[(c + i + 1) % here.size()];
                out.add(far, near, share, lane);
                out.add(near, far, share, lane);
            }
            for (const auto* parents : {&pair.first, &pair.second}) {
                const int parent = (*parents)[k];
                if (parent < 0) continue;
                const Node& above = nodes[std::size_t(parent)];
                out.add(here[c % here.size()], above[c % above.size()], share / 2, lane);
                out.add(above[c % above.size()], here[c % here.size()], share / 2, lane);
            }
        }
    }
    atLeast(out.outsideSteps, 2.0 * ceilLog2(nodes.size()));
    atLeast(out.insideSteps, 2.0 * double(channels - 1));
}

/// Reduce-scatter (or all-gather) inside every node: (g - 1) / g of the buffer along a ring.
void CollectivePlanner::scatterInside(const std::vector<Node>& nodes, double bytes, std::uint32_t lane, TransferSet& out) const
{
    for (const Node& node : nodes) {
        if (node.size() < 2) continue;
        flatRing(node, bytes * double(node.size() - 1) / double(node.size()), lane, out);
        atLeast(out.insideSteps, double(node.size() - 1));
    }
}

void CollectivePlanner::hierarchical(const std::vector<Node>& nodes, double bytes, std::uint32_t lane, CollectivePlan& plan)
{
    stage(plan, 2);
    scatterInside(nodes, bytes, lane, plan[0]);
    const double n = double(nodes.size()), channels = double(channelsOf(nodes));
    for (std::size_t c = 0; nodes.size() > 1 && c < std::size_t(channels); ++c) {
        Node rail;
        for (const Node& node : nodes) rail.push_back(node[c % node.size()]);
        flatRing(rail, 2 * (n - 1) / n * bytes / channels, lane, plan[1]);
    }
    if (nodes.size() > 1) atLeast(plan[1].outsideSteps, 2 * (n - 1));
    scatterInside(nodes, bytes, lane, plan[2]);
}

/// As hierarchical, but between nodes each rail's buffer goes up once and its sum comes down once. The transfers name the ways
/// of the tree: all members to the first one and back.
void CollectivePlanner::inNetwork(const std::vector<Node>& nodes, double bytes, std::uint32_t lane, CollectivePlan& plan)
{
    stage(plan, 2);
    scatterInside(nodes, bytes, lane, plan[0]);
    const std::size_t channels = channelsOf(nodes);
    plan[1].inNetwork = true;
    for (std::size_t c = 0; c < channels && nodes.size() > 1; ++c) {
        const std::uint32_t tree = m_trees++;
        for (std::size_t k = 1; k < nodes.size(); ++k) {
            const std::uint32_t first = nodes[0][c % nodes[0].size()], other = nodes[k][c % nodes[k].size()];
            plan[1].add(other, first, bytes / double(channels), tree);
            plan[1].add(first, other, bytes / double(channels), tree);
        }
    }
    if (nodes.size() > 1) atLeast(plan[1].outsideSteps, 2);
    scatterInside(nodes, bytes, lane, plan[2]);
}

void CollectivePlanner::allToAllDirect(std::span<const std::uint32_t> gpus, double bytesPerPair, std::uint32_t lane, TransferSet& out) const
{
    for (std::size_t i = 0; i < gpus.size(); ++i) {
        double inside = 0, outside = 0;
        for (std::size_t k = 1; k < gpus.size(); ++k) {
            const std::uint32_t target = gpus[(i + k) % gpus.size()];
            out.add(gpus[i], target, bytesPerPair, lane);
            ++(domain(target) == domain(gpus[i]) ? inside : outside);
        }
        atLeast(out.insideSteps, inside);
        atLeast(out.outsideSteps, outside);
    }
}

/// Between two domains all members send and receive evenly, on their own rail where both have it in the same share: intervals of the bytes
/// that leave one, in the order of rails, and reach the other. Inside, what members hand to each other before (forwarded) or after it
/// (deduplicated) is as much, beside what they have for each other. `share` of the bytes for other domains cross to them.
void CollectivePlanner::allToAllByRail(std::vector<Node> nodes, double bytesPerPair, double share, std::uint32_t lane, TransferSet& out) const
{
    double ranks = 0;
    for (Node& node : nodes) {
        ranks += double(node.size());
        std::ranges::stable_sort(node, {}, [&](std::uint32_t gpu) { return gpu % m_perHost; });
    }
    for (const Node& here : nodes) {
        const std::size_t g = here.size();
        for (const std::uint32_t from : here)
            for (const std::uint32_t to : here)
                if (from != to) out.add(from, to, bytesPerPair * ranks / double(g), lane);
        for (const Node& there : nodes) {
            if (&there == &here) continue;
            const std::size_t t = there.size();
            for (std::size_t i = 0, k = 0, at = 0; i < g && k < t;) { // in units of 1 / (g t) of all
                const std::size_t until = std::min((i + 1) * t, (k + 1) * g);
                out.add(here[i], there[k], share * bytesPerPair * double(until - at), lane);
                at = until;
                if (at == (i + 1) * t) ++i;
                if (at == (k + 1) * g) ++k;
            }
        }
        atLeast(out.insideSteps, double(g - 1));
    }
    atLeast(out.outsideSteps, double(nodes.size() - 1));
}

/// Sends run at once, a broadcast passes from member to member.
void CollectivePlanner::chain(std::span<const std::uint32_t> gpus, const Operation& operation, TransferSet& out) const
{
    double inside = 0, outside = 0;
    for (std::size_t i = 0; i + 1 < gpus.size(); ++i) {
        out.add(gpus[i], gpus[i + 1], operation.bytes, operation.lane);
        ++(domain(gpus[i]) == domain(gpus[i + 1]) ? inside : outside);
    }
    const double most = operation.collective == Collective::SendRecv ? 1 : double(gpus.size());
    atLeast(out.insideSteps, std::min(inside, most));
    atLeast(out.outsideSteps, std::min(outside, most));
}

void CollectivePlanner::add(const Operation& operation, std::span<const std::uint32_t> gpus, CollectivePlan& plan)
{
    const double n = double(gpus.size());
    const std::uint32_t lane = operation.lane;
    if (gpus.size() < 2) return;
    const std::vector<Node> nodes = nodesOf(gpus);
    TransferSet& out = stage(plan, 0);
    const auto rings = [&](double bytesPerEdge, double steps) {
        if (operation.allReduce == AllReduceAlgorithm::FlatRing || nodes.size() == 1)
            flatRing(gpus, bytesPerEdge, lane, out);
        else
            railRings(nodes, bytesPerEdge, lane, out);
        const double crossing = nodes.size() == 1                                     ? 0
                                : operation.allReduce == AllReduceAlgorithm::FlatRing ? 1
                                                                                      : double(nodes.size()) / n; // a ring leaves each domain once
        atLeast(out.outsideSteps, steps * crossing);
        atLeast(out.insideSteps, steps * (1 - crossing));
    };
    switch (operation.collective) {
    case Collective::AllReduce:
        switch (operation.allReduce) {
        case AllReduceAlgorithm::Tree: trees(nodes, operation.bytes, lane, out); break;
        case AllReduceAlgorithm::Hierarchical: hierarchical(nodes, operation.bytes, lane, plan); break;
        case AllReduceAlgorithm::InNetwork: inNetwork(nodes, operation.bytes, lane, plan); break;
        case AllReduceAlgorithm::Automatic: // not chosen by its caller
        case AllReduceAlgorithm::Ring:
        case AllReduceAlgorithm::FlatRing: rings(2 * (n - 1) / n * operation.bytes, 2 * (n - 1)); break;
        }
        break;
    case Collective::ReduceScatter:
    case Collective::AllGather: rings((n - 1) / n * operation.bytes, n - 1); break;
    case Collective::AllToAll:
        if (operation.allToAll == AllToAllAlgorithm::Direct)
            allToAllDirect(gpus, operation.bytes / n, lane, out);
        else
            allToAllByRail(
                nodes, operation.bytes / n,
                operation.allToAll == AllToAllAlgorithm::Deduplicated ? deduplicatedShare(operation.visited, operation.nodeLimit, nodes.size()) : 1,
                lane, out);
        break;
    case Collective::Broadcast:
    case Collective::SendRecv: chain(gpus, operation, out); break;
    }
}

} // namespace training
} // namespace hw::sim
