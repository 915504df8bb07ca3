// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"
#include "simulation/answers/parameter_schema.h"
#include "simulation/batch/slurm.h"

#include <functional>

namespace hw::sim {
inline namespace batch {

/// Points that a command of ours computes (`--points`), as the tasks of a Slurm job array.
struct SlurmPoints {
    std::filesystem::path program; ///< hallwright-cli, at the same place on every node
    std::filesystem::path folder;  ///< on a file system that the nodes share; whoever has the result removes it
    std::size_t tasks = 16;        ///< at most; never more than points
    SlurmLimits limits;
    std::vector<std::string> command;                                         ///< words before `--points LIST --threads 1 -o FILE`
    std::function<Result<void>(const std::filesystem::path& folder)> prepare; ///< writes what the command reads
    std::string name;                                                         ///< for messages
};

/// Fills what is null of `found`. The folder holds what the command reads, the points that are finished and the log of each task. Points that are
/// missing at the end of a job (lost node, time limit) are submitted again, twice at most. Where a task refused the question itself, its points stay
/// null and nothing is repeated: the caller meets the same error when it computes them. Canceled cancels the job; finished points stay, and the next
/// call with the same folder and identity goes on, also with a job that still runs. Errors: Unreadable, where the folder, Slurm or a node is at
/// fault.
[[nodiscard]] Result<void> fillOnSlurm(const SlurmPoints& points, const std::string& identity, std::vector<Json>& found,
                                       const Progress& progress = {});

} // namespace batch
} // namespace hw::sim
