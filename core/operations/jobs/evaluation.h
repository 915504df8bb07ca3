// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/catalog/entity.h"
#include "core/operations/isolation/isolation.h"
#include "core/operations/jobs/job_telemetry.h"
#include "core/operations/monitoring/monitor.h"

#include <optional>
#include <string>
#include <vector>

namespace hw::jobs {

/// A host of a job: from Slurm, Kubernetes or a file.
struct JobPlace {
    std::string job, host;
    int firstRank = -1; ///< on that host; -1: in the order of the list
    friend bool operator==(const JobPlace&, const JobPlace&) = default;
};

/// What was simulated or planned for a job; 0: not known.
struct JobPlan {
    std::string name;
    std::int64_t gpus = 0;
    double iterationS = 0, computeS = 0, sendS = 0, tokensPerS = 0, mfu = 0;
    double checkpointS = 0, goodput = 0;
    /// Of what is left of the design: what is lost of it, and the iteration with nothing lost; 0: all of the design.
    std::int64_t hostsLost = 0, linksLost = 0;
    double wholeIterationS = 0;
};

/// Where the time of a slow job goes.
enum class CauseKind : std::uint8_t { Gpu, Host, Link, HostData, Storage, Checkpoint, AllCompute, Network, Unlocated };
} // namespace hw::jobs

namespace hw {
HW_WORDS(jobs::CauseKind, "gpu", "host", "link", "host-data", "storage", "checkpoint", "all-compute", "network", "unlocated")
} // namespace hw

namespace hw::jobs {

struct JobCause {
    CauseKind kind = CauseKind::Unlocated;
    EntityRef entity;       ///< kNone: the whole job
    std::string element;    ///< "gpu3"
    std::vector<int> ranks; ///< ascending
    double extraS = 0;      ///< of every iteration; of a checkpoint what it takes longer
    Text what, remedy;
    std::vector<std::string> evidence; ///< alarms and deviations of the same equipment
    std::int64_t sinceMs = 0;          ///< first reading of those that show it without a break; 0: not known
};

/// Where the wall clock went, from the first to the last reading; shares.
struct JobTimes {
    double wallS = 0;
    double effective = 0; ///< iterations that count, at the reference time
    double slow = 0;      ///< what they took longer
    double repeated = 0;  ///< iterations done again after a restart
    double other = 0;     ///< checkpoints, stalls and restarts
};

struct JobState {
    std::string name;
    std::vector<DeviceId> hosts;           ///< in the order of ranks
    std::vector<std::string> unknownHosts; ///< that the design does not have
    std::int64_t ranks = 0;                ///< 0: not known
    std::optional<JobPlan> plan;
    std::int64_t fromMs = 0, toMs = 0;
    double iteration = -1;                         ///< the newest number
    double iterationS = 0, referenceS = 0;         ///< of late; planned, or the best so far
    double tokensPerS = 0, mfu = 0;                ///< of late; 0: not reported
    double computeS = 0, sendS = 0, dataWaitS = 0; ///< medians of the ranks, or of the job
    double checkpointS = 0;
    bool slow = false, stalled = false;
    std::int64_t slowSinceMs = 0;
    JobTimes times;
    std::vector<JobCause> causes; ///< the costliest first; also while the job as a whole is not slow
};

/// `plan` holds for the job with as many ranks, or for the only job. `frame` may be null: no alarms as evidence. `atMs`: to which the newest reading
/// is compared; 0: the newest reading.
[[nodiscard]] std::vector<JobState> evaluateJobs(const Figures& design, const std::vector<JobData>& jobs, const std::vector<JobPlace>& places,
                                                 const std::optional<JobPlan>& plan, const monitoring::Frame* frame, std::int64_t atMs = 0);

/// Adds the hosts whose GPU, NIC or data loader slows a job, as ranks show it; not what hosts share (storage, network).
void addSlowHosts(isolation::List& list, const Figures& design, const std::vector<JobState>& jobs);

/// hallwright.jobs/1, and lines for people.
[[nodiscard]] std::string jobsJson(const std::vector<JobState>& jobs, const Figures& design);
[[nodiscard]] std::string jobsText(const std::vector<JobState>& jobs);

} // namespace hw::jobs
