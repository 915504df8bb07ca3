// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/formulas/training_volume.h"

#include <algorithm>

namespace hw::sim {
inline namespace formulas {

namespace {

/// The matrices; biases of queries, keys, values and output, or the norms of the latents; two norms of 2 h.
double attentionParameters(const TransformerModel& m)
{
    const double h = m.hidden;
    return m.attentionWeights() + (m.latent.used() ? m.latent.query + m.latent.keyValue : m.queryWidth() + 2 * m.keyValueWidth() + h) + 4 * h;
}

/// Two matrices with biases, or three without (as gated layers are built).
double feedForwardParameters(const TransformerModel& m, double width)
{
    const double h = m.hidden;
    return m.gatedFeedForward ? 3 * h * width : 2 * h * width + width + h;
}

/// How much more a stage has than the mean of all.
double unevenness(int fullest, int all, int stages) { return all > 0 ? double(fullest) * stages / all : 1.0; }

} // namespace

TransformerModel gpt3()
{
    TransformerModel m;
    m.publishedParameters = 175e9;
    return m;
}

double TransformerModel::attentionWeights() const
{
    const double h = hidden;
    if (!latent.used()) return h * queryWidth() + 2 * h * keyValueWidth() + attentionWidth() * h;
    const double queries = latent.query > 0 ? latent.query * (h + queryWidth()) : h * queryWidth();
    return queries + h * (latent.keyValue + latent.rotary) + double(latent.keyValue) * heads * (latent.head + latent.value) + attentionWidth() * h;
}

ParameterCount countParameters(const TransformerModel& m)
{
    const double router = m.mixture() ? double(m.expertLayers()) * m.hidden * m.experts : 0.0;
    const double shared = m.mixture() && m.sharedFeedForward > 0 ? m.expertLayers() * feedForwardParameters(m, m.sharedFeedForward) : 0.0;
    ParameterCount c;
    c.attentionAndOther = m.layers * attentionParameters(m) + router + shared;
    c.denseFeedForward = (m.layers - m.expertLayers()) * feedForwardParameters(m, m.feedForwardWidth());
    c.expert = double(m.expertLayers()) * m.experts * feedForwardParameters(m, m.expertWidth());
    c.embedding = double(m.vocabulary) * m.hidden * (m.tiedEmbedding ? 1 : 2) + (m.learnedPositions ? double(m.sequence) * m.hidden : 0.0);
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

std::vector<PieceLayers> cutLayers(const TransformerModel& m, const Parallelism& cut)
{
    const int pieces = cut.pieces(), least = m.layers / pieces, more = m.layers % pieces, firstWithMore = (pieces - more) / 2;
    std::vector<PieceLayers> out;
    for (int piece = 0, from = 0; piece < pieces; ++piece) {
        const int to = from + least + (piece >= firstWithMore && piece < firstWithMore + more);
        const int expert = m.expertLayersBefore(to) - m.expertLayersBefore(from);
        out.push_back({to - from - expert, expert, piece + 1 == pieces});
        from = to;
    }
    return out;
}

PieceLayers fullestStage(const TransformerModel& m, const Parallelism& cut)
{
    const auto pieces = cutLayers(m, cut);
    PieceLayers fullest;
    for (int s = 0; s < cut.pipeline; ++s) {
        PieceLayers stage;
        for (int v = 0; v < cut.virtualStages; ++v) {
            const PieceLayers& piece = pieces[std::size_t(v * cut.pipeline + s)];
            stage.plain += piece.plain, stage.expert += piece.expert, stage.output = stage.output || piece.output;
        }
        if (stage.layers() > fullest.layers() || (stage.layers() == fullest.layers() && stage.expert > fullest.expert)) fullest = stage;
    }
    return fullest;
}

CommunicationCounts communicationCounts(const Parallelism& cut, Recompute recompute, const PieceLayers& piece)
{
    const double layers = piece.layers(), again = recompute == Recompute::Full ? 1 : 0;
    CommunicationCounts c;
    if (cut.tensor > 1) c.tensorForward = 2 * layers, c.tensorBackward = (2 + 2 * again) * layers;
    if (cut.context > 1) c.contextForward = layers, c.contextBackward = (2 + again) * layers; // keys and values again, and their gradients
    if (cut.expert > 1) c.expertForward = 2 * piece.expert, c.expertBackward = (2 + 2 * again) * piece.expert;
    return c;
}

ShardedParameters parametersPerGpu(const TransformerModel& m, const Parallelism& cut)
{
    const ParameterCount count = countParameters(m);
    const double shards = double(cut.tensor) * cut.pipeline;
    const PieceLayers fullest = fullestStage(m, cut);
    return {((count.attentionAndOther + count.denseFeedForward) * unevenness(fullest.layers(), m.layers, cut.pipeline) + count.embedding) / shards,
            count.expert / (shards * cut.expert) * unevenness(fullest.expert, m.expertLayers(), cut.pipeline)};
}

TrainingVolume trainingVolume(const TransformerModel& m, const Parallelism& cut, Recompute recompute)
{
    const double tokens = double(cut.microBatch) * m.sequence / cut.context; // of one micro-batch on one GPU
    const double activation = tokens * m.hidden * m.bytesPerValue;
    const PieceLayers fullest = fullestStage(m, cut);
    const CommunicationCounts counts = communicationCounts(cut, recompute, fullest);
    const ShardedParameters parameters = parametersPerGpu(m, cut);

    TrainingVolume v;
    v.gradientDenseBytes = parameters.dense * m.bytesPerValue;
    v.gradientExpertBytes = parameters.expert * m.bytesPerValue;
    v.layersPerStage = fullest.layers();
    v.tensorBytes = cut.tensor > 1 ? activation : 0;
    v.tensorAllReduces = std::int64_t(counts.tensorForward + counts.tensorBackward) * cut.microBatches;
    v.pipelineBytes = cut.pipeline > 1 ? activation / (cut.scatterGather ? cut.tensor : 1) : 0;
    v.pipelineSends = cut.pipeline > 1 ? 2LL * cut.virtualStages * cut.microBatches : 0;
    if (m.mixture() && cut.expert > 1) {
        v.expertBytes = activation * m.topK / cut.tensor;
        v.expertAllToAlls = std::int64_t(counts.expertForward + counts.expertBackward) * cut.microBatches;
    }
    return v;
}

const char* name(Recompute recompute)
{
    switch (recompute) {
    case Recompute::None: return "none";
    case Recompute::Selective: return "selective";
    case Recompute::Full: return "full";
    }
    return "";
}

} // namespace formulas
} // namespace hw::sim
