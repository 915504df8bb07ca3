// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/training/phase.h"

namespace hw::sim {
inline namespace training {

/// Bytes by link when every packet takes any shortest way evenly.
struct SprayedLoads {
    std::vector<double> bytes; ///< by link as in workloadCapacities()
    std::uint64_t flows = 0, unreachable = 0;
    double insideBytes = 0, networkBytes = 0;
};
[[nodiscard]] Result<SprayedLoads> sprayLoads(const WorkloadFabric& fabric, const TransferSet& set, const TrainingJob& job,
                                              const PhaseOptions& options, const Progress& progress);

/// The largest `busyS` (by link) among the links that a lane's transfers use, by lane.
[[nodiscard]] Result<std::vector<double>> sprayLanes(const WorkloadFabric& fabric, const TransferSet& set, const TrainingJob& job,
                                                     const PhaseOptions& options, std::span<const double> busyS, const Progress& progress);

} // namespace training
} // namespace hw::sim
