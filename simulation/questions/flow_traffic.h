// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "simulation/fabric/fabric_graph.h"
#include "simulation/questions/flow_question.h"

namespace hw::sim {
inline namespace questions {

/// Bytes from one GPU's NIC to another's.
struct Transfer {
    DeviceId source, destination;
    std::int16_t sourceGpu = 0, destinationGpu = 0;
    double bytes = 0;
    std::uint32_t sourceRank = 0, destinationRank = 0; ///< host × accelerators + accelerator, in the order of the servers
};

/// Active servers of the chosen pods and segments, in the order of pod, segment and index.
[[nodiscard]] Result<std::vector<DeviceId>> chosenServers(const Snapshot& snapshot, const FlowQuestion& question);
/// What the workload sends. Ring all-reduce of S bytes over n hosts moves 2 (n - 1) / n × S along every edge
/// (Patarasuk and Yuan 2009); a permutation moves S from every GPU.
[[nodiscard]] std::vector<Transfer> transfersOf(const FlowQuestion& question, const std::vector<DeviceId>& servers, int gpus);

} // namespace questions
} // namespace hw::sim
