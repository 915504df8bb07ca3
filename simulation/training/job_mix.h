// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/training/jobs_together.h"

#include <string>
#include <vector>

namespace hw::sim {
inline namespace training {

/// One size class of a mix: how many jobs have it, what they run.
struct MixClass {
    std::uint32_t gpus = 8;
    double share = 1; ///< of the jobs; shares are scaled to sum 1
    TrainingJob job;  ///< its data-parallel degree is fitted to `gpus`
};

/// Jobs of many tenants. Sizes: 96.3 % of the jobs under 1,000 GPUs, the largest under 3,000 (HPN paper, SIGCOMM 2024); the split among the
/// smaller sizes, the models and the durations are assumed.
struct JobMix {
    std::vector<MixClass> classes;
    double offeredLoad = 0.9;  ///< GPUs asked for, of those there are, in the long run
    double meanDurationH = 12; ///< exponential
    int tenants = 20;          ///< jobs are dealt out evenly at random
    Placement placement = Placement::Packed;
    bool backfill = true; ///< a job that fits starts though an earlier one waits for hosts
    std::uint64_t seed = 1;
    std::vector<std::uint8_t> free; ///< by host of the fabric: those that the mix may use; empty: all
};
[[nodiscard]] JobMix defaultMix();

/// A job that runs when the observed time ends.
struct MixJob {
    std::uint32_t number = 0, classIndex = 0;
    int tenant = 0;
    std::vector<std::uint32_t> hosts;
};

/// A mean of independent runs, and how far it may be off: half of the 95 % confidence interval (Student's t).
struct MixMean {
    double value = 0, error = 0;
};
inline constexpr int kMixRuns = 8;

/// What a scheduler makes of a mix: means over the observed times of kMixRuns runs with their own random arrivals.
struct MixOccupancy {
    MixMean utilization;                    ///< GPUs given to jobs, of those that the mix may use
    MixMean fragmentation;                  ///< of the free hosts, those outside wholly free segments
    MixMean spreadJobs;                     ///< of the jobs of two hosts or more that would fit into one segment, those in several
    MixMean waitH;                          ///< of the jobs that started
    double jobsUnder1000 = 0;               ///< share of the jobs that started
    double observedH = 0;                   ///< of all runs together
    std::uint64_t arrived = 0, started = 0; ///< of all runs, those to warm up included
    std::uint32_t largestGpus = 0;
    std::vector<MixJob> running; ///< at the end of the first run, by number
};

/// Arrivals at random, first come first served (with backfill). Each run starts empty and is observed after as many jobs, and at least
/// five mean durations, to warm up (what the empty start leaves behind is then below 1 %), until `jobs` have started. Several threads,
/// the same answer with any number of them.
/// Errors: Refused for a mix without classes, or a class larger than what it may use; Canceled.
[[nodiscard]] Result<MixOccupancy> occupy(const WorkloadFabric& fabric, const JobMix& mix, std::uint64_t jobs = 2000, const Progress& progress = {});

/// The jobs that run at the end, on the fabric together, by scheduling policy.
struct MixStudy {
    MixOccupancy occupancy;
    std::vector<SharingJob> jobs;
    using Policy = PolicyOutcome;
    std::vector<Policy> policies;
    std::vector<float> askedShare;     ///< by directed link: of its capacity, when all communicate at once
    double meanConnectionsPerHost = 0; ///< of hosts in use
    std::uint32_t mostConnectionsPerHost = 0;
    struct Tenant {
        int number = 0;
        double gpus = 0, meanSlowDown = 1;
        int jobs = 0;
    };
    std::vector<Tenant> tenants; ///< under the first policy
};
[[nodiscard]] Result<MixStudy> runMix(const WorkloadFabric& fabric, const JobMix& mix, std::span<const SharePolicy> policies,
                                      const PhaseOptions& options = {}, std::uint64_t jobs = 2000, JobPaths paths = JobPaths::Own,
                                      const Progress& progress = {});

} // namespace training
} // namespace hw::sim
