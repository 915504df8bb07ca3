// SPDX-License-Identifier: GPL-3.0-or-later
// Foreign workloads and faults on a design as kinds of scenario.
#include "simulation/questions/cut_off.h"
#include "simulation/questions/fabric_fields.h"
#include "simulation/questions/form.h"
#include "simulation/questions/job_fields.h"

#include "core/foundation/files/atomic_file.h"
#include "simulation/reliability/checkpoint.h"
#include "simulation/reliability/design_goodput.h"
#include "simulation/training/aicb.h"
#include "simulation/training/chakra.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

namespace hw::sim {
inline namespace questions {

namespace {

Result<ScenarioOutcome> runForeign(const ScenarioDesign& design, const Json& p, const Progress& progress)
{
    const auto made = jobFabric(design, p);
    if (!made) return tl::unexpected(made.error());
    const std::string file = textOf(p, "file");
    std::ifstream in(file, std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(in), {}};
    if (!in) return fail(ErrorCode::Unreadable, "file", i18n("'{}' cannot be read", file), i18n("specify an AICB or SimAI workload file"));
    const auto workload = importers::parseAicb(content, file);
    if (!workload) return tl::unexpected(workload.error());
    const auto& library = workloadLibrary();
    if (!library) return tl::unexpected(library.error());
    TrainingJob base;
    const auto accelerator = designScaleUp(*library, made->fabric); // the file has computing times of its own
    if (!accelerator) return tl::unexpected(accelerator.error());
    base.accelerator = *accelerator;
    const auto gpus = p.at("gpus").get<std::int64_t>();
    if (gpus > 0 && workload->gpus > 0)
        return fail(ErrorCode::Refused, "gpus", i18n("has no effect here: the file specifies {}", workload->gpus), i18n("omit it"));
    const auto r = runAicb(made->fabric, *workload, base, gpus, made->options, progress);
    if (!r) return tl::unexpected(inKeys(r.error()));
    ScenarioOutcome out;
    out.results = {{"gpus", r->job.cut.gpus()},
                   {"layers", workload->layers.size()},
                   {"iteration_s", finite(r->iterationS)},
                   {"compute_s", r->computeS},
                   {"communication_s", finite(r->communicationS)},
                   {"flows", r->flows},
                   {"kinds", Json::array()},
                   {"certificate", {{"ok", r->certified}}}};
    for (const auto& k : r->kinds)
        out.results["kinds"].push_back({{"kind", k.name}, {"operations", k.operations}, {"bytes", k.bytes}, {"seconds", finite(k.seconds)}});
    if (r->unreachable > 0) tellCutOff(out, r->unreachable, cutOffText(design, *made));
    out.notes = {i18n("No communication is hidden behind computation, as in the model of the file."), kFluidNote};
    return out;
}

Result<ScenarioOutcome> runTraces(const ScenarioDesign& design, const Json& p, const Progress& progress)
{
    const auto made = jobFabric(design, p);
    if (!made) return tl::unexpected(made.error());
    const std::string groups = textOf(p, "groups");
    const auto workload = importers::readChakraFiles(textOf(p, "file"), groups);
    if (!workload) {
        Error error = workload.error();
        error.where = (!groups.empty() && error.where.starts_with(groups) ? "groups: " : "file: ") + error.where;
        return tl::unexpected(std::move(error));
    }
    const auto& library = workloadLibrary();
    if (!library) return tl::unexpected(library.error());
    TrainingJob base;
    const auto accelerator = designScaleUp(*library, made->fabric); // traces have computing times of their own
    if (!accelerator) return tl::unexpected(accelerator.error());
    base.accelerator = *accelerator;
    const auto r = runChakra(made->fabric, *workload, base, made->options, progress);
    if (!r) return tl::unexpected(inKeys(r.error()));
    ScenarioOutcome out;
    out.results = {{"gpus", workload->ranks.size()},
                   {"nodes", r->nodes},
                   {"iteration_s", finite(r->iterationS)},
                   {"compute_s", r->computeS},
                   {"waiting_s", finite(r->waitS)},
                   {"last_rank", r->lastRank},
                   {"flows", r->flows},
                   {"kinds", Json::array()},
                   {"certificate", {{"ok", r->certified}}}};
    for (const auto& k : r->kinds)
        out.results["kinds"].push_back({{"kind", k.name}, {"operations", k.operations}, {"bytes", k.bytes}, {"seconds", finite(k.seconds)}});
    if (r->unreachable > 0) tellCutOff(out, r->unreachable, cutOffText(design, *made));
    out.notes = {
        i18n("Collectives of one process group run with all disjoint groups of its size; different groups and messages do not slow each other down."),
        kFluidNote};
    if (r->byPeak > 0)
        out.notes.push_back(i18np(std::int64_t(r->byPeak), "{:L} compute node without a duration runs at the peak of the accelerator.",
                                  "{:L} compute nodes without a duration run at the peak of the accelerator."));
    return out;
}

/// What is asked about a job on a design; `job.gpus` 0: all of the design's.
struct DesignGoodputQuestion {
    std::string network = "backend";
    DesignJob job;
    MonteCarloSettings settings;
};

Field faultSeconds(const char* key, double fallback, Text help) { return number(key, "s", fallback, 0, 1e9, std::move(help)); }

Form<DesignGoodputQuestion> designGoodputForm()
{
    using Q = DesignGoodputQuestion;
    const DesignJob d;
    const auto of = [](auto member) {
        return [member](Q & q) -> auto& { return q.job.*member; };
    };
    const std::vector<Condition> noDump = {is("dump_gbytes_per_gpu", {0})};
    Form<Q> form;
    form.to(&Q::network, text("network", "backend", {}, i18n("network that the job uses")))
        .to(of(&DesignJob::gpus), integer("gpus", 0, 0, 1e7, i18n("GPUs of the job; 0: all active GPUs")))
        .also(faultLogField())
        .to(of(&DesignJob::linkFailuresShare),
            number("link_failures_per_month", "", d.linkFailuresShare, 0, 1, i18n("share of access links that fail per month (HPN)")))
        .to(of(&DesignJob::parameters), onlyWhen(number("parameters", "", d.parameters, 1, 1e16, i18n("parameters of the model")), noDump))
        .to(of(&DesignJob::bytesPerParameter),
            onlyWhen(number("bytes_per_parameter", "B", d.bytesPerParameter, 1, 64, i18n("14: bf16 and fp32 Adam")), noDump))
        .to(of(&DesignJob::dumpGBytesPerGpu),
            number("dump_gbytes_per_gpu", "GB", d.dumpGBytesPerGpu, 0, 1e5, i18n("dump size per GPU (HPN: 30); 0: state only")))
        .to(of(&DesignJob::storageTier), text("storage_tier", "", {}, i18n("storage tier of the design; empty: the tier with the most nodes")))
        .to(of(&DesignJob::storageEfficiency),
            number("storage_efficiency", "", d.storageEfficiency, 0.01, 1, i18n("share of the link rate reached when writing (assumed)")))
        .take(text("save", "synchronous", {"synchronous", "two-stage"},
                   i18n("whether training pauses until the checkpoint is durable, or only until it is in host memory")),
              [](Q& q, const Json& value) { q.job.twoStage = value == "two-stage"; })
        .to(of(&DesignJob::hostMemoryGBytesPerS),
            onlyWhen(number("host_memory_gbytes_per_s", "GB/s", 25, 0.1, 1e5, i18n("per GPU to host memory (assumed)")), {is("save", {"two-stage"})}))
        .to(of(&DesignJob::intervalS), number("interval_s", "s", 0.0, 0, 1e8, i18n("checkpoint interval; 0: optimum")))
        .to(of(&DesignJob::detectS), faultSeconds("detect_s", 120, i18n("collective timeout (HPN: 2 min)")))
        .to(of(&DesignJob::restartS), faultSeconds("restart_s", 420, i18n("time to reschedule and start (assumed)")))
        .oneOf(of(&DesignJob::groupInit), kGroupInits,
               choice("group_init", d.groupInit, kGroupInits, i18n("process group initialization, growing with ranks")))
        .to(of(&DesignJob::readers), integer("readers", 0, 0, 1e7, i18n("hosts that read the checkpoint; 0: all, otherwise they distribute it")))
        .to(of(&DesignJob::replicas),
            onlyWhen(integer("replicas", 1, 1, 1e7, i18n("data-parallel replicas: each reads the entire state from storage")),
                     {is("dump_gbytes_per_gpu", {0}), is("readers", {0})}))
        .to(of(&DesignJob::storageGBytesPerS),
            number("storage_gbytes_per_s", "GB/s", 0, 0, 1e9, i18n("throughput of all storage nodes together; 0: that of their links")))
        .to(of(&DesignJob::dataGBytesPerS), number("data_gbytes_per_s", "GB/s", 0, 0, 1e9,
                                                   i18n("rate at which the job reads training data, shared data counted once; 0: not included")))
        .to(of(&DesignJob::dataCopies),
            onlyWhen(integer("data_copies", 1, 1, 1e6, i18n("ranks that each read the same data; 1: one rank reads and distributes it")),
                     {above0("data_gbytes_per_s")}))
        .to(of(&DesignJob::toleratedStallS), faultSeconds("tolerated_stall_s", 10, i18n("stall of a link failure with dual-homed NICs")))
        .also(predictionField())
        .to(of(&DesignJob::recall), onlyWhen(number("recall", "", 0, 0, 1, i18n("share of faults predicted: the host is drained to a backup host")),
                                             {is("prediction", {"given"})}))
        .to(of(&DesignJob::precision),
            onlyWhen(number("precision", "", 1, 0.001, 1, i18n("share of predictions that are correct")), {above0("recall")}))
        .to(
            [](Q & q) -> auto& { return q.settings.failures; }, integer("failures", 20000, 2000, 1e8, i18n("number of failures to simulate")))
        .to(
            [](Q & q) -> auto& { return q.settings.seed; }, integer("seed", 1, 0, 9e15, i18n("random seed")))
        .take(displayOnly(number("timeline_days", "d", 3.0, 0, 3650, i18n("timeline length shown"))),
              [](Q& q, const Json& days) { q.settings.timelineS = days.get<double>() * 86400; });
    return form;
}

Result<ScenarioOutcome> runDesignGoodput(const ScenarioDesign& design, DesignGoodputQuestion question, const Json& p, const Progress& progress)
{
    const auto fabric = workloadFabric(*design.snapshot, question.network);
    if (!fabric) return tl::unexpected(fabric.error());
    if (question.job.gpus == 0) question.job.gpus = double(fabric->gpuCount());
    if (question.job.gpus > fabric->gpuCount())
        return fail(ErrorCode::Refused, "gpus", i18n("exceed the {} of the design", fabric->gpuCount()), i18n("request fewer"));
    question.job.gpusPerHost = fabric->gpusPerHost;
    question.job.log = faultLogOf(p);
    Json measured;
    if (isPredictionMeasured(p)) {
        const auto quality = measuredPrediction(question.job.gpus, question.job.gpusPerHost, question.job.log,
                                                prediction::HazardModel::of(*design.snapshot), progress);
        if (!quality) return tl::unexpected(quality.error());
        question.job.recall = quality->recall(), question.job.precision = std::max(quality->precision(), 0.001);
        measured = predictionJson(*quality);
    }
    const auto made = designGoodput(*design.snapshot, *design.parts, question.job);
    if (!made) return tl::unexpected(made.error());
    const GoodputCase& c = made->goodput;
    const DesignFaults& f = made->faults;
    const StoragePath& path = made->path;
    const auto r = simulateGoodput(c, question.settings, progress);
    if (!r) return tl::unexpected(r.error());

    Json shares = Json::object();
    for (std::size_t k = 0; k < kJobTimes; ++k) shares[name(JobTime(k))] = r->share[k];
    const Text statement = intervalStatement(question.job.log, {0, c.saveS, c.recovery.totalS()}, 7200, 14400);
    ScenarioOutcome out;
    out.results = {{"gpus", question.job.gpus},
                   {"hosts", made->hosts},
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
                    {{"bytes", made->bytes},
                     {"stands_s", c.saveS},
                     {"drain_s", made->drainS},
                     {"read_bytes", made->readBytes},
                     {"restore_s", c.recovery.restoreS},
                     {"group_init_s", c.recovery.initS},
                     {"recovery_s", c.recovery.totalS()}}},
                   {"storage",
                    {{"tier", path.storageTier},
                     {"nodes", path.storageNodes},
                     {"hosts_gbps", path.hostGbps * made->pathShare},
                     {"nodes_gbps", path.storageGbps},
                     {"path_gbps", path.gbps},
                     {"capacity_tb", path.capacityTb > 0 ? Json(path.capacityTb) : Json()},
                     {"media_gbytes_per_s", path.mediaGBytesPerS > 0 ? Json(path.mediaGBytesPerS) : Json()},
                     {"checkpoints_stored", path.capacityTb > 0 ? Json(std::floor(path.capacityTb * 1e12 / made->bytes)) : Json()},
                     {"bottleneck", path.bottleneck}}},
                   {"shares", shares},
                   {"verdict", statement}};
    if (made->dataBytesPerS > 0)
        out.results["data"] = {{"read_gbytes_per_s", made->dataBytesPerS / 1e9},
                               {"storage_gbytes_per_s", made->dataFromStorage / 1e9},
                               {"wait_share", made->dataWait},
                               {"goodput", r->goodput * (1 - made->dataWait)}};
    if (Json causes = causesJson(p, question.job.gpus); !causes.is_null()) out.results["causes"] = std::move(causes);
    out.notes = {i18n("Faults are proportional to GPUs, and to links by their monthly share (HPN: 0.057 %); with "
                      "dual-homed NICs, a link failure only stalls the job. The drain uses the frontend and storage links "
                      "of the design."),
                 i18n("closed_form is exact by renewal at checkpoints, first order when predictions coincide with a drain, "
                      "and does not include waiting for backup hosts.")};
    if (!measured.is_null()) {
        out.results["prediction"] = std::move(measured);
        out.notes.push_back(i18n("Recall and precision are measured on an emulated history of the hosts of the job (settings prediction.*)."));
    }
    auto play = std::make_shared<Playback>();
    play->title = i18n("Goodput");
    play->endS = question.settings.timelineS;
    for (const auto& span : r->timeline) {
        const char* kind = name(span.kind);
        play->spans.push_back({i18n("Job"), keyText(kind), kind, span.fromS, span.toS});
    }
    if (!play->spans.empty()) out.playback = std::move(play);
    return out;
}

} // namespace

std::vector<ScenarioKind> jobKinds()
{
    std::vector<Field> foreign = fabricFields();
    foreign.insert(foreign.begin(),
                   {fileName("file", i18n("AICB or SimAI workload file")), integer("gpus", 0, 0, 1e7, i18n("if the file specifies none"))});
    std::vector<Field> traces = fabricFields();
    traces.insert(traces.begin(), {fileName("file", i18n("Chakra trace of rank 0 (NAME.0.et), the other ranks beside it")),
                                   fileName("groups", i18n("process groups as JSON; empty: every collective is of all ranks"))});
    const auto form = designGoodputForm();
    const auto goodput = [form](const ScenarioDesign& design, const Json& p, const Progress& progress) {
        return runDesignGoodput(design, form.read(p), p, progress);
    };
    return {{"aicb", i18n("AICB or SimAI workload on this design"), true, std::move(foreign), runForeign},
            {"chakra", i18n("Chakra execution traces of all ranks on this design: one iteration"), true, std::move(traces), runTraces},
            {"design-goodput",
             i18n("Faults of the parts of this design, checkpoints over its frontend and storage links: goodput, timeline, verdict"), true,
             form.fields(), goodput}};
}

} // namespace questions
} // namespace hw::sim
