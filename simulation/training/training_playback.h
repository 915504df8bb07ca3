// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/snapshot.h"
#include "simulation/playback.h"
#include "simulation/training/job_run.h"

namespace hw::sim {
inline namespace training {

/// An iteration for the window: bars by pipeline stage, and link loads between the times at which kinds of communication begin or
/// end. While sends, experts or tensors take part many short times, their mean load over that stretch is shown.
[[nodiscard]] std::shared_ptr<const Playback> trainingPlayback(const Snapshot& snapshot, const WorkloadFabric& fabric, const JobRun& run);

} // namespace training
} // namespace hw::sim
