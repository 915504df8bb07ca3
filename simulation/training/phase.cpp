// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/training/phase.h"

#include "simulation/fairshare/certificate.h"
#include "simulation/fairshare/max_min.h"
#include "simulation/training/sprayed_loads.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace hw::sim {
inline namespace training {

namespace {

/// Seconds that every link needs for its bytes at full rate.
std::vector<double> busySeconds(std::span<const double> bytes, std::span<const double> capacityGbps)
{
    std::vector<double> busy(bytes.size(), 0.0);
    for (std::size_t l = 0; l < bytes.size(); ++l)
        if (bytes[l] > 0) busy[l] = bytes[l] / (capacityGbps[l] * kBytesPerSOfGbps); // 0 where there is no limit, infinite where dead
    return busy;
}

void toLane(std::vector<double>& lanes, std::uint32_t lane, double seconds)
{
    if (lanes.size() <= lane) lanes.resize(lane + 1, 0.0);
    lanes[lane] = std::max(lanes[lane], seconds);
}

/// Switches on the way of a byte, a mean over the phase: it crosses one link more than switches. A reducing tree reaches to its top.
double meanSwitches(const TransferSet& set, const PhaseResult& r)
{
    if (set.inNetwork) return double(r.tiers.size());
    double crossed = 0;
    for (const TierLoad& t : r.tiers) crossed += t.upBytes + t.downBytes;
    return r.networkBytes > 0 ? std::max(0.0, crossed / r.networkBytes - 1) : 0;
}

/// `links`: directed link of each entry of `bytes` and `busy`, ascending; empty: entries are links.
void tellTiers(const WorkloadFabric& fabric, std::span<const std::uint32_t> links, std::span<const double> bytes, std::span<const double> busy,
               PhaseResult& r)
{
    const FabricGraph& graph = *fabric.graph;
    const auto level = [&](std::uint32_t vertex) { return vertex == FabricGraph::kNone ? 0 : int(graph.at(vertex).level); };
    r.linkBytes.assign(graph.directedCount(), 0.0f);
    for (std::uint32_t i = 0; i < bytes.size(); ++i) {
        const std::uint32_t l = links.empty() ? i : links[i];
        if (l >= graph.directedCount()) break;
        if (!(bytes[i] > 0)) continue;
        r.linkBytes[l] = float(bytes[i]);
        const int from = level(graph.tail(l)), to = level(graph.head(l)), tier = std::max(from, to);
        if (r.tiers.size() < std::size_t(tier)) r.tiers.resize(std::size_t(tier));
        TierLoad& load = r.tiers[std::size_t(tier) - 1];
        (to >= from ? load.upBytes : load.downBytes) += bytes[i];
        if (r.fluidS > 0) load.busiestShare = std::max(load.busiestShare, busy[i] / r.fluidS);
    }
    for (std::size_t t = 0; t < r.tiers.size(); ++t) r.tiers[t].level = int(t) + 1;
}

/// Max-min rates of flows that weigh their bytes (all 1 when these are alike), their proof, and T against the largest size / rate.
void prove(TransferFlows flows, std::vector<double> capacity, PhaseResult& r)
{
    FlowProblem problem;
    problem.capacity = std::move(capacity);
    for (double& c : problem.capacity)
        if (std::isinf(c)) c = 1e15; // no limit
    problem.size.resize(flows.bytes.size());
    problem.offset = std::move(flows.offset);
    problem.link = std::move(flows.link);
    const auto [least, most] = std::ranges::minmax(flows.bytes);
    for (std::size_t f = 0; f < flows.bytes.size(); ++f) problem.size[f] = flows.bytes[f] / kBytesPerSOfGbps;
    if (most > least * (1 + 1e-12))
        for (const double bytes : flows.bytes) problem.weight.push_back(bytes / most);
    MaxMinSolver solver(problem);
    const auto rates = solver.solve();
    const Certificate certificate = certify(problem, rates);
    double longest = 0, sum = 0, slowest = std::numeric_limits<double>::infinity();
    std::size_t onNetwork = 0;
    for (std::size_t f = 0; f < rates.size(); ++f) {
        longest = std::max(longest, problem.size[f] / rates[f]);
        if (flows.inside[f]) continue;
        ++onNetwork, sum += rates[f], slowest = std::min(slowest, rates[f]);
    }
    r.certificateGap = std::max(certificate.worstGap, certificate.overload);
    r.certified = certificate.ok && (std::abs(longest - r.fluidS) <= 1e-9 * r.fluidS || longest == r.fluidS);
    if (onNetwork > 0) r.leastGbps = slowest, r.meanGbps = sum / double(onNetwork);
}

void count(const TransferFlows& flows, PhaseResult& r)
{
    r.transfers = flows.transfers;
    r.unreachable = flows.unreachable;
    for (std::size_t f = 0; f < flows.bytes.size(); ++f) {
        (flows.inside[f] ? r.insideBytes : r.networkBytes) += flows.bytes[f];
        r.flows += !flows.inside[f];
    }
}

void finish(const TransferSet& set, const TrainingJob& job, PhaseResult& r)
{
    r.switches = meanSwitches(set, r);
    r.latencyS = set.insideSteps * job.latency.insideS + set.outsideSteps * (job.latency.outsideS + r.switches * job.latency.hopS);
    r.durationS = r.fluidS / job.libraryFactor + r.latencyS;
    for (double& lane : r.laneS) lane = lane / job.libraryFactor + (lane > 0 ? r.latencyS : 0.0);
    if (r.unreachable > 0) r.fluidS = r.durationS = std::numeric_limits<double>::infinity();
}

/// Renumbers links by what flows use, in their order, and returns these: a job of few hosts costs nothing for the rest of a large fabric.
std::vector<std::uint32_t> onlyUsed(std::vector<std::uint32_t>& links, std::size_t all)
{
    constexpr std::uint32_t kUnused = ~0u;
    thread_local std::vector<std::uint32_t> number; // kUnused between calls
    if (number.size() < all) number.resize(all, kUnused);
    std::vector<std::uint32_t> used;
    for (const std::uint32_t l : links)
        if (number[l] == kUnused) number[l] = 0, used.push_back(l);
    std::ranges::sort(used);
    for (std::uint32_t i = 0; i < used.size(); ++i) number[used[i]] = i;
    for (std::uint32_t& l : links) l = number[l];
    for (const std::uint32_t l : used) number[l] = kUnused;
    return used;
}

Result<PhaseResult> runHashed(const WorkloadFabric& fabric, const TransferSet& set, const TrainingJob& job, const PhaseOptions& options,
                              const Progress& progress)
{
    auto flows = routeTransfers(fabric, set, job, options, progress);
    if (!flows) return tl::unexpected(flows.error());
    const std::vector<std::uint32_t> links = onlyUsed(flows->link, workloadLinks(fabric));
    std::vector<double> capacity(links.size());
    std::ranges::transform(links, capacity.begin(), [&](std::uint32_t l) { return workloadCapacity(fabric, job.accelerator, options.state, l); });
    std::vector<double> bytes(capacity.size(), 0.0);
    for (std::size_t f = 0; f < flows->bytes.size(); ++f)
        for (std::uint32_t h = flows->offset[f]; h < flows->offset[f + 1]; ++h) bytes[flows->link[h]] += flows->bytes[f];
    const std::vector<double> busy = busySeconds(bytes, capacity);

    PhaseResult r;
    r.fluidS = busy.empty() ? 0 : *std::ranges::max_element(busy);
    for (std::size_t f = 0; f < flows->bytes.size(); ++f)
        for (std::uint32_t h = flows->offset[f]; h < flows->offset[f + 1]; ++h) toLane(r.laneS, flows->lane[f], busy[flows->link[h]]);
    count(*flows, r);
    tellTiers(fabric, links, bytes, busy, r);
    if (options.proveRates && !flows->bytes.empty()) {
        prove(std::move(*flows), std::move(capacity), r);
        if (!r.certified)
            return fail(ErrorCode::Fault, "phase", i18n("its rates are not max-min fair (gap {:.1e})", r.certificateGap), i18n("please report this"));
    }
    finish(set, job, r);
    return r;
}

/// How far any switch is from sending on what it gets, relative to that.
double leakOf(const FabricGraph& graph, std::span<const double> bytes)
{
    std::vector<double> in(graph.switchCount(), 0.0), out(graph.switchCount(), 0.0);
    for (std::uint32_t l = 0; l < graph.directedCount(); ++l) {
        if (!(bytes[l] > 0)) continue;
        if (graph.head(l) != FabricGraph::kNone) in[graph.head(l)] += bytes[l];
        if (graph.tail(l) != FabricGraph::kNone) out[graph.tail(l)] += bytes[l];
    }
    double leak = 0;
    for (std::size_t v = 0; v < in.size(); ++v)
        if (const double most = std::max(in[v], out[v]); most > 0) leak = std::max(leak, std::abs(in[v] - out[v]) / most);
    return leak;
}

/// Even over all shortest ways: bytes by link are sums, so T follows at once, and that it cannot be beaten on these ways.
Result<PhaseResult> runSprayed(const WorkloadFabric& fabric, const TransferSet& set, const TrainingJob& job, const PhaseOptions& options,
                               const Progress& progress)
{
    const std::vector<double> capacity = workloadCapacities(fabric, job.accelerator, options.state);
    auto loads = sprayLoads(fabric, set, job, options, progress);
    if (!loads) return tl::unexpected(loads.error());
    const std::vector<double> busy = busySeconds(loads->bytes, capacity);
    PhaseResult r;
    r.fluidS = busy.empty() ? 0 : *std::ranges::max_element(busy);
    r.transfers = set.transfers.size();
    r.flows = loads->flows;
    r.unreachable = loads->unreachable;
    r.insideBytes = loads->insideBytes;
    r.networkBytes = loads->networkBytes;
    if (const auto lanes = sprayLanes(fabric, set, job, options, busy, progress); lanes)
        r.laneS = *lanes;
    else
        return tl::unexpected(lanes.error());
    tellTiers(fabric, {}, loads->bytes, busy, r);
    r.certificateGap = leakOf(*fabric.graph, loads->bytes);
    r.certified = r.certificateGap <= kCertificateTolerance;
    if (!r.certified)
        return fail(ErrorCode::Fault, "phase", i18n("spray loses bytes at a switch ({:.1e})", r.certificateGap), i18n("please report this"));
    finish(set, job, r);
    return r;
}

void append(PhaseResult& sum, const PhaseResult& next)
{
    sum.fluidS += next.fluidS, sum.latencyS += next.latencyS, sum.durationS += next.durationS;
    if (sum.laneS.size() < next.laneS.size()) sum.laneS.resize(next.laneS.size(), 0.0);
    for (std::size_t i = 0; i < next.laneS.size(); ++i) sum.laneS[i] += next.laneS[i];
    sum.switches = std::max(sum.switches, next.switches);
    sum.transfers += next.transfers, sum.flows += next.flows, sum.unreachable += next.unreachable;
    sum.insideBytes += next.insideBytes, sum.networkBytes += next.networkBytes;
    if (sum.tiers.size() < next.tiers.size()) sum.tiers.resize(next.tiers.size());
    for (std::size_t t = 0; t < next.tiers.size(); ++t) {
        sum.tiers[t].level = next.tiers[t].level;
        sum.tiers[t].upBytes += next.tiers[t].upBytes, sum.tiers[t].downBytes += next.tiers[t].downBytes;
        sum.tiers[t].busiestShare = std::max(sum.tiers[t].busiestShare, next.tiers[t].busiestShare);
    }
    if (sum.linkBytes.empty())
        sum.linkBytes = next.linkBytes;
    else
        for (std::size_t l = 0; l < next.linkBytes.size(); ++l) sum.linkBytes[l] += next.linkBytes[l];
    if (next.flows > 0) {
        sum.leastGbps = sum.leastGbps > 0 ? std::min(sum.leastGbps, next.leastGbps) : next.leastGbps;
        sum.meanGbps = next.meanGbps;
    }
    sum.certified = sum.certified && next.certified;
    sum.certificateGap = std::max(sum.certificateGap, next.certificateGap);
}

} // namespace

Result<PhaseResult> runTransfers(const WorkloadFabric& fabric, const TransferSet& set, const TrainingJob& job, const PhaseOptions& options,
                                 const Progress& progress)
{
    if (set.transfers.empty()) {
        PhaseResult nothing;
        nothing.certified = true;
        return nothing;
    }
    const bool sprayed = options.routing.selection == PathSelection::Spray && !set.inNetwork;
    if (sprayed) return runSprayed(fabric, set, job, options, progress);
    PhaseOptions single = options;
    if (single.routing.selection == PathSelection::Spray) single.routing.selection = PathSelection::Hash; // a reducing tree has one way
    return runHashed(fabric, set, job, single, progress);
}

Result<PhaseResult> runPlan(const WorkloadFabric& fabric, const CollectivePlan& plan, const TrainingJob& job, const PhaseOptions& options,
                            const Progress& progress)
{
    PhaseResult sum;
    sum.certified = true;
    for (const TransferSet& set : plan) {
        const auto next = runTransfers(fabric, set, job, options, progress);
        if (!next) return next;
        append(sum, *next);
    }
    return sum;
}

} // namespace training
} // namespace hw::sim
