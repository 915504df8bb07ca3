// SPDX-License-Identifier: GPL-3.0-or-later
// Foreign workloads and faults on a design as kinds of scenario.
#include "simulation/questions/job_fields.h"
#include "simulation/questions/storage_path.h"

#include "core/exchange/atomic_file.h"
#include "simulation/reliability/checkpoint.h"
#include "simulation/reliability/goodput.h"
#include "simulation/training/aicb.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

namespace hw::sim::inline questions {

namespace {

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
    const auto gpus = p.at("gpus").get<std::int64_t>();
    if (gpus > 0 && workload->gpus > 0)
        return fail(ErrorCode::Refused, "gpus", fmt::format("would change nothing here: the file states {}", workload->gpus), "leave it out");
    const auto r = runAicb(made->fabric, *workload, base, gpus, made->options, progress);
    if (!r) return tl::unexpected(inKeys(r.error()));
    ScenarioOutcome out;
    out.results = {{"gpus", r->job.cut.gpus()}, {"layers", workload->layers.size()},    {"iteration_s", r->iterationS},
                   {"compute_s", r->computeS},  {"communication_s", r->communicationS}, {"flows", r->flows},
                   {"kinds", Json::array()},    {"certificate", {{"ok", r->certified}}}};
    for (const auto& k : r->kinds)
        out.results["kinds"].push_back({{"kind", k.name}, {"operations", k.operations}, {"bytes", k.bytes}, {"seconds", k.seconds}});
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
        if (s.devices.role[d] == DeviceRole::Backup)
            ++f.backupHosts;
        else
            all += design.parts->device(s.devices.type[d]).accelerators;
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
    f.perMonth = faultsPerMonth(faultLogOf(p), gpus);
    return f;
}

Result<ScenarioOutcome> runDesignGoodput(const ScenarioDesign& design, const Json& p, const Progress& progress)
{
    const auto fabric = workloadFabric(*design.snapshot, textOf(p, "network"));
    if (!fabric) return tl::unexpected(fabric.error());
    const double gpus = p.at("gpus").get<std::int64_t>() ? numberOf(p, "gpus") : double(fabric->gpuCount());
    if (gpus > fabric->gpuCount())
        return fail(ErrorCode::Refused, "gpus", fmt::format("are more than the {} of the design", fabric->gpuCount()), "ask for fewer");
    const StoragePath path = storagePath(*design.snapshot, textOf(p, "storage_tier"));
    if (path.gbps <= 0)
        return fail(ErrorCode::Refused, "storage_tier", "active servers have no way to storage nodes in this design",
                    "choose a design with a storage network");
    const double hosts = std::ceil(gpus / fabric->gpusPerHost), share = path.hosts ? hosts / double(path.hosts) : 1;
    const double hostBytesPerS = path.hosts ? path.hostGbps / double(path.hosts) / 8 * 1e9 : 0;
    const double dump = numberOf(p, "dump_gbytes_per_gpu") * 1e9;
    const double bytes = dump > 0 ? dumpBytes(gpus, dump) : stateBytes(numberOf(p, "parameters"), numberOf(p, "bytes_per_parameter"));
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
    c.recovery.initS = groupInitS(init == "ordered"          ? GroupInit::Ordered
                                  : init == "blocking-store" ? GroupInit::BlockingStore
                                                             : GroupInit::AsynchronousStore,
                                  gpus);
    const int readers = integerOf(p, "readers") ? integerOf(p, "readers") : int(std::max(1.0, hosts));
    const double readerBytesPerS = std::min(hostBytesPerS, pathBytesPerS / readers);
    c.recovery.restoreS =
        restoreS(bytes, readers, readerBytesPerS, int(std::max(1.0, std::floor(hosts / readers))), bytes / readers, {10e-6, hostBytesPerS});
    c.recall = numberOf(p, "recall");
    c.precision = numberOr(p, "precision", 1);
    c.backupHosts = f.backupHosts ? f.backupHosts : -1;
    MonteCarloSettings settings;
    settings.failures = p.at("failures").get<std::uint64_t>();
    settings.seed = p.at("seed").get<std::uint64_t>();
    settings.timelineS = numberOf(p, "timeline_days") * 86400;
    const auto r = simulateGoodput(c, settings, progress);
    if (!r) return tl::unexpected(r.error());

    Json shares = Json::object();
    for (std::size_t k = 0; k < kJobTimes; ++k) shares[name(JobTime(k))] = r->share[k];
    const std::string statement = intervalStatement(faultLogOf(p), {0, c.saveS, c.recovery.totalS()}, 7200, 14400);
    ScenarioOutcome out;
    out.results = {{"gpus", gpus},
                   {"hosts", hosts},
                   {"goodput", r->goodput},
                   {"closed_form", r->closedForm},
                   {"standard_error", r->standardError},
                   {"interval_s", r->intervalS},
                   {"mtbf_s", c.mtbfS},
                   {"faults_per_month", f.perMonth},
                   {"link_failures_per_month", f.linkPerMonth},
                   {"access_links", f.links},
                   {"link_failures_stop_the_job", !f.dualHomed},
                   {"backup_hosts", f.backupHosts},
                   {"checkpoint",
                    {{"bytes", bytes},
                     {"stands_s", c.saveS},
                     {"drain_s", drain},
                     {"restore_s", c.recovery.restoreS},
                     {"group_init_s", c.recovery.initS},
                     {"recovery_s", c.recovery.totalS()}}},
                   {"storage",
                    {{"tier", path.storageTier},
                     {"nodes", path.storageNodes},
                     {"hosts_gbps", path.hostGbps * share},
                     {"nodes_gbps", path.storageGbps},
                     {"path_gbps", path.gbps},
                     {"bottleneck", path.bottleneck}}},
                   {"shares", shares},
                   {"verdict", statement}};
    if (Json causes = causesJson(p, gpus); !causes.is_null()) out.results["causes"] = std::move(causes);
    out.notes = {"Faults in proportion to GPUs, links by their share a month (HPN: 0.057 %); with dual-homed NICs a link failure only stalls. The "
                 "drain runs over the design's own front-end and storage links.",
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
    std::vector<Field> foreign = fabricFields();
    foreign.insert(foreign.begin(), {fileName("file", "AICB or SimAI workload text"), integer("gpus", 0, 0, 1e7, "where the file states none")});
    return {{"aicb", "A workload text of AICB or SimAI on this design", true, std::move(foreign), runForeign},
            {"design-goodput",
             "Faults of this design's parts, checkpoints over its own front-end and storage links: goodput, time line, verdict",
             true,
             {text("network", "backend", {}, "of the job"),
              integer("gpus", 0, 0, 1e7, "of the job; 0: all active ones"),
              faultLogField(),
              number("link_failures_per_month", "", kLinkFailuresPerMonth, 0, 1, "share of access links that fail in a month (HPN)"),
              onlyWhen(number("parameters", "", 175e9, 1, 1e16, "of the model"), {is("dump_gbytes_per_gpu", {0})}),
              onlyWhen(number("bytes_per_parameter", "B", 14.0, 1, 64, "14: bf16 and fp32 Adam"), {is("dump_gbytes_per_gpu", {0})}),
              number("dump_gbytes_per_gpu", "GB", 30.0, 0, 1e5, "dump of every GPU (HPN: 30); 0: only the state"),
              text("storage_tier", "", {}, "of the design; empty: that with the most nodes"),
              number("storage_efficiency", "", 0.8, 0.01, 1, "of the links, that writing reaches (assumed)"),
              text("save", "synchronous", {"synchronous", "two-stage"}, "training stands until it is durable, or only until it is in host memory"),
              onlyWhen(number("host_memory_gbytes_per_s", "GB/s", 25, 0.1, 1e5, "of a GPU to host memory (assumed)"), {is("save", {"two-stage"})}),
              number("interval_s", "s", 0.0, 0, 1e8, "between saves; 0: the best"),
              faultSeconds("detect_s", 120, "collective time-out (HPN: 2 min)"),
              faultSeconds("restart_s", 420, "reschedule and start (assumed)"),
              text("group_init", "ordered", {"ordered", "asynchronous-store", "blocking-store"}, "process groups, growing with ranks"),
              integer("readers", 0, 0, 1e7, "hosts that read the save; 0: all, else they hand it on"),
              faultSeconds("tolerated_stall_s", 10, "of a link failure with dual-homed NICs"),
              number("recall", "", 0, 0, 1, "of faults, predicted: the host is drained to a backup"),
              onlyWhen(number("precision", "", 1, 0.001, 1, "of predictions"), {above0("recall")}),
              integer("failures", 20000, 2000, 1e8, "to simulate"),
              integer("seed", 1, 0, 9e15, "of the random numbers"),
              displayOnly(number("timeline_days", "d", 3.0, 0, 3650, "to show"))},
             runDesignGoodput}};
}

} // namespace hw::sim::inline questions
