// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/training/curves.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hw::sim {
inline namespace training {

namespace {

Result<PhaseResult> runWhole(const WorkloadFabric& fabric, Operation operation, std::uint32_t hosts, const TrainingJob& job,
                             const JobRunOptions& options, const Progress& progress)
{
    auto chosen = placeHosts(fabric.places, options.free, hosts, job.placement, job.placementSeed);
    if (!chosen) return tl::unexpected(chosen.error());
    const RankPlaces places(std::move(*chosen), fabric.gpusPerHost);
    std::vector<std::uint32_t> gpus;
    for (std::uint32_t r = 0; r < hosts * fabric.gpusPerHost; ++r) gpus.push_back(places.gpu(r));
    CollectivePlan plan;
    CollectivePlanner(fabric.domainOfHost, fabric.gpusPerHost).add(operation, gpus, plan);
    return runPlan(fabric, plan, job, options.phase, progress);
}

Communicator communicatorOf(Dimension d)
{
    switch (d) {
    case Dimension::Tensor: return Communicator::Tensor;
    case Dimension::Context: return Communicator::Context;
    case Dimension::Expert: return Communicator::Expert;
    case Dimension::Data: return Communicator::Gradient;
    case Dimension::Pipeline: return Communicator::Pipeline;
    }
    return Communicator::Gradient;
}

const char* phaseOf(Dimension d) { return d == Dimension::Pipeline ? "send forward" : name(communicatorOf(d)); } // no text

int sizeOf(const Parallelism& c, Dimension d)
{
    switch (d) {
    case Dimension::Tensor: return c.tensor;
    case Dimension::Context: return c.context;
    case Dimension::Expert: return c.expert;
    case Dimension::Data: return c.data;
    case Dimension::Pipeline: return c.pipeline;
    }
    return 1;
}

RankOrder withOutermost(Dimension d)
{
    RankOrder order = kMegatronOrder;
    std::ranges::stable_partition(order, [&](Dimension other) { return other != d; });
    if (d == Dimension::Expert || d == Dimension::Context || d == Dimension::Data) // pipeline stages must not stand between the replicas
        std::ranges::stable_partition(order, [](Dimension other) { return other == Dimension::Tensor || other == Dimension::Pipeline; });
    return order;
}

/// Next to the tensor ranks, so that neighbors in this dimension stand on hosts that follow each other.
RankOrder withInnermost(Dimension d)
{
    RankOrder order = kMegatronOrder;
    std::ranges::stable_partition(order, [&](Dimension other) { return other == Dimension::Tensor || other == d; });
    return order;
}

PodCrossing tryCrossing(const WorkloadFabric& fabric, TrainingJob job, Dimension d, Placement placement, const JobRunOptions& options,
                        const Progress& progress)
{
    PodCrossing row;
    row.crossing = d, row.placement = placement, row.order = job.order = placement == Placement::Contiguous ? withOutermost(d) : withInnermost(d);
    job.placement = placement;
    const auto run = runJob(fabric, job, options, progress);
    if (!run) {
        row.refused = run.error().todo.empty() ? i18n("{}: {}", run.error().where, run.error().what)
                                               : i18n("{}: {}; {}", run.error().where, run.error().what, run.error().todo);
        return row;
    }
    const RankPlaces& places = run->places;
    if (const auto grid = RankGrid::make(job.cut, job.order); grid) row.crossShare = crossPodShare(fabric, *grid, places, communicatorOf(d));
    row.unreachable = run->unreachable;
    row.iterationS = run->iteration.iterationS;
    row.exposedShare = run->iteration.exposedShare;
    row.memoryBytes = run->memory.totalBytes();
    row.topTierBytes = run->tiers.empty() ? 0 : run->tiers.back().upBytes;
    if (const auto* phase = run->phase(phaseOf(d))) row.crossingPhaseS = phase->result.durationS;
    return row;
}

} // namespace

Result<std::vector<BandwidthPoint>> bandwidthCurve(const WorkloadFabric& fabric, const Operation& operation, std::span<const std::uint32_t> hosts,
                                                   std::span<const double> bytes, const TrainingJob& job, const JobRunOptions& options,
                                                   const Progress& progress)
{
    for (const double s : bytes)
        if (!(s > 0) || !std::isfinite(s)) return fail(ErrorCode::Refused, "bytes", i18n("must be greater than 0"), i18n("correct the sizes"));
    constexpr double kUnit = 1e9;
    std::vector<BandwidthPoint> points;
    for (const std::uint32_t n : hosts) {
        std::vector<PhaseResult> ways; // an automatic choice takes the fastest at each size
        std::vector<AllReduceAlgorithm> names{operation.allReduce};
        if (operation.collective == Collective::AllReduce && operation.allReduce == AllReduceAlgorithm::Automatic)
            names = {AllReduceAlgorithm::Ring, AllReduceAlgorithm::Tree, AllReduceAlgorithm::Hierarchical};
        for (const AllReduceAlgorithm way : names) {
            Operation unit = operation;
            unit.bytes = kUnit, unit.allReduce = way;
            auto result = runWhole(fabric, unit, n, job, options, progress);
            if (!result) return tl::unexpected(result.error());
            ways.push_back(std::move(*result));
        }
        const std::uint32_t ranks = n * fabric.gpusPerHost;
        for (const double s : bytes) {
            const auto time = [&](const PhaseResult& r) { return r.fluidS / job.libraryFactor * (s / kUnit) + r.latencyS; };
            const auto best = std::ranges::min_element(ways, {}, time);
            BandwidthPoint p{n, ranks, s, time(*best), 0, 0, names[std::size_t(best - ways.begin())], best->unreachable};
            p.algorithmBytesPerS = p.timeS > 0 ? s / p.timeS : 0;
            p.busBytesPerS = p.algorithmBytesPerS * busBandwidthFactor(operation.collective, int(ranks));
            points.push_back(p);
        }
    }
    return points;
}

Result<std::vector<ScalingPoint>> scalingCurve(const WorkloadFabric& fabric, const TrainingJob& job, std::span<const std::int64_t> gpus,
                                               std::int64_t samplesPerIteration, const JobRunOptions& options, const Progress& progress)
{
    std::vector<ScalingPoint> points;
    JobRunOptions lean = options;
    lean.keepLinkBytes = false;
    for (const std::int64_t n : gpus) {
        const auto fitted = fitToGpus(job, n, samplesPerIteration);
        if (!fitted) return tl::unexpected(fitted.error());
        const auto run = runJob(fabric, *fitted, lean, progress);
        if (!run) return tl::unexpected(run.error());
        const Iteration& it = run->iteration;
        ScalingPoint p{fitted->cut.gpus(),       fitted->cut,    it.iterationS,   it.tokensPerS, it.mfu, it.exposedShare, it.scalingEfficiency, 1,
                       run->memory.totalBytes(), it.flopsPerGpu, run->unreachable};
        if (!points.empty()) p.efficiencyToFirst = it.tokensPerS / double(p.gpus) / (points.front().tokensPerS / double(points.front().gpus));
        points.push_back(p);
    }
    return points;
}

Result<std::vector<PodCrossing>> comparePodCrossings(const WorkloadFabric& fabric, const TrainingJob& job, const JobRunOptions& options,
                                                     const Progress& progress)
{
    const std::uint32_t wanted = std::uint32_t((job.cut.gpus() + fabric.gpusPerHost - 1) / fabric.gpusPerHost);
    const auto hosts = placeHosts(fabric.places, options.free, wanted, Placement::Contiguous);
    if (!hosts) return tl::unexpected(hosts.error());
    if (spreadOf(fabric.places, *hosts).pods < 2)
        return fail(ErrorCode::Refused, "job", i18n("fits into one pod, so no traffic crosses pods"), i18n("use a larger job"));
    JobRunOptions lean = options;
    lean.hosts.clear();
    lean.keepLinkBytes = false;
    std::vector<PodCrossing> rows;
    for (const Dimension d : kMegatronOrder) {
        if (sizeOf(job.cut, d) < 2 || d == Dimension::Tensor) continue; // tensor ranks share a host, or no launcher would put them last
        for (const Placement placement : {Placement::Contiguous, Placement::AlternatingPods}) {
            if (progress.stopRequested()) return fail(ErrorCode::Canceled, "pods", i18n("stopped"));
            rows.push_back(tryCrossing(fabric, job, d, placement, lean, progress));
        }
    }
    const auto time = [](const PodCrossing& r) { return r.refused.empty() ? r.iterationS : std::numeric_limits<double>::infinity(); };
    std::ranges::stable_sort(rows, {}, time);
    for (PodCrossing& r : rows)
        if (r.refused.empty()) r.slowDown = r.iterationS / rows.front().iterationS;
    return rows;
}

} // namespace training
} // namespace hw::sim
