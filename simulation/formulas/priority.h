// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"
#include "core/foundation/base/result.h"
#include "simulation/formulas/job_turns.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hw::sim {
inline namespace formulas {

/// A job that computes and communicates in turns, for ever.
struct PeriodicJob {
    std::string name;
    double gpus = 8;
    double computeS = 1;
    double communicateS = 1; ///< alone, at `commGbps`
    double commGbps = 400;   ///< what it takes of each of its links when alone
    std::vector<int> links{0};
    double overlap = 0; ///< share of the compute time during which it may communicate already (its last part)
    int priority = 0;   ///< under SharePolicy::Listed: the higher goes first
    /// GPU intensity of Crux (SIGCOMM 2024): GPU work of an iteration over its communication time, GPU-s / s.
    [[nodiscard]] double intensity() const { return gpus * computeS / communicateS; }
};

struct SharedLinks {
    std::vector<double> linkGbps{400};
    std::vector<PeriodicJob> jobs;
};

struct PrioritySettings {
    double warmUpS = 500, measureS = 5000;
    int phases = 64; ///< runs with different starting times of the jobs; the results are means
    std::uint64_t seed = 1;
};

struct JobShare {
    double busy = 0;     ///< share of time in which its GPUs compute
    double slowDown = 1; ///< iteration time over that when alone
    double iterationS = 0;
};

struct PriorityResult {
    double utilization = 0;         ///< of all GPUs
    double lowest = 0, highest = 0; ///< of the runs: how much the starting times matter
    std::vector<JobShare> jobs;
};

/// Fluid simulation of the jobs on their links, event by event. Errors: Refused (no jobs, a link that is not there, a value
/// out of range), Canceled.
[[nodiscard]] Result<PriorityResult> simulateSharing(const SharedLinks& system, SharePolicy policy, const PrioritySettings& settings = {},
                                                     const Progress& progress = {});

} // namespace formulas
} // namespace hw::sim
