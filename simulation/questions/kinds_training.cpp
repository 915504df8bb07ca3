// SPDX-License-Identifier: GPL-3.0-or-later
// Training jobs on a design as kinds of scenario: one iteration, scaling, bandwidth curves, which dimension may cross pods.
#include "core/foundation/model/find_network.h"
#include "simulation/questions/cut_off.h"
#include "simulation/questions/fabric_fields.h"
#include "simulation/questions/job_fields.h"
#include "simulation/training/curves.h"
#include "simulation/training/gradient_flows.h"
#include "simulation/training/training_playback.h"

#include <algorithm>

namespace hw::sim {
inline namespace questions {

namespace {

/// All that says which job runs on what, but some keys; `more` stands behind the first two.
std::vector<Field> allFields(std::vector<Field> more, std::initializer_list<std::string_view> left = {})
{
    std::vector<Field> fields = joined({without(jobFields(), left), fabricFields()});
    fields.insert(fields.begin() + 1, std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    return fields;
}

Json cutJson(const Parallelism& c)
{
    return {{"tensor", c.tensor},          {"pipeline", c.pipeline},         {"data", c.data},
            {"expert", c.expert},          {"context", c.context},           {"virtual_stages", c.virtualStages},
            {"micro_batch", c.microBatch}, {"micro_batches", c.microBatches}};
}

Text levelName(const ScenarioDesign& design, const std::string& network, int level)
{
    Text found = i18n("level {}", level);
    const Snapshot& s = *design.snapshot;
    const auto of = findNetwork(s, network);
    s.tiers.forEach([&](TierId t) {
        if (s.tiers.kind[t] == TierKind::Switch && s.tiers.level[t] == level && s.tiers.network[t] && of == *s.tiers.network[t])
            found = verbatim(s.tiers.name[t]);
    });
    return found;
}

Json phasesJson(const JobRun& run)
{
    Json list = Json::array();
    for (const auto& p : run.phases)
        list.push_back({{"phase", p.name},
                        {"algorithm", p.collective == Collective::AllReduce ? Json(name(p.way)) : Json(nullptr)},
                        {"bytes", p.bytes},
                        {"groups", p.groups},
                        {"ranks", p.groupSize},
                        {"times", p.timesPerIteration},
                        {"seconds", finite(p.result.durationS)},
                        {"fluid_s", finite(p.result.fluidS)},
                        {"latency_s", p.result.latencyS},
                        {"switches_on_route", p.result.switches},
                        {"flows", p.result.flows},
                        {"slowest_gbps", p.result.unreachable > 0 ? Json() : Json(p.result.leastGbps)},
                        {"mean_gbps", p.result.unreachable > 0 ? Json() : Json(p.result.meanGbps)},
                        {"unreachable", p.result.unreachable}});
    return list;
}

Json tiersJson(const ScenarioDesign& design, const std::string& network, const JobRun& run)
{
    Json list = Json::array({{{"tier", i18n("scale-up")}, {"bytes_up", run.insideBytes}, {"bytes_down", nullptr}, {"busiest_share", nullptr}}});
    for (const auto& t : run.tiers)
        list.push_back({{"tier", i18n("to {}", levelName(design, network, t.level))},
                        {"bytes_up", t.upBytes},
                        {"bytes_down", t.downBytes},
                        {"busiest_share", t.busiestShare}});
    return list;
}

Json straddlingJson(const JobRun& run)
{
    Json list = Json::array();
    for (const Straddling& s : run.straddling)
        list.push_back({{"groups_of", name(s.communicator)},
                        {"groups", s.groups},
                        {"straddling", s.straddling},
                        {"one_domain_could_hold_one", s.fits},
                        {"least_ranks_in_a_domain", s.leastPart},
                        {"most_ranks_in_a_domain", s.mostPart},
                        {"extra_s", s.extraS}});
    return list;
}

std::uint32_t groupSize(const JobRun& run, Communicator communicator)
{
    const auto* phase = run.phase(name(communicator));
    return phase ? phase->groupSize : 0;
}

/// How the job lies in scale-up domains, where that costs something.
void domainNotes(const JobRun& run, std::vector<Text>& notes)
{
    if (run.idleGpus > 0)
        notes.push_back(i18n("{} GPUs of the job's scale-up domains stay idle so that every group stays within one domain; "
                             "keep_in_domains: false uses them.",
                             run.idleGpus));
    else if (run.unit.hosts > 1 && run.straddling.empty())
        notes.push_back(i18n("Ranks fill the scale-up domains in units of {} hosts ({} ranks) so that every group stays within one domain.",
                             run.unit.hosts, run.unit.ranks));
    for (const Straddling& s : run.straddling) {
        if (s.leastPart < s.mostPart)
            notes.push_back(i18n("{} groups of {} ranks are split over scale-up domains in parts of {} to {} ranks: the NICs of the "
                                 "smallest part carry the most and set the pace. Domain sizes that are a multiple or a divisor of the "
                                 "group size avoid this.",
                                 name(s.communicator), groupSize(run, s.communicator), s.leastPart, s.mostPart));
        const Text why = s.fits ? i18n("although a domain could hold a group")
                                : i18n("with the tensor-parallel ranks between its members, a group spans more GPUs than a domain has");
        notes.push_back(s.extraS >= 0 ? i18n("{} of {} {} groups span several scale-up domains ({}): {:.3g} s more communication per iteration "
                                             "than within one domain, before overlap.",
                                             s.straddling, s.groups, name(s.communicator), why, s.extraS)
                                      : i18n("{} of {} {} groups span several scale-up domains ({}): {:.3g} s less communication per iteration "
                                             "than within one domain, before overlap, because NICs carry a part in addition to the scale-up "
                                             "network and the rings are shorter.",
                                             s.straddling, s.groups, name(s.communicator), why, -s.extraS));
        const auto* phase = run.phase(name(s.communicator));
        if (phase && phase->result.flows > 0 && phase->result.leastGbps < phase->result.meanGbps / 2) // with larger domains fewer, larger flows
            notes.push_back(i18n("The slowest flow of the {} groups has {:.3g} Gb/s, the mean is {:.3g} Gb/s: few large flows collide on links by "
                                 "hashing, so a larger scale-up domain can be slower than a smaller one. routing: spray, or more "
                                 "connections_per_port, shows the domains without collisions.",
                                 name(s.communicator), phase->result.leastGbps, phase->result.meanGbps));
    }
}

std::vector<Text> notesFor(const JobRun& run, const JobFabric& made, const Json& p)
{
    const auto asked = p.at("samples_per_iteration").get<std::int64_t>(), gpus = p.at("gpus").get<std::int64_t>();
    std::vector<Text> notes;
    if (run.unreachable > 0)
        notes.push_back(i18n("{} transfers have no path through the fabric switches (servers that forward traffic, as in BCube, "
                             "are not modeled): the job does not run.",
                             run.unreachable));
    for (const auto& w : run.warnings) notes.push_back(w);
    if (asked > 0 && double(asked) != run.job.cut.samplesPerIteration())
        notes.push_back(i18n("An iteration has {:.0f} samples instead of the {} requested: whole micro-batches, at least one for "
                             "every stage of every replica.",
                             run.job.cut.samplesPerIteration(), asked));
    if (gpus > 0 && gpus != run.job.cut.gpus())
        notes.push_back(i18n("{} of the {} requested GPUs are used: whole replicas (tensor x context x pipeline).", run.job.cut.gpus(), gpus));
    domainNotes(run, notes);
    if (run.job.recompute == Recompute::Selective && run.job.model.flashAttention)
        notes.push_back(i18n("FlashAttention already recomputes the scores: selective recomputation adds nothing to it."));
    if (made.failed) notes.push_back(made.failed->note());
    if (made.deadLinks) notes.push_back(i18n("{} links between switches were down; routing has converged.", made.deadLinks));
    const bool stated = run.job.accelerator.efficiency > 0;
    notes.push_back(i18n("Compute: {:.0f} TFLOPS of {:.1f} per GPU while computing ({}, {}); collectives reach {:.2f} of line "
                         "rate. Sources: resources/workloads; model vs published runs: published-training.",
                         run.iteration.computeFlopsPerGpu / 1e12, run.job.peakFlops() / 1e12, run.job.accelerator.name,
                         stated ? i18n("as specified") : i18n("from matrix product sizes"), run.job.libraryFactor));
    for (Text& note : computeNotes(run.job)) notes.push_back(std::move(note));
    notes.push_back(i18n("Not included: data loading, stragglers."));
    notes.push_back(kFluidNote);
    return notes;
}

Result<ScenarioOutcome> runIteration(const ScenarioDesign& design, const Json& p, const Progress& progress)
{
    const auto made = jobFabric(design, p);
    if (!made) return tl::unexpected(made.error());
    const auto job = jobOf(p, *made);
    if (!job) return tl::unexpected(job.error());
    if (const auto fine = refuseUseless(p, std::span(&*job, 1), made->fabric); !fine) return tl::unexpected(fine.error());
    const auto run = runJob(made->fabric, *job, made->options, progress);
    if (!run) return tl::unexpected(run.error());
    bool proved = true;
    double gap = 0;
    for (const auto& phase : run->phases) {
        proved = proved && (phase.result.certified || run->unreachable > 0 || phase.result.flows == 0 ||
                            made->options.phase.routing.selection == PathSelection::Spray);
        gap = std::max(gap, phase.result.certificateGap);
    }
    if (!proved)
        return fail(ErrorCode::Fault, "training", i18n("max-min fairness of the rates of a phase is not verified"), i18n("please report it"));
    ScenarioOutcome out;
    const Iteration& i = run->iteration;
    const bool runs = run->unreachable == 0;
    const auto known = [&](double value) { return runs ? finite(value) : Json(); };
    out.results = {{"job", run->job.name},
                   {"runs", runs && run->memory.fits()},
                   {"model", run->job.model.name},
                   {"gpus", run->job.cut.gpus()},
                   {"hosts", run->hosts.size()},
                   {"pods", run->spread.pods},
                   {"segments", run->spread.segments},
                   {"iteration_s", known(i.iterationS)},
                   {"tokens_per_s", known(i.tokensPerS)},
                   {"mfu", known(i.mfu)},
                   {"hfu", known(i.hfu)},
                   {"tflops_per_gpu", known(i.flopsPerGpu / 1e12)},
                   {"hardware_tflops_per_gpu", known(i.hardwareFlopsPerGpu / 1e12)},
                   {"compute_tflops_per_gpu", known(i.computeFlopsPerGpu / 1e12)},
                   {"training_days", known(i.trainingDays)},
                   {"scaling_efficiency", known(i.scalingEfficiency)},
                   {"exposed_share", known(i.exposedShare)},
                   {"memory_bytes_per_gpu", run->memory.totalBytes()},
                   {"memory", memoryJson(run->memory)},
                   {"parameters", countParameters(run->job.model).total()},
                   {"accelerator", acceleratorJson(run->job)},
                   {"calibrated_constants", calibratedJson(run->job)},
                   {"validated_range", validatedJson(run->job)},
                   {"idle_gpus", run->idleGpus},
                   {"straddling", straddlingJson(*run)},
                   {"cut", cutJson(run->job.cut)},
                   {"time", timesJson(i)},
                   {"phases", phasesJson(*run)},
                   {"bytes_by_tier", tiersJson(design, textOf(p, "network"), *run)},
                   {"flows", run->flows},
                   {"connections_per_host", run->connectionsPerHost},
                   {"most_connections_per_host", run->mostConnections},
                   {"certificate", {{"ok", proved}, {"worst_gap", gap}}}};
    out.notes = notesFor(*run, *made, p);
    if (!runs) {
        tellCutOff(out, run->unreachable, cutOffText(design, *made));
        return out;
    }
    judgeMemory(run->job, run->memory, out.results);
    out.playback = trainingPlayback(*design.snapshot, made->fabric, *run);
    out.steadyGbps = meanLoads(*run);
    if (auto flows = gradientFlows(*design.snapshot, made->fabric, *run, made->options, progress)) out.flows = std::move(*flows);
    return out;
}

/// Sizes that are asked for; else usual ones that the design has room for, else quarter, half and all of it.
std::vector<std::int64_t> sizesOf(const Json& p, const TrainingJob& job, std::int64_t usable)
{
    std::vector<std::int64_t> sizes;
    if (p.contains("sizes")) {
        for (const int n : integersOf(p, "sizes")) sizes.push_back(n);
        return sizes;
    }
    const std::int64_t least = job.cut.gpus() / std::max<std::int64_t>(job.cut.data, 1); // of one replica
    for (const std::int64_t n : {1024, 2048, 4096, 8192, 15360})
        if (n >= least && n <= usable) sizes.push_back(n);
    if (sizes.size() > 1) return sizes;
    sizes.clear();
    for (const std::int64_t n : {usable / 4, usable / 2})
        if (n >= least) sizes.push_back(n);
    sizes.push_back(usable);
    return sizes;
}

Result<ScenarioOutcome> runScaling(const ScenarioDesign& design, const Json& p, const Progress& progress)
{
    const auto made = jobFabric(design, p);
    if (!made) return tl::unexpected(made.error());
    const auto job = jobOf(p, *made);
    if (!job) return tl::unexpected(job.error());
    if (const auto fine = refuseUseless(p, std::span(&*job, 1), made->fabric); !fine) return tl::unexpected(fine.error());
    const auto sizes = sizesOf(p, *job, usableGpus(made->fabric, *job, made->options.free));
    JobRunOptions options = made->options;
    options.keepLinkBytes = false;
    const auto curve = scalingCurve(made->fabric, *job, sizes, p.at("samples_per_iteration").get<std::int64_t>(), options, progress);
    if (!curve) return tl::unexpected(curve.error());
    ScenarioOutcome out;
    out.results["points"] = Json::array();
    std::uint64_t unreachable = 0;
    for (const auto& c : *curve) {
        const auto known = [&](double value) { return c.unreachable == 0 ? finite(value) : Json(); };
        unreachable += c.unreachable;
        out.results["points"].push_back({{"gpus", c.gpus},
                                         {"data", c.cut.data},
                                         {"iteration_s", known(c.iterationS)},
                                         {"tokens_per_s", known(c.tokensPerS)},
                                         {"mfu", known(c.mfu)},
                                         {"tflops_per_gpu", known(c.flopsPerGpu / 1e12)},
                                         {"exposed_share", known(c.exposedShare)},
                                         {"efficiency", known(c.efficiency)},
                                         {"efficiency_to_first", known(c.efficiencyToFirst)},
                                         {"memory_bytes_per_gpu", c.memoryBytes},
                                         {"fits_in_memory", c.memoryBytes <= job->accelerator.memoryBytes}});
    }
    if (unreachable > 0) tellCutOff(out, unreachable, cutOffText(design, *made));
    const auto fits = [&](const ScalingPoint& c) { return c.memoryBytes <= job->accelerator.memoryBytes; };
    out.results["runs"] = std::ranges::any_of(*curve, [&](const ScalingPoint& c) { return fits(c) && c.unreachable == 0; });
    if (const auto small = std::ranges::find_if_not(*curve, fits); small != curve->end()) {
        TrainingJob large = *job;
        large.cut = small->cut;
        const Text why = memoryShortfall(large, memoryPerGpu(large));
        out.notes.push_back(i18n("On {} GPUs the job does not run: {}.", small->gpus, why));
        if (std::ranges::none_of(*curve, fits)) out.results["verdict"] = i18n("The job does not run: {}.", why);
    }
    for (Text& note : computeNotes(*job)) out.notes.push_back(std::move(note));
    out.notes.push_back(i18n("efficiency is T(n) / (n T(1)), where T is the throughput and T(1) that of a GPU that never waits."));
    out.notes.push_back(kFluidNote);
    return out;
}

constexpr std::pair<const char*, Collective> kCollectives[] = {{"all-reduce", Collective::AllReduce},
                                                               {"reduce-scatter", Collective::ReduceScatter},
                                                               {"all-gather", Collective::AllGather},
                                                               {"all-to-all", Collective::AllToAll}};

/// Numbers of hosts that are asked for; else usual ones that the design has, else all of it.
Result<std::vector<std::uint32_t>> hostsOf(const Json& p, const JobFabric& made)
{
    const auto& mask = made.options.free;
    const auto free =
        std::uint32_t(mask.empty() ? made.fabric.places.size() : std::size_t(std::ranges::count_if(mask, [](auto m) { return m != 0; })));
    std::vector<std::uint32_t> hosts;
    if (p.contains("hosts")) {
        for (const int n : integersOf(p, "hosts")) hosts.push_back(std::uint32_t(n));
        if (const auto most = std::ranges::max(hosts); most > free)
            return fail(ErrorCode::Refused, "hosts", i18np(most, "requires {} host, {} available", "requires {} hosts, {} available", free),
                        i18n("use fewer hosts or a larger design"));
        return hosts;
    }
    for (const std::uint32_t n : {2u, 8u, 32u, 128u})
        if (n <= free) hosts.push_back(n);
    if (hosts.empty()) hosts.push_back(free);
    return hosts;
}

Result<ScenarioOutcome> runBandwidth(const ScenarioDesign& design, const Json& p, const Progress& progress)
{
    const auto made = jobFabric(design, p);
    if (!made) return tl::unexpected(made.error());
    auto job = runningJob(p, TrainingJob{}, *made, false);
    if (!job) return tl::unexpected(job.error());
    job->placement = placementOf(p);
    if (p.contains("placement_seed")) job->placementSeed = p.at("placement_seed").get<std::uint64_t>();
    Operation operation;
    for (const auto& [name, collective] : kCollectives)
        if (p.at("collective") == name) operation.collective = collective;
    operation.allReduce = job->algorithms.gradient;
    operation.allToAll = job->algorithms.expert;
    const auto hosts = hostsOf(p, *made);
    if (!hosts) return tl::unexpected(hosts.error());
    const auto curve = bandwidthCurve(made->fabric, operation, *hosts, numbersOf(p, "bytes"), *job, made->options, progress);
    if (!curve) return tl::unexpected(curve.error());
    ScenarioOutcome out;
    out.results["points"] = Json::array();
    std::uint64_t unreachable = 0;
    for (const auto& c : *curve) {
        const bool runs = c.unreachable == 0;
        unreachable += c.unreachable;
        out.results["points"].push_back({{"hosts", c.hosts},
                                         {"ranks", c.ranks},
                                         {"bytes", c.bytes},
                                         {"algorithm", operation.collective == Collective::AllReduce && runs ? Json(name(c.way)) : Json(nullptr)},
                                         {"time_s", runs ? finite(c.timeS) : Json()},
                                         {"algorithm_gbytes_per_s", runs ? Json(c.algorithmBytesPerS / 1e9) : Json()},
                                         {"bus_gbytes_per_s", runs ? Json(c.busBytesPerS / 1e9) : Json()}});
    }
    if (unreachable > 0) tellCutOff(out, unreachable, cutOffText(design, *made));
    out.notes = {i18n("Message latency: {:g} µs within and {:g} µs between hosts, plus {:g} µs for each switch on the path (assumed).",
                      job->latency.insideS * 1e6, job->latency.outsideS * 1e6, job->latency.hopS * 1e6),
                 kFluidNote};
    return out;
}

Result<ScenarioOutcome> runCrossing(const ScenarioDesign& design, const Json& p, const Progress& progress)
{
    const auto made = jobFabric(design, p);
    if (!made) return tl::unexpected(made.error());
    const auto job = jobOf(p, *made);
    if (!job) return tl::unexpected(job.error());
    if (const auto fine = refuseUseless(p, std::span(&*job, 1), made->fabric); !fine) return tl::unexpected(fine.error());
    JobRunOptions options = made->options;
    options.keepLinkBytes = false;
    const auto table = comparePodCrossings(made->fabric, *job, options, progress);
    if (!table) return tl::unexpected(table.error());
    ScenarioOutcome out;
    out.results["ways"] = Json::array();
    std::uint64_t unreachable = 0;
    for (const auto& c : *table) {
        const auto known = [&](double value) { return c.unreachable == 0 ? finite(value) : Json(); };
        unreachable += c.unreachable;
        out.results["ways"].push_back({{"crossing", shortName(c.crossing)},
                                       {"placement", name(c.placement)},
                                       {"rank_order", text(c.order)},
                                       {"cross_share", c.crossShare},
                                       {"iteration_s", known(c.iterationS)},
                                       {"slow_down", known(c.slowDown)},
                                       {"top_tier_bytes", c.topTierBytes},
                                       {"exposed_share", known(c.exposedShare)},
                                       {"crossing_phase_s", known(c.crossingPhaseS)},
                                       {"memory_bytes_per_gpu", c.memoryBytes},
                                       {"refused", c.refused}});
    }
    if (unreachable > 0) tellCutOff(out, unreachable, cutOffText(design, *made));
    judgeMemory(*job, memoryPerGpu(*job), out.results);
    out.notes = {i18n("Fastest first; no assumption about which dimension is less expensive is built in. Published advice differs: pipeline stages "
                      "across pods (HPN), data parallelism across 10,000 GPUs (Lingjun)."),
                 kFluidNote};
    return out;
}

/// A collective has no model and no cut: only what carries it.
std::vector<Field> bandwidthFields()
{
    std::vector<Field> fields = {
        text("collective", "all-reduce", {"all-reduce", "reduce-scatter", "all-gather", "all-to-all"}, i18n("across all GPUs of the hosts")),
        integers("hosts", nullptr, 1, 1e6, i18n("participating hosts; default: 2, 8, 32 and 128, up to the number available")),
        numbers("bytes", "bytes", {65536, 1048576, 16777216, 268435456, 4294967296}, 1, 1e15, i18n("message size"))};
    for (Field& f : runningFields()) {
        if (f.key == "gradient_allreduce")
            fields.push_back(onlyWhen(std::move(f), {is("collective", {"all-reduce"})})), fields.back().help = i18n("algorithm");
        else if (f.key == "expert_alltoall")
            fields.push_back(onlyWhen(std::move(f), {is("collective", {"all-to-all"})}));
        else if (f.key == "library" || f.key == "library_factor" || f.key == "latency")
            fields.push_back(std::move(f));
    }
    return joined({std::move(fields), placementFields(), fabricFields()});
}

} // namespace

std::vector<ScenarioKind> trainingKinds()
{
    return {
        {"training",
         i18n("One iteration of a training job on this design: timeline, exposed communication, MFU, tokens per "
              "second, bytes by tier"),
         true,
         allFields({integer("data", nullptr, 1, 1e7, i18n("parallel replicas; gpus, if also specified, must be tensor x context x pipeline x data")),
                    memoryField()}),
         runIteration},
        {"scaling", i18n("Training job by size: scaling efficiency, MFU"), true,
         allFields({integers("sizes", nullptr, 1, 1e7,
                             i18n("GPUs, each rounded down to whole replicas; default: 1,024 to 15,360, up to the number available"))},
                   {"gpus", "tokens_to_train"}),
         runScaling},
        {"bandwidth", i18n("Collective by message size and number of hosts, in the format of collective benchmarks"), true, bandwidthFields(),
         runBandwidth},
        {"pod-crossing", i18n("Which parallel dimension of a job can cross pods: every option run and ranked"), true,
         allFields({}, {"placement", "placement_seed", "rank_order", "tokens_to_train"}), runCrossing}};
}

} // namespace questions
} // namespace hw::sim
