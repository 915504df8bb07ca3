// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/training/gradient_flows.h"

#include "simulation/fabric/hottest_links.h"

#include <unordered_map>

namespace hw::sim {
inline namespace training {

Result<std::shared_ptr<const FlowResult>> gradientFlows(const Snapshot& snapshot, const WorkloadFabric& fabric, const JobRun& run,
                                                        const JobRunOptions& options, const Progress& progress)
{
    const auto nothing = [] { return fail(ErrorCode::Refused, "gradient", i18n("has no flows over the network")); };
    const PhaseReport* phase = run.phase("gradient");
    if (!phase || options.phase.routing.selection == PathSelection::Spray || phase->result.networkBytes <= 0) return nothing();
    const auto grid = RankGrid::make(run.job.cut, run.job.order);
    if (!grid) return tl::unexpected(grid.error());
    const RankPlaces& places = run.places;
    Operation operation;
    operation.collective = phase->collective;
    operation.allReduce = phase->way;
    operation.bytes = phase->bytes;
    const CollectivePlan plan = planCommunicator(fabric, *grid, places, Communicator::Gradient, operation);
    auto result = std::make_shared<FlowResult>();
    result->revision = snapshot.revision;
    result->scenarioName = words(i18n("{}: gradient reduction", run.job.name));
    result->capacityGbps = fabric.graph->capacityGbps();
    result->loadGbps.assign(result->capacityGbps.size(), 0.0f);
    result->flowLinkOffset.assign(1, 0);
    std::unordered_map<std::uint32_t, std::uint32_t> rankOf; // looked up, never walked
    for (std::uint32_t r = 0; r < grid->ranks(); ++r) rankOf[places.gpu(r)] = r;
    const double seconds = phase->result.fluidS;
    for (const TransferSet& set : plan) {
        const auto routed = routeTransfers(fabric, set, run.job, options.phase, progress);
        if (!routed) return tl::unexpected(routed.error());
        for (std::size_t f = 0; f < routed->bytes.size(); ++f) {
            if (routed->inside[f] || routed->transfer[f] >= set.transfers.size()) continue;
            const GpuTransfer& t = set.transfers[routed->transfer[f]];
            FlowResult::Flow flow;
            flow.source = fabric.hosts[t.source / fabric.gpusPerHost], flow.destination = fabric.hosts[t.destination / fabric.gpusPerHost];
            flow.rail = std::int16_t(fabric.nicOf(t.source));
            flow.bytes = routed->bytes[f];
            flow.finishS = seconds;
            flow.rateGbps = seconds > 0 ? flow.bytes * kGbitPerByte / seconds : 0; // all of a bottleneck end together, see PhaseResult
            flow.sourceRank = rankOf.at(t.source), flow.destinationRank = rankOf.at(t.destination);
            for (auto i = routed->offset[f]; i < routed->offset[f + 1]; ++i) {
                const auto link = routed->link[i];
                if (link >= result->loadGbps.size()) continue;
                result->flowLinks.push_back(link);
                result->loadGbps[link] += float(flow.rateGbps);
            }
            result->flowLinkOffset.push_back(std::uint32_t(result->flowLinks.size()));
            result->flows.push_back(flow);
        }
    }
    if (result->flows.empty()) return nothing();
    rankHottest(*result);
    result->completionS = seconds;
    result->meanRateGbps = phase->result.meanGbps;
    result->minRateGbps = phase->result.leastGbps;
    result->certificateOk = phase->result.certified;
    result->certificateGap = phase->result.certificateGap;
    result->notes.emplace_back(kFluidNote);
    return result;
}

} // namespace training
} // namespace hw::sim
