// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/questions/flow_run.h"

#include "core/foundation/model/find_network.h"
#include "simulation/fabric/flow_router.h"
#include "simulation/fabric/hosts.h"
#include "simulation/fabric/hottest_links.h"
#include "simulation/fabric/spray.h"
#include "simulation/fairshare/certificate.h"
#include "simulation/fairshare/completion.h"
#include "simulation/fairshare/max_min.h"
#include "simulation/questions/fabric_fields.h"
#include "simulation/questions/flow_traffic.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

namespace hw::sim {
inline namespace questions {

namespace {

constexpr std::size_t kMostShares = 40'000'000;    ///< links of sprayed flows: 640 MB
constexpr std::size_t kMostTimelineFlows = 40'000; ///< above it the completion is bounded by the first rates (see note)

struct Canceled {};

FabricOptions graphOptions(const HostLayout& layout, FabricVariant variant)
{
    FabricOptions options;
    options.variant = variant;
    options.portsPerNic = layout.portsPerNic;
    return options;
}

/// One run: flows with their links, in the order in which they were drawn.
class Run {
public:
    Run(const Snapshot& snapshot, const FlowQuestion& question, NetworkId network, std::vector<DeviceId> servers, HostLayout layout,
        const Progress& progress)
        : m_s(snapshot), m_question(question), m_progress(progress), m_network(network), m_servers(std::move(servers)), m_layout(layout),
          m_graph(snapshot, network, graphOptions(layout, question.variant)), m_state(m_graph), m_out(std::make_shared<FlowResult>())
    {
        for (const LinkId link : question.deadLinks) m_state.setLink(link, false);
    }
    Result<std::shared_ptr<const FlowResult>> go();

private:
    void checkStop() const
    {
        if (m_progress.stopRequested()) throw Canceled{};
    }
    [[nodiscard]] const FabricState* state() const { return m_state.allUp() ? nullptr : &m_state; }
    std::vector<FlowSpec> specsOf(const std::vector<Transfer>& transfers, int portsPerGpu) const;
    Result<void> route(std::vector<FlowSpec> specs, const RoutingOptions& options);
    Result<void> spray(const std::vector<FlowSpec>& specs, const RoutingOptions& options);
    void show(const FlowSpec& spec);
    void solve();
    void complete();
    void summarize();

    const Snapshot& m_s;
    const FlowQuestion& m_question;
    const Progress& m_progress;
    NetworkId m_network;
    std::vector<DeviceId> m_servers;
    HostLayout m_layout;
    FabricGraph m_graph;
    FabricState m_state; ///< what is up
    std::shared_ptr<FlowResult> m_out;
    FlowProblem m_problem;
    std::vector<double> m_rate;
    std::vector<double> m_sprayed; ///< load by directed link, of sprayed flows
    std::size_t m_unreachable = 0;
};

/// Every port of the source NIC carries its share over `flowsPerPort` connections.
std::vector<FlowSpec> Run::specsOf(const std::vector<Transfer>& transfers, int portsPerGpu) const
{
    std::vector<FlowSpec> specs;
    const int perGpu = portsPerGpu * m_question.flowsPerPort;
    const bool shared = m_layout.nics < m_layout.accelerators; // a NIC tells the connections of its GPUs apart
    const auto nicOf = [&](std::int16_t gpu) { return std::int16_t(int(gpu) * m_layout.nics / m_layout.accelerators); };
    specs.reserve(transfers.size() * std::size_t(perGpu));
    for (const Transfer& t : transfers)
        for (int k = 0; k < perGpu; ++k) {
            FlowSpec spec;
            spec.source = t.source, spec.destination = t.destination;
            spec.sourceNic = nicOf(t.sourceGpu), spec.destinationNic = nicOf(t.destinationGpu);
            spec.sourcePort = std::int16_t(k / m_question.flowsPerPort);
            spec.connection = std::uint16_t(shared ? int(t.sourceGpu) * perGpu + k : k);
            spec.bytes = t.bytes / double(perGpu);
            spec.sourceRank = t.sourceRank, spec.destinationRank = t.destinationRank;
            specs.push_back(spec);
        }
    return specs;
}

/// Adds a flow to the result; its links follow.
void Run::show(const FlowSpec& spec)
{
    FlowResult::Flow flow;
    flow.source = spec.source, flow.destination = spec.destination;
    flow.rail = spec.sourceNic;
    flow.plane = m_layout.portsPerNic > 1 ? spec.sourcePort : std::int16_t(-1);
    flow.bytes = spec.bytes;
    flow.sourceRank = spec.sourceRank, flow.destinationRank = spec.destinationRank;
    m_out->flows.push_back(flow);
}

/// Flows without a way are counted and left out.
Result<void> Run::route(std::vector<FlowSpec> specs, const RoutingOptions& options)
{
    const Progress part{m_progress.stop, [&](double fraction, std::string_view step) { m_progress.report(0.6 * fraction, step); }};
    const auto routed = routeFlows(m_graph, options, std::move(specs), state(), state(), state(), part);
    if (!routed) return tl::unexpected(routed.error());
    m_unreachable = routed->unreachable;
    m_problem.capacity = routed->problem.capacity;
    for (std::uint32_t f = 0; f < routed->flows.size(); ++f) {
        if (!routed->reaches(f)) continue;
        const auto way = routed->problem.linksOf(f);
        m_problem.addFlow(routed->flows[f].bytes, way);
        show(routed->flows[f]);
        std::copy_if(way.begin(), way.end(), std::back_inserter(m_out->flowLinks),
                     [&](std::uint32_t l) { return l < routed->nowhere; }); // not the limits of paced flows
        m_out->flowLinkOffset.push_back(std::uint32_t(m_out->flowLinks.size()));
    }
    return {};
}

/// Every flow over all its shortest ways; rates and proof are those of SprayRates.
Result<void> Run::spray(const std::vector<FlowSpec>& specs, const RoutingOptions& options)
{
    SprayRates rates(m_graph, options, state());
    for (std::size_t i = 0; i < specs.size(); ++i) {
        if (i % 256 == 0) checkStop(), m_progress.report(0.6 * double(i) / double(specs.size()), words(i18n("Spreading load")));
        if (!rates.addFlow(specs[i])) {
            ++m_unreachable;
            continue;
        }
        if (rates.shareCount() > kMostShares)
            return fail(ErrorCode::Refused, "path_selection", i18n("sprayed flows cross more than {} links in total", kMostShares),
                        i18n("choose fewer segments, or another path selection"));
        show(specs[i]);
        for (const LinkShare& share : rates.linksOf(m_out->flows.size() - 1)) m_out->flowLinks.push_back(share.link);
        m_out->flowLinkOffset.push_back(std::uint32_t(m_out->flowLinks.size()));
    }
    m_progress.report(0.65, words(i18n("Solving")));
    m_rate = rates.solve();
    const auto proof = rates.prove(m_rate);
    m_out->certificateOk = proof.ok;
    m_out->certificateGap = std::max(proof.overload, proof.worstGap);
    m_sprayed = rates.loads(m_rate);
    m_out->notes.push_back(i18n("Spray: every flow is spread evenly over all its shortest paths, regardless of load; its rate is "
                                "limited by its most loaded path."));
    return {};
}

void Run::solve()
{
    checkStop();
    m_progress.report(0.65, words(i18n("Solving")));
    MaxMinSolver solver(m_problem);
    const auto rates = solver.solve();
    m_rate.assign(rates.begin(), rates.end());
    checkStop();
    m_progress.report(0.75, words(i18n("Verifying")));
    const Certificate proof = certify(m_problem, m_rate);
    m_out->certificateOk = proof.ok;
    m_out->certificateGap = std::max(proof.overload, proof.worstGap);
}

/// Gb/s → bytes per second: × 125,000,000.
void Run::complete()
{
    for (std::size_t f = 0; f < m_rate.size(); ++f) m_out->flows[f].rateGbps = m_rate[f];
    const bool ring = m_question.workload == Workload::RingAllReduce, sprayed = !m_sprayed.empty();
    if (ring || sprayed || m_rate.size() > kMostTimelineFlows) {
        for (auto& flow : m_out->flows) flow.finishS = flow.rateGbps > 0 ? flow.bytes / (flow.rateGbps * kBytesPerGbit) : 0;
        m_out->notes.push_back(
            ring ? i18n("A ring runs at the pace of its slowest edge: the completion time is that of the slowest flow at the shared rates.")
            : sprayed
                ? i18n("Finish times are at the initial rates, an upper bound for the completion time.")
                : i18n("More than {} flows: finish times are at the initial rates, an upper bound for the completion time.", kMostTimelineFlows));
    } else {
        m_progress.report(0.8, words(i18n("Running to completion")));
        FlowProblem timed = m_problem;
        for (auto& size : timed.size) size /= kBytesPerGbit;
        const auto done = runToCompletion(timed, m_progress.stop,
                                          [&](double fraction) { m_progress.report(0.8 + 0.2 * fraction, words(i18n("Running to completion"))); });
        if (done.stopped) throw Canceled{};
        for (std::size_t f = 0; f < m_out->flows.size(); ++f) m_out->flows[f].finishS = done.finish[f];
    }
    for (const auto& flow : m_out->flows) m_out->completionS = std::max(m_out->completionS, flow.finishS);
    // What waits for a flow without a way never ends.
    m_out->unreachable = m_unreachable;
    if (m_unreachable) m_out->completionS = std::numeric_limits<double>::infinity();
}

void Run::summarize()
{
    auto& out = *m_out;
    const auto capacities = m_state.capacities();
    out.capacityGbps.assign(capacities.begin(), capacities.end());
    std::vector<double> load(out.capacityGbps.size(), 0.0);
    for (std::uint32_t f = 0; f < out.flows.size(); ++f)
        for (auto i = out.flowLinkOffset[f]; i < out.flowLinkOffset[f + 1]; ++i) load[out.flowLinks[i]] += m_rate[f];
    if (!m_sprayed.empty()) load = m_sprayed;
    out.loadGbps.assign(load.begin(), load.end());
    if (m_question.variant != FabricVariant::AsDesigned)
        out.notes.push_back(i18n("The design was recabled for this run: loads are shown on the cables that would be moved."));
    rankHottest(out, kHottestLinks, {.loadGbps = load});

    if (!m_rate.empty()) {
        out.minRateGbps = *std::min_element(m_rate.begin(), m_rate.end());
        out.meanRateGbps = std::accumulate(m_rate.begin(), m_rate.end(), 0.0) / double(m_rate.size());
    }
    if (m_unreachable)
        out.notes.push_back(i18n("{} flows have no path through the fabric switches (servers that forward traffic, as in BCube, are "
                                 "not modeled) and were skipped: the transfer never completes.",
                                 m_unreachable));
    out.notes.push_back(kFluidNote);
}

Result<std::shared_ptr<const FlowResult>> Run::go()
{
    m_out->revision = m_s.revision;
    m_out->scenarioName = m_question.name;
    auto options = routingOptions(m_s, m_network, m_question.seed);
    if (!options) return tl::unexpected(options.error());
    options->selection = m_question.selection;
    options->rateControl = m_question.rateControl;
    options->equalSeeds = m_question.equalHashSeeds;
    m_out->flowLinkOffset.assign(1, 0);
    auto specs = specsOf(transfersOf(m_question, m_servers, m_layout.accelerators), m_layout.portsPerNic);
    const bool sprayed = options->selection == PathSelection::Spray;
    if (auto done = sprayed ? spray(specs, *options) : route(std::move(specs), *options); !done) return tl::unexpected(done.error());
    if (!sprayed) solve();
    complete();
    summarize();
    m_progress.report(1.0, words(i18n("Done")));
    return m_out;
}

} // namespace

Result<std::shared_ptr<const FlowResult>> askFlows(const Snapshot& snapshot, const FlowQuestion& question, const Progress& progress)
{
    const auto network = findNetwork(snapshot, question.network);
    if (!network)
        return fail(ErrorCode::Refused, "network", i18n("the design has no network '{}'", question.network), i18n("specify a network of the design"));
    auto servers = chosenServers(snapshot, question);
    if (!servers) return tl::unexpected(servers.error());
    std::erase_if(*servers, [&](DeviceId id) { return std::ranges::binary_search(question.lostHosts, id); });
    if (servers->empty())
        return fail(ErrorCode::Refused, "failed", i18n("no host left"), i18n("reduce the number of failures, or choose other segments"));
    const auto layout = hostLayout(snapshot, *network, *servers);
    if (!layout) return tl::unexpected(layout.error());
    const int planes = question.variant == FabricVariant::SinglePlane ? 1 : snapshot.networks.planes[*network];
    if (const auto fine = refuseNothingToPart(question.selection, "path_selection", question.flowsPerPort * layout->accelerators / layout->nics,
                                              "flows_per_port", layout->portsPerNic, planes);
        !fine)
        return tl::unexpected(fine.error());
    try {
        return Run(snapshot, question, *network, std::move(*servers), *layout, progress).go();
    } catch (const Canceled&) {
        return fail(ErrorCode::Canceled, question.name, i18n("canceled"));
    }
}

} // namespace questions
} // namespace hw::sim
