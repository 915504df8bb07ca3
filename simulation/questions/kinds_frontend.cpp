// SPDX-License-Identifier: GPL-3.0-or-later
// Traffic of the frontend as kinds of scenario: data and checkpoints of storage nodes, images, inference.
#include "simulation/fabric/flow_router.h"
#include "simulation/questions/cut_off.h"
#include "simulation/questions/fabric_fields.h"
#include "simulation/questions/failed_state.h"
#include "simulation/questions/form.h"
#include "simulation/questions/frontend_flows.h"
#include "simulation/questions/kinds.h"
#include "simulation/reliability/storage_path.h"

#include "core/foundation/catalog/entity.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace hw::sim {
inline namespace questions {

namespace {

enum class StorageTraffic : std::uint8_t { Read, Write };
constexpr StorageTraffic kStorageTraffic[] = {StorageTraffic::Read, StorageTraffic::Write};
const char* name(StorageTraffic traffic) { return traffic == StorageTraffic::Read ? "read" : "write"; }

enum class PassOn : std::uint8_t { None, Tree };
constexpr PassOn kPassOn[] = {PassOn::None, PassOn::Tree};
const char* name(PassOn passOn) { return passOn == PassOn::None ? "none" : "tree"; }

struct StorageFlows {
    StorageTraffic direction = StorageTraffic::Read;
    int hosts = 0, nodesPerHost = 4;
    double bytesPerHost = 240e9; ///< checkpoint of 30 GB per GPU
    std::string tier;
    std::uint64_t seed = 1;
};
struct ImagePull {
    int hosts = 0, nodes = 4, children = 2;
    double imageBytes = 20e9, pieceBytes = 16e6;
    PassOn passOn = PassOn::None;
    std::string tier;
    std::uint64_t seed = 1;
};
struct InferenceFlows {
    int hosts = 0, connections = 4;
    double requestsPerS = 10, requestBytes = 1e6, answerBytes = 4e3;
    double prefillShare = 0.25, keyValueBytes = 491.52e6;
    double firstTokenS = 1;
    std::uint64_t seed = 1;
};

Field frontendHostsField() { return integer("hosts", 0, 0, 1e6, i18n("participating hosts, in order of location; 0: all")); }
Field frontendTierField() { return text("storage_tier", "", {}, i18n("storage tier of the design; empty: the tier with the most nodes")); }
Field frontendSeedField() { return integer("seed", 1, 0, 9e15, i18n("seed of the ECMP hash")); }

Result<std::vector<DeviceId>> frontendHosts(const Frontend& frontend, int hosts)
{
    if (std::size_t(hosts) > frontend.hosts.size())
        return fail(ErrorCode::Refused, "hosts", i18n("the frontend has {:L} active hosts", std::int64_t(frontend.hosts.size())),
                    i18n("use at most so many, or 0 for all"));
    auto out = frontend.hosts;
    if (hosts > 0) out.resize(std::size_t(hosts));
    return out;
}

/// What is most loaded at the first rates.
Text limitText(const FrontendFlows& run)
{
    if (run.tiers.empty()) return i18n("none");
    const TierLoad& most = run.tiers.front();
    return i18n("{} – {} (mean {:.0f} % of {:L} Gb/s, busiest link {:.0f} %)", most.from, most.to, 100 * most.utilization(),
                std::int64_t(std::llround(most.capacityGbps)), 100 * most.mostUtilization);
}

void addFlowResults(const ScenarioDesign& design, const FrontendFlows& run, Json& results)
{
    const FlowResult& flows = *run.flows;
    results["flows"] = {{"count", flows.flows.size()}, {"rate_min_gbps", flows.minRateGbps}, {"rate_mean_gbps", flows.meanRateGbps}};
    results["tiers"] = Json::array();
    for (const TierLoad& tier : run.tiers)
        results["tiers"].push_back({{"from", tier.from},
                                    {"to", tier.to},
                                    {"links", tier.links},
                                    {"capacity_gbps", tier.capacityGbps},
                                    {"load_gbps", tier.loadGbps},
                                    {"utilization_mean", tier.utilization()},
                                    {"utilization_max", tier.mostUtilization}});
    results["hottest_links"] = Json::array();
    const Snapshot& s = *design.snapshot;
    for (const auto& hot : flows.hottest) {
        const LinkId link(hot.directedLink / 2);
        auto from = entityName(s, *design.parts, ref(s.links.from[link])), to = entityName(s, *design.parts, ref(s.links.to[link]));
        if (hot.directedLink % 2) std::swap(from, to);
        results["hottest_links"].push_back({{"from", from},
                                            {"to", to},
                                            {"load_gbps", flows.loadGbps[hot.directedLink]},
                                            {"capacity_gbps", flows.capacityGbps[hot.directedLink]},
                                            {"utilization", hot.utilization},
                                            {"flows", hot.flows}});
    }
    results["certificate"] = proof(flows.certificateOk, flows.certificateGap);
}

void addFlowNotes(const FrontendFlows& run, ScenarioOutcome& out)
{
    if (run.flows->unreachable > 0) tellCutOff(out, run.flows->unreachable, {});
    for (const auto& note : run.flows->notes) out.notes.push_back(note);
    out.notes.push_back(kFluidNote);
    out.flows = run.flows;
}

/// What the media of nodes deliver, in Gb/s; those without a stated rate are left out.
std::map<DeviceId, double> mediaOf(const Snapshot& s, std::span<const DeviceId> nodes)
{
    std::map<DeviceId, double> out;
    for (const DeviceId node : nodes)
        if (const double gbps = mediaGbps(s, node); gbps > 0) out[node] = gbps;
    return out;
}

Result<ScenarioOutcome> runStorageFlows(const ScenarioDesign& design, const StorageFlows& q, const Progress& progress)
{
    const Snapshot& s = *design.snapshot;
    const auto frontend = frontendOf(s);
    if (!frontend) return tl::unexpected(frontend.error());
    const auto nodes = storageNodesOf(s, q.tier);
    if (!nodes) return tl::unexpected(nodes.error());
    const auto hosts = frontendHosts(*frontend, q.hosts);
    if (!hosts) return tl::unexpected(hosts.error());
    const std::size_t striped = std::min(std::size_t(q.nodesPerHost), nodes->size());
    std::vector<FrontendTransfer> transfers;
    for (std::size_t h = 0; h < hosts->size(); ++h)
        for (std::size_t k = 0; k < striped; ++k) { // nodes in turn, so that all hosts together use them evenly
            const DeviceId node = (*nodes)[(h * striped + k) % nodes->size()];
            const bool reads = q.direction == StorageTraffic::Read;
            transfers.push_back({reads ? node : (*hosts)[h], reads ? (*hosts)[h] : node, q.bytesPerHost / double(striped), 0, std::uint16_t(k)});
        }
    const auto run = runFrontend(s, *frontend, transfers, mediaOf(s, *nodes), q.seed, false, progress);
    if (!run) return tl::unexpected(run.error());
    const double bytes = q.bytesPerHost * double(hosts->size()), seconds = run->flows->completionS;
    const double perS = std::isfinite(seconds) && seconds > 0 ? bytes / seconds : 0;
    const StoragePath path = storagePath(s, s.tiers.name[s.devices.tier[nodes->front()]]);
    const double bestS = path.gbps > 0 ? bytes / path.bytesPerS(1) : 0;
    const Text limit = limitText(*run);
    ScenarioOutcome out;
    const auto count = std::int64_t(hosts->size());
    out.results = {
        {"verdict", q.direction == StorageTraffic::Read
                        ? i18np(count, "{:L} host loads {:.3g} TB in {:.3g} s ({:.4g} GB/s); most loaded: {}.",
                                "{:L} hosts load {:.3g} TB in {:.3g} s ({:.4g} GB/s); most loaded: {}.", bytes / 1e12, seconds, perS / 1e9, limit)
                        : i18np(count, "{:L} host writes {:.3g} TB in {:.3g} s ({:.4g} GB/s); most loaded: {}.",
                                "{:L} hosts write {:.3g} TB in {:.3g} s ({:.4g} GB/s); most loaded: {}.", bytes / 1e12, seconds, perS / 1e9, limit)},
        {"participating_hosts", hosts->size()},
        {"storage",
         {{"tier", path.storageTier},
          {"nodes", nodes->size()},
          {"path_gbps", path.gbps},
          {"media_gbytes_per_s", path.mediaGBytesPerS > 0 ? Json(path.mediaGBytesPerS) : Json()}}},
        {"bytes", bytes},
        {"completion_s", finite(seconds)},
        {"gbytes_per_s", perS / 1e9},
        {"max_flow_s", bestS}};
    addFlowResults(design, *run, out.results);
    out.notes.push_back(i18n("Each host stripes its data over nodes_per_host storage nodes; flows take ECMP paths, all start together. max_flow_s: "
                             "the same bytes at the maximum flow from hosts to nodes, limited by the media where their rate is set."));
    if (path.mediaGBytesPerS <= 0)
        out.notes.push_back(i18n("Media of the storage nodes are not limiting; set storage.TIER.media_gbytes_per_s to include them."));
    addFlowNotes(*run, out);
    return out;
}

Result<ScenarioOutcome> runImagePull(const ScenarioDesign& design, const ImagePull& q, const Progress& progress)
{
    const Snapshot& s = *design.snapshot;
    const auto frontend = frontendOf(s);
    if (!frontend) return tl::unexpected(frontend.error());
    auto nodes = storageNodesOf(s, q.tier);
    if (!nodes) return tl::unexpected(nodes.error());
    if (std::size_t(q.nodes) > nodes->size())
        return fail(ErrorCode::Refused, "registry_nodes", i18n("the tier has {:L} nodes", std::int64_t(nodes->size())), i18n("use at most so many"));
    nodes->resize(std::size_t(q.nodes));
    const auto hosts = frontendHosts(*frontend, q.hosts);
    if (!hosts) return tl::unexpected(hosts.error());
    const bool tree = q.passOn == PassOn::Tree;
    const std::size_t children = std::size_t(q.children), fromRegistry = tree ? std::min(hosts->size(), nodes->size() * children) : hosts->size();
    std::vector<FrontendTransfer> transfers;
    std::vector<int> depth(hosts->size(), 1);
    for (std::size_t h = 0; h < hosts->size(); ++h) {
        const std::size_t parent = h < fromRegistry ? 0 : (h - fromRegistry) / children;
        if (h >= fromRegistry) depth[h] = depth[parent] + 1;
        transfers.push_back({h < fromRegistry ? (*nodes)[h % nodes->size()] : (*hosts)[parent], (*hosts)[h], q.imageBytes, 0, 0});
    }
    const auto run = runFrontend(s, *frontend, transfers, mediaOf(s, *nodes), q.seed, tree, progress);
    if (!run) return tl::unexpected(run.error());
    const int deepest = *std::ranges::max_element(depth);
    double seconds = run->flows->completionS;
    if (tree) // pieces pass through at the pace of the slowest edge
        seconds = run->flows->unreachable > 0 || !(run->flows->minRateGbps > 0)
                      ? std::numeric_limits<double>::infinity()
                      : (q.imageBytes + double(deepest - 1) * std::min(q.pieceBytes, q.imageBytes)) / (run->flows->minRateGbps * kBytesPerGbit);
    ScenarioOutcome out;
    const auto count = std::int64_t(hosts->size());
    out.results = {{"verdict", i18np(count, "{:L} host pulls {:.3g} GB in {:.3g} s; most loaded: {}.",
                                     "{:L} hosts pull {:.3g} GB in {:.3g} s; most loaded: {}.", q.imageBytes / 1e9, seconds, limitText(*run))},
                   {"participating_hosts", hosts->size()},
                   {"hosts_from_registry", fromRegistry},
                   {"depth", deepest},
                   {"completion_s", finite(seconds)}};
    addFlowResults(design, *run, out.results);
    out.notes.push_back(
        tree ? i18n("Hosts pass pieces on as they receive them: each node and host serves {} others, and the image arrives at the pace of "
                    "the slowest connection.",
                    q.children)
             : i18n("Every host pulls the whole image from a registry node; use pass_on tree for hosts that pass it on."));
    addFlowNotes(*run, out);
    return out;
}

/// What the KV cache of a request takes on the busiest link of its connections: processor sharing, 1 / (1 - utilization) of the time alone.
double cacheS(const FrontendFlows& run, std::span<const std::uint32_t> connections, double bytes)
{
    std::map<std::uint32_t, double> over; // by link
    const FlowResult& flows = *run.flows;
    for (const std::uint32_t f : connections)
        for (auto i = flows.flowLinkOffset[f]; i < flows.flowLinkOffset[f + 1]; ++i) over[flows.flowLinks[i]] += bytes / double(connections.size());
    double longest = 0;
    for (const auto& [link, part] : over) {
        const double free = double(flows.capacityGbps[link]) * (1 - run.askedShare[link]);
        longest = std::max(longest, free > 0 ? part / (free * kBytesPerGbit) : std::numeric_limits<double>::infinity());
    }
    return longest;
}

/// Which hosts prefill and which decode: spread evenly over the list.
struct InferenceHosts {
    std::vector<DeviceId> prefill, decode;
};
Result<InferenceHosts> inferenceHosts(const std::vector<DeviceId>& hosts, double share)
{
    if (!(share > 0)) return InferenceHosts{hosts, hosts};
    const std::size_t count = hosts.size(), prefill = std::clamp<std::size_t>(std::size_t(std::llround(share * double(count))), 1, count);
    if (prefill == count)
        return fail(ErrorCode::Refused, "prefill_share", i18n("leaves no host of {:L} for decode", std::int64_t(count)),
                    i18n("use a smaller share, more hosts, or 0 for hosts that do both"));
    InferenceHosts out;
    for (std::size_t h = 0; h < count; ++h) ((h + 1) * prefill / count > h * prefill / count ? out.prefill : out.decode).push_back(hosts[h]);
    return out;
}

Result<ScenarioOutcome> runInferenceFlows(const ScenarioDesign& design, const InferenceFlows& q, const Progress& progress)
{
    const Snapshot& s = *design.snapshot;
    const auto frontend = frontendOf(s);
    if (!frontend) return tl::unexpected(frontend.error());
    const auto hosts = frontendHosts(*frontend, q.hosts);
    if (!hosts) return tl::unexpected(hosts.error());
    const auto roles = inferenceHosts(*hosts, q.prefillShare);
    if (!roles) return tl::unexpected(roles.error());
    const auto& [prefill, decode] = *roles;
    const std::size_t count = hosts->size();
    const bool split = q.prefillShare > 0;
    const double all = q.requestsPerS * double(count);
    std::vector<FrontendTransfer> transfers;
    const auto add = [&](DeviceId from, DeviceId to, double bytesPerS, int connections) { // a demand of 0 would mean no limit
        for (int k = 0; k < connections && bytesPerS > 0; ++k)
            transfers.push_back({from, to, 0, bytesPerS / kBytesPerGbit / connections, std::uint16_t(transfers.size() % 60'000)});
    };
    if (const auto& gateways = frontend->gateways; !gateways.empty()) {
        for (std::size_t h = 0; h < prefill.size(); ++h)
            add(gateways[h % gateways.size()], prefill[h], all / double(prefill.size()) * q.requestBytes, 1);
        for (std::size_t h = 0; h < decode.size(); ++h) add(decode[h], gateways[h % gateways.size()], all / double(decode.size()) * q.answerBytes, 1);
    }
    const std::size_t keyValueFrom = transfers.size(), pairs = std::max(prefill.size(), decode.size());
    for (std::size_t k = 0; k < pairs && split; ++k)
        add(prefill[k % prefill.size()], decode[k % decode.size()], all / double(pairs) * q.keyValueBytes, q.connections);
    if (transfers.empty())
        return fail(ErrorCode::Refused, "prefill_share", i18n("the design has no gateways, and hosts that do both exchange nothing"),
                    i18n("add gateways to the frontend, or set a share of prefill hosts"));
    const auto run = runFrontend(s, *frontend, transfers, {}, q.seed, true, progress);
    if (!run) return tl::unexpected(run.error());
    const FlowResult& flows = *run->flows;
    double asked = 0, carried = 0, worst = 1, slowestS = 0, meanS = 0, most = 0;
    std::map<std::size_t, std::vector<std::uint32_t>> caches; // flows by pair of hosts
    for (std::uint32_t f = 0; f < flows.flows.size(); ++f) {
        const double demand = transfers[run->transfer[f]].demandGbps;
        asked += demand, carried += flows.flows[f].rateGbps, worst = std::min(worst, flows.flows[f].rateGbps / demand);
        if (run->transfer[f] >= keyValueFrom) caches[(run->transfer[f] - keyValueFrom) / std::size_t(q.connections)].push_back(f);
    }
    for (const auto& [pair, connections] : caches) {
        const double seconds = cacheS(*run, connections, q.keyValueBytes);
        slowestS = std::max(slowestS, seconds), meanS += seconds;
    }
    for (const double share : run->askedShare) most = std::max(most, share);
    const double limitRequests = most > 0 ? q.requestsPerS / most : 0;
    ScenarioOutcome out;
    const Text carries = carried >= asked * (1 - 1e-9)
                             ? i18n("The frontend carries all {:L} requests per second ({:.4g} Gb/s)", std::int64_t(std::llround(all)), asked)
                             : i18n("The frontend carries {:.0f} % of the traffic of {:L} requests per second ({:.4g} Gb/s)", 100 * carried / asked,
                                    std::int64_t(std::llround(all)), asked);
    out.results = {
        {"verdict", i18n("{}; first link full at {:.3g} requests per second and host; most loaded: {}.", carries, limitRequests, limitText(*run))},
        {"participating_hosts", count},
        {"prefill_hosts", split ? Json(prefill.size()) : Json()},
        {"gateways", frontend->gateways.size()},
        {"requests_per_s", all},
        {"asked_gbps", asked},
        {"carried_gbps", carried},
        {"carried_share", asked > 0 ? carried / asked : 1},
        {"worst_flow_share", worst},
        {"limit_requests_per_s_per_host", limitRequests},
        {"key_value",
         !caches.empty()
             ? Json{{"mean_s", finite(meanS / double(caches.size()))}, {"slowest_s", finite(slowestS)}, {"within_budget", slowestS <= q.firstTokenS}}
             : Json()}};
    addFlowResults(design, *run, out.results);
    out.notes.push_back(
        i18n("Constant rates: requests from the gateways to prefill hosts, KV caches from prefill to decode hosts, answers back. Transfer "
             "of a KV cache: processor sharing on its busiest link."));
    if (frontend->gateways.empty()) out.notes.push_back(i18n("The design has no gateways: requests and answers are omitted."));
    if (!caches.empty() && !(slowestS <= q.firstTokenS))
        out.notes.push_back(i18n("The slowest KV cache exceeds the latency budget of {:g} s for the first token.", q.firstTokenS));
    addFlowNotes(*run, out);
    out.steadyGbps = flows.loadGbps;
    return out;
}

Form<StorageFlows> storageFlowsForm()
{
    using Q = StorageFlows;
    const Q d;
    Form<Q> form;
    form.oneOf(&Q::direction, kStorageTraffic,
               choice("direction", StorageTraffic::Read, kStorageTraffic, i18n("read: training data or restore; write: checkpoint")))
        .to(&Q::hosts, frontendHostsField())
        .scaled(&Q::bytesPerHost, 1e9, number("gbytes_per_host", "GB", d.bytesPerHost / 1e9, 1e-6, 1e6, i18n("data per host")))
        .to(&Q::nodesPerHost, integer("nodes_per_host", d.nodesPerHost, 1, 1024, i18n("storage nodes over which a host stripes its data")))
        .to(&Q::tier, frontendTierField())
        .to(&Q::seed, frontendSeedField());
    return form;
}

Form<ImagePull> imagePullForm()
{
    using Q = ImagePull;
    const Q d;
    Form<Q> form;
    form.scaled(&Q::imageBytes, 1e9, number("image_gbytes", "GB", d.imageBytes / 1e9, 1e-6, 1e5, i18n("container image or model weights per host")))
        .to(&Q::hosts, frontendHostsField())
        .to(&Q::nodes, integer("registry_nodes", d.nodes, 1, 1e5, i18n("storage nodes that hold the image")))
        .oneOf(&Q::passOn, kPassOn,
               choice("pass_on", PassOn::None, kPassOn, i18n("none: every host pulls from the registry; tree: hosts pass it on")))
        .to(&Q::children, onlyWhen(integer("children", d.children, 1, 1024, i18n("hosts that a node or host serves")), {is("pass_on", {"tree"})}))
        .scaled(&Q::pieceBytes, 1e6,
                onlyWhen(number("piece_mbytes", "MB", d.pieceBytes / 1e6, 1e-3, 1e6, i18n("piece that is passed on once it is received")),
                         {is("pass_on", {"tree"})}))
        .to(&Q::tier, frontendTierField())
        .to(&Q::seed, frontendSeedField());
    return form;
}

Form<InferenceFlows> inferenceFlowsForm()
{
    using Q = InferenceFlows;
    const Q d;
    Form<Q> form;
    form.to(&Q::hosts, frontendHostsField())
        .to(&Q::requestsPerS, number("requests_per_s_per_host", "1/s", d.requestsPerS, 1e-6, 1e7, i18n("requests per second, mean of all hosts")))
        .scaled(&Q::requestBytes, 1e6, number("request_mbytes", "MB", d.requestBytes / 1e6, 0, 1e5, i18n("prompt with its images (assumed)")))
        .scaled(&Q::answerBytes, 1e6, number("answer_mbytes", "MB", d.answerBytes / 1e6, 0, 1e5, i18n("answer (assumed)")))
        .to(&Q::prefillShare, number("prefill_share", "", d.prefillShare, 0, 1, i18n("share of hosts for prefill (assumed); 0: all do both")))
        .scaled(&Q::keyValueBytes, 1e6,
                onlyWhen(number("key_value_mbytes", "MB", d.keyValueBytes / 1e6, 0, 1e6,
                                i18n("KV cache of a request, sent to its decode host; 492: 2 × 120 layers × 8 heads × 128 × 2,000 tokens, 8 bits")),
                         {above0("prefill_share")}))
        .to(&Q::connections,
            onlyWhen(integer("connections", d.connections, 1, 64, i18n("connections of a KV cache transfer")), {above0("prefill_share")}))
        .to(&Q::firstTokenS,
            onlyWhen(number("first_token_s", "s", d.firstTokenS, 1e-3, 1e4, i18n("latency budget for the first token")), {above0("prefill_share")}))
        .to(&Q::seed, frontendSeedField());
    return form;
}

} // namespace

std::vector<ScenarioKind> frontendKinds()
{
    std::vector<ScenarioKind> all = {
        formKind("storage-flows", i18n("Hosts load data from the storage nodes or write checkpoints to them: time, loads by tier, hottest links"),
                 storageFlowsForm(), runStorageFlows),
        formKind("image-pull", i18n("Hosts pull an image from registry nodes, with or without passing it on: time, loads by tier, hottest links"),
                 imagePullForm(), runImagePull),
        formKind("inference-flows",
                 i18n("Inference requests, answers and KV caches on the frontend: carried share, limit, loads by tier, hottest links"),
                 inferenceFlowsForm(), runInferenceFlows)};
    for (auto& kind : all) kind = afterFailure(std::move(kind));
    return all;
}

} // namespace questions
} // namespace hw::sim
