// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/analytic/training_volume.h"

namespace hw::sim {

namespace {

double feedForwardWidth(const TransformerModel& m) { return m.feedForward > 0 ? m.feedForward : 4.0 * m.hidden; }

/// Q and O of h × h, K and V of h × (h · kv / heads); biases of all four; two norms of 2 h.
double attentionParameters(const TransformerModel& m)
{
    const double h = m.hidden;
    const double kv = m.keyValueHeads > 0 ? h * m.keyValueHeads / m.heads : h;
    return 2 * h * h + 2 * h * kv + (2 * h + 2 * kv) + 4 * h;
}

/// Two matrices with biases, or three without (as gated layers are built).
double feedForwardParameters(const TransformerModel& m)
{
    const double h = m.hidden, f = feedForwardWidth(m);
    return m.gatedFeedForward ? 3 * h * f : 2 * h * f + f + h;
}

} // namespace

TransformerModel gpt3()
{
    TransformerModel m;
    m.statedParameters = 175e9;
    return m;
}

TransformerModel mixture1800B()
{
    TransformerModel m;
    m.name = "1.8T mixture of experts (assumed)";
    m.layers = 120;
    m.hidden = 10752;
    m.heads = 84;
    m.feedForward = 43008;
    m.vocabulary = 100352;
    m.sequence = 8192;
    m.experts = 16;
    m.topK = 2;
    return m;
}

ParameterCount countParameters(const TransformerModel& m)
{
    const double mlp = feedForwardParameters(m);
    const double router = m.mixture() ? double(m.expertLayers()) * m.hidden * m.experts : 0.0;
    ParameterCount c;
    c.attentionAndOther = m.layers * attentionParameters(m) + router;
    c.denseFeedForward = (m.layers - m.expertLayers()) * mlp;
    c.expert = double(m.expertLayers()) * m.experts * mlp;
    c.embedding = double(m.vocabulary) * m.hidden * (m.tiedEmbedding ? 1 : 2);
    if (m.statedParameters > 0) {
        const double scale = m.statedParameters / c.total();
        c.attentionAndOther *= scale;
        c.denseFeedForward *= scale;
        c.expert *= scale;
        c.embedding *= scale;
    }
    c.active = c.dense() + (m.mixture() ? c.expert * m.topK / m.experts : 0.0);
    return c;
}

TrainingVolume trainingVolume(const TransformerModel& m, const Parallelism& cut)
{
    const ParameterCount parameters = countParameters(m);
    const double shards = double(cut.tensor) * cut.pipeline;
    const double tokens = double(cut.microBatch) * m.sequence / cut.context; // of one micro-batch on one GPU
    const double activation = tokens * m.hidden * m.bytesPerValue;

    TrainingVolume v;
    v.gradientDenseBytes = parameters.dense() / shards * m.bytesPerValue;
    v.gradientExpertBytes = parameters.expert / (shards * cut.expert) * m.bytesPerValue;
    v.layersPerStage = (m.layers + cut.pipeline - 1) / cut.pipeline;
    v.tensorBytes = cut.tensor > 1 ? activation : 0;
    v.tensorAllReduces = cut.tensor > 1 ? 4LL * v.layersPerStage * cut.microBatches : 0;
    v.pipelineBytes = cut.pipeline > 1 ? activation / (cut.scatterGather ? cut.tensor : 1) : 0;
    v.pipelineSends = cut.pipeline > 1 ? 2LL * cut.virtualStages * cut.microBatches : 0;
    if (m.mixture() && cut.expert > 1) {
        v.expertBytes = activation * m.topK / cut.tensor;
        const int perStage = (m.expertLayers() + cut.pipeline - 1) / cut.pipeline;
        v.expertAllToAlls = 4LL * perStage * cut.microBatches;
    }
    return v;
}

} // namespace hw::sim
