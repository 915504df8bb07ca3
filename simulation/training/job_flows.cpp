// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/training/job_flows.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw::sim {
inline namespace training {

namespace {

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
    std::vector<std::string> names;
    for (const auto& p : run.phases) names.push_back(p.name);
    if (!report) return fail(ErrorCode::Usage, "phase", i18n("the job has no phase \"{}\"", phase), i18n("use one of {}", listedNames(names)));
    const auto grid = RankGrid::make(run.job.cut, run.job.order);
    if (!grid) return tl::unexpected(grid.error());
    const RankPlaces& places = run.places;
    if (report->collective == Collective::SendRecv)
        return CollectivePlan{planSends(fabric, *grid, places, report->bytes, phase == "send backward", run.job.cut.virtualStages > 1)}; // no text
    const Algorithms& way = run.job.algorithms;
    for (int c = 0; c < kCommunicators; ++c) {
        if (phase != name(Communicator(c))) continue;
        return planCommunicator(fabric, *grid, places, Communicator(c), {report->collective, report->way, way.expert, report->bytes});
    }
    return fail(ErrorCode::Fault, "phase", i18n("does not belong to a communicator"), i18n("please report this"));
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

} // namespace training
} // namespace hw::sim
