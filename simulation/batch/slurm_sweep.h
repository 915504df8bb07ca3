// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/batch/slurm_points.h"
#include "simulation/questions/run_request.h"

namespace hw::sim {
inline namespace batch {

/// Runs a request with a sweep as `runRequest`, its points by Slurm, with the same document. Command, preparation and names of `points` are set here;
/// its folder is removed at the end. Errors: those of runRequest and fillOnSlurm.
[[nodiscard]] Result<ScenarioAnswer> runOnSlurm(const ScenarioRequest& request, const ScenarioDesign& design, SlurmPoints points,
                                                const Progress& progress = {});

} // namespace batch
} // namespace hw::sim
