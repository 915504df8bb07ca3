// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/snapshot.h"
#include "simulation/playback.h"
#include "simulation/training/job_fault.h"

#include <memory>

namespace hw::sim {
inline namespace training {

/// A fault under a job for the window: mean loads before, during and after, what is dead meanwhile, the job's speed.
[[nodiscard]] std::shared_ptr<const Playback> jobFaultPlayback(const Snapshot& snapshot, const WorkloadFabric& fabric, const JobFaultResult& result);

} // namespace training
} // namespace hw::sim
