// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/scenario/analyses.h"
#include "simulation/analytic/training_time.h"
#include "simulation/analytic/training_volume.h"

#include <fmt/format.h>

namespace hw::sim {

namespace {

/// What the scenario says goes over the preset.
TransformerModel modelOf(const Json& p)
{
    TransformerModel m = textOf(p, "preset") == "gpt3-175b" ? gpt3() : mixture1800B();
    const bool changed = p.size() > 1 && !(p.size() == 2 && (p.contains("sequence") || p.contains("parameters")));
    if (changed) m.statedParameters = 0; // another model: count its parameters
    const auto over = [&](const char* key, auto& value) {
        if (p.contains(key)) value = p.at(key).get<std::remove_reference_t<decltype(value)>>();
    };
    over("layers", m.layers);
    over("hidden", m.hidden);
    over("heads", m.heads);
    over("key_value_heads", m.keyValueHeads);
    over("feed_forward", m.feedForward);
    over("gated", m.gatedFeedForward);
    over("vocabulary", m.vocabulary);
    over("tied_embedding", m.tiedEmbedding);
    over("sequence", m.sequence);
    over("experts", m.experts);
    over("top_k", m.topK);
    over("expert_every", m.expertEvery);
    over("bytes_per_value", m.bytesPerValue);
    over("parameters", m.statedParameters);
    return m;
}

Parallelism cutOf(const Json& p)
{
    Parallelism c;
    c.tensor = integerOf(p, "tensor");
    c.pipeline = integerOf(p, "pipeline");
    c.data = integerOf(p, "data");
    c.expert = integerOf(p, "expert");
    c.context = integerOf(p, "context");
    c.virtualStages = integerOf(p, "virtual_stages");
    c.microBatch = integerOf(p, "micro_batch");
    c.microBatches = integerOf(p, "micro_batches");
    c.scatterGather = flagOf(p, "scatter_gather");
    return c;
}

TrainingMachine machineOf(const Json& p)
{
    TrainingMachine m;
    m.peakFlops = numberOf(p, "peak_tflops") * 1e12;
    m.computeEfficiency = numberOf(p, "compute_efficiency");
    m.inside = {numberOf(p, "nvlink_alpha_us") * 1e-6, numberOf(p, "nvlink_gbytes_per_s") * 1e9};
    m.outside = {numberOf(p, "nic_alpha_us") * 1e-6, numberOf(p, "nic_gbytes_per_s") * 1e9};
    m.libraryFactor = numberOf(p, "library_factor");
    m.gradientOverlap = numberOf(p, "gradient_overlap");
    m.tensorOverlap = numberOf(p, "tensor_overlap");
    m.pipelineOverlap = numberOf(p, "pipeline_overlap");
    m.expertOverlap = numberOf(p, "expert_overlap");
    return m;
}

Result<void> consistent(const TransformerModel& m, const Parallelism& c)
{
    const auto refuse = [](const char* key, std::string what) -> Result<void> { return fail(ErrorCode::Refused, key, std::move(what), "correct the value"); };
    if (m.mixture() && (m.topK < 1 || m.topK > m.experts)) return refuse("model.top_k", "must be from 1 to the number of experts");
    if (!m.mixture() && c.expert > 1) return refuse("parallelism.expert", "needs a model with experts");
    if (m.mixture() && m.experts % c.expert != 0) return refuse("parallelism.expert", fmt::format("must divide the {} experts", m.experts));
    if (c.data * c.context % c.expert != 0) return refuse("parallelism.expert", "must divide data × context");
    if (c.pipeline * c.virtualStages > m.layers) return refuse("parallelism.pipeline", fmt::format("has more stages than the {} layers", m.layers));
    if (m.expertEvery > m.layers) return refuse("model.expert_every", "is above the number of layers");
    return {};
}

Json volumesJson(const TrainingVolume& v)
{
    return {{"gradient_bytes", v.gradientBytes()}, {"gradient_dense_bytes", v.gradientDenseBytes}, {"gradient_expert_bytes", v.gradientExpertBytes},
            {"pipeline_send_bytes", v.pipelineBytes}, {"pipeline_sends", v.pipelineSends}, {"tensor_allreduce_bytes", v.tensorBytes},
            {"tensor_allreduces", v.tensorAllReduces}, {"layers_per_stage", v.layersPerStage}, {"tensor_pass_bytes", v.tensorPassBytes()},
            {"expert_alltoall_bytes", v.expertBytes}, {"expert_alltoalls", v.expertAllToAlls}};
}

Json iterationJson(const IterationEstimate& e)
{
    return {{"iteration_s", e.iterationS}, {"compute_s", e.computeS}, {"bubble_s", e.bubbleS}, {"exposed_tensor_s", e.exposedTensorS},
            {"exposed_pipeline_s", e.exposedPipelineS}, {"exposed_data_s", e.exposedDataS}, {"exposed_expert_s", e.exposedExpertS}, {"tensor_s", e.tensorS},
            {"pipeline_s", e.pipelineS}, {"data_s", e.dataS}, {"expert_s", e.expertS}, {"exposed_share", e.exposedShare}, {"tokens_per_s", e.tokensPerS},
            {"mfu", e.mfu}, {"hfu", e.hfu}};
}

Result<Json> runTraining(const Json& p, const Progress&)
{
    const TransformerModel model = modelOf(p.at("model"));
    const Parallelism cut = cutOf(p.at("parallelism"));
    if (const auto fine = consistent(model, cut); !fine) return tl::unexpected(fine.error());
    const TrainingMachine machine = machineOf(p.at("machine"));
    const std::string again = textOf(p, "recompute");
    const Recompute recompute = again == "none" ? Recompute::None : again == "full" ? Recompute::Full : Recompute::Selective;

    const ParameterCount count = countParameters(model);
    const TokenFlops flops = flopsPerToken(model, recompute);
    const IterationEstimate e = estimateIteration(model, cut, machine, recompute);
    const double tokens = numberOf(p, "tokens"), days = petaflopDays(count.active, tokens);
    return answer({{"model", model.name},
                   {"gpus", cut.gpus()},
                   {"parameters", {{"total", count.total()}, {"active", count.active}, {"expert", count.expert}, {"embedding", count.embedding}}},
                   {"flops_per_token", {{"model", flops.model}, {"hardware", flops.hardware}}},
                   {"volumes", volumesJson(trainingVolume(model, cut))},
                   {"bubble_share", pipelineBubbleShare(cut)},
                   {"iteration", iterationJson(e)},
                   {"petaflop_days", days},
                   {"training_days", tokens / e.tokensPerS / 86400}},
                  {"Volumes are buffers handed to the collectives; a ring moves 2 (n - 1) / n of an all-reduce's.",
                   "The iteration is a closed form without contention, stragglers and faults; compute_efficiency is one assumed number for an accelerator type.",
                   "Context parallelism cuts the sequence; its own exchange of keys and values is not in the times.",
                   "petaflop_days is 6 × active parameters × tokens; training_days follow the estimated tokens per second."});
}

std::vector<Field> modelFields()
{
    const auto optional = [](const char* key, double most, const char* help) { return integer(key, nullptr, key[0] == 'k' || key[0] == 'f' ? 0 : 1, most, help); };
    return {text("preset", "gpt3-175b", {"gpt3-175b", "moe-1.8t"}, "where the other keys start from"),
            optional("layers", 10000, "transformer layers"), optional("hidden", 1e6, "hidden size"), optional("heads", 10000, "attention heads"),
            optional("key_value_heads", 10000, "of grouped-query attention; 0: as many as heads"), optional("feed_forward", 1e7, "inner width; 0: 4 × hidden"),
            boolean("gated", nullptr, "three feed-forward matrices"), optional("vocabulary", 1e7, "tokens"), boolean("tied_embedding", nullptr, "input and output embedding are one"),
            optional("sequence", 1e8, "tokens of a sample"), integer("experts", nullptr, 0, 100000, "0: dense"), integer("top_k", nullptr, 0, 1000, "experts of a token"),
            optional("expert_every", 1000, "every n-th layer has experts"), optional("bytes_per_value", 8, "of activations and gradients"),
            number("parameters", "", nullptr, 1e3, 1e16, "stated count, instead of the derived one")};
}

std::vector<Field> cutFields()
{
    const Parallelism c;
    return {integer("tensor", c.tensor, 1, 4096, "TP"), integer("pipeline", c.pipeline, 1, 4096, "PP"), integer("data", c.data, 1, 1e6, "DP"),
            integer("expert", c.expert, 1, 1e5, "EP, inside DP"), integer("context", c.context, 1, 4096, "CP"),
            integer("virtual_stages", c.virtualStages, 1, 1024, "interleaved pieces of a stage"), integer("micro_batch", c.microBatch, 1, 1e5, "samples"),
            integer("micro_batches", c.microBatches, 1, 1e6, "of a pipeline in an iteration"), boolean("scatter_gather", c.scatterGather, "pipeline sends split over TP")};
}

std::vector<Field> machineFields()
{
    const TrainingMachine m;
    return {number("peak_tflops", "TFLOPS", m.peakFlops / 1e12, 0.1, 1e6, "dense peak of an accelerator"),
            number("compute_efficiency", "", m.computeEfficiency, 0.01, 1, "of the peak, without communication"),
            number("nvlink_gbytes_per_s", "GB/s", m.inside.bytesPerS / 1e9, 1e-3, 1e6, "of a GPU inside the host"), number("nvlink_alpha_us", "µs", m.inside.alphaS * 1e6, 0, 1e6, "latency there"),
            number("nic_gbytes_per_s", "GB/s", m.outside.bytesPerS / 1e9, 1e-3, 1e6, "of a GPU's NIC"), number("nic_alpha_us", "µs", m.outside.alphaS * 1e6, 0, 1e6, "latency there"),
            number("library_factor", "", m.libraryFactor, 0.01, 10, "of the collective library on bandwidth"),
            number("gradient_overlap", "", m.gradientOverlap, 0, 1, "hidden share of DP"), number("tensor_overlap", "", m.tensorOverlap, 0, 1, "hidden share of TP"),
            number("pipeline_overlap", "", m.pipelineOverlap, 0, 1, "hidden share of PP"), number("expert_overlap", "", m.expertOverlap, 0, 1, "hidden share of EP")};
}

} // namespace

Analysis trainingAnalysis()
{
    return {"training-volume", "Bytes, FLOPs, iteration time, MFU and training days of a model on a parallel cut",
            {object("model", modelFields(), "the model"), object("parallelism", cutFields(), "how it is cut"), object("machine", machineFields(), "what it runs on"),
             text("recompute", "selective", {"none", "selective", "full"}, "activations computed twice"), number("tokens", "", 300e9, 1, 1e18, "of the training")},
            runTraining};
}

} // namespace hw::sim
