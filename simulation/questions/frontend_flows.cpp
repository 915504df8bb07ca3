// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/questions/frontend_flows.h"

#include "core/foundation/model/setting_values.h"
#include "simulation/fabric/flow_router.h"
#include "simulation/fabric/hosts.h"
#include "simulation/fabric/hottest_links.h"
#include "simulation/fairshare/certificate.h"
#include "simulation/fairshare/completion.h"
#include "simulation/fairshare/max_min.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <set>

namespace hw::sim {
inline namespace questions {

namespace {

constexpr std::size_t kMostTimedTransfers = 40'000; ///< above it finish times are at the first rates

bool isStorageNode(const Snapshot& s, DeviceId id)
{
    const TierId tier = s.devices.tier[id];
    const auto network = s.tiers.network[tier];
    return s.tiers.kind[tier] == TierKind::Other && network && s.networks.kind[*network] == NetworkKind::Storage;
}

/// One run: paths, rates, times.
class FrontendRun {
public:
    FrontendRun(const Snapshot& s, const Frontend& frontend, const std::map<DeviceId, double>& media, const Progress& progress)
        : m_s(s), m_frontend(frontend), m_media(media), m_progress(progress), m_flows(std::make_shared<FlowResult>())
    {
    }

    Result<FrontendFlows> run(const std::vector<FrontendTransfer>& transfers, std::uint64_t seed, bool lasting)
    {
        if (auto done = route(transfers, seed); !done) return tl::unexpected(done.error());
        m_progress.report(0.65, words(i18n("Solving")));
        MaxMinSolver solver(m_problem);
        const auto rates = solver.solve();
        const Certificate proof = certify(m_problem, rates);
        if (!proof.ok)
            return fail(ErrorCode::Fault, "frontend", i18n("max-min fairness of the rates not verified to 1e-9"), i18n("please report it"));
        FlowResult& out = *m_flows;
        out.revision = m_s.revision;
        out.certificateOk = proof.ok, out.certificateGap = std::max(proof.overload, proof.worstGap);
        for (std::size_t f = 0; f < rates.size(); ++f) out.flows[f].rateGbps = rates[f];
        if (!rates.empty()) {
            out.minRateGbps = *std::ranges::min_element(rates);
            out.meanRateGbps = std::accumulate(rates.begin(), rates.end(), 0.0) / double(rates.size());
        }
        sum(rates);
        if (!lasting)
            if (auto done = complete(); !done) return tl::unexpected(done.error());
        m_progress.report(1.0, words(i18n("Done")));
        m_out.flows = m_flows;
        return std::move(m_out);
    }

private:
    Result<void> route(const std::vector<FrontendTransfer>& transfers, std::uint64_t seed)
    {
        const auto options = routingOptions(m_s, m_frontend.network, seed);
        if (!options) return tl::unexpected(options.error());
        std::vector<FlowSpec> specs;
        std::vector<double> demand;
        for (std::size_t i = 0; i < transfers.size(); ++i) {
            FlowSpec spec;
            spec.source = transfers[i].source, spec.destination = transfers[i].destination;
            spec.connection = transfers[i].connection, spec.bytes = transfers[i].bytes;
            spec.group = std::uint32_t(i); // routeFlows() keeps the order, and this says so
            specs.push_back(spec);
        }
        const Progress part{m_progress.stop, [&](double fraction, std::string_view step) { m_progress.report(0.6 * fraction, step); }};
        const auto routed = routeFlows(*m_frontend.graph, *options, std::move(specs), nullptr, nullptr, nullptr, part);
        if (!routed) return tl::unexpected(routed.error());
        m_problem.capacity = routed->problem.capacity;
        m_flows->unreachable = routed->unreachable;
        m_flows->flowLinkOffset.assign(1, 0);
        std::map<std::pair<DeviceId, bool>, std::uint32_t> mediaLink; ///< of a node, reading or writing
        std::vector<std::uint32_t> path;
        for (std::uint32_t f = 0; f < routed->flows.size(); ++f) {
            if (!routed->reaches(f)) continue;
            const FrontendTransfer& transfer = transfers[routed->flows[f].group];
            const auto way = routed->problem.linksOf(f);
            path.assign(way.begin(), way.end());
            m_flows->flowLinks.insert(m_flows->flowLinks.end(), way.begin(), way.end());
            m_flows->flowLinkOffset.push_back(std::uint32_t(m_flows->flowLinks.size()));
            for (const bool reads : {true, false})
                if (const auto media = m_media.find(reads ? transfer.source : transfer.destination); media != m_media.end() && media->second > 0) {
                    const auto [at, added] = mediaLink.try_emplace({media->first, reads}, std::uint32_t(m_problem.capacity.size()));
                    if (added) m_problem.capacity.push_back(media->second), m_mediaLinks.push_back(at->second);
                    path.push_back(at->second);
                }
            if (transfer.demandGbps > 0) {
                path.push_back(std::uint32_t(m_problem.capacity.size()));
                m_problem.capacity.push_back(transfer.demandGbps);
            }
            m_problem.addFlow(transfer.bytes, path);
            m_demand.push_back(transfer.demandGbps);
            m_out.transfer.push_back(routed->flows[f].group);
            FlowResult::Flow flow;
            flow.source = transfer.source, flow.destination = transfer.destination, flow.bytes = transfer.bytes;
            m_flows->flows.push_back(flow);
        }
        return {};
    }

    /// Loads by link, and by pair of tiers.
    void sum(std::span<const double> rates)
    {
        FlowResult& out = *m_flows;
        const std::uint32_t links = m_frontend.graph->directedCount();
        out.capacityGbps = m_frontend.graph->capacityGbps();
        std::vector<double> load(m_problem.capacity.size(), 0.0), asked(links, 0.0);
        for (std::uint32_t f = 0; f < rates.size(); ++f)
            for (const std::uint32_t l : m_problem.linksOf(f)) {
                load[l] += rates[f];
                if (l < links) asked[l] += m_demand[f];
            }
        for (std::uint32_t l = 0; l < links; ++l) asked[l] = out.capacityGbps[l] > 0 ? asked[l] / double(out.capacityGbps[l]) : 0;
        out.loadGbps.assign(load.begin(), load.begin() + links);
        rankHottest(out, kHottestLinks, {.loadGbps = std::span(load).first(links)});
        std::map<std::pair<TierId, TierId>, TierLoad> tiers;
        std::set<std::pair<TierId, TierId>> used;
        for (std::uint32_t l = 0; l < links; ++l) {
            if (!(out.capacityGbps[l] > 0)) continue;
            const LinkId link(l / 2);
            TierId from = m_s.devices.tier[m_s.ports.device[m_s.links.from[link]]], to = m_s.devices.tier[m_s.ports.device[m_s.links.to[link]]];
            if (l % 2) std::swap(from, to);
            TierLoad& one = tiers[{from, to}];
            one.from = m_s.tiers.key[from], one.to = m_s.tiers.key[to];
            ++one.links, one.capacityGbps += double(out.capacityGbps[l]), one.loadGbps += load[l];
            one.mostUtilization = std::max(one.mostUtilization, load[l] / double(out.capacityGbps[l]));
        }
        for (auto& [ends, one] : tiers)
            if (one.loadGbps > 0) m_out.tiers.push_back(std::move(one));
        if (!m_mediaLinks.empty()) {
            TierLoad media{"storage", "media", m_mediaLinks.size(), 0, 0, 0};
            for (const std::uint32_t l : m_mediaLinks) {
                media.capacityGbps += m_problem.capacity[l], media.loadGbps += load[l];
                media.mostUtilization = std::max(media.mostUtilization, load[l] / m_problem.capacity[l]);
            }
            m_out.tiers.push_back(media);
        }
        std::ranges::stable_sort(m_out.tiers, std::greater(),
                                 [](const TierLoad& t) { return std::pair(std::round(t.mostUtilization * 1e6), t.utilization()); });
        m_out.askedShare = std::move(asked);
    }

    Result<void> complete()
    {
        FlowResult& out = *m_flows;
        if (out.flows.size() > kMostTimedTransfers) {
            for (auto& flow : out.flows) flow.finishS = flow.rateGbps > 0 ? flow.bytes / (flow.rateGbps * kBytesPerGbit) : 0;
            out.notes.push_back(
                i18n("More than {} flows: finish times are at the initial rates, an upper bound for the completion time.", kMostTimedTransfers));
        } else {
            FlowProblem timed = m_problem;
            for (auto& size : timed.size) size /= kBytesPerGbit;
            const auto done = runToCompletion(
                timed, m_progress.stop, [&](double fraction) { m_progress.report(0.7 + 0.3 * fraction, words(i18n("Running to completion"))); });
            if (done.stopped) return fail(ErrorCode::Canceled, "frontend", i18n("canceled"));
            for (std::size_t f = 0; f < out.flows.size(); ++f) out.flows[f].finishS = done.finish[f];
        }
        for (const auto& flow : out.flows) out.completionS = std::max(out.completionS, flow.finishS);
        if (out.unreachable > 0) out.completionS = std::numeric_limits<double>::infinity();
        return {};
    }

    const Snapshot& m_s;
    const Frontend& m_frontend;
    const std::map<DeviceId, double>& m_media;
    const Progress& m_progress;
    std::shared_ptr<FlowResult> m_flows;
    FrontendFlows m_out;
    FlowProblem m_problem;
    std::vector<double> m_demand; ///< by flow
    std::vector<std::uint32_t> m_mediaLinks;
};

} // namespace

Result<Frontend> frontendOf(const Snapshot& s)
{
    Frontend out;
    std::optional<NetworkId> frontend;
    std::vector<NetworkId> storage;
    s.networks.forEach([&](NetworkId id) {
        if (s.networks.kind[id] == NetworkKind::Frontend && !frontend) frontend = id;
        if (s.networks.kind[id] == NetworkKind::Storage) storage.push_back(id);
    });
    if (!frontend)
        return fail(ErrorCode::Refused, "network", i18n("the design has no network of kind frontend"),
                    i18n("create it with all networks (template parameter networks=all), or add a frontend"));
    FabricOptions options;
    options.portsPerNic = 0;
    options.joined = std::move(storage);
    if (options.joined.empty()) options.joined = {*frontend};
    out.network = *frontend;
    const auto graph = std::make_shared<const FabricGraph>(s, *frontend, options);
    out.graph = graph;
    const auto cabled = [&](DeviceId id) {
        return std::ranges::any_of(graph->hostPorts(id), [](const auto& port) { return port.access != FabricGraph::kNone; });
    };
    for (const DeviceId id : activeServers(s))
        if (cabled(id)) out.hosts.push_back(id);
    if (out.hosts.empty())
        return fail(ErrorCode::Refused, "network", i18n("no active server is connected to the frontend"), i18n("connect its ports"));
    s.devices.forEach([&](DeviceId id) {
        if (s.tiers.kind[s.devices.tier[id]] == TierKind::Other && !isStorageNode(s, id) && cabled(id)) out.gateways.push_back(id);
    });
    return out;
}

Result<std::vector<DeviceId>> storageNodesOf(const Snapshot& s, const std::string& tier)
{
    std::map<TierId, std::vector<DeviceId>> all;
    s.devices.forEach([&](DeviceId id) {
        if (isStorageNode(s, id)) all[s.devices.tier[id]].push_back(id);
    });
    if (all.empty())
        return fail(ErrorCode::Refused, "storage_tier", i18n("the design has no storage nodes"),
                    i18n("add a tier of kind other in a network of kind storage, or use a template that has them, such as hpn or dcn-plus"));
    const std::vector<DeviceId>* found = nullptr;
    std::vector<std::string> names;
    for (const auto& [id, nodes] : all) {
        names.push_back(s.tiers.key[id]);
        const bool fits = tier.empty() ? !found || nodes.size() > found->size() : s.tiers.key[id] == tier || s.tiers.name[id] == tier;
        if (fits) found = &nodes;
    }
    if (!found)
        return fail(ErrorCode::Refused, "storage_tier", i18n("the design has no storage tier '{}'", tier), i18n("use {}", listedNames(names)));
    return *found;
}

double mediaGbps(const Snapshot& s, DeviceId node)
{
    return 8 * numberSetting(s, "storage." + s.tiers.key[s.devices.tier[node]] + ".media_gbytes_per_s");
}

Result<FrontendFlows> runFrontend(const Snapshot& snapshot, const Frontend& frontend, const std::vector<FrontendTransfer>& transfers,
                                  const std::map<DeviceId, double>& media, std::uint64_t seed, bool lasting, const Progress& progress)
{
    return FrontendRun(snapshot, frontend, media, progress).run(transfers, seed, lasting);
}

} // namespace questions
} // namespace hw::sim
