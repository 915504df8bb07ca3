// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/scenario/kinds.h"
#include "simulation/workload/job_run.h"
#include "simulation/workload/presets.h"

namespace hw::sim {

/// resources/workloads, read once; the error of reading it if there was one.
[[nodiscard]] const Result<WorkloadLibrary>& workloadLibrary();

/// Parameters that say which training job runs and how: preset, model, cut, placement, ranks, algorithms, overlap, library.
[[nodiscard]] std::vector<Field> jobFields();
/// Parameters that say what it runs on: network, variant, segments, scale-up domain, dead links, routing.
[[nodiscard]] std::vector<Field> fabricFields();

/// A design ready to run jobs on, as the parameters say.
struct JobFabric {
    WorkloadFabric fabric;
    JobRunOptions options;
    std::shared_ptr<const FabricState> state; ///< options.phase.state points into it
    int deadLinks = 0;
};
/// Errors name the key.
[[nodiscard]] Result<JobFabric> jobFabric(const ScenarioDesign& design, const Json& parameters);
[[nodiscard]] Result<TrainingJob> jobOf(const Json& parameters, const JobFabric& fabric);

} // namespace hw::sim
