// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/questions/model_fields.h"

#include "core/foundation/base/resources.h"

#include <algorithm>

namespace hw::sim {
inline namespace questions {

const Result<WorkloadLibrary>& workloadLibrary()
{
    static const Result<WorkloadLibrary> library = loadWorkloads(resourceFolder() / "workloads");
    return library;
}

std::vector<std::string> presetSlugs() { return workloadLibrary() ? slugs(workloadLibrary()->presets) : std::vector<std::string>(); }
std::vector<std::string> modelSlugs() { return workloadLibrary() ? slugs(workloadLibrary()->models) : std::vector<std::string>(); }
std::vector<std::string> acceleratorSlugs() { return workloadLibrary() ? slugs(workloadLibrary()->accelerators) : std::vector<std::string>(); }

std::vector<Field> modelFields()
{
    return {
        integer("layers", nullptr, 1, 1e4, i18n("transformer layers")),
        integer("hidden", nullptr, 1, 1e6, i18n("hidden size")),
        integer("heads", nullptr, 1, 1e5,
                i18n("attention heads; must be divisible by tensor. With flash and without key_value_heads, they change nothing else")),
        integer("key_value_heads", nullptr, 0, 1e5, i18n("key-value heads of grouped-query attention; 0: same as heads")),
        integer("head_width", nullptr, 0, 1e5, i18n("of one attention head; 0: hidden / heads")),
        integer("feed_forward", nullptr, 0, 1e7, i18n("inner width; 0: 4 x hidden")),
        boolean("gated", nullptr, i18n("three feed-forward matrices")),
        integer("vocabulary", nullptr, 1, 1e8, i18n("tokens")),
        boolean("tied_embedding", nullptr, i18n("shared input and output embedding")),
        boolean("learned_positions", nullptr, i18n("table of sequence x hidden parameters, as in GPT")),
        integer("sequence", nullptr, 1, 1e8, i18n("tokens per sample")),
        integer("experts", nullptr, 0, 1e5, i18n("0: dense")),
        integer("top_k", nullptr, 0, 1e4, i18n("experts per token")),
        integer("expert_every", nullptr, 1, 1e4, i18n("every n-th layer has experts")),
        integer("dense_first", nullptr, 0, 1e4, i18n("leading layers without experts")),
        integer("expert_feed_forward", nullptr, 0, 1e7, i18n("inner width of one expert; 0: feed_forward")),
        integer("shared_feed_forward", nullptr, 0, 1e7, i18n("inner width of the shared experts, used by every token; 0: none")),
        integer("node_limit", nullptr, 0, 1e5, i18n("maximum scale-up domains that hold the experts of a token (node-limited routing); 0: no limit")),
        integer("bytes_per_value", nullptr, 1, 8, i18n("per value of activations and gradients on the wire")),
        boolean("causal_attention", nullptr,
                i18n("half of the scores counted in operations, compute time and memory; false: all of them, as in papers before 2023")),
        text("attention", nullptr, {"flash", "unfused"}, i18n("flash does not store scores in memory")),
        number("parameters", "", nullptr, 1e3, 1e16, i18n("specified count, to which the derived count is scaled: volumes and memory"))};
}

void readModel(const Json& m, TransformerModel& model)
{
    const TransformerModel before = model;
    take(m, "layers", model.layers);
    take(m, "hidden", model.hidden);
    take(m, "heads", model.heads);
    take(m, "key_value_heads", model.keyValueHeads);
    take(m, "feed_forward", model.feedForward);
    take(m, "gated", model.gatedFeedForward);
    take(m, "vocabulary", model.vocabulary);
    take(m, "tied_embedding", model.tiedEmbedding);
    take(m, "learned_positions", model.learnedPositions);
    take(m, "sequence", model.sequence);
    take(m, "experts", model.experts);
    take(m, "top_k", model.topK);
    take(m, "expert_every", model.expertEvery);
    take(m, "head_width", model.headWidth);
    take(m, "dense_first", model.denseFirst);
    take(m, "expert_feed_forward", model.expertFeedForward);
    take(m, "shared_feed_forward", model.sharedFeedForward);
    take(m, "node_limit", model.nodeLimit);
    take(m, "bytes_per_value", model.bytesPerValue);
    take(m, "causal_attention", model.causalAttention);
    if (m.contains("attention")) model.flashAttention = m.at("attention") == "flash";
    if (model.keyValueHeads == model.heads && before.keyValueHeads == 0) model.keyValueHeads = 0; // as many as heads, said in numbers
    if (model.feedForward == 4 * model.hidden && before.feedForward == 0) model.feedForward = 0;
    if (model.headWidth * model.heads == model.hidden && before.headWidth == 0) model.headWidth = 0;
    if (model.expertFeedForward == int(model.feedForwardWidth()) && before.expertFeedForward == 0) model.expertFeedForward = 0;
    take(m, "parameters", model.statedParameters);
    TransformerModel derived = model;
    derived.statedParameters = 0;
    if (countParameters(derived).total() == model.statedParameters) model.statedParameters = 0; // the shape's own count
    if (model == before) return;
    model.name += " (changed)";
    if (countParameters(model).total() != countParameters(before).total()) model.publishedParameters = 0; // another model than the published one
}

std::vector<Field> acceleratorFields()
{
    return {text("accelerator", nullptr, acceleratorSlugs(), i18n("type; overrides that of the design's servers")),
            number("peak_tflops", "TFLOPS", nullptr, 0.1, 1e6, i18n("dense peak per accelerator at the job's precision")),
            onlyWhen(number("memory_rate_gbytes_per_s", "GB/s", nullptr, 1, 1e6, i18n("bandwidth of the accelerator's local memory")),
                     {notGiven("efficiency"), notGiven("compute_tflops_per_gpu")}),
            number("efficiency", "", nullptr, 0.01, 1, i18n("share of the peak that all computation reaches; overrides the compute model")),
            number("compute_tflops_per_gpu", "TFLOPS", nullptr, 0.01, 1e6,
                   i18n("compute rate without communication; overrides the compute model or an efficiency"))};
}

Field memoryField() { return number("memory_gbytes", "GB", nullptr, 1, 1e5, i18n("per accelerator")); }

Result<void> readAccelerator(const Json& p, Precision precision, Accelerator& a)
{
    double& peak = a.peakFlops[std::size_t(precision)];
    if (p.contains("peak_tflops")) peak = p.at("peak_tflops").get<double>() * 1e12;
    if (p.contains("memory_gbytes")) a.memoryBytes = p.at("memory_gbytes").get<double>() * 1e9;
    if (p.contains("memory_rate_gbytes_per_s")) a.memoryBytesPerS = p.at("memory_rate_gbytes_per_s").get<double>() * 1e9;
    take(p, "efficiency", a.efficiency);
    if (!p.contains("compute_tflops_per_gpu")) return {};
    const double reached = p.at("compute_tflops_per_gpu").get<double>() * 1e12;
    if (p.contains("efficiency"))
        return fail(ErrorCode::Refused, "compute_tflops_per_gpu", i18n("and efficiency both specify the compute rate"),
                    i18n("specify only one of them"));
    if (reached > peak)
        return fail(ErrorCode::Refused, "compute_tflops_per_gpu", i18n("exceeds the accelerator's peak"),
                    i18n("specify no more than the peak, or specify the peak as well"));
    a.efficiency = reached / peak;
    return {};
}

Json acceleratorJson(const TrainingJob& job)
{
    const Accelerator& a = job.accelerator;
    return {{"name", a.name},
            {"peak_tflops", job.peakFlops() / 1e12},
            {"memory_gbytes", a.memoryBytes / 1e9},
            {"memory_rate_gbytes_per_s", a.memoryBytesPerS / 1e9},
            {"scale_up_gbps", a.scaleUpGbps}};
}

Json memoryJson(const MemoryEstimate& m)
{
    return {{"total_bytes", m.totalBytes()}, {"available_bytes", m.availableBytes},   {"fits", m.fits()},
            {"states_bytes", m.statesBytes}, {"activation_bytes", m.activationBytes}, {"layer_activation_bytes", m.layerActivationBytes}};
}

void judgeMemory(const TrainingJob& job, const MemoryEstimate& memory, Json& results)
{
    if (!results.contains("runs")) results["runs"] = memory.fits();
    if (memory.fits()) return;
    results["runs"] = false;
    results["verdict"] = i18n("The job does not run: {}.", memoryShortfall(job, memory));
}

void judgeMemory(std::span<const TrainingJob> jobs, Json& results)
{
    if (!results.contains("runs")) results["runs"] = true;
    Text said;
    for (const TrainingJob& job : jobs) {
        const MemoryEstimate memory = memoryPerGpu(job);
        if (memory.fits()) continue;
        const Text one = i18n("{} does not run: {}.", job.name, memoryShortfall(job, memory));
        said = said.empty() ? one : i18n("{} {}", said, one);
    }
    if (said.empty()) return;
    results["runs"] = false;
    results["verdict"] = said;
}

const std::vector<double>& publishedErrors()
{
    static const std::vector<double> errors = [] {
        std::vector<double> all;
        if (const auto& library = workloadLibrary())
            for (const PublishedRun& run : library->published) all.push_back(predict(run).error);
        return all;
    }();
    return errors;
}

namespace {

ValidatedRange rangeOf(const TrainingJob& job)
{
    const auto& library = workloadLibrary();
    return library ? validatedRange(job, library->published, publishedErrors()) : ValidatedRange{};
}

Text outsideText(const TrainingJob& job, const ValidatedRange& r)
{
    switch (r.outside) {
    case ValidatedRange::Outside::NoRuns: return i18n("no published run of this kind to compare with");
    case ValidatedRange::Outside::Accelerator: return i18n("no published run of this kind on {}", job.accelerator.name);
    case ValidatedRange::Outside::Parameters:
        return i18n("no published run of this kind with {:.3g} billion parameters", countParameters(job.model).total() / 1e9);
    case ValidatedRange::Outside::No: break;
    }
    return {};
}

Text rangeText(const ValidatedRange& r)
{
    const Text kind = r.mixture ? i18n("mixture-of-experts") : i18n("dense");
    if (r.quality.runs == 0) return i18n("published {} runs in {}: none", kind, name(r.precision));
    Text on = verbatim(r.accelerators.front());
    for (std::size_t i = 1; i < r.accelerators.size(); ++i) on = i18n("{}, {}", on, r.accelerators[i]);
    return i18n("{} published {} runs in {} ({:.4g} to {:.4g} billion parameters, on {}) are predicted within {:.0f} %, mean error {:.0f} %",
                r.quality.runs, kind, name(r.precision), r.leastParameters / 1e9, r.mostParameters / 1e9, on, 100 * r.quality.worstError,
                100 * r.quality.meanError);
}

/// Published over predicted time of the mixture that the model misses most.
double slowestMixture()
{
    double most = 1;
    if (const auto& library = workloadLibrary())
        for (std::size_t i = 0; i < library->published.size(); ++i)
            if (library->published[i].job.model.mixture()) most = std::max(most, 1 + publishedErrors()[i]);
    return most;
}

} // namespace

Json calibratedJson(const TrainingJob& job)
{
    return {{"matrix_share", job.calibration.matrixShare}, {"depth", job.calibration.depth}, {"sustained", job.accelerator.sustained}};
}

Json validatedJson(const TrainingJob& job)
{
    const ValidatedRange r = rangeOf(job);
    return {{"validated", r.inside()},
            {"reason", r.inside() ? Json(nullptr) : Json(outsideText(job, r))},
            {"published_runs", r.quality.runs},
            {"mean_absolute_error", r.quality.meanError},
            {"worst_error", r.quality.worstError},
            {"least_parameters", r.leastParameters},
            {"most_parameters", r.mostParameters},
            {"accelerators", r.accelerators}};
}

std::vector<Text> computeNotes(const TrainingJob& job)
{
    if (job.accelerator.efficiency > 0) return {};
    const ValidatedRange r = rangeOf(job);
    std::vector<Text> notes{r.inside() ? i18n("Validated range: {}.", rangeText(r))
                                       : i18n("Outside the validated range of the training model: {}; {}.", outsideText(job, r), rangeText(r))};
    if (r.mixture)
        notes.push_back(i18n("Mixtures of experts: host time is not modeled. Published runs whose kernels are launched one by one take up to {:.1f} "
                             "times as long as predicted (published-training, outside_range).",
                             slowestMixture()));
    notes.push_back(i18n("Calibrated constants of the compute model: matrix share {:g} and depth {:g}, fitted to three "
                         "published runs; sustained {:g}, the share of its peak clock that {} sustains.",
                         job.calibration.matrixShare, job.calibration.depth, job.accelerator.sustained, job.accelerator.name));
    return notes;
}

Json timesJson(const Iteration& i)
{
    return {{"iteration_s", i.iterationS},
            {"compute_s", i.computeS},
            {"bubble_s", i.bubbleS},
            {"optimizer_s", i.optimizerS},
            {"exposed_tensor_s", i.exposedTensorS},
            {"exposed_context_s", i.exposedContextS},
            {"exposed_pipeline_s", i.exposedPipelineS},
            {"exposed_data_s", i.exposedGradientS},
            {"exposed_expert_s", i.exposedExpertS},
            {"exposed_share", i.exposedShare}};
}

} // namespace questions
} // namespace hw::sim
