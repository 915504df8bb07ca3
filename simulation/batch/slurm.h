// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace hw::sim {
inline namespace batch {

/// What a job asks of Slurm; empty: the default of the site.
struct SlurmLimits {
    std::string partition, time, memory; ///< as `sbatch --partition`, `--time` and `--mem` take them
};

/// How many tasks of a job array wait and run. `ended`: Slurm does not list the job any more.
struct SlurmState {
    int pending = 0, running = 0;
    bool ended = false;
};

/// Slurm by its own commands (sbatch, squeue, scancel), as found in PATH. Errors: Unreadable, with what the command printed.
namespace slurm {

/// Submits `script` as a job array of tasks 0 to `tasks` − 1; standard output and error of task N go to `task-N.log` in `folder`. The id of the job.
[[nodiscard]] Result<std::string> submit(const std::filesystem::path& script, std::size_t tasks, const std::filesystem::path& folder,
                                         const SlurmLimits& limits);
/// One task with several processors on one node or more, which starts in `folder`; its output goes to `log` there.
[[nodiscard]] Result<std::string> submitOne(const std::filesystem::path& script, int processes, const std::filesystem::path& folder,
                                            const std::string& log, const SlurmLimits& limits);
[[nodiscard]] Result<SlurmState> state(const std::string& job);
[[nodiscard]] Result<void> cancel(const std::string& job);

/// A word of a shell command, quoted.
[[nodiscard]] std::string quoted(const std::string& word);

} // namespace slurm

} // namespace batch
} // namespace hw::sim
