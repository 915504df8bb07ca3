// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/questions/model_fields.h"

#include "core/base/resources.h"

namespace hw::sim {
inline namespace questions {

namespace {

template <class T>
void take(const Json& p, const char* key, T& target)
{
    if (p.contains(key)) target = p.at(key).get<T>();
}

} // namespace

const Result<WorkloadLibrary>& workloadLibrary()
{
    static const Result<WorkloadLibrary> library = loadWorkloads(resourceFolder() / "workloads");
    return library;
}

std::vector<std::string> presetSlugs() { return workloadLibrary() ? slugs(workloadLibrary()->presets) : std::vector<std::string>(); }
std::vector<std::string> acceleratorSlugs() { return workloadLibrary() ? slugs(workloadLibrary()->accelerators) : std::vector<std::string>(); }

std::vector<Field> modelFields()
{
    return {integer("layers", nullptr, 1, 1e4, i18n("transformer layers")),
            integer("hidden", nullptr, 1, 1e6, i18n("hidden size")),
            integer("heads", nullptr, 1, 1e5,
                    i18n("of attention; tensor must divide them. With flash and without key_value_heads, they change nothing else")),
            integer("key_value_heads", nullptr, 0, 1e5, i18n("of grouped-query attention; 0: as many as heads")),
            integer("feed_forward", nullptr, 0, 1e7, i18n("inner width; 0: 4 x hidden")),
            boolean("gated", nullptr, i18n("three feed-forward matrices")),
            integer("vocabulary", nullptr, 1, 1e8, i18n("tokens")),
            boolean("tied_embedding", nullptr, i18n("input and output embedding are one")),
            boolean("learned_positions", nullptr, i18n("a table of sequence x hidden parameters, as GPT has")),
            integer("sequence", nullptr, 1, 1e8, i18n("tokens of a sample")),
            integer("experts", nullptr, 0, 1e5, i18n("0: dense")),
            integer("top_k", nullptr, 0, 1e4, i18n("experts a token visits")),
            integer("expert_every", nullptr, 1, 1e4, i18n("every n-th layer has experts")),
            integer("bytes_per_value", nullptr, 1, 8, i18n("of activations and gradients on the wire")),
            boolean("causal_attention", nullptr,
                    i18n("half of the scores: in operations, compute time and memory; false: all of them, as papers before 2023 count")),
            text("attention", nullptr, {"flash", "unfused"}, i18n("flash keeps no scores in memory")),
            number("parameters", "", nullptr, 1e3, 1e16, i18n("stated count, to which the derived one is scaled: volumes and memory"))};
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
    take(m, "bytes_per_value", model.bytesPerValue);
    take(m, "causal_attention", model.causalAttention);
    if (m.contains("attention")) model.flashAttention = m.at("attention") == "flash";
    if (model.keyValueHeads == model.heads && before.keyValueHeads == 0) model.keyValueHeads = 0; // as many as heads, said in numbers
    if (model.feedForward == 4 * model.hidden && before.feedForward == 0) model.feedForward = 0;
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
    return {text("accelerator", nullptr, acceleratorSlugs(), i18n("type, instead of that of the design's servers")),
            number("peak_tflops", "TFLOPS", nullptr, 0.1, 1e6, i18n("dense peak of an accelerator at the job's precision")),
            onlyWhen(number("memory_rate_gbytes_per_s", "GB/s", nullptr, 1, 1e6, i18n("of an accelerator's own memory")),
                     {notGiven("efficiency"), notGiven("compute_tflops_per_gpu")}),
            number("efficiency", "", nullptr, 0.01, 1, i18n("of the peak that all computing reaches; instead of the compute model")),
            number("compute_tflops_per_gpu", "TFLOPS", nullptr, 0.01, 1e6,
                   i18n("that computing reaches without communication; instead of the compute model or an efficiency"))};
}

Field memoryField() { return number("memory_gbytes", "GB", nullptr, 1, 1e5, i18n("of an accelerator")); }

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
        return fail(ErrorCode::Refused, "compute_tflops_per_gpu", i18n("and efficiency both say how fast computing is"), i18n("state one of them"));
    if (reached > peak)
        return fail(ErrorCode::Refused, "compute_tflops_per_gpu", i18n("is above the accelerator's peak"),
                    i18n("state at most the peak, or the peak too"));
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
