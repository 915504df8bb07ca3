// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/snapshot.h"
#include "simulation/fabric/routing_options.h"

#include <string>
#include <vector>

namespace hw::sim {
inline namespace questions {

enum class Workload : std::uint8_t {
    RingAllReduce, ///< one ring per rail over all chosen hosts, both planes at once
    Permutation    ///< every GPU sends to one other GPU, drawn at random
};
[[nodiscard]] const char* name(Workload workload);

/// A question about flows on a design: the kinds ring-allreduce and permutation. Pods and segments count from 1.
struct FlowQuestion {
    std::string name = "ring all-reduce"; // no text
    Workload workload = Workload::RingAllReduce;
    std::string network = "backend";
    std::vector<int> pods;     ///< empty = all
    std::vector<int> segments; ///< of every chosen pod; empty = all
    double bytes = 1e9;        ///< all-reduced buffer per GPU, or message per GPU
    std::uint64_t seed = 1;    ///< of the ECMP hash and of random draws
    int flowsPerPort = 1;      ///< connections that a NIC port spreads its bytes over
    PathSelection selection = PathSelection::Hash;
    RateControl rateControl = RateControl::Ideal;
    bool equalHashSeeds = false; ///< all tiers hash alike (polarization)
    FabricVariant variant = FabricVariant::AsDesigned;
    std::vector<DeviceId> lostHosts; ///< ascending; they take no part
    std::vector<LinkId> deadLinks;   ///< down from the start, known to all routers
};

} // namespace questions
} // namespace hw::sim
