// SPDX-License-Identifier: GPL-3.0-or-later
// Volumes and times of a training job by closed forms: the same job model as on a design, without a fabric around its hosts.
#include "simulation/questions/analyses.h"
#include "simulation/questions/model_fields.h"

namespace hw::sim {
inline namespace questions {

namespace {

Result<void> readCut(const Json& p, Parallelism& c)
{
    c.tensor = integerOf(p, "tensor");
    c.pipeline = integerOf(p, "pipeline");
    c.data = integerOf(p, "data");
    c.expert = integerOf(p, "expert");
    c.context = integerOf(p, "context");
    c.virtualStages = integerOf(p, "virtual_stages");
    c.microBatch = integerOf(p, "micro_batch");
    c.microBatches = integerOf(p, "micro_batches");
    c.scatterGather = flagOf(p, "scatter_gather");
    c.sequenceParallel = flagOf(p, "sequence_parallel");
    if (const auto gpus = p.at("gpus").get<std::int64_t>(); gpus && gpus != c.gpus())
        return fail(
            ErrorCode::Refused, "parallelism.gpus",
            i18n("{} specified, but tensor {} x context {} x pipeline {} x data {} = {}", gpus, c.tensor, c.context, c.pipeline, c.data, c.gpus()),
            i18n("specify {} GPUs, or omit them", c.gpus()));
    return {};
}

Result<PlainHosts> readMachine(const Json& p, const WorkloadLibrary& library, TrainingJob& job)
{
    const auto at = [](Error e) { return e.where = "machine." + e.where, tl::unexpected(std::move(e)); };
    job.accelerator = library.accelerator(textOf(p, "accelerator"))->accelerator;
    if (const auto ok = readAccelerator(p, job.precision, job.accelerator); !ok) return at(ok.error());
    if (p.contains("scale_up_gbps") && p.contains("nvlink_gbytes_per_s"))
        return fail(ErrorCode::Refused, "machine.scale_up_gbps", i18n("and nvlink_gbytes_per_s specify the same rate"),
                    i18n("specify only one of them"));
    if (p.contains("scale_up_gbps")) job.accelerator.scaleUpGbps = numberOf(p, "scale_up_gbps");
    if (p.contains("nvlink_gbytes_per_s")) job.accelerator.scaleUpGbps = numberOf(p, "nvlink_gbytes_per_s") * 8;
    job.latency.insideS = numberOf(p, "nvlink_alpha_us") * 1e-6;
    job.latency.outsideS = numberOf(p, "nic_alpha_us") * 1e-6;
    job.latency.hopS = 0; // no route
    job.libraryFactor = numberOf(p, "library_factor");
    job.overlap = {numberOf(p, "tensor_overlap"), numberOf(p, "context_overlap"), numberOf(p, "expert_overlap"), numberOf(p, "gradient_overlap")};
    return PlainHosts{integerOf(p, "gpus_per_host"), numberOf(p, "nic_gbytes_per_s") * 8};
}

Json volumesJson(const TrainingVolume& v)
{
    return {{"gradient_bytes", v.gradientBytes()},
            {"gradient_dense_bytes", v.gradientDenseBytes},
            {"gradient_expert_bytes", v.gradientExpertBytes},
            {"pipeline_send_bytes", v.pipelineBytes},
            {"pipeline_sends", v.pipelineSends},
            {"tensor_allreduce_bytes", v.tensorBytes},
            {"tensor_allreduces", v.tensorAllReduces},
            {"layers_per_stage", v.layersPerStage},
            {"tensor_pass_bytes", v.tensorPassBytes()},
            {"expert_alltoall_bytes", v.expertBytes},
            {"expert_alltoalls", v.expertAllToAlls}};
}

Json iterationJson(const Iteration& i)
{
    Json out = timesJson(i);
    out.update({{"tensor_s", i.tensorS},
                {"context_s", i.contextS},
                {"pipeline_s", i.pipelineS},
                {"data_s", i.gradientS},
                {"expert_s", i.expertS},
                {"tokens_per_s", i.tokensPerS},
                {"mfu", i.mfu},
                {"hfu", i.hfu},
                {"tflops_per_gpu", i.flopsPerGpu / 1e12},
                {"hardware_tflops_per_gpu", i.hardwareFlopsPerGpu / 1e12},
                {"compute_tflops_per_gpu", i.computeFlopsPerGpu / 1e12}});
    return out;
}

Result<ScenarioOutcome> runTraining(const Json& p, const Progress&)
{
    const auto& library = workloadLibrary();
    if (!library) return tl::unexpected(library.error());
    TrainingJob job;
    job.model = library->model(textOf(p.at("model"), "preset"))->model;
    readModel(p.at("model"), job.model);
    if (const auto ok = readCut(p.at("parallelism"), job.cut); !ok) return tl::unexpected(ok.error());
    const std::string again = textOf(p, "recompute"), precision = textOf(p, "precision");
    job.recompute = again == "none" ? Recompute::None : again == "full" ? Recompute::Full : Recompute::Selective;
    for (const Precision known : kPrecisionList)
        if (precision == name(known)) job.precision = known;
    job.tokensToTrain = numberOf(p, "tokens");
    job.algorithms.shardedOptimizer = flagOf(p, "sharded_optimizer");
    if (textOf(p, "expert_alltoall") == name(AllToAllAlgorithm::Deduplicated)) job.algorithms.expert = AllToAllAlgorithm::Deduplicated;
    const auto hosts = readMachine(p.at("machine"), *library, job);
    if (!hosts) return tl::unexpected(hosts.error());
    const auto warnings = checkJob(job);
    if (!warnings) return tl::unexpected(warnings.error());

    const ParameterCount count = countParameters(job.model);
    const TokenFlops flops = flopsPerToken(job.model, job.recompute);
    const Iteration i = estimateIteration(job, *hosts);
    const MemoryEstimate memory = memoryPerGpu(job);
    const double nominal = job.model.publishedParameters > 0 && !job.model.mixture() ? job.model.publishedParameters : count.active;
    std::vector<Text> notes{i18n("Volumes are buffers passed to the collectives; a ring moves 2 (n - 1) / n of the all-reduce buffer. "
                                 "With uneven stages, they are those of the most loaded stage."),
                            i18n("The iteration is that of the job model without a fabric: closed-form collectives, no contention, "
                                 "stragglers or faults. Fit of the compute model: published-training."),
                            i18n("petaflop_days is 6 × active parameters × tokens, with published parameter counts where available; "
                                 "training_days is based on the estimated tokens per second.")};
    for (const auto& w : *warnings) notes.push_back(w);
    for (Text& note : computeNotes(job)) notes.push_back(std::move(note));
    Json results{{"model", job.model.name},
                 {"gpus", job.cut.gpus()},
                 {"parameters", {{"total", count.total()}, {"active", count.active}, {"expert", count.expert}, {"embedding", count.embedding}}},
                 {"flops_per_token", {{"model", flops.model}, {"hardware", flops.hardware}}},
                 {"flops_per_iteration", {{"model", flops.model * i.tokensPerIteration}, {"hardware", flops.hardware * i.tokensPerIteration}}},
                 {"volumes", volumesJson(trainingVolume(job.model, job.cut, job.recompute))},
                 {"memory", memoryJson(memory)},
                 {"accelerator", acceleratorJson(job)},
                 {"calibrated_constants", calibratedJson(job)},
                 {"validated_range", validatedJson(job)},
                 {"bubble_share", pipelineBubbleShare(job.cut)},
                 {"iteration", iterationJson(i)},
                 {"petaflop_days", petaflopDays(nominal, job.tokensToTrain)},
                 {"training_days", i.trainingDays}};
    judgeMemory(job, memory, results);
    return answer(std::move(results), std::move(notes));
}

std::vector<Field> presetAndModelFields()
{
    std::vector<Field> fields = modelFields();
    const auto& library = workloadLibrary();
    fields.insert(fields.begin(), text("preset", "gpt3-175b", library ? slugs(library->models) : std::vector<std::string>(),
                                       i18n("starting point for the other keys")));
    return fields;
}

std::vector<Field> parallelismFields()
{
    const Parallelism c;
    return {integer("gpus", 0, 0, 1e7, i18n("checked against tensor x context x pipeline x data; 0: their product")),
            integer("tensor", c.tensor, 1, 4096, i18n("TP")),
            integer("pipeline", c.pipeline, 1, 4096, i18n("PP")),
            integer("data", c.data, 1, 1e6, i18n("DP")),
            integer("expert", c.expert, 1, 1e5, i18n("EP, within DP")),
            integer("context", c.context, 1, 4096, i18n("CP")),
            integer("virtual_stages", c.virtualStages, 1, 1024, i18n("interleaved model chunks per stage")),
            integer("micro_batch", c.microBatch, 1, 1e5, i18n("samples")),
            integer("micro_batches", c.microBatches, 1, 1e6, i18n("per pipeline and iteration")),
            boolean("scatter_gather", c.scatterGather, i18n("pipeline sends split across TP ranks")),
            boolean("sequence_parallel", c.sequenceParallel, i18n("norms and dropout also split across TP ranks"))};
}

std::vector<Field> machineFields()
{
    const TrainingJob job;
    const PlainHosts hosts;
    std::vector<Field> fields = acceleratorFields();
    fields.front().fallback = "h100";
    const std::vector<Field> ways = {
        memoryField(),
        number("scale_up_gbps", "Gb/s", nullptr, 1, 1e6, i18n("bandwidth per GPU within the host, one direction; overrides that of the accelerator")),
        number("nvlink_gbytes_per_s", "GB/s", nullptr, 1e-3, 1e6, i18n("the same in GB/s")),
        number("nvlink_alpha_us", "µs", job.latency.insideS * 1e6, 0, 1e6, i18n("latency per message on this network")),
        number("nic_gbytes_per_s", "GB/s", hosts.nicGbps / 8, 1e-3, 1e6, i18n("NIC bandwidth per GPU")),
        number("nic_alpha_us", "µs", 10.0, 0, 1e6, i18n("latency per message on this network")),
        integer("gpus_per_host", hosts.gpusPerHost, 1, 1e5, i18n("GPUs that share a scale-up domain")),
        number("library_factor", "", job.libraryFactor, 0.01, 1, i18n("share of line rate reached by the collective library")),
        number("gradient_overlap", "", job.overlap.gradient, 0, 1, i18n("overlapped share of DP communication")),
        number("tensor_overlap", "", job.overlap.tensor, 0, 1, i18n("overlapped share of TP communication")),
        number("context_overlap", "", job.overlap.context, 0, 1, i18n("overlapped share of CP communication")),
        number("expert_overlap", "", job.overlap.expert, 0, 1, i18n("overlapped share of EP communication"))};
    fields.insert(fields.end(), ways.begin(), ways.end());
    return fields;
}

} // namespace

Analysis trainingAnalysis()
{
    return {"training-volume",
            i18n("Bytes, FLOPs, iteration time, MFU and training days of a model for a given parallelism"),
            {object("model", presetAndModelFields(), i18n("model parameters")),
             object("parallelism", parallelismFields(), i18n("parallelism of the model")),
             object("machine", machineFields(), i18n("hardware of the training run")),
             text("recompute", "selective", {"none", "selective", "full"}, i18n("recomputation of activations")),
             text("precision", "bf16", {"fp16", "bf16", "fp8", "fp4"}, i18n("precision of matrix operations")),
             boolean("sharded_optimizer", true, i18n("optimizer states sharded across replicas: memory and step time")),
             text("expert_alltoall", "forwarded", {"forwarded", "deduplicated"},
                  i18n("deduplicated: each token once to every host that holds its experts")),
             number("tokens", "", 300e9, 1, 1e18, i18n("training tokens"))},
            runTraining};
}

} // namespace questions
} // namespace hw::sim
