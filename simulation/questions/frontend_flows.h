// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"
#include "core/foundation/base/result.h"
#include "simulation/fabric/fabric_graph.h"
#include "simulation/result.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hw::sim {
inline namespace questions {

/// The frontend of a design with its storage networks: active servers, storage nodes and gateways as ends of one fabric, each a NIC of all
/// its ports.
struct Frontend {
    std::shared_ptr<const FabricGraph> graph;
    NetworkId network{};
    std::vector<DeviceId> hosts;    ///< active, with a port there; in the order of pod, segment and index
    std::vector<DeviceId> gateways; ///< ends that are neither servers nor storage nodes, in the order of ids
};
/// Errors: Refused, where the design has no frontend or no host there.
[[nodiscard]] Result<Frontend> frontendOf(const Snapshot& snapshot);
/// Nodes of a tier by name or key; of the largest where it is empty. Errors: Refused, naming the tiers that there are.
[[nodiscard]] Result<std::vector<DeviceId>> storageNodesOf(const Snapshot& snapshot, const std::string& tier);
/// Setting `storage.TIER.media_gbytes_per_s` of a node's tier in Gb/s; 0: not limited.
[[nodiscard]] double mediaGbps(const Snapshot& snapshot, DeviceId node);

struct FrontendTransfer {
    DeviceId source, destination;
    double bytes = 0;
    double demandGbps = 0; ///< sends no more than this; 0: whatever the network allows
    std::uint16_t connection = 0;
};

/// Links between two tiers in one direction.
struct TierLoad {
    std::string from, to;
    std::size_t links = 0;
    double capacityGbps = 0, loadGbps = 0, mostUtilization = 0;
    [[nodiscard]] double utilization() const { return capacityGbps > 0 ? loadGbps / capacityGbps : 0; }
};
struct FrontendFlows {
    std::shared_ptr<const FlowResult> flows;
    std::vector<std::uint32_t> transfer; ///< by flow: its place among those given
    std::vector<TierLoad>
        tiers; ///< at the first rates: by the most loaded link of each, then by the mean; media of storage nodes are a tier to themselves
    std::vector<double> askedShare; ///< by directed link: demands over capacity, before anybody is held back
};
/// Max-min rates over ECMP paths, proved, and finish times (without them where `lasting`). `media`: Gb/s of an end device in each direction.
/// Errors: Canceled; Fault where the proof fails; Refused where the settings of hashing are wrong.
[[nodiscard]] Result<FrontendFlows> runFrontend(const Snapshot& snapshot, const Frontend& frontend, const std::vector<FrontendTransfer>& transfers,
                                                const std::map<DeviceId, double>& media, std::uint64_t seed, bool lasting, const Progress& progress);

} // namespace questions
} // namespace hw::sim
