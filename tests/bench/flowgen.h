// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "simulation/fairshare/problem.h"

namespace hw::bench {

/// Who sends to whom.
enum class Traffic {
    Permutation, ///< every GPU to the one that a random permutation gives it, again and again
    Ring,        ///< groups of servers in a ring, rail by rail
    AllToAll,    ///< every pair of a group, rail by rail
    Incast,      ///< `group` random senders to one random receiver
    Mix          ///< 40 % ring, 40 % all-to-all, 15 % permutation, 5 % incast
};

enum class FlowSize { Uniform, Exponential, LogNormal };

/// A rail-optimized Clos of two or three tiers. GPU g of a server sits on leaf g of its segment; a segment is as many leaves
/// as there are rails. Links are directed and numbered: host up, host down, leaf to agg, agg to leaf, agg to core, core to agg.
struct FlowGenOptions {
    uint64_t pods = 4, leafs = 8, aggs = 8, hosts = 32; ///< leafs and aggs a pod, hosts (GPU ports) a leaf
    uint64_t cores = 16;                                ///< core links of an agg
    uint64_t rails = 8;                                 ///< divides `leafs`
    double nicGbps = 400, upGbps = 400, coreGbps = 400;
    uint64_t flows = 1000;
    Traffic traffic = Traffic::Permutation;
    uint64_t group = 16; ///< servers of a job
    uint64_t seed = 1;
    double degraded = 0; ///< share of links that have only 10 to 100 % of their capacity
    FlowSize size = FlowSize::Uniform;
    bool randomPlacement = true;
};

/// Makes the problem that shared/flows/gen.cpp makes of the same arguments, bit for bit.
hw::sim::FlowProblem generateFlows(const FlowGenOptions& options);

/// The benchmark problem of shared/flows/README.md: 100,000 flows on 106,496 links.
FlowGenOptions benchmarkOptions();

} // namespace hw::bench
