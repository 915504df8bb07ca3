// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/questions/failed_state.h"
#include "simulation/questions/kinds.h"
#include "simulation/questions/model_fields.h"
#include "simulation/training/job_run.h"

namespace hw::sim {
inline namespace questions {

/// Parameters that say which training job runs and how: preset, model, cut, placement, ranks, and the running fields.
[[nodiscard]] std::vector<Field> jobFields();
/// Of them those that say how the model is cut, where the job stands, how any job runs (precision, recompute, algorithms, library, overlap),
/// and the model.
[[nodiscard]] std::vector<Field> cutFields();
[[nodiscard]] std::vector<Field> placementFields();
[[nodiscard]] std::vector<Field> runningFields();
[[nodiscard]] Field modelField();
[[nodiscard]] Field presetField();
[[nodiscard]] Field latencyField();
/// Lists put together, and without some keys.
[[nodiscard]] std::vector<Field> joined(std::vector<std::vector<Field>> lists);
[[nodiscard]] std::vector<Field> without(std::vector<Field> fields, std::span<const std::string_view> keys);
/// Parameters that say what it runs on: network, variant, segments, scale-up domain, dead links, routing.
[[nodiscard]] std::vector<Field> fabricFields();

/// A design ready to run jobs on, as the parameters say.
struct JobFabric {
    WorkloadFabric fabric;
    JobRunOptions options;
    std::shared_ptr<const FabricState> state; ///< options.phase.state points into it
    int deadLinks = 0;
    std::optional<FailedState> failed; ///< of `failed`
};
/// What of it is cut off, see cut_off.h; empty: nothing.
[[nodiscard]] Text cutOffText(const ScenarioDesign& design, const JobFabric& fabric);
/// Errors name the key.
[[nodiscard]] Result<JobFabric> jobFabric(const ScenarioDesign& design, const Json& parameters);
/// The job that the parameters ask for; keys that a kind does not have count as not given.
[[nodiscard]] Result<TrainingJob> jobOf(const Json& parameters, const JobFabric& fabric);
/// A job with the accelerator of the design, run as the running fields say. A job that does not compute (a collective alone) needs of the
/// accelerator only its scale-up rate. Errors: Refused where nothing is known about the design's accelerator and none is named.
[[nodiscard]] Result<TrainingJob> runningJob(const Json& parameters, TrainingJob job, const JobFabric& fabric, bool computes = true);
/// Refused for a given key that changes nothing for any of the jobs, for example the all-to-all of a dense model; not where it says what
/// the preset has anyway.
[[nodiscard]] Result<void> refuseUseless(const Json& given, std::span<const TrainingJob> jobs, const WorkloadFabric& fabric);
/// GPUs that may be used.
[[nodiscard]] std::int64_t usableGpus(const JobFabric& fabric);
/// An error of the training model with the scenario's key as its place: `pipeline` for `parallelism.pipeline`.
[[nodiscard]] Error inKeys(Error error);
[[nodiscard]] Placement placementOf(const Json& parameters, const char* key = "placement");

} // namespace questions
} // namespace hw::sim
