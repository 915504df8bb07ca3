// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/fabric/flow_router.h"
#include "simulation/training/job_run.h"

#include <string_view>
#include <vector>

namespace hw::sim {
inline namespace training {

/// The transfers of one of a run's phases ("gradient", "send forward" …), as the run had them; with a sharded optimizer the gradients'
/// way only, the parameters take the same one. Errors: Usage for a phase that the job
/// does not have.
[[nodiscard]] Result<CollectivePlan> planPhase(const WorkloadFabric& fabric, const JobRun& run, std::string_view phase);

/// The network connections of a phase (its transfers between scale-up domains, port by port) as the engine's flows: for failures
/// over time, for flows on a link, for collisions. They take the ways that the phase took. `group` marks the job; ranks are the job's.
[[nodiscard]] std::vector<FlowSpec> flowSpecs(const WorkloadFabric& fabric, const CollectivePlan& plan, const JobRun& run, std::uint32_t group = 0,
                                              int connectionsPerPort = 1);

} // namespace training
} // namespace hw::sim
