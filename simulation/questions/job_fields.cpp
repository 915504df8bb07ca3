// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/questions/job_fields.h"

#include "core/foundation/model/find_network.h"
#include "simulation/fabric/hash.h"
#include "simulation/questions/cut_off.h"
#include "simulation/questions/fabric_fields.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

namespace hw::sim {
inline namespace questions {

namespace {

/// A choice that a preset makes unless it is given.
template <class Enum, std::size_t N>
Field presetChoice(const char* key, const Enum (&choices)[N], Text help)
{
    Field field = choice(key, choices[0], choices, std::move(help));
    field.fallback = Json();
    return field;
}

template <class Enum, std::size_t N>
void takeChoice(const Json& p, const char* key, const Enum (&choices)[N], Enum& target)
{
    if (!p.contains(key)) return;
    for (const Enum choice : choices)
        if (p.at(key) == name(choice)) target = choice;
}

} // namespace

std::vector<Field> joined(std::vector<std::vector<Field>> lists)
{
    std::vector<Field> all;
    for (auto& list : lists) all.insert(all.end(), std::make_move_iterator(list.begin()), std::make_move_iterator(list.end()));
    return all;
}

std::vector<Field> without(std::vector<Field> fields, std::span<const std::string_view> keys)
{
    std::erase_if(fields, [&](const Field& f) { return std::ranges::find(keys, f.key) != keys.end(); });
    return fields;
}

Field presetField()
{
    const auto presets = presetSlugs();
    return text("preset", presets.empty() ? Json("gpt3-175b") : Json(presets.front()), presets, i18n("model and parallelism to start from"));
}

std::vector<Field> cutFields()
{
    return {integer("tensor", nullptr, 1, 1e5, i18n("parallel degree")),
            integer("pipeline", nullptr, 1, 1e5, i18n("number of pipeline stages")),
            integer("virtual_stages", nullptr, 1, 1e4, i18n("model chunks per stage (interleaving)")),
            integer("expert", nullptr, 1, 1e5, i18n("parallel degree")),
            integer("context", nullptr, 1, 1e5, i18n("parallel degree")),
            integer("micro_batch", nullptr, 1, 1e6, i18n("samples")),
            boolean("sequence_parallel", nullptr, i18n("norms and dropout also split across the tensor ranks")),
            boolean("scatter_gather", nullptr, i18n("pipeline sends split across the tensor ranks")),
            onlyWhen(integer("micro_batches", nullptr, 1, 1e6, i18n("per iteration")), {is("samples_per_iteration", {0})}),
            integer("samples_per_iteration", 0, 0, 1e9, i18n("global batch; 0: determined by micro_batches"))};
}

Field latencyField()
{
    return object("latency",
                  {number("inside_us", "us", nullptr, 0, 1e6, i18n("per message within a scale-up domain")),
                   number("outside_us", "us", nullptr, 0, 1e6, i18n("between hosts, excluding switches")),
                   number("hop_us", "us", nullptr, 0, 1e6, i18n("per switch on the path"))},
                  i18n("message latency"));
}

std::vector<Field> placementFields()
{
    return {choice("placement", Placement::Contiguous, kPlacements, i18n("placement of the job's hosts")),
            onlyWhen(integer("placement_seed", 1, 0, 9e15, i18n("seed of random placement")), {is("placement", {"random"})})};
}

std::vector<Field> runningFields()
{
    const auto& library = workloadLibrary();
    const auto libraries = library ? slugs(library->libraries) : std::vector<std::string>();
    std::vector<Field> fields{
        presetChoice("precision", kPrecisionList, i18n("precision of matrix operations")),
        presetChoice("recompute", kRecomputes, i18n("activation recomputation")),
        presetChoice("gradient_allreduce", kAllReduceWays,
                     i18n("algorithm; any other than automatic requires an all-reduce instead of a sharded optimizer")),
        presetChoice("tensor_allreduce", kAllReduceWays, i18n("algorithm")),
        presetChoice("expert_alltoall", kAllToAllWays,
                     i18n("direct; forwarded through the rail; deduplicated: each token once to every scale-up domain that holds its experts")),
        boolean("sharded_optimizer", nullptr, i18n("reduce-scatter and all-gather instead of all-reduce")),
        onlyWhen(text("library", nullptr, libraries, i18n("collective library, which determines the share of line rate reached")),
                 {notGiven("library_factor")}),
        number("library_factor", "", nullptr, 0.01, 1, i18n("overrides the value of the library")),
        object("overlap",
               {number("tensor", "", nullptr, 0, 1, i18n("overlapped share")), number("context", "", nullptr, 0, 1, i18n("overlapped share")),
                number("expert", "", nullptr, 0, 1, i18n("overlapped share")), number("gradient", "", nullptr, 0, 1, i18n("overlapped share"))},
               i18n("communication that computation can hide")),
        latencyField()};
    for (auto& f : acceleratorFields()) fields.push_back(std::move(f));
    return fields;
}

Field modelField() { return object("model", modelFields(), i18n("changes to the preset model")); }

std::vector<Field> jobFields()
{
    return joined({{presetField(), integer("gpus", 0, 0, 1e7, i18n("GPUs of the job; 0: as many as fit"))},
                   cutFields(),
                   placementFields(),
                   {boolean("keep_in_domains", true,
                            i18n("leave GPUs of a scale-up domain idle where a tensor, context or expert group would span two domains")),
                    text("rank_order", "tp-cp-ep-dp-pp", {}, i18n("order of the dimensions, innermost (fastest-varying) first"))},
                   runningFields(),
                   {boolean("sharded_gradients", nullptr, i18n("gradients sharded over the replicas (ZeRO-2), with sharded_optimizer: less memory")),
                    modelField(), number("tokens_to_train", "", nullptr, 1, 1e18, i18n("tokens of the complete training"))}});
}

std::vector<Field> fabricFields()
{
    return {
        text("network", "backend", {}, i18n("network that carries the job")),
        variantField(),
        selection("pods", 1, 1e6, i18n("pods whose hosts may be used")),
        selection("segments", 1, 1e6, i18n("segments of these pods")),
        integer("xlink_domain_gpus", 0, 0, 1e6, i18n("scale-up domain size, in whole hosts; 0: as designed")),
        number("scale_up_gbps", "Gb/s", nullptr, 1, 1e6, i18n("per accelerator, one direction; overrides the design")),
        integer("failed_links", 0, 0, 1e6, i18n("failed links between switches, drawn at random")),
        failedField(),
        integer("seed", 1, 0, 9e15, i18n("seed of hashes and random draws")),
        selectionField("routing"),
        onlyWhen(integer("connections_per_port", 1, 1, 64, i18n("flows over which a NIC port spreads a transfer")), {isNot("routing", {"spray"})})};
}

namespace {

/// Hosts outside the chosen pods and segments are taken; nothing where all are chosen.
std::vector<std::uint8_t> freeHosts(const WorkloadFabric& fabric, const Json& p)
{
    const auto pods = selected(p, "pods"), segments = selected(p, "segments");
    if (pods.empty() && segments.empty()) return {};
    const auto in = [](const std::vector<int>& list, int value) { return list.empty() || std::ranges::find(list, value + 1) != list.end(); };
    std::vector<std::uint8_t> free;
    for (const HostPlace& h : fabric.places) free.push_back(in(pods, h.pod) && in(segments, h.segment));
    return free;
}

Result<void> mergeDomains(WorkloadFabric& fabric, std::int64_t gpus)
{
    if (gpus == 0) return {};
    if (gpus % fabric.gpusPerHost != 0)
        return fail(ErrorCode::Refused, "xlink_domain_gpus", i18n("is not a multiple of the {} accelerators of a server", fabric.gpusPerHost),
                    i18n("specify whole servers"));
    for (std::uint32_t h = 0; h < fabric.domainOfHost.size(); ++h) fabric.domainOfHost[h] = h / std::uint32_t(gpus / fabric.gpusPerHost);
    return {};
}

/// A named accelerator of another type brings its own peaks and rates; a stated rate counts before all others.
void overrideScaleUp(WorkloadFabric& fabric, const Json& p)
{
    const auto& library = workloadLibrary();
    if (p.contains("accelerator") && library) {
        const auto* own = library->acceleratorOfServer(fabric.serverType);
        if (!own || own->slug != textOf(p, "accelerator")) fabric.scaleUpGbps = 0, fabric.peakFlops = {};
    }
    take(p, "scale_up_gbps", fabric.scaleUpGbps);
}

void readLatency(const Json& p, Latency& latency)
{
    if (p.contains("inside_us")) latency.insideS = numberOf(p, "inside_us") / 1e6;
    if (p.contains("outside_us")) latency.outsideS = numberOf(p, "outside_us") / 1e6;
    if (p.contains("hop_us")) latency.hopS = numberOf(p, "hop_us") / 1e6;
}

int breakLinks(const FabricGraph& graph, FabricState& state, std::int64_t wanted, std::uint64_t seed)
{
    std::vector<std::uint32_t> links;
    for (DirectedLink l = 0; l < graph.directedCount(); l += 2)
        if (graph.capacityGbps()[l] > 0 && graph.tail(l) != FabricGraph::kNone && graph.head(l) != FabricGraph::kNone) links.push_back(l / 2);
    const auto count = std::min<std::size_t>(std::size_t(wanted), links.size());
    for (std::size_t i = 0; i < count; ++i) { // the first `count` of a shuffle
        std::swap(links[i], links[i + mix(seed + 0x9e3779b97f4a7c15ull * (i + 1)) % (links.size() - i)]);
        state.setLink(LinkId(links[i]), false);
    }
    return int(count);
}

/// Hosts that are lost take no part.
void loseHosts(JobFabric& made)
{
    auto& free = made.options.free;
    if (free.empty()) free.assign(made.fabric.hosts.size(), 1);
    for (std::size_t h = 0; h < free.size(); ++h)
        if (made.failed->hasLost(made.fabric.hosts[h])) free[h] = 0;
}

} // namespace

Text cutOffText(const ScenarioDesign& design, const JobFabric& made)
{
    std::vector<DeviceId> hosts;
    for (std::size_t h = 0; h < made.fabric.hosts.size(); ++h)
        if (made.options.free.empty() || made.options.free[h]) hosts.push_back(made.fabric.hosts[h]);
    return cutOffText(*design.snapshot, *made.fabric.graph, made.state.get(), hosts, int(made.fabric.nicsPerHost));
}

Result<JobFabric> jobFabric(const ScenarioDesign& design, const Json& p)
{
    FabricVariant variant = FabricVariant::AsDesigned;
    takeChoice(p, "variant", kFabricVariants, variant);
    auto fabric = workloadFabric(*design.snapshot, textOf(p, "network"), variant);
    if (!fabric) return tl::unexpected(fabric.error());
    JobFabric made;
    made.fabric = std::move(*fabric);
    overrideScaleUp(made.fabric, p);
    if (const auto merged = mergeDomains(made.fabric, p.at("xlink_domain_gpus").get<std::int64_t>()); !merged) return tl::unexpected(merged.error());
    const auto seed = p.at("seed").get<std::uint64_t>();
    auto routing = routingOptions(*design.snapshot, *findNetwork(*design.snapshot, textOf(p, "network")), seed); // it has made the fabric
    if (!routing) return tl::unexpected(routing.error());
    takeChoice(p, "routing", kPathSelections, routing->selection);
    made.options.phase.routing = std::move(*routing);
    take(p, "connections_per_port", made.options.phase.connectionsPerPort);
    const int planes =
        variant == FabricVariant::SinglePlane ? 1 : design.snapshot->networks.planes[*findNetwork(*design.snapshot, textOf(p, "network"))];
    const int ports = made.fabric.gpuCount() > 0
                          ? int(std::ranges::count_if(made.fabric.ports(0), [](const auto& port) { return port.access != FabricGraph::kNone; }))
                          : 0;
    if (const auto fine = refuseNothingToPart(made.options.phase.routing.selection, "routing", made.options.phase.connectionsPerPort,
                                              "connections_per_port", ports, planes);
        !fine)
        return tl::unexpected(fine.error());
    made.options.free = freeHosts(made.fabric, p);
    auto failed = failedState(design, p);
    if (!failed) return tl::unexpected(failed.error());
    made.failed = std::move(*failed);
    if (made.failed) loseHosts(made);
    if (made.failed && usableGpus(made) == 0)
        return fail(ErrorCode::Refused, "failed", i18n("no host left"), i18n("reduce the number of failures, or choose other segments"));
    if (usableGpus(made) == 0)
        return fail(ErrorCode::Refused, selected(p, "pods").empty() ? "segments" : "pods", i18n("have no hosts in this design"),
                    i18n("choose other servers"));
    const auto broken = p.contains("failed_links") ? p.at("failed_links").get<std::int64_t>() : 0;
    if (broken > 0 || (made.failed && !made.failed->links.empty())) {
        auto state = std::make_shared<FabricState>(*made.fabric.graph);
        if (made.failed)
            for (const LinkId link : made.failed->links) state->setLink(link, false);
        if (broken > 0) made.deadLinks = breakLinks(*made.fabric.graph, *state, broken, seed);
        made.state = state;
        made.options.phase.state = made.state.get();
    }
    return made;
}

namespace {

/// What a preset (or any job, where none is named) has of the keys that may be useless.
Json ownValues(const Json& p)
{
    const auto& library = workloadLibrary();
    const auto* preset = library && p.contains("preset") ? library->preset(textOf(p, "preset")) : nullptr;
    const TrainingJob job = preset ? preset->job : TrainingJob{};
    return {{"gradient_allreduce", name(job.algorithms.gradient)},
            {"tensor_allreduce", name(job.algorithms.tensor)},
            {"expert_alltoall", name(job.algorithms.expert)},
            {"sharded_optimizer", job.algorithms.shardedOptimizer},
            {"sharded_gradients", job.algorithms.shardedGradients},
            {"sequence_parallel", job.cut.sequenceParallel},
            {"scatter_gather", job.cut.scatterGather},
            {"overlap",
             {{"tensor", job.overlap.tensor}, {"context", job.overlap.context}, {"expert", job.overlap.expert}, {"gradient", job.overlap.gradient}}},
            {"model",
             {{"top_k", job.model.topK},
              {"expert_every", job.model.expertEvery},
              {"dense_first", job.model.denseFirst},
              {"expert_feed_forward", job.model.expertFeedForward},
              {"shared_feed_forward", job.model.sharedFeedForward},
              {"node_limit", job.model.nodeLimit}}}};
}

} // namespace

Result<void> refuseUseless(const Json& p, std::span<const TrainingJob> jobs, const WorkloadFabric& fabric)
{
    const Json own = ownValues(p);
    struct Use {
        const char *object, *key;
        bool (*counts)(const TrainingJob&);
        TextId why;
    };
    constexpr auto kTensor = [](const TrainingJob& j) { return j.cut.tensor > 1; };
    constexpr auto kSplitSends = [](const TrainingJob& j) { return j.cut.tensor > 1 && j.cut.pipeline > 1; };
    constexpr auto kContext = [](const TrainingJob& j) { return j.cut.context > 1; };
    constexpr auto kExperts = [](const TrainingJob& j) { return j.model.mixture() && j.cut.expert > 1; };
    constexpr auto kReplicas = [](const TrainingJob& j) { return std::int64_t(j.cut.data) * j.cut.context > 1; };
    constexpr auto kShardedReplicas = [](const TrainingJob& j) {
        return j.algorithms.shardedOptimizer && std::int64_t(j.cut.data) * j.cut.context > 1;
    };
    constexpr auto kMixture = [](const TrainingJob& j) { return j.model.mixture(); };
    constexpr auto kDeduplicated = [](const TrainingJob& j) {
        return j.model.mixture() && j.cut.expert > 1 && j.algorithms.expert == AllToAllAlgorithm::Deduplicated;
    };
    constexpr Use kUses[] = {{"", "sequence_parallel", kTensor, TextId("the model is not tensor-parallel")},
                             {"", "scatter_gather", kSplitSends, TextId("there are no sends between tensor-parallel stages")},
                             {"", "tensor_allreduce", kTensor, TextId("the model is not tensor-parallel")},
                             {"overlap", "tensor", kTensor, TextId("the model is not tensor-parallel")},
                             {"overlap", "context", kContext, TextId("the sequence is not split")},
                             {"", "expert_alltoall", kExperts, TextId("experts are not spread over GPUs")},
                             {"overlap", "expert", kExperts, TextId("experts are not spread over GPUs")},
                             {"", "gradient_allreduce", kReplicas, TextId("there is only one replica")},
                             {"overlap", "gradient", kReplicas, TextId("there is only one replica")},
                             {"", "sharded_optimizer", kReplicas, TextId("there is only one replica")},
                             {"", "sharded_gradients", kShardedReplicas, TextId("the optimizer is not sharded over replicas")},
                             {"model", "top_k", kMixture, TextId("the model has no experts")},
                             {"model", "expert_every", kMixture, TextId("the model has no experts")},
                             {"model", "dense_first", kMixture, TextId("the model has no experts")},
                             {"model", "expert_feed_forward", kMixture, TextId("the model has no experts")},
                             {"model", "shared_feed_forward", kMixture, TextId("the model has no experts")},
                             {"model", "node_limit", kDeduplicated, TextId("the all-to-all of the experts is not deduplicated")}};
    for (const Use& use : kUses) {
        const bool inside = *use.object != '\0';
        if (inside && !p.contains(use.object)) continue;
        const Json& object = inside ? p.at(use.object) : p;
        if (!object.contains(use.key) || object.at(use.key) == (inside ? own.at(use.object) : own).at(use.key) ||
            std::ranges::any_of(jobs, use.counts))
            continue;
        return fail(ErrorCode::Refused, inside ? fmt::format("{}.{}", use.object, use.key) : use.key, i18n("has no effect here: {}", use.why),
                    i18n("omit it, or change the job"));
    }
    if (p.contains("keep_in_domains") && !flagOf(p, "keep_in_domains") && std::ranges::all_of(jobs, [&](TrainingJob j) {
            j.keepInDomains = true;
            return unitOf(fabric, j) == DomainUnit{1, fabric.gpusPerHost};
        }))
        return fail(ErrorCode::Refused, "keep_in_domains",
                    i18n("has no effect here: groups stay within scale-up domains anyway, or are larger than one"), i18n("omit it"));
    const auto insideHosts = [&](const TrainingJob& j) {
        return j.order.front() == Dimension::Tensor && int(fabric.gpusPerHost) % j.cut.tensor == 0;
    };
    if (p.contains("tensor_allreduce") && p.at("tensor_allreduce") != own.at("tensor_allreduce") && std::ranges::all_of(jobs, insideHosts))
        return fail(ErrorCode::Refused, "tensor_allreduce",
                    i18n("has no effect here: tensor-parallel ranks share a host, and within a scale-up domain all paths form one ring"),
                    i18n("omit it, or split the model across hosts"));
    return {};
}

std::int64_t usableGpus(const JobFabric& fabric)
{
    const auto& free = fabric.options.free;
    return std::int64_t(free.empty() ? fabric.fabric.hosts.size() : std::size_t(std::ranges::count(free, std::uint8_t(1)))) *
           fabric.fabric.gpusPerHost;
}

Error inKeys(Error error)
{
    constexpr std::string_view kCut = "parallelism.";
    if (error.where.starts_with(kCut))
        error.where.erase(0, kCut.size());
    else if (error.where == "parallelism")
        error.where = "gpus";
    else if (error.where == "rank order") // no text
        error.where = "rank_order";
    return error;
}

Placement placementOf(const Json& p, const char* key)
{
    Placement placement = Placement::Contiguous;
    takeChoice(p, key, kPlacements, placement);
    return placement;
}

Result<TrainingJob> runningJob(const Json& p, TrainingJob job, const JobFabric& fabric, bool computes)
{
    const auto& library = workloadLibrary();
    if (!library) return tl::unexpected(library.error());
    const auto* named = p.contains("accelerator") ? library->accelerator(textOf(p, "accelerator")) : nullptr;
    if (named && named != library->acceleratorOfServer(fabric.fabric.serverType)) {
        job.accelerator = named->accelerator;
        if (fabric.fabric.scaleUpGbps > 0) job.accelerator.scaleUpGbps = fabric.fabric.scaleUpGbps;
    } else {
        const auto own = computes ? designAccelerator(*library, fabric.fabric) : designScaleUp(*library, fabric.fabric);
        if (!own) return tl::unexpected(own.error());
        job.accelerator = *own;
    }
    if (p.contains("latency")) readLatency(p.at("latency"), job.latency);
    takeChoice(p, "precision", kPrecisionList, job.precision);
    takeChoice(p, "recompute", kRecomputes, job.recompute);
    takeChoice(p, "gradient_allreduce", kAllReduceWays, job.algorithms.gradient);
    takeChoice(p, "tensor_allreduce", kAllReduceWays, job.algorithms.tensor);
    takeChoice(p, "expert_alltoall", kAllToAllWays, job.algorithms.expert);
    if (p.contains("gradient_allreduce") &&
        job.algorithms.gradient != AllReduceAlgorithm::Automatic) { // asking for an all-reduce asks for no sharding
        if (p.contains("sharded_optimizer") && flagOf(p, "sharded_optimizer"))
            return fail(ErrorCode::Refused, "gradient_allreduce",
                        i18n("cannot be combined with sharded_optimizer, which reduces by reduce-scatter and all-gather"), i18n("omit one of them"));
        job.algorithms.shardedOptimizer = false;
    }
    take(p, "sharded_optimizer", job.algorithms.shardedOptimizer);
    take(p, "sharded_gradients", job.algorithms.shardedGradients);
    if (p.contains("library")) job.libraryFactor = library->library(textOf(p, "library"))->factor;
    take(p, "library_factor", job.libraryFactor);
    if (const auto ok = readAccelerator(p, job.precision, job.accelerator); !ok) return tl::unexpected(ok.error());
    if (!p.contains("overlap")) return job;
    const Json& overlap = p.at("overlap");
    take(overlap, "tensor", job.overlap.tensor);
    take(overlap, "context", job.overlap.context);
    take(overlap, "expert", job.overlap.expert);
    take(overlap, "gradient", job.overlap.gradient);
    return job;
}

namespace {

/// As many replicas as fit, or as stated: then tensor x context x pipeline x data is the number of GPUs.
Result<TrainingJob> fitJob(TrainingJob job, const Json& p, const JobFabric& fabric)
{
    const std::int64_t there = usableGpus(fabric), inWholeGroups = usableGpus(fabric.fabric, job, fabric.options.free);
    std::int64_t wanted = 0, samples = 0, data = 0;
    take(p, "gpus", wanted);
    take(p, "samples_per_iteration", samples);
    take(p, "data", data);
    std::int64_t gpus = wanted ? wanted : inWholeGroups > 0 ? inWholeGroups : there;
    const Parallelism& c = job.cut;
    if (data > 0) {
        gpus = std::int64_t(c.tensor) * c.context * c.pipeline * data;
        if (wanted && wanted != gpus)
            return fail(
                ErrorCode::Refused, "gpus",
                i18n("{} specified, but tensor {} x context {} x pipeline {} x data {} = {}", wanted, c.tensor, c.context, c.pipeline, data, gpus),
                i18n("specify {} GPUs, or omit one of them", gpus));
        if (data * c.context % std::max(1, c.expert) != 0)
            return fail(ErrorCode::Refused, "data", i18n("x context is {}, which is not divisible by expert {}", data * c.context, c.expert),
                        i18n("choose a multiple"));
    }
    if (gpus > there)
        return fail(ErrorCode::Refused, data > 0 ? "data" : "gpus",
                    data > 0 ? i18n("requests GPUs: {}; {} available", gpus, there) : i18n("{} requested, {} available", gpus, there),
                    i18n("request fewer"));
    return fitToGpus(std::move(job), gpus, samples);
}

} // namespace

Result<TrainingJob> jobOf(const Json& p, const JobFabric& fabric)
{
    const auto& library = workloadLibrary();
    if (!library) return tl::unexpected(library.error());
    const auto* preset = library->preset(textOf(p, "preset"));
    if (!preset) return fail(ErrorCode::Unreadable, "preset", i18n("unknown key"), i18n("see resources/workloads/presets.yaml"));
    auto running = runningJob(p, preset->job, fabric);
    if (!running) return running;
    TrainingJob job = std::move(*running);
    if (p.contains("model")) readModel(p.at("model"), job.model);
    take(p, "tensor", job.cut.tensor);
    take(p, "pipeline", job.cut.pipeline);
    take(p, "virtual_stages", job.cut.virtualStages);
    take(p, "expert", job.cut.expert);
    take(p, "context", job.cut.context);
    take(p, "micro_batch", job.cut.microBatch);
    take(p, "micro_batches", job.cut.microBatches);
    take(p, "sequence_parallel", job.cut.sequenceParallel);
    take(p, "scatter_gather", job.cut.scatterGather);
    take(p, "keep_in_domains", job.keepInDomains);
    job.placement = placementOf(p);
    take(p, "placement_seed", job.placementSeed);
    take(p, "tokens_to_train", job.tokensToTrain);
    if (p.contains("rank_order")) {
        auto order = parseRankOrder(textOf(p, "rank_order"));
        if (!order) return fail(ErrorCode::Unreadable, "rank_order", order.error().what, order.error().todo);
        job.order = *order;
    }
    auto fitted = fitJob(std::move(job), p, fabric);
    if (!fitted) return tl::unexpected(inKeys(fitted.error()));
    if (const auto fine = checkJob(*fitted); !fine) return tl::unexpected(inKeys(fine.error()));
    return fitted;
}

} // namespace questions
} // namespace hw::sim
