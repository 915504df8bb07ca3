// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"
#include "simulation/fabric/fabric_state.h"
#include "simulation/fabric/routing_options.h"
#include "simulation/training/training_job.h"
#include "simulation/training/workload_fabric.h"

namespace hw::sim {
inline namespace training {

inline constexpr double kBytesPerSOfGbps = 1e9 / 8;
inline constexpr double kGbitPerByte = 8e-9;

/// How transfers become flows.
struct PhaseOptions {
    RoutingOptions routing;
    int connectionsPerPort = 1;         ///< flows that a NIC port spreads a transfer over (with hashing)
    const FabricState* state = nullptr; ///< what is up, known to all routers and hosts; null: everything
    bool proveRates = true;             ///< solve and certify the max-min rates beside the duration (not with spraying)
    std::size_t mostFlows = 8'000'000;  ///< more are refused
    std::vector<float> placed;          ///< by directed link: share of its capacity that others take, for PathSelection::LeastLoad; empty: none
};

/// Bytes that cross the links between one level of the fabric and the next; level 1 joins servers and their access switches.
struct TierLoad {
    int level = 1;
    double upBytes = 0, downBytes = 0;
    double busiestShare = 0; ///< of the time, of its most loaded link
};

/// All transfers of a phase at once on the fabric.
///
/// Flows share links max-min fairly, weighted by their bytes where these differ, so that all last equally long on one bottleneck.
/// Then the last one ends after exactly the largest (bytes over a link / its capacity), T: a flow whose bottleneck is l has at
/// least its share of l at every moment, so it ends within load(l) / capacity(l); and no sharing whatever can carry the bytes of
/// the most loaded link sooner. This holds without symmetry and needs one pass over the hops, so phases are always solved in full.
struct PhaseResult {
    double fluidS = 0;         ///< T, at line rate
    double latencyS = 0;       ///< steps one after the other, by the switches on the way
    double switches = 0;       ///< on the way of a byte between hosts, a mean
    double durationS = 0;      ///< fluidS / library factor + latencyS
    std::vector<double> laneS; ///< by lane: the same with the links that its flows use; no flow of the lane ends later
    std::uint64_t transfers = 0, flows = 0, unreachable = 0;
    double insideBytes = 0;  ///< over scale-up domains and PCIe between GPUs
    double networkBytes = 0; ///< over NICs
    std::vector<TierLoad> tiers;
    std::vector<float> linkBytes;       ///< by directed link of the fabric; over fluidS: the mean load
    double leastGbps = 0, meanGbps = 0; ///< of the network flows while all are under way; 0 with spraying, whose flows have no single ways
    bool certified = false; ///< the rates were proved max-min fair, and T = the largest size / rate; with spraying: what enters a switch leaves it
    double certificateGap = 0;
};

/// Routes a set of transfers (GPUs over all hosts of the fabric) and finds its times. `job` gives accelerator, latency and library.
/// Errors: Refused above `mostFlows`; Canceled; Fault when the proof fails.
[[nodiscard]] Result<PhaseResult> runTransfers(const WorkloadFabric& fabric, const TransferSet& set, const TrainingJob& job,
                                               const PhaseOptions& options = {}, const Progress& progress = {});

/// Stages after each other: times and bytes add up, lanes too; loads are those of all stages together.
[[nodiscard]] Result<PhaseResult> runPlan(const WorkloadFabric& fabric, const CollectivePlan& plan, const TrainingJob& job,
                                          const PhaseOptions& options = {}, const Progress& progress = {});

/// Links of every flow of a set, one way each. Errors: Refused for spraying, which has no single ways; else as runTransfers().
struct TransferFlows {
    std::vector<double> bytes; ///< by flow
    std::vector<std::uint32_t> offset{0};
    std::vector<std::uint32_t> link;     ///< directed links of the fabric, then those of GPUs (see gpuLink)
    std::vector<std::uint32_t> lane;     ///< by flow
    std::vector<std::uint8_t> inside;    ///< by flow: over no NIC
    std::vector<std::uint32_t> transfer; ///< by flow: the transfer of the set that it carries; ~0 for the flows of reducing trees
    std::uint64_t transfers = 0, unreachable = 0;
};
[[nodiscard]] Result<TransferFlows> routeTransfers(const WorkloadFabric& fabric, const TransferSet& set, const TrainingJob& job,
                                                   const PhaseOptions& options, const Progress& progress = {});

/// Links of GPUs beyond the fabric's: out of and into the scale-up domain, out of and into its PCIe slot.
enum class GpuLink : std::uint8_t { ScaleUpOut, ScaleUpIn, PcieOut, PcieIn };
[[nodiscard]] inline std::uint32_t gpuLink(const WorkloadFabric& f, std::uint32_t gpu, GpuLink kind)
{
    return f.graph->directedCount() + 4 * gpu + std::uint32_t(kind);
}
[[nodiscard]] inline std::uint32_t workloadLinks(const WorkloadFabric& f) { return f.graph->directedCount() + 4 * f.gpuCount(); }
/// Gb/s of a directed link of the fabric or of a GPU; infinite without a limit.
[[nodiscard]] double workloadCapacity(const WorkloadFabric& fabric, const Accelerator& accelerator, const FabricState* state, std::uint32_t link);
/// Of all links.
[[nodiscard]] std::vector<double> workloadCapacities(const WorkloadFabric& fabric, const Accelerator& accelerator, const FabricState* state);

} // namespace training
} // namespace hw::sim
