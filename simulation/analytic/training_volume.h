// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace hw::sim {

/// A decoder-only transformer, dense or with experts. Counts are plain numbers; `parameters` of 0 means: derive them.
struct TransformerModel {
    std::string name = "GPT-3 175B";
    int layers = 96;
    int hidden = 12288;
    int heads = 96;
    int keyValueHeads = 0;       ///< 0: as many as heads (no grouped-query attention)
    int feedForward = 0;         ///< inner width of an MLP or of one expert; 0: 4 × hidden
    bool gatedFeedForward = false; ///< three matrices instead of two (SwiGLU)
    int vocabulary = 51200;
    bool tiedEmbedding = true;   ///< input and output embedding are one matrix
    int sequence = 2048;         ///< tokens of one sample
    int experts = 0;             ///< 0 or 1: dense
    int topK = 0;                ///< experts that a token visits
    int expertEvery = 1;         ///< every n-th layer has experts, the others one MLP
    int bytesPerValue = 2;       ///< of activations and gradients on the wire (bf16)
    double statedParameters = 0; ///< as published; scales the derived count where given

    [[nodiscard]] bool mixture() const { return experts > 1; }
    [[nodiscard]] int expertLayers() const { return mixture() ? layers / expertEvery : 0; }
};

/// Published sizes. GPT-3: T. Brown et al. 2020, table 2.1 (vocabulary padded as in Megatron-LM).
/// The 1.8T model is a common public guess at a GPT-4-class mixture, 16 experts with 2 active: assumed, not published.
[[nodiscard]] TransformerModel gpt3();
[[nodiscard]] TransformerModel mixture1800B();

/// Parameters by what shards them; `expert` counts all experts of all layers.
struct ParameterCount {
    double attentionAndOther = 0, denseFeedForward = 0, expert = 0, embedding = 0;
    double active = 0; ///< that one token uses: everything but the unvisited experts
    [[nodiscard]] double dense() const { return attentionAndOther + denseFeedForward + embedding; }
    [[nodiscard]] double total() const { return dense() + expert; }
};

/// Matrices, biases, norms and embeddings: 12 L h² + 13 L h + V h for a plain GPT (D. Narayanan et al., "Efficient Large-Scale
/// Language Model Training on GPU Clusters Using Megatron-LM", 2021, formula 2). Scaled to `statedParameters` if given.
[[nodiscard]] ParameterCount countParameters(const TransformerModel& model);

/// How a job is cut: GPUs = TP · PP · CP · DP; expert parallelism lies inside DP (and so divides DP · CP).
struct Parallelism {
    int tensor = 8, pipeline = 8, data = 512, expert = 1, context = 1;
    int virtualStages = 1;       ///< v: pieces of the model on each pipeline stage (interleaved schedule)
    int microBatch = 1;          ///< samples in one micro-batch
    int microBatches = 64;       ///< in one iteration, of each pipeline
    bool scatterGather = true;   ///< pipeline sends split over the TP ranks, gathered by NVLink at the receiver
    [[nodiscard]] std::int64_t gpus() const { return std::int64_t(tensor) * pipeline * data * context; }
    [[nodiscard]] double samplesPerIteration() const { return double(data) * microBatch * microBatches; }
};

/// Bytes that one GPU hands to its collectives in one iteration (buffers; ring factors are not in them). CHECKS P8.
struct TrainingVolume {
    double gradientDenseBytes = 0;   ///< reduced over DP · CP: dense parameters / (TP · PP) · bytes
    double gradientExpertBytes = 0;  ///< reduced over DP · CP / EP: expert parameters / (TP · PP · EP) · bytes
    double pipelineBytes = 0;        ///< one send of one micro-batch: b s h / (CP · TP with scatter/gather) · bytes
    double tensorBytes = 0;          ///< one all-reduce of TP: b s h / CP · bytes
    int layersPerStage = 0;          ///< of the fullest stage
    double expertBytes = 0;          ///< one all-to-all of EP: b s h · topK / (CP · TP) · bytes
    std::int64_t pipelineSends = 0;  ///< by one middle GPU: 2 v per micro-batch (activations on, gradients back)
    std::int64_t tensorAllReduces = 0; ///< 4 per layer and micro-batch (2 forward, 2 backward)
    std::int64_t expertAllToAlls = 0;  ///< 4 per expert layer and micro-batch (there and back, forward and backward)
    [[nodiscard]] double gradientBytes() const { return gradientDenseBytes + gradientExpertBytes; }
    /// One tensor of every layer of a stage: the figure nearest to the "560 MB" of the HPN paper, 604 MB.
    [[nodiscard]] double tensorPassBytes() const { return layersPerStage * tensorBytes; }
};

[[nodiscard]] TrainingVolume trainingVolume(const TransformerModel& model, const Parallelism& cut);

} // namespace hw::sim
