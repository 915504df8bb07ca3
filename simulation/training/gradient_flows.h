// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/snapshot.h"
#include "simulation/result.h"
#include "simulation/training/job_run.h"

#include <memory>

namespace hw::sim {
inline namespace training {

/// The gradient reduction's flows one by one, with their ranks: what is on a link when one clicks it. Nothing where the job reduces
/// none over the network, or with spraying.
[[nodiscard]] Result<std::shared_ptr<const FlowResult>> gradientFlows(const Snapshot& snapshot, const WorkloadFabric& fabric, const JobRun& run,
                                                                      const JobRunOptions& options, const Progress& progress);

} // namespace training
} // namespace hw::sim
