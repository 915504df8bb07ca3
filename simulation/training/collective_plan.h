// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/formulas/collectives.h"
#include "simulation/training/placement.h"

#include <cstdint>
#include <span>
#include <vector>

namespace hw::sim {
inline namespace training {

enum class AllReduceAlgorithm : std::uint8_t {
    Automatic,    ///< ring, tree or hierarchical: the one that should be fastest for the message and the group, see chooseAllReduce()
    Ring,         ///< one ring per NIC that the group has in a host, as NCCL builds them: each leaves and enters hosts on one rail
    Tree,         ///< double binary tree between hosts per NIC (Sanders, Speck, Träff 2009), chains inside
    Hierarchical, ///< reduce-scatter inside the host, rings per rail between hosts, all-gather inside
    InNetwork,    ///< switches add up: every rank sends its buffer up once and gets the sum back
    FlatRing      ///< one ring in rank order, whatever the rails
};
[[nodiscard]] const char* name(AllReduceAlgorithm way);
inline constexpr AllReduceAlgorithm kAllReduceWays[] = {AllReduceAlgorithm::Automatic, AllReduceAlgorithm::Ring,
                                                        AllReduceAlgorithm::Tree,      AllReduceAlgorithm::Hierarchical,
                                                        AllReduceAlgorithm::InNetwork, AllReduceAlgorithm::FlatRing};

enum class AllToAllAlgorithm : std::uint8_t {
    Direct,      ///< every rank to every other
    Forwarded,   ///< through the GPU of the target's rail in the own host (PXN of NCCL 2.12)
    Deduplicated ///< a token once to each domain that has experts of it, which passes it on inside (DeepEP, HybridEP)
};
[[nodiscard]] const char* name(AllToAllAlgorithm way);
inline constexpr AllToAllAlgorithm kAllToAllWays[] = {AllToAllAlgorithm::Forwarded, AllToAllAlgorithm::Direct, AllToAllAlgorithm::Deduplicated};

/// Of the bytes that an all-to-all sends to the experts of other domains, those that leave the own one when every domain gets a token once:
/// `visited` experts drawn evenly lie in d · (1 - (1 - 1/d)^visited) of d domains on average, and in `limit` of them at most (0: no limit).
[[nodiscard]] double deduplicatedShare(int visited, int limit, std::size_t domains);

/// How a group lies in scale-up domains.
struct GroupShape {
    std::size_t ranks = 1, domains = 1;
    std::size_t mostInDomain = 1; ///< members in the domain that has most of them: as many channels leave it
};

/// The fastest of ring, tree and hierarchical by their α-β times; `outside` is one GPU's share of its host's NICs. Equal: the first of
/// them. Inside one domain: a ring.
[[nodiscard]] AllReduceAlgorithm chooseAllReduce(const GroupShape& group, double bytes, AlphaBeta inside, AlphaBeta outside);
/// The α-β times themselves; a ring crosses domains once each.
[[nodiscard]] double allReduceS(AllReduceAlgorithm way, const GroupShape& group, double bytes, AlphaBeta inside, AlphaBeta outside);

/// Bytes that one GPU sends to another, over the scale-up domain if both are in one, else over NICs. GPUs count over all
/// hosts of the design.
struct GpuTransfer {
    std::uint32_t source = 0, destination = 0;
    double bytes = 0;
};

/// What a collective puts on the wires at once, and how many messages of latency follow each other.
struct TransferSet {
    std::vector<GpuTransfer> transfers;
    std::vector<std::uint32_t> tag;           ///< by transfer: the operation's lane; if `inNetwork` the number of the reducing tree
    double insideSteps = 0, outsideSteps = 0; ///< of the longest operation
    bool inNetwork = false; ///< switches add up and copy: a link carries the bytes of one operation once, however many ways cross it
    void add(std::uint32_t from, std::uint32_t to, double bytes, std::uint32_t withTag);
};

/// Stages of a collective that follow each other: three for hierarchical and in-network all-reduce, else one.
using CollectivePlan = std::vector<TransferSet>;

/// One operation: `ranks` of the job, in rank order, exchange `bytes` (S of simulation/formulas/collectives.h).
struct Operation {
    Collective collective = Collective::AllReduce;
    AllReduceAlgorithm allReduce = AllReduceAlgorithm::Ring;
    AllToAllAlgorithm allToAll = AllToAllAlgorithm::Forwarded;
    double bytes = 0;
    int visited = 1, nodeLimit = 0; ///< of a deduplicated all-to-all: experts of a token, and the domains that they lie in at most
    std::uint32_t lane = 0;         ///< times come out by lane, for example a pipeline stage
};

/// Turns operations into transfers. `domainOfHost` numbers the scale-up domains (each host its own, or racks); it must outlive
/// the planner.
class CollectivePlanner {
public:
    CollectivePlanner(std::span<const std::uint32_t> domainOfHost, std::uint32_t gpusPerHost) : m_domain(domainOfHost), m_perHost(gpusPerHost) {}
    /// Adds the operation on one group, its members in rank order, to `plan`. Send/recv and broadcast go from each member to
    /// the next one (not round). A group of one adds nothing. One operation's bytes are the same whatever the placement.
    void add(const Operation& operation, std::span<const std::uint32_t> gpus, CollectivePlan& plan);
    [[nodiscard]] GroupShape shape(std::span<const std::uint32_t> gpus) const;

private:
    /// Members of the group in one scale-up domain, in rank order.
    using Node = std::vector<std::uint32_t>;
    [[nodiscard]] std::uint32_t domain(std::uint32_t gpu) const { return m_domain[gpu / m_perHost]; }
    std::vector<Node> nodesOf(std::span<const std::uint32_t> gpus) const;
    void flatRing(std::span<const std::uint32_t> gpus, double bytesPerEdge, std::uint32_t lane, TransferSet& out) const;
    void railRings(const std::vector<Node>& nodes, double bytesPerEdge, std::uint32_t lane, TransferSet& out) const;
    void trees(const std::vector<Node>& nodes, double bytes, std::uint32_t lane, TransferSet& out) const;
    void hierarchical(const std::vector<Node>& nodes, double bytes, std::uint32_t lane, CollectivePlan& plan);
    void inNetwork(const std::vector<Node>& nodes, double bytes, std::uint32_t lane, CollectivePlan& plan);
    void scatterInside(const std::vector<Node>& nodes, double bytes, std::uint32_t lane, TransferSet& out) const;
    void chain(std::span<const std::uint32_t> gpus, const Operation& operation, TransferSet& out) const;
    void allToAllDirect(std::span<const std::uint32_t> gpus, double bytesPerPair, std::uint32_t lane, TransferSet& out) const;
    void allToAllByRail(std::vector<Node> nodes, double bytesPerPair, double share, std::uint32_t lane, TransferSet& out) const;

    std::span<const std::uint32_t> m_domain;
    std::uint32_t m_perHost;
    std::uint32_t m_trees = 0; ///< reducing trees so far
};

/// Parent of every node in the two trees over n nodes (-1: the root). With even n a node is a leaf in one of them, so that each
/// sends and receives its buffer once. The second tree is the first one mirrored (even n) or shifted by a node (odd n).
struct TreePair {
    std::vector<int> first, second;
};
[[nodiscard]] TreePair doubleBinaryTree(int n);

} // namespace training
} // namespace hw::sim
