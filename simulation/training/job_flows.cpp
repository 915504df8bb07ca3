// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/training/job_flows.h"

#include "simulation/fairshare/certificate.h"
#include "simulation/fairshare/completion.h"
#include "simulation/fairshare/max_min.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hw::sim::inline training {

namespace {

/// Appends a set's flows; sizes in Gbit.
void append(FlowProblem& problem, const TransferFlows& flows)
{
    for (std::uint32_t f = 0; f < flows.bytes.size(); ++f)
        problem.addFlow(flows.bytes[f] / kBytesPerSOfGbps, {flows.link.data() + flows.offset[f], flows.link.data() + flows.offset[f + 1]});
}

double lastEnd(const FlowProblem& problem, std::size_t first, std::size_t last, const Progress& progress, std::vector<double>* all = nullptr)
{
    const CompletionResult run = runToCompletion(problem, progress.stop);
    double end = 0;
    for (std::size_t f = first; f < last; ++f) end = std::max(end, run.finish[f]);
    if (all) *all = run.finish;
    return end;
}

std::vector<std::uint32_t> rankOfGpu(const WorkloadFabric& fabric, const JobRun& run)
{
    std::vector<std::uint32_t> rank(fabric.gpuCount(), 0);
    const RankPlaces& places = run.places;
    for (std::uint32_t r = 0; r < std::uint32_t(run.job.cut.gpus()); ++r) rank[places.gpu(r)] = r;
    return rank;
}

} // namespace

Result<CollectivePlan> planPhase(const WorkloadFabric& fabric, const JobRun& run, std::string_view phase)
{
    const auto* report = run.phase(phase);
    std::string names;
    for (const auto& p : run.phases) names += (names.empty() ? "" : ", ") + p.name;
    if (!report) return fail(ErrorCode::Usage, "phase", fmt::format("the job has no phase \"{}\"", phase), "use one of " + names);
    const auto grid = RankGrid::make(run.job.cut, run.job.order);
    if (!grid) return tl::unexpected(grid.error());
    const RankPlaces& places = run.places;
    if (report->collective == Collective::SendRecv)
        return CollectivePlan{planSends(fabric, *grid, places, report->bytes, phase == "send backward", run.job.cut.virtualStages > 1)};
    const Algorithms& way = run.job.algorithms;
    for (int c = 0; c < kCommunicators; ++c) {
        if (phase != name(Communicator(c))) continue;
        return planCommunicator(fabric, *grid, places, Communicator(c), {report->collective, report->way, way.expert, report->bytes});
    }
    return fail(ErrorCode::Fault, "phase", "is of no communicator", "please report this");
}

std::vector<FlowSpec> flowSpecs(const WorkloadFabric& fabric, const CollectivePlan& plan, const JobRun& run, std::uint32_t group,
                                int connectionsPerPort)
{
    const std::vector<std::uint32_t> rank = rankOfGpu(fabric, run);
    const std::uint32_t g = fabric.gpusPerHost;
    const int connections = std::max(1, connectionsPerPort);
    std::vector<FlowSpec> flows;
    for (const TransferSet& set : plan)
        for (const GpuTransfer& t : set.transfers) {
            if (fabric.domainOfHost[t.source / g] == fabric.domainOfHost[t.destination / g]) continue;
            const int ports = int(fabric.ports(t.source).size());
            FlowSpec flow;
            flow.source = fabric.hosts[t.source / g], flow.destination = fabric.hosts[t.destination / g];
            flow.sourceNic = std::int16_t(fabric.nicOf(t.source)), flow.destinationNic = std::int16_t(fabric.nicOf(t.destination));
            flow.bytes = t.bytes / ports / connections;
            flow.group = group, flow.sourceRank = rank[t.source], flow.destinationRank = rank[t.destination];
            for (int c = 0; c < ports * connections; ++c) {
                flow.sourcePort = std::int16_t(c / connections), flow.connection = std::uint16_t(c);
                flows.push_back(flow);
            }
        }
    return flows;
}

std::vector<float> meanLoadsGbps(const PhaseResult& r)
{
    std::vector<float> loads(r.linkBytes);
    const double perByte = r.fluidS > 0 && std::isfinite(r.fluidS) ? 1 / (r.fluidS * kBytesPerSOfGbps) : 0;
    for (float& l : loads) l = float(double(l) * perByte);
    return loads;
}

Result<TogetherResult> runTogether(const WorkloadFabric& fabric, std::span<const TransferSet> sets, std::span<const TrainingJob> jobs,
                                   const PhaseOptions& options, std::size_t mostFlows, const Progress& progress)
{
    if (sets.empty() || (jobs.size() != 1 && jobs.size() != sets.size()))
        return fail(ErrorCode::Refused, "sets", "need one job for all or one each", "correct the call");
    TogetherResult out;
    FlowProblem problem;
    problem.capacity = workloadCapacities(fabric, jobs.front().accelerator, options.state);
    for (double& c : problem.capacity)
        if (std::isinf(c)) c = 1e15;
    std::vector<std::size_t> first{0};
    for (std::size_t s = 0; s < sets.size(); ++s) {
        const auto flows = routeTransfers(fabric, sets[s], jobs.size() == 1 ? jobs[0] : jobs[s], options, progress);
        if (!flows) return tl::unexpected(flows.error());
        out.unreachable += flows->unreachable;
        FlowProblem alone;
        alone.capacity = problem.capacity;
        append(alone, *flows);
        append(problem, *flows);
        first.push_back(problem.flowCount());
        if (problem.flowCount() > mostFlows)
            return fail(ErrorCode::Refused, "sets", fmt::format("make more than {} flows", mostFlows), "use fewer or smaller jobs, or shareFabric()");
        out.aloneS.push_back(lastEnd(alone, 0, alone.flowCount(), progress));
    }
    std::vector<double> finish;
    if (problem.flowCount() > 0) lastEnd(problem, 0, problem.flowCount(), progress, &finish);
    if (progress.stopRequested()) return fail(ErrorCode::Cancelled, "sets", "stopped");
    for (std::size_t s = 0; s < sets.size(); ++s) {
        double end = 0;
        for (std::size_t f = first[s]; f < first[s + 1]; ++f) end = std::max(end, finish[f]);
        out.finishS.push_back(end);
    }
    MaxMinSolver solver(problem);
    const auto rates = solver.solve();
    out.certified = certify(problem, rates).ok;
    out.flows = problem.flowCount();
    out.loadGbps.assign(fabric.graph->directedCount(), 0.0f);
    for (std::uint32_t f = 0; f < problem.flowCount(); ++f)
        for (const std::uint32_t l : problem.linksOf(f))
            if (l < out.loadGbps.size()) out.loadGbps[l] += float(rates[f]);
    return out;
}

} // namespace hw::sim::inline training
