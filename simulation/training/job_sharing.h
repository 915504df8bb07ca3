// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"
#include "simulation/formulas/priority.h"
#include "simulation/training/job_run.h"

#include <span>
#include <string>
#include <vector>

namespace hw::sim {
inline namespace training {

/// A job as its neighbors see it: it computes, then communicates, for ever, part by part (sends, gradients …).
struct SharingJob {
    std::string name, tenant;
    double gpus = 8;
    double computeS = 1;     ///< of an iteration, GPUs at work or waiting for nothing that others could delay
    double communicateS = 1; ///< network time alone
    double overlap = 0;      ///< share of the compute time, its last part, during which it may communicate already
    struct Load {
        std::uint32_t link = 0;
        double share = 0;
    };                      ///< of the link's capacity
    std::vector<Load> load; ///< mean over the communication, when alone
    struct Part {
        double seconds = 0;
        std::vector<Load> load;
    };
    std::vector<Part> parts;      ///< one after the other, `communicateS` in all; empty: one part with `load`
    int priority = 0;             ///< under SharePolicy::Listed: the higher goes first, equals share fairly
    double startS = 0;            ///< of its first iteration, see SharingSettings::untilS
    std::uint32_t iterations = 0; ///< after which it leaves; 0: it runs for ever
    [[nodiscard]] double aloneS() const;
    /// GPU intensity of Crux (SIGCOMM 2024): GPU work of an iteration over its communication time, GPU-s / s.
    [[nodiscard]] double intensity() const { return communicateS > 0 ? gpus * computeS / communicateS : 1e300; }
};

/// What a run of a job (with PhaseResult::linkBytes kept) asks of the fabric: one part for each phase on the network, an iteration's
/// executions in a row.
[[nodiscard]] SharingJob sharingJob(const WorkloadFabric& fabric, const JobRun& run, const FabricState* state = nullptr);

struct SharingSettings {
    SharePolicy policy = SharePolicy::Fair;
    double warmUpS = 0, measureS = 0; ///< 0: 5 and 40 times the longest iteration alone
    int phases = 4;                   ///< runs with different starting times of the jobs; results are means
    std::uint64_t seed = 1;
    double untilS =
        0; ///< above 0: one run from 0 to there, jobs start at their `startS` and end after their `iterations`; the rest above does not count
};

struct SharingOutcome {
    struct Job {
        double iterationS = 0, slowDown = 1;
        double busy = 0;                ///< of its time, computing
        bool shares = false;            ///< some link of it is asked for more than it has
        std::vector<double> endsS = {}; ///< of its iterations, of a run from given starts (the first 10,000)
    };
    std::vector<Job> jobs;                      ///< in the order given
    double utilization = 0;                     ///< GPUs computing, of the jobs' GPUs
    double utilizationAlone = 0;                ///< the same were each job alone
    double meanSlowDown = 1, worstSlowDown = 1; ///< over jobs
    std::uint32_t sharedLinks = 0;              ///< links that the jobs together ask for more than they have
};

/// Fluid simulation of jobs that share links, event by event. A job's communication advances as a whole (its ranks wait for each
/// other): at speed x it takes x times its present part's load everywhere.
/// Fair: speeds rise together until a link is full, its jobs stay, the others rise on (max-min; a job has flows on a link in
/// proportion to its load, so this is what fair flows give). ByIntensity, ByReverseIntensity, Listed (by `priority`): strict priority, each
/// takes what those before it left. Fifo: who began to communicate first goes first, to its end. Equals (to 1e-9) share fairly what is left
/// for them. Jobs that compete for no link run as alone. Errors: Refused for jobs without GPUs or times; Canceled.
[[nodiscard]] Result<SharingOutcome> shareFabric(std::span<const SharingJob> jobs, const SharingSettings& settings = {},
                                                 const Progress& progress = {});

} // namespace training
} // namespace hw::sim
