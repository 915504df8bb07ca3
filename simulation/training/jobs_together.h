// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/training/job_sharing.h"

#include <span>
#include <vector>

namespace hw::sim {
inline namespace training {

/// What jobs become under one scheduling policy.
struct PolicyOutcome {
    SharePolicy policy = SharePolicy::Fair;
    SharingOutcome outcome; ///< its jobs in the order of the study's
};

/// How jobs that share a fabric get their paths.
enum class JobPaths : std::uint8_t {
    Own,        ///< each as if alone
    ByIntensity ///< Crux (SIGCOMM 2024): in order of GPU intensity, each on the paths that those before it load least
};
inline constexpr JobPaths kJobPaths[] = {JobPaths::Own, JobPaths::ByIntensity};
[[nodiscard]] const char* name(JobPaths paths);

/// Several jobs on one fabric: each alone, then together.
struct JobsStudy {
    std::vector<JobRun> runs; ///< alone; without the bytes of links
    std::vector<SharingJob> jobs;
    std::vector<PolicyOutcome> policies;
    std::vector<float> askedShare;     ///< by directed link: of its capacity, when all communicate at once
    double meanConnectionsPerHost = 0; ///< of hosts in use
    std::uint32_t mostConnectionsPerHost = 0;
};

/// Places the jobs one after the other, each by its own placement on what the others left (`hosts` not empty: each on its entry, in
/// rank order), runs an iteration of each and lets them share the fabric under every policy. Paths by intensity run each job twice. Errors: as
/// runJob() and shareFabric(), the place names the job; Refused when `hosts` gives a host twice or another number of jobs.
[[nodiscard]] Result<JobsStudy> runJobs(const WorkloadFabric& fabric, std::span<const TrainingJob> jobs, std::span<const SharePolicy> policies,
                                        const PhaseOptions& options = {}, std::span<const std::vector<std::uint32_t>> hosts = {},
                                        std::uint64_t seed = 1, JobPaths paths = JobPaths::Own, const Progress& progress = {});

} // namespace training
} // namespace hw::sim
