// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"
#include "simulation/batch/slurm_points.h"

#include <optional>

namespace hw::cli {

/// Options of commands whose points other machines can compute.
struct BatchOptions {
    std::string points;
    std::optional<std::string> slurm;
    std::optional<std::size_t> array;
    sim::SlurmLimits limits;
    unsigned threads = 0;
    [[nodiscard]] bool distributed() const { return slurm || !points.empty(); }
};

/// `thing`: what a point is, for the help.
void declareBatch(CLI::App& app, BatchOptions& options, const Text& thing);
/// Options that only mean something together, and the output that they need. Error: Usage.
[[nodiscard]] Result<void> checkBatch(const BatchOptions& options, const std::string& output);
/// What `--slurm` asks for, with the folder beside the output.
[[nodiscard]] sim::SlurmPoints slurmPoints(const BatchOptions& options, const std::string& output);

} // namespace hw::cli
