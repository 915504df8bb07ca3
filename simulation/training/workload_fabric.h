// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "simulation/fabric/fabric_graph.h"
#include "simulation/training/placement.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace hw::sim {
inline namespace training {

/// What of a design a job can run on: active servers with a NIC in one network, in the order of pod, segment and index.
/// Made from a snapshot once; immutable, any thread may read it.
struct WorkloadFabric {
    std::shared_ptr<const FabricGraph> graph;
    std::vector<DeviceId> hosts;
    std::vector<HostPlace> places;
    std::vector<std::uint32_t> domainOfHost; ///< scale-up domain, numbered from 0
    std::uint32_t gpusPerHost = 8;
    std::uint32_t nicsPerHost = 8;     ///< one for each GPU in order, or a single one for all
    double scaleUpGbps = 0;            ///< as the design's scale-up network or server type states it; 0: not stated
    std::string serverType;            ///< catalog slug
    std::array<double, 4> peakFlops{}; ///< dense, as the server type states them: fp16, bf16, fp8, fp4; 0: not stated
    int pods = 0, segments = 0;        ///< that have hosts; segments over all pods

    [[nodiscard]] std::uint32_t gpuCount() const { return std::uint32_t(hosts.size()) * gpusPerHost; }
    /// The NIC of a GPU in its host, and that NIC's ports (GPUs count over all hosts).
    [[nodiscard]] int nicOf(std::uint32_t gpu) const { return nicsPerHost == 1 ? 0 : int(gpu % gpusPerHost); }
    [[nodiscard]] std::span<const FabricGraph::HostPort> ports(std::uint32_t gpu) const
    {
        return graph->nicPorts(hosts[gpu / gpusPerHost], nicOf(gpu));
    }
};

/// `variant` cables the same equipment differently. Errors: Refused for a network that is not there, and as hostLayout().
[[nodiscard]] Result<WorkloadFabric> workloadFabric(const Snapshot& snapshot, const std::string& network = "backend",
                                                    FabricVariant variant = FabricVariant::AsDesigned);

} // namespace training
} // namespace hw::sim
