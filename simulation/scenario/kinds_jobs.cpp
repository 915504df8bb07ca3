// SPDX-License-Identifier: GPL-3.0-or-later
// Many jobs, foreign workloads and faults on a design as kinds of scenario.
#include "simulation/scenario/job_fields.h"
#include "simulation/scenario/storage_path.h"

#include "core/exchange/atomic_file.h"
#include "simulation/analytic/checkpoint.h"
#include "simulation/analytic/goodput.h"
#include "simulation/workload/aicb.h"
#include "simulation/workload/job_mix.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

namespace hw::sim {

namespace {

constexpr std::pair<const char*, SharePolicy> kPolicies[] = {{"fair", SharePolicy::Fair}, {"fifo", SharePolicy::Fifo}, {"intensity", SharePolicy::ByIntensity}, {"reverse-intensity", SharePolicy::ByReverseIntensity}};
constexpr std::pair<const char*, Placement> kPlacements[] = {{"packed", Placement::Packed}, {"contiguous", Placement::Contiguous}, {"random", Placement::Random}};

Result<JobMix> mixOf(const Json& p, const JobFabric& made)
{
    JobMix mix = defaultMix();
    if (p.contains("classes")) {
        mix.classes.clear();
        for (std::size_t i = 0; i < p.at("classes").size(); ++i) {
            const Json& c = p.at("classes")[i];
            Json asked = p;
            asked["preset"] = c.at("preset");
            asked["gpus"] = c.at("gpus");
            auto job = jobOf(asked, made);
            if (!job) return fail(job.error().code, fmt::format("classes[{}].{}", i, job.error().where), job.error().what, job.error().todo);
            mix.classes.push_back({std::uint32_t(integerOf(c, "gpus")), numberOf(c, "share"), std::move(*job)});
        }
    }
    mix.offeredLoad = numberOf(p, "offered_load");
    mix.meanDurationH = numberOf(p, "mean_duration_h");
    mix.tenants = integerOf(p, "tenants");
    for (const auto& [name, placement] : kPlacements)
        if (textOf(p, "mix_placement") == name) mix.placement = placement;
    mix.backfill = flagOf(p, "backfill");
    mix.seed = p.at("seed").get<std::uint64_t>();
    return mix;
}

Json policyJson(const MixStudy::Policy& policy)
{
    const auto& o = policy.outcome;
    return {{"policy", name(policy.policy)}, {"utilisation", o.utilisation}, {"utilisation_alone", o.utilisationAlone}, {"mean_slow_down", o.meanSlowDown}, {"worst_slow_down", o.worstSlowDown}, {"shared_links", o.sharedLinks}};
}

std::shared_ptr<const Playback> jobsPlayback(const Snapshot& s, const WorkloadFabric& fabric, const MixStudy& study)
{
    auto play = std::make_shared<Playback>();
    play->revision = s.revision;
    play->title = "Jobs that run together";
    play->capacityGbps = fabric.graph->capacityGbps();
    play->endS = 1;
    std::vector<double> load(play->capacityGbps.size(), 0.0);
    for (std::size_t j = 0; j < study.jobs.size(); ++j) {
        for (const auto& l : study.jobs[j].load)
            if (l.link < load.size()) load[l.link] += l.share * double(play->capacityGbps[l.link]);
        Playback::Job job{study.jobs[j].name, {}};
        if (j < study.occupancy.running.size())
            for (const auto h : study.occupancy.running[j].hosts) job.hosts.push_back(fabric.hosts[h].value);
        play->jobs.push_back(std::move(job));
    }
    Playback::Frame frame{0, "Asked for by all jobs while they communicate", {}, {}};
    for (std::uint32_t l = 0; l < load.size(); ++l)
        if (load[l] > 0) frame.loadGbps.emplace_back(l, float(std::min(load[l], double(play->capacityGbps[l]))));
    play->frames.push_back(std::move(frame));
    return play;
}

Result<ScenarioOutcome> runJobMix(const ScenarioDesign& design, const Json& p, const Progress& progress)
{
    const auto made = jobFabric(design, p);
    if (!made) return tl::unexpected(made.error());
    const auto mix = mixOf(p, *made);
    if (!mix) return tl::unexpected(mix.error());
    std::vector<SharePolicy> policies;
    for (const auto& [name, policy] : kPolicies)
        if (std::ranges::find(p.at("policies"), Json(name)) != p.at("policies").end()) policies.push_back(policy);
    if (policies.empty()) return fail(ErrorCode::Unreadable, "policies", "names none that is known", "use fair, fifo, intensity, reverse-intensity");
    const auto r = runMix(made->fabric, *mix, policies, made->options.phase, p.at("jobs").get<std::uint64_t>(), progress);
    if (!r) return tl::unexpected(r.error());
    ScenarioOutcome out;
    const MixOccupancy& o = r->occupancy;
    out.results = {{"gpus", made->fabric.gpuCount()}, {"gpus_in_use_share", o.utilisation}, {"fragmentation", o.fragmentation}, {"jobs_spread_over_segments", o.spreadJobs}, {"mean_wait_h", o.meanWaitH}, {"jobs_started", o.started},
                   {"jobs_under_1000_gpus", o.jobsUnder1000}, {"largest_job_gpus", o.largestGpus}, {"jobs_running", o.running.size()}, {"connections_per_host", r->meanConnectionsPerHost},
                   {"most_connections_per_host", r->mostConnectionsPerHost}, {"policies", Json::array()}, {"running", Json::array()}, {"tenants", Json::array()}};
    for (const auto& policy : r->policies) out.results["policies"].push_back(policyJson(policy));
    for (std::size_t j = 0; j < r->jobs.size(); ++j) {
        Json row = {{"job", r->jobs[j].name}, {"tenant", r->jobs[j].tenant}, {"gpus", r->jobs[j].gpus}, {"alone_s", r->jobs[j].aloneS()}, {"intensity", r->jobs[j].communicateS > 0 ? Json(r->jobs[j].intensity()) : Json()}};
        for (const auto& policy : r->policies) row[std::string("slow_down_") + name(policy.policy)] = policy.outcome.jobs[j].slowDown;
        out.results["running"].push_back(std::move(row));
    }
    for (const auto& t : r->tenants) out.results["tenants"].push_back({{"tenant", t.number}, {"jobs", t.jobs}, {"gpus", t.gpus}, {"mean_slow_down", t.meanSlowDown}});
    out.notes = {"Jobs arrive at random, first come first served; sizes below 1,000 GPUs are 96.3 % of the jobs (HPN), their split and the durations are assumed.",
                 "Slow-downs are measured over a window of time and may be off by 0.1 %. Policies share the links among the jobs that run at the end; intensity is Crux's: GPU work of an iteration over its communication time.", kFluidNote};
    out.playback = jobsPlayback(*design.snapshot, made->fabric, *r);
    return out;
}

Result<ScenarioOutcome> runForeign(const ScenarioDesign& design, const Json& p, const Progress& progress)
{
    const auto made = jobFabric(design, p);
    if (!made) return tl::unexpected(made.error());
    const std::string file = textOf(p, "file");
    std::ifstream in(file, std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(in), {}};
    if (!in) return fail(ErrorCode::Unreadable, "file", "'" + file + "' cannot be read", "name an AICB or SimAI workload text");
    const auto workload = parseAicb(content, file);
    if (!workload) return tl::unexpected(workload.error());
    const auto& library = workloadLibrary();
    if (!library) return tl::unexpected(library.error());
    TrainingJob base;
    base.accelerator = designAccelerator(*library, made->fabric);
    const auto r = runAicb(made->fabric, *workload, base, p.at("gpus").get<std::int64_t>(), made->options.phase, progress);
    if (!r) return tl::unexpected(r.error());
    ScenarioOutcome out;
    out.results = {{"gpus", r->job.cut.gpus()}, {"layers", workload->layers.size()}, {"iteration_s", r->iterationS}, {"compute_s", r->computeS}, {"communication_s", r->communicationS}, {"flows", r->flows}, {"kinds", Json::array()},
                   {"certificate", {{"ok", r->certified}}}};
    for (const auto& k : r->kinds) out.results["kinds"].push_back({{"kind", k.name}, {"operations", k.operations}, {"bytes", k.bytes}, {"seconds", k.seconds}});
    out.notes = {"Nothing is hidden behind computing, as in the file's own model.", kFluidNote};
    return out;
}

/// Shares of what can stop a job, and how often, from the design's own parts.
struct DesignFaults {
    double gpus = 0, links = 0, perMonth = 0, linkPerMonth = 0;
    bool dualHomed = false;
    int backupHosts = 0;
};

DesignFaults faultsOf(const ScenarioDesign& design, const Json& p, double gpus)
{
    const Snapshot& s = *design.snapshot;
    DesignFaults f;
    f.gpus = gpus;
    double all = 0;
    s.devices.forEach([&](DeviceId d) {
        if (s.tiers.kind[s.devices.tier[d]] != TierKind::Server) return;
        if (s.devices.role[d] == DeviceRole::Backup) ++f.backupHosts;
        else all += design.parts->device(s.devices.type[d]).accelerators;
    });
    double hostLinks = 0, nics = 0;
    s.links.forEach([&](LinkId l) {
        const auto network = s.ports.network[s.links.from[l]];
        if (!network || s.networks.kind[*network] != NetworkKind::Backend || s.links.role[l] != LinkRole::Active) return;
        const DeviceId a = s.ports.device[s.links.from[l]];
        hostLinks += s.tiers.kind[s.devices.tier[a]] == TierKind::Server;
        nics = all;
    });
    f.links = all > 0 ? hostLinks * gpus / all : 0;
    f.dualHomed = nics > 0 && hostLinks >= 2 * nics;
    f.linkPerMonth = linkFailuresPerMonth(f.links, numberOf(p, "link_failures_per_month"));
    const Json& log = p.at("fault_log");
    f.perMonth = faultsPerMonth({numberOf(log, "faults"), numberOf(log, "days"), numberOf(log, "gpus")}, gpus);
    return f;
}

Result<ScenarioOutcome> runDesignGoodput(const ScenarioDesign& design, const Json& p, const Progress& progress)
{
    const auto fabric = workloadFabric(*design.snapshot, textOf(p, "network"));
    if (!fabric) return tl::unexpected(fabric.error());
    const double gpus = p.at("gpus").get<std::int64_t>() ? numberOf(p, "gpus") : double(fabric->gpuCount());
    if (gpus > fabric->gpuCount()) return fail(ErrorCode::Refused, "gpus", fmt::format("are more than the {} of the design", fabric->gpuCount()), "ask for fewer");
    const StoragePath path = storagePath(*design.snapshot, textOf(p, "storage_tier"));
    if (path.gbps <= 0) return fail(ErrorCode::Refused, "storage_tier", "active servers have no way to storage nodes in this design", "choose a design with a storage network");
    const double hosts = std::ceil(gpus / fabric->gpusPerHost), share = path.hosts ? hosts / double(path.hosts) : 1;
    const double hostBytesPerS = path.hosts ? path.hostGbps / double(path.hosts) / 8 * 1e9 : 0;
    double bytes = stateBytes(numberOf(p, "parameters"), numberOf(p, "bytes_per_parameter"));
    if (numberOf(p, "dump_gbytes_per_gpu") > 0) bytes = dumpBytes(gpus, numberOf(p, "dump_gbytes_per_gpu") * 1e9);
    const double pathBytesPerS = path.gbps / 8 * 1e9 * numberOf(p, "storage_efficiency");
    const double drain = drainS(bytes, hosts, hostBytesPerS, pathBytesPerS);
    const DesignFaults f = faultsOf(design, p, gpus);

    GoodputCase c;
    const double stopping = f.perMonth + (f.dualHomed ? 0 : f.linkPerMonth), tolerated = f.dualHomed ? f.linkPerMonth : 0;
    c.mtbfS = 30 * 86400.0 / (stopping + tolerated);
    c.toleratedShare = tolerated / (stopping + tolerated);
    c.toleratedStallS = numberOf(p, "tolerated_stall_s");
    c.twoStage = textOf(p, "save") == "two-stage";
    c.saveS = c.twoStage ? bytes / gpus / (numberOf(p, "host_memory_gbytes_per_s") * 1e9) : drain;
    c.drainS = c.twoStage ? drain : 0;
    c.intervalS = numberOf(p, "interval_s");
    c.recovery.detectS = numberOf(p, "detect_s");
    c.recovery.restartS = numberOf(p, "restart_s");
    const std::string init = textOf(p, "group_init");
    c.recovery.initS = groupInitS(init == "ordered" ? GroupInit::Ordered : init == "blocking-store" ? GroupInit::BlockingStore : GroupInit::AsynchronousStore, gpus);
    const int readers = integerOf(p, "readers") ? integerOf(p, "readers") : int(std::max(1.0, hosts));
    const double readerBytesPerS = std::min(hostBytesPerS, pathBytesPerS / readers);
    c.recovery.restoreS = restoreS(bytes, readers, readerBytesPerS, int(std::max(1.0, std::floor(hosts / readers))), bytes / readers, {10e-6, hostBytesPerS});
    c.recall = numberOf(p, "recall");
    c.precision = numberOf(p, "precision");
    c.backupHosts = f.backupHosts ? f.backupHosts : -1;
    MonteCarloSettings settings;
    settings.failures = p.at("failures").get<std::uint64_t>();
    settings.seed = p.at("seed").get<std::uint64_t>();
    settings.timelineS = numberOf(p, "timeline_days") * 86400;
    const auto r = simulateGoodput(c, settings, progress);
    if (!r) return tl::unexpected(r.error());

    Json shares = Json::object();
    for (std::size_t k = 0; k < kJobTimes; ++k) shares[name(JobTime(k))] = r->share[k];
    const Json& log = p.at("fault_log");
    const std::string statement = intervalStatement({numberOf(log, "faults"), numberOf(log, "days"), numberOf(log, "gpus")}, {0, c.saveS, c.recovery.totalS()}, 7200, 14400);
    ScenarioOutcome out;
    out.results = {{"gpus", gpus}, {"hosts", hosts}, {"goodput", r->goodput}, {"closed_form", r->closedForm}, {"standard_error", r->standardError}, {"interval_s", r->intervalS}, {"mtbf_s", c.mtbfS},
                   {"faults_per_month", f.perMonth}, {"link_failures_per_month", f.linkPerMonth}, {"access_links", f.links}, {"link_failures_stop_the_job", !f.dualHomed}, {"backup_hosts", f.backupHosts},
                   {"checkpoint", {{"bytes", bytes}, {"stands_s", c.saveS}, {"drain_s", drain}, {"restore_s", c.recovery.restoreS}, {"group_init_s", c.recovery.initS}, {"recovery_s", c.recovery.totalS()}}},
                   {"storage", {{"tier", path.storageTier}, {"nodes", path.storageNodes}, {"hosts_gbps", path.hostGbps * share}, {"nodes_gbps", path.storageGbps}, {"path_gbps", path.gbps}, {"bottleneck", path.bottleneck}}},
                   {"shares", shares}, {"verdict", statement}};
    out.notes = {"Faults in proportion to GPUs, links by their share a month (HPN: 0.057 %); with dual-homed NICs a link failure only stalls. The drain runs over the design's own front-end and storage links.",
                 "closed_form is exact by renewal at saves, first order when predictions meet a drain, and knows no wait for backup hosts."};
    auto play = std::make_shared<Playback>();
    play->title = "Goodput";
    play->endS = settings.timelineS;
    for (const auto& span : r->timeline) {
        const char* kind = name(span.kind);
        play->spans.push_back({"Job", kind, kind, span.fromS, span.toS});
    }
    if (!play->spans.empty()) out.playback = std::move(play);
    return out;
}

Field faultSeconds(const char* key, double fallback, const char* help) { return number(key, "s", fallback, 0, 1e9, help); }

} // namespace

std::vector<ScenarioKind> jobKinds()
{
    std::vector<Field> mix = fabricFields();
    const std::vector<Field> mixOwn = {number("offered_load", "", 0.9, 0.01, 5, "GPUs asked for, of those there are"), number("mean_duration_h", "h", 12, 0.01, 1e5, "of a job (assumed)"), integer("tenants", 20, 1, 1e5, "that own the jobs"),
                                       text("mix_placement", "packed", {"packed", "contiguous", "random"}, "of every job's hosts"), boolean("backfill", true, "a job that fits starts before an earlier one that waits"),
                                       integer("jobs", 2000, 10, 1e7, "that start in the observed time"), texts("policies", {"fair", "fifo", "intensity", "reverse-intensity"}, "how jobs share links"),
                                       objects("classes", nullptr, {integer("gpus", 8, 1, 1e7, "of a job"), number("share", "", 1, 0, 1e9, "of the jobs"), text("preset", "gpt3-175b", {}, "what it runs")}, "sizes; without it the default mix")};
    mix.insert(mix.begin(), mixOwn.begin(), mixOwn.end());
    for (auto& f : jobFields())
        if (f.key != "preset" && f.key != "gpus") mix.push_back(std::move(f));
    std::vector<Field> foreign = fabricFields();
    foreign.insert(foreign.begin(), {text("file", "", {}, "AICB or SimAI workload text"), integer("gpus", 0, 0, 1e7, "where the file states none")});
    return {{"job-mix", "Jobs of many tenants on this design: utilisation, fragmentation, connections, slow-downs by scheduling policy", true, std::move(mix), runJobMix},
            {"aicb", "A workload text of AICB or SimAI on this design", true, std::move(foreign), runForeign},
            {"design-goodput", "Faults of this design's parts, checkpoints over its own front-end and storage links: goodput, time line, verdict", true,
             {text("network", "backend", {}, "of the job"), integer("gpus", 0, 0, 1e7, "of the job; 0: all active ones"), faultLogField(), number("link_failures_per_month", "", kLinkFailuresPerMonth, 0, 1, "share of access links that fail in a month (HPN)"),
              number("parameters", "", 175e9, 1, 1e16, "of the model"), number("bytes_per_parameter", "B", 14.0, 1, 64, "14: bf16 and fp32 Adam"), number("dump_gbytes_per_gpu", "GB", 30.0, 0, 1e5, "dump of every GPU (HPN: 30); 0: only the state"),
              text("storage_tier", "", {}, "of the design; empty: that with the most nodes"), number("storage_efficiency", "", 0.8, 0.01, 1, "of the links, that writing reaches (assumed)"),
              text("save", "synchronous", {"synchronous", "two-stage"}, "training stands until it is durable, or only until it is in host memory"), number("host_memory_gbytes_per_s", "GB/s", 25, 0.1, 1e5, "of a GPU to host memory (assumed)"),
              number("interval_s", "s", 0.0, 0, 1e8, "between saves; 0: the best"), faultSeconds("detect_s", 120, "collective time-out (HPN: 2 min)"), faultSeconds("restart_s", 420, "reschedule and start (assumed)"),
              text("group_init", "ordered", {"ordered", "asynchronous-store", "blocking-store"}, "process groups, growing with ranks"), integer("readers", 0, 0, 1e7, "hosts that read the save; 0: all, else they hand it on"),
              faultSeconds("tolerated_stall_s", 10, "of a link failure with dual-homed NICs"), number("recall", "", 0, 0, 1, "of faults, predicted: the host is drained to a backup"), number("precision", "", 1, 0.001, 1, "of predictions"),
              integer("failures", 20000, 2000, 1e8, "to simulate"), integer("seed", 1, 0, 9e15, "of the random numbers"), number("timeline_days", "d", 3.0, 0, 3650, "to show")},
             runDesignGoodput}};
}

} // namespace hw::sim
