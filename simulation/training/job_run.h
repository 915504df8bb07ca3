// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/training/iteration.h"
#include "simulation/training/phase.h"

#include <optional>
#include <string>
#include <vector>

namespace hw::sim {
inline namespace training {

/// One kind of communication of a job: what it is, how often, and how it went with all its groups at once.
struct PhaseReport {
    std::string name; ///< "tensor", "context", "expert", "gradient", "expert gradient", "send forward", "send backward"
    Collective collective = Collective::AllReduce;
    double bytes = 0; ///< S of one operation, per GPU
    std::uint32_t groups = 0, groupSize = 0;
    double timesPerIteration = 0;                      ///< that one GPU takes part; sends: a mean over the stages
    AllReduceAlgorithm way = AllReduceAlgorithm::Ring; ///< as it ran: an automatic choice is made
    PhaseResult result;
};

/// Groups that reach over several scale-up domains and would fit into one, are tensor groups, or lie in them in unequal parts.
struct Straddling {
    Communicator communicator = Communicator::Tensor;
    std::uint32_t groups = 0, straddling = 0;
    bool fits = true;                          ///< one domain could hold a group
    std::uint32_t leastPart = 0, mostPart = 0; ///< ranks of a group in one domain, over all groups
    double extraS = 0; ///< of an iteration, against all groups inside one domain, before overlap; below 0 where NICs beside the scale-up network help
};

/// What a job does on a fabric.
struct JobRun {
    TrainingJob job;
    Warnings warnings;
    std::vector<std::uint32_t> hosts; ///< of the fabric, in rank order
    RankPlaces places;
    DomainUnit unit;            ///< how ranks fill the hosts
    std::uint32_t idleGpus = 0; ///< of the job's scale-up domains, so that groups stay inside one
    std::vector<Straddling> straddling;
    Spread spread;
    std::vector<PhaseReport> phases;
    CommunicationTimes times;
    Iteration iteration;
    MemoryEstimate memory;
    // Of one iteration:
    double insideBytes = 0, networkBytes = 0;
    std::vector<TierLoad> tiers;       ///< busiestShare: of the busiest phase
    std::uint64_t unreachable = 0;     ///< transfers without a way: then the job does not run, its iteration is infinite and its throughput 0
    std::uint64_t flows = 0;           ///< network flows of all phases, each counted once
    double connectionsPerHost = 0;     ///< mean of those that a host sends on
    std::uint32_t mostConnections = 0; ///< of one host
    double networkS = 0;               ///< full time of the phases that use the network
    double exposedNetworkS = 0;        ///< of it not hidden
    [[nodiscard]] const PhaseReport* phase(std::string_view name) const;
};

struct JobRunOptions {
    PhaseOptions phase;
    std::vector<std::uint32_t> hosts; ///< given hosts in rank order; empty: the job's placement chooses
    std::optional<DomainUnit> unit;   ///< how ranks fill given hosts, as JobRun::unit tells; nothing: all GPUs of one host after the other
    std::vector<std::uint8_t> free;   ///< by host of the fabric; empty: all are free
    bool keepLinkBytes = true;        ///< leave PhaseResult::linkBytes filled
};

/// The unit that keeps the job's tensor groups, and the context and expert groups around them as far as they fit, inside the fabric's
/// scale-up domains. One host with all its GPUs where the job does not ask for that or the design's domains are single hosts that need no more.
[[nodiscard]] DomainUnit unitOf(const WorkloadFabric& fabric, const TrainingJob& job);
/// GPUs that such a job can use among the free hosts.
[[nodiscard]] std::int64_t usableGpus(const WorkloadFabric& fabric, const TrainingJob& job, std::span<const std::uint8_t> free);

/// Checks, places and runs one iteration: every kind of communication on the fabric, then the time line. The design's scale-up
/// rate, where it states one, replaces the accelerator's. Errors: as checkJob(), placeHosts() and runTransfers().
[[nodiscard]] Result<JobRun> runJob(const WorkloadFabric& fabric, const TrainingJob& job, const JobRunOptions& options = {},
                                    const Progress& progress = {});

/// What every directed link of the fabric carries over an iteration on average, Gb/s; empty for a job that does not run. Needs `keepLinkBytes`.
[[nodiscard]] std::vector<float> meanLoads(const JobRun& run);

/// The transfers of one operation of a communicator in all its groups; lanes are pipeline stages.
[[nodiscard]] CollectivePlan planCommunicator(const WorkloadFabric& fabric, const RankGrid& grid, const RankPlaces& places, Communicator communicator,
                                              Operation operation);
/// Sends from every stage to the next one (backward: to the one before); `round`: the last one's to the first too. Lanes are the
/// sending stages.
[[nodiscard]] TransferSet planSends(const WorkloadFabric& fabric, const RankGrid& grid, const RankPlaces& places, double bytes, bool backward,
                                    bool round);

/// Whether the groups of a communicator stretch over several pods, and the share of its neighbors in rank order that do.
[[nodiscard]] double crossPodShare(const WorkloadFabric& fabric, const RankGrid& grid, const RankPlaces& places, Communicator communicator);

} // namespace training
} // namespace hw::sim
