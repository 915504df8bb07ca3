// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/air/openfoam.h"
#include "simulation/batch/slurm.h"

namespace hw::sim {
inline namespace batch {

/// Runs a case of OpenFOAM as one job of Slurm with so many processes; its folder must be on a file system that the nodes share.
[[nodiscard]] std::unique_ptr<air::FoamRun> slurmFoam(int processes, SlurmLimits limits);

} // namespace batch
} // namespace hw::sim
