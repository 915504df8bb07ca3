// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/engine/run.h"

#include "simulation/engine/ecmp.h"
#include "simulation/engine/traffic.h"
#include "simulation/network/certificate.h"
#include "simulation/network/completion.h"
#include "simulation/network/max_min.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

namespace hw::sim {

namespace {

constexpr std::size_t kHottestLinks = 200;
constexpr std::size_t kMostTimelineFlows = 40'000; ///< above it the completion is bounded by the first rates (see note)

struct Cancelled {};

/// One run: flows with their links, in the order in which they were drawn.
class Run {
public:
    Run(const Snapshot& snapshot, const Scenario& scenario, NetworkId network, const Progress& progress)
        : m_s(snapshot), m_scenario(scenario), m_progress(progress), m_graph(snapshot, network), m_out(std::make_shared<FlowResult>())
    {
    }
    Result<std::shared_ptr<const FlowResult>> go();

private:
    void checkStop() const { if (m_progress.stopRequested()) throw Cancelled{}; }
    void route(const std::vector<Transfer>& transfers, int portsPerGpu);
    void solve();
    void complete();
    void summarise();

    const Snapshot& m_s;
    const Scenario& m_scenario;
    const Progress& m_progress;
    FabricGraph m_graph;
    std::shared_ptr<FlowResult> m_out;
    FlowProblem m_problem;
    std::vector<double> m_rate;
    std::size_t m_unreachable = 0;
};

/// Every source port sends to the destination NIC's port that is nearest to it, which keeps to its plane.
void Run::route(const std::vector<Transfer>& transfers, int portsPerGpu)
{
    struct Choice { std::uint32_t destinationSwitch, transfer; std::uint16_t sourcePort; };
    EcmpRouter router(m_graph, m_scenario.seed);
    std::vector<std::vector<Choice>> byDestination(m_graph.switchCount());
    for (std::uint32_t t = 0; t < transfers.size(); ++t)
        for (int p = 0; p < portsPerGpu; ++p)
            for (int q = 0; q < portsPerGpu; ++q) {
                const auto target = m_graph.hostPorts(transfers[t].destination)[std::size_t(transfers[t].destinationGpu * portsPerGpu + q)];
                if (target.access != FabricGraph::kNone) byDestination[target.access].push_back({target.access, t, std::uint16_t(p * portsPerGpu + q)});
            }

    // First the nearest destination port of every (transfer, source port), then the ways themselves.
    const std::size_t slots = transfers.size() * std::size_t(portsPerGpu);
    std::vector<std::int32_t> best(slots, INT32_MAX);
    std::vector<std::vector<DirectedLink>> ways(slots * std::size_t(m_scenario.flowsPerPort));
    std::vector<std::uint32_t> sources;
    for (std::uint32_t d = 0; d < byDestination.size(); ++d) {
        auto& choices = byDestination[d];
        if (choices.empty()) continue;
        checkStop();
        m_progress.report(0.6 * double(d) / double(byDestination.size()), "Routing");
        sources.clear();
        const auto sourceOf = [&](const Choice& c) { return m_graph.hostPorts(transfers[c.transfer].source)[std::size_t(transfers[c.transfer].sourceGpu * portsPerGpu + c.sourcePort / portsPerGpu)]; };
        for (const auto& c : choices)
            if (const auto port = sourceOf(c); port.access != FabricGraph::kNone) sources.push_back(port.access);
        router.aimAt(d, sources);
        for (const auto& c : choices) {
            const auto source = sourceOf(c);
            if (source.access == FabricGraph::kNone) continue;
            const auto hops = router.distance(source.access);
            const int p = c.sourcePort / portsPerGpu, q = c.sourcePort % portsPerGpu;
            const std::size_t slot = std::size_t(c.transfer) * std::size_t(portsPerGpu) + std::size_t(p);
            // The own plane's port (same number on both NICs) wins a tie.
            const std::int32_t cost = hops ? 2 * *hops + (p != q) : INT32_MAX;
            if (cost >= best[slot]) continue;
            best[slot] = cost;
            const auto target = m_graph.hostPorts(transfers[c.transfer].destination)[std::size_t(transfers[c.transfer].destinationGpu * portsPerGpu + q)];
            for (int k = 0; k < m_scenario.flowsPerPort; ++k) {
                auto& way = ways[slot * std::size_t(m_scenario.flowsPerPort) + std::size_t(k)];
                way.assign(1, m_graph.upward(source));
                const std::uint64_t tuple = mix(std::uint64_t(source.link.value) << 32 | target.link.value) + std::uint64_t(k);
                router.walk(source.access, mix(tuple), way);
                way.push_back(m_graph.downward(target));
            }
        }
    }
    m_problem.capacity.assign(m_graph.capacityGbps().begin(), m_graph.capacityGbps().end());
    for (auto& c : m_problem.capacity) c = c > 0 ? c : 1.0; // links of other networks carry nothing
    m_out->flowLinkOffset.assign(1, 0);
    for (std::size_t i = 0; i < ways.size(); ++i) {
        const auto& way = ways[i];
        const std::size_t slot = i / std::size_t(m_scenario.flowsPerPort);
        const auto& transfer = transfers[slot / std::size_t(portsPerGpu)];
        if (way.empty()) {
            ++m_unreachable;
            continue;
        }
        const double bytes = transfer.bytes / double(portsPerGpu) / double(m_scenario.flowsPerPort);
        m_problem.addFlow(bytes, way);
        FlowResult::Flow flow;
        flow.source = transfer.source, flow.destination = transfer.destination;
        flow.rail = transfer.sourceGpu;
        flow.plane = portsPerGpu > 1 ? std::int16_t(slot % std::size_t(portsPerGpu)) : std::int16_t(-1);
        flow.bytes = bytes;
        m_out->flows.push_back(flow);
        m_out->flowLinks.insert(m_out->flowLinks.end(), way.begin(), way.end());
        m_out->flowLinkOffset.push_back(std::uint32_t(m_out->flowLinks.size()));
    }
}

void Run::solve()
{
    checkStop();
    m_progress.report(0.65, "Solving");
    MaxMinSolver solver(m_problem);
    const auto rates = solver.solve();
    m_rate.assign(rates.begin(), rates.end());
    checkStop();
    m_progress.report(0.75, "Proving");
    const Certificate proof = certify(m_problem, m_rate);
    m_out->certificateOk = proof.ok;
    m_out->certificateGap = std::max(proof.overload, proof.worstGap);
    for (std::size_t f = 0; f < m_rate.size(); ++f) m_out->flows[f].rateGbps = m_rate[f];
}

/// Gb/s → bytes per second: × 125,000,000.
void Run::complete()
{
    constexpr double kBytesPerGbit = 1.25e8;
    const bool ring = m_scenario.workload == Workload::RingAllReduce;
    if (ring || m_rate.size() > kMostTimelineFlows) {
        for (auto& flow : m_out->flows) flow.finishS = flow.rateGbps > 0 ? flow.bytes / (flow.rateGbps * kBytesPerGbit) : 0;
        m_out->notes.push_back(ring ? "A ring runs at the pace of its slowest edge: the completion is that of the slowest flow at the shared rates."
                                    : fmt::format("More than {} flows: finish times are at the first rates, an upper bound for the completion.", kMostTimelineFlows));
    } else {
        m_progress.report(0.8, "Running to completion");
        FlowProblem timed = m_problem;
        for (auto& size : timed.size) size /= kBytesPerGbit;
        const auto done = runToCompletion(timed, m_progress.stop, [&](double fraction) { m_progress.report(0.8 + 0.2 * fraction, "Running to completion"); });
        if (done.stopped) throw Cancelled{};
        for (std::size_t f = 0; f < m_out->flows.size(); ++f) m_out->flows[f].finishS = done.finish[f];
    }
    for (const auto& flow : m_out->flows) m_out->completionS = std::max(m_out->completionS, flow.finishS);
    // What waits for a flow without a way never ends.
    if (m_unreachable) m_out->completionS = std::numeric_limits<double>::infinity();
}

void Run::summarise()
{
    auto& out = *m_out;
    out.capacityGbps = m_graph.capacityGbps();
    std::vector<double> load(out.capacityGbps.size(), 0.0);
    std::vector<std::uint32_t> count(load.size(), 0);
    for (std::uint32_t f = 0; f < out.flows.size(); ++f)
        for (auto i = out.flowLinkOffset[f]; i < out.flowLinkOffset[f + 1]; ++i) load[out.flowLinks[i]] += m_rate[f], ++count[out.flowLinks[i]];
    out.loadGbps.assign(load.begin(), load.end());

    std::vector<std::uint32_t> used;
    for (std::uint32_t l = 0; l < load.size(); ++l)
        if (count[l]) used.push_back(l);
    // Equal loads (full links) are told apart by how many flows share them.
    const auto heat = [&](std::uint32_t l) { return std::tuple(-std::round(load[l] / double(out.capacityGbps[l]) * 1e6), -std::int64_t(count[l]), l); };
    const auto middle = used.begin() + std::ptrdiff_t(std::min(kHottestLinks, used.size()));
    std::partial_sort(used.begin(), middle, used.end(), [&](std::uint32_t a, std::uint32_t b) { return heat(a) < heat(b); });
    for (auto it = used.begin(); it != middle; ++it) out.hottest.push_back({*it, load[*it] / double(out.capacityGbps[*it]), count[*it]});

    if (!m_rate.empty()) {
        out.minRateGbps = *std::min_element(m_rate.begin(), m_rate.end());
        out.meanRateGbps = std::accumulate(m_rate.begin(), m_rate.end(), 0.0) / double(m_rate.size());
    }
    if (m_unreachable) out.notes.push_back(fmt::format("{} flows have no way through the fabric and were left out: this never completes.", m_unreachable));
    out.notes.push_back("Fluid max-min sharing: queueing, packet loss and congestion control are left out; real rates are lower by what they cost.");
}

Result<std::shared_ptr<const FlowResult>> Run::go()
{
    m_out->revision = m_s.revision;
    m_out->scenarioName = m_scenario.name;
    const auto servers = chosenServers(m_s, m_scenario);
    if (!servers) return tl::unexpected(servers.error());
    const auto ports = m_graph.hostPorts(servers->front()).size();
    const auto parts = ProjectParts::of(m_s.partTypes);
    if (!parts) return tl::unexpected(parts.error());
    const int gpus = std::max(1, (*parts)->device(m_s.devices.type[servers->front()]).accelerators);
    if (ports == 0 || ports % std::size_t(gpus) != 0)
        return fail(ErrorCode::Refused, "network", fmt::format("servers have {} ports for {} accelerators in this network", ports, gpus), "choose another network");
    for (const auto server : *servers)
        if (m_graph.hostPorts(server).size() != ports)
            return fail(ErrorCode::Refused, "network", "the chosen servers differ in their number of ports", "choose segments with one kind of server");
    route(transfersOf(m_scenario, *servers, gpus), int(ports) / gpus);
    solve();
    complete();
    summarise();
    m_progress.report(1.0, "Done");
    return m_out;
}

} // namespace

Result<std::shared_ptr<const FlowResult>> runScenario(const Snapshot& snapshot, const Scenario& scenario, const Progress& progress)
{
    std::optional<NetworkId> network;
    snapshot.networks.forEach([&](NetworkId id) {
        if (snapshot.networks.key[id] == scenario.network) network = id;
    });
    if (!network) return fail(ErrorCode::Refused, "network", fmt::format("the design has no network '{}'", scenario.network), "name a network of the design");
    try {
        return Run(snapshot, scenario, *network, progress).go();
    } catch (const Cancelled&) {
        return fail(ErrorCode::Cancelled, scenario.name, "cancelled");
    }
}

} // namespace hw::sim
