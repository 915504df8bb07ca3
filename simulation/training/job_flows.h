// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/fabric/flow_router.h"
#include "simulation/training/job_run.h"

#include <span>
#include <string_view>
#include <vector>

namespace hw::sim::inline training {

/// The transfers of one of a run's phases ("gradient", "send forward" …), as the run had them; with a sharded optimizer the gradients'
/// way only, the parameters take the same one. Errors: Usage for a phase that the job
/// does not have.
[[nodiscard]] Result<CollectivePlan> planPhase(const WorkloadFabric& fabric, const JobRun& run, std::string_view phase);

/// The network connections of a phase (its transfers between scale-up domains, port by port) as the engine's flows: for failures
/// over time, for flows on a link, for collisions. They take the ways that the phase took. `group` marks the job; ranks are the job's.
[[nodiscard]] std::vector<FlowSpec> flowSpecs(const WorkloadFabric& fabric, const CollectivePlan& plan, const JobRun& run, std::uint32_t group = 0,
                                              int connectionsPerPort = 1);

/// The mean load of the fabric's directed links over a phase in Gb/s, for pictures. Empty when the run did not keep its bytes.
[[nodiscard]] std::vector<float> meanLoadsGbps(const PhaseResult& result);

/// Sets of transfers that start together and share the fabric.
struct TogetherResult {
    std::vector<double> finishS; ///< by set: when its last flow has ended, at line rate
    std::vector<double> aloneS;  ///< by set: the same without the others
    std::vector<float> loadGbps; ///< by directed link while all are under way
    std::uint64_t flows = 0, unreachable = 0;
    bool certified = false; ///< the first rates were proved max-min
};

/// Exact fluid completion, flow by flow, under plain max-min sharing (every flow alike): phases of several jobs that overlap. Costs
/// grow with the completions; above `mostFlows` flows it is refused. `jobs`: one for all sets, or one each.
[[nodiscard]] Result<TogetherResult> runTogether(const WorkloadFabric& fabric, std::span<const TransferSet> sets, std::span<const TrainingJob> jobs,
                                                 const PhaseOptions& options = {}, std::size_t mostFlows = 200'000, const Progress& progress = {});

} // namespace hw::sim::inline training
