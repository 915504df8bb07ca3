// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/questions/flow_answer.h"

#include "core/foundation/catalog/entity.h"
#include "core/foundation/model/find_network.h"
#include "simulation/fabric/flow_index.h"
#include "simulation/fabric/hosts.h"

#include <algorithm>
#include <cmath>

namespace hw::sim {
inline namespace questions {

namespace {

/// Port names of a directed link, sender first.
std::pair<std::string, std::string> endsOf(const Snapshot& s, const ProjectParts& parts, std::uint32_t directed)
{
    const LinkId link(directed / 2);
    auto from = entityName(s, parts, ref(s.links.from[link])), to = entityName(s, parts, ref(s.links.to[link]));
    if (directed % 2) std::swap(from, to);
    return {from, to};
}

constexpr std::size_t kShownCollisions = 50;

/// Name of a level of a network: its tier, or the servers.
std::string levelName(const Snapshot& s, NetworkId network, int level)
{
    std::string found = level == 0 ? "server" : std::to_string(level);
    s.tiers.forEach([&](TierId id) {
        if (s.tiers.network[id] == network && s.tiers.level[id] == level) found = s.tiers.key[id];
    });
    return found;
}

/// Loads by tier, flows of one job that meet, and how far the hashes of the tiers repeat each other.
void addTiers(Json& root, const Snapshot& s, const ProjectParts& parts, const FlowQuestion& question, const FlowResult& r)
{
    const auto network = findNetwork(s, question.network);
    if (!network) return;
    FabricOptions options;
    options.variant = question.variant;
    const FabricGraph graph(s, *network, options);
    root["tiers"] = Json::array();
    for (const auto& h : loadHistograms(graph, r.loadGbps))
        root["tiers"].push_back({{"from", levelName(s, *network, h.fromLevel)},
                                 {"to", levelName(s, *network, h.toLevel)},
                                 {"links", h.total},
                                 {"idle", h.idle},
                                 {"utilization_mean", h.meanUtilization},
                                 {"utilization_max", h.maxUtilization},
                                 {"links_by_utilization", h.links}});
    if (question.selection == PathSelection::Spray) return;
    const auto found = collisions(graph, r, FlowIndex(r));
    root["collisions"] = {{"links", found.size()}, {"worst", Json::array()}};
    for (std::size_t i = 0; i < std::min(found.size(), kShownCollisions); ++i) {
        const auto [from, to] = endsOf(s, parts, found[i].directedLink);
        Json flows = Json::array();
        for (const auto f : found[i].flows)
            flows.push_back(
                {{"source_rank", r.flows[f].sourceRank}, {"destination_rank", r.flows[f].destinationRank}, {"rate_gbps", r.flows[f].rateGbps}});
        root["collisions"]["worst"].push_back(
            {{"from", from}, {"to", to}, {"job", found[i].job}, {"lost_gbps", found[i].lostGbps}, {"flows", std::move(flows)}});
    }
    root["polarization"] = Json::array();
    for (const auto& p : polarization(graph, r.flowLinkOffset, r.flowLinks))
        root["polarization"].push_back(
            {{"tier", levelName(s, *network, p.level)}, {"used_share", p.usedShare}, {"expected_share", p.expectedShare}, {"degree", p.degree()}});
}

void addFlows(Json& root, const Snapshot& s, const ProjectParts& parts, const FlowResult& r)
{
    root["flow_list"] = Json::array();
    for (const auto& flow : r.flows)
        root["flow_list"].push_back({{"source", s.devices.name[flow.source]},
                                     {"destination", s.devices.name[flow.destination]},
                                     {"gpu", flow.rail + 1},
                                     {"plane", flow.plane + 1},
                                     {"bytes", flow.bytes},
                                     {"rate_gbps", flow.rateGbps},
                                     {"finish_s", flow.finishS}});
    root["link_loads"] = Json::array();
    for (std::uint32_t l = 0; l < r.loadGbps.size(); ++l)
        if (r.loadGbps[l] > 0) {
            const auto [from, to] = endsOf(s, parts, l);
            root["link_loads"].push_back({{"from", from}, {"to", to}, {"load_gbps", r.loadGbps[l]}});
        }
}

} // namespace

Json flowAnswer(const Snapshot& s, const ProjectParts& parts, const FlowQuestion& question, const FlowResult& r, bool everyFlow)
{
    Json root = {{"flows", {{"count", r.flows.size()}, {"rate_min_gbps", r.minRateGbps}, {"rate_mean_gbps", r.meanRateGbps}}}};
    root["completion_s"] = std::isfinite(r.completionS) ? Json(r.completionS) : Json(nullptr); // null: never
    root["certificate"] = {{"ok", r.certificateOk}, {"worst_gap", r.certificateGap}};
    root["hottest_links"] = Json::array();
    for (const auto& hot : r.hottest) {
        const auto [from, to] = endsOf(s, parts, hot.directedLink);
        root["hottest_links"].push_back({{"from", from},
                                         {"to", to},
                                         {"load_gbps", r.loadGbps[hot.directedLink]},
                                         {"capacity_gbps", r.capacityGbps[hot.directedLink]},
                                         {"utilization", hot.utilization},
                                         {"flows", hot.flows}});
    }
    addTiers(root, s, parts, question, r);
    if (everyFlow) addFlows(root, s, parts, r);
    return root;
}

} // namespace questions
} // namespace hw::sim
