// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/training/job_run.h"

#include <span>
#include <vector>

namespace hw::sim {
inline namespace training {

/// One point of a bandwidth curve as collective benchmarks print it.
struct BandwidthPoint {
    std::uint32_t hosts = 0, ranks = 0;
    double bytes = 0; ///< S
    double timeS = 0;
    double algorithmBytesPerS = 0;                     ///< S / t
    double busBytesPerS = 0;                           ///< times busBandwidthFactor(): what the wires carry
    AllReduceAlgorithm way = AllReduceAlgorithm::Ring; ///< of an all-reduce: the one taken
    std::uint64_t unreachable = 0;                     ///< transfers without a path: then its time is infinite
};

/// A collective among all GPUs of a number of hosts (taken by the job's placement), over message sizes. Each number of hosts is
/// routed once (an automatic choice: once for each way): line-rate times are proportional to the message. Points by hosts, then sizes. `job` gives
/// placement, accelerator, latency and library; `options.free` the hosts. Errors as placeHosts() and runTransfers(); Refused for sizes that are not
/// above 0.
[[nodiscard]] Result<std::vector<BandwidthPoint>> bandwidthCurve(const WorkloadFabric& fabric, const Operation& operation,
                                                                 std::span<const std::uint32_t> hosts, std::span<const double> bytes,
                                                                 const TrainingJob& job, const JobRunOptions& options = {},
                                                                 const Progress& progress = {});

/// One size of a job. Efficiencies are T(n) / (n T(1)), T the throughput.
struct ScalingPoint {
    std::int64_t gpus = 0;
    Parallelism cut;
    double iterationS = 0, tokensPerS = 0, mfu = 0, exposedShare = 0;
    double efficiency = 0;         ///< T(1): one GPU that never waits
    double efficiencyToFirst = 0;  ///< against the first point
    double memoryBytes = 0;        ///< of a GPU at its fullest
    double flopsPerGpu = 0;        ///< model FLOPs a second
    std::uint64_t unreachable = 0; ///< transfers without a path: then it does not run
};

/// The job on so many GPUs (each rounded down to whole replicas), with its micro-batches per replica kept, or with
/// `samplesPerIteration` shared out among the replicas. Errors as fitToGpus() and runJob().
[[nodiscard]] Result<std::vector<ScalingPoint>> scalingCurve(const WorkloadFabric& fabric, const TrainingJob& job, std::span<const std::int64_t> gpus,
                                                             std::int64_t samplesPerIteration = 0, const JobRunOptions& options = {},
                                                             const Progress& progress = {});

/// Which dimension crosses pods, where the others stay inside as far as they can.
struct PodCrossing {
    Dimension crossing = Dimension::Pipeline;
    Placement placement = Placement::Contiguous;
    RankOrder order = kMegatronOrder;
    double crossShare = 0; ///< of the dimension's neighbors in rank order that stand in different pods
    double iterationS = 0;
    double slowDown = 1;     ///< against the best of the table
    double topTierBytes = 0; ///< up into the highest tier in one iteration
    double exposedShare = 0;
    double crossingPhaseS = 0;     ///< one execution of the communication that crosses
    double memoryBytes = 0;        ///< of a GPU at its fullest
    std::uint64_t unreachable = 0; ///< transfers without a path: then it does not run
    Text refused;                  ///< why this way cannot be had; then there are no figures and it comes last
};

/// Runs the job twice for each dimension but tensor: with that dimension outermost on hosts in a row (its groups stretch over the pods,
/// few neighbors cross), and with it innermost on hosts in turn from pod to pod (every neighbor crosses, with an even size the other
/// dimensions stay inside). Ranks the results, the fastest first; nothing about which is cheaper is built in.
/// Errors: those of placing the job at all; Refused when it needs one pod only.
[[nodiscard]] Result<std::vector<PodCrossing>> comparePodCrossings(const WorkloadFabric& fabric, const TrainingJob& job,
                                                                   const JobRunOptions& options = {}, const Progress& progress = {});

} // namespace training
} // namespace hw::sim
