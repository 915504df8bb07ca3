// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hw::sim {
inline namespace formulas {

/// Multi-head latent attention (DeepSeek-AI, DeepSeek-V2, 2024): queries, keys and values come from narrow latent vectors. All are widths.
struct LatentAttention {
    int query = 0, keyValue = 0; ///< of the latents; a query latent of 0: queries straight from the hidden state
    int head = 0, rotary = 0;    ///< of queries and keys of a head, without and with a rotary position
    int value = 0;               ///< of the values of a head
    bool operator==(const LatentAttention&) const = default;
    [[nodiscard]] bool used() const { return keyValue > 0; }
};

/// A decoder-only transformer, dense or with experts. Counts are plain numbers; `parameters` of 0 means: derive them.
struct TransformerModel {
    std::string name = "GPT-3 175B";
    int layers = 96;
    int hidden = 12288;
    int heads = 96;
    int keyValueHeads = 0;         ///< 0: as many as heads (no grouped-query attention)
    int headWidth = 0;             ///< of one head; 0: hidden / heads
    int feedForward = 0;           ///< inner width of an MLP; 0: 4 × hidden
    bool gatedFeedForward = false; ///< three matrices instead of two (SwiGLU)
    int vocabulary = 51200;
    bool tiedEmbedding = true;      ///< input and output embedding are one matrix
    bool learnedPositions = true;   ///< a table of sequence × hidden parameters (GPT); false: computed, as rotary ones are
    int sequence = 2048;            ///< tokens of one sample
    int experts = 0;                ///< 0 or 1: dense
    int topK = 0;                   ///< experts that a token visits
    int expertEvery = 1;            ///< every n-th layer has experts, the others one MLP
    int denseFirst = 0;             ///< layers at the start that have one MLP, before those are counted
    int expertFeedForward = 0;      ///< inner width of one expert; 0: that of the MLP
    int sharedFeedForward = 0;      ///< inner width of the shared experts, which every token visits; 0: none
    int nodeLimit = 0;              ///< nodes (scale-up domains) that the experts of a token lie in at most; 0: no limit
    LatentAttention latent;         ///< instead of separate queries, keys and values
    int bytesPerValue = 2;          ///< of activations and gradients on the wire (bf16)
    bool causalAttention = true;    ///< only the half of the scores below the diagonal is counted, computed and kept
    bool flashAttention = true;     ///< scores stay on the chip (T. Dao et al. 2022); false: written to memory by separate products and a softmax
    double statedParameters = 0;    ///< as a user states them; scales the derived count where given
    double publishedParameters = 0; ///< the nominal number ("175B"), where there is one: N of C = 6 N D

    bool operator==(const TransformerModel&) const = default;
    [[nodiscard]] bool mixture() const { return experts > 1; }
    /// Every `expertEvery`-th of the layers between the first `denseFirst` and `layer` has experts.
    [[nodiscard]] int expertLayersBefore(int layer) const { return mixture() && layer > denseFirst ? (layer - denseFirst) / expertEvery : 0; }
    [[nodiscard]] int expertLayers() const { return expertLayersBefore(layers); }
    [[nodiscard]] double feedForwardWidth() const { return feedForward > 0 ? feedForward : 4.0 * hidden; }
    [[nodiscard]] double expertWidth() const { return expertFeedForward > 0 ? expertFeedForward : feedForwardWidth(); }
    /// Of one head: of its queries and keys, and of its values.
    [[nodiscard]] double queryHead() const { return latent.used() ? latent.head + latent.rotary : plainHead(); }
    [[nodiscard]] double valueHead() const { return latent.used() ? latent.value : plainHead(); }
    /// Of all heads together: queries, what attention gives to its output projection, and the mean of keys and values.
    [[nodiscard]] double queryWidth() const { return heads * queryHead(); }
    [[nodiscard]] double attentionWidth() const { return heads * valueHead(); }
    [[nodiscard]] double keyValueWidth() const
    {
        return (keyValueHeads > 0 && !latent.used() ? keyValueHeads : heads) * (queryHead() + valueHead()) / 2;
    }
    /// Elements of the weight matrices of attention in one layer.
    [[nodiscard]] double attentionWeights() const;

private:
    [[nodiscard]] double plainHead() const { return headWidth > 0 ? headWidth : double(hidden) / heads; }
};

/// T. Brown et al. 2020, table 2.1 (vocabulary padded as in Megatron-LM).
[[nodiscard]] TransformerModel gpt3();

/// Parameters by what shards them; `expert` counts all experts of all layers.
struct ParameterCount {
    double attentionAndOther = 0, denseFeedForward = 0, expert = 0, embedding = 0;
    double active = 0; ///< that one token uses: everything but the unvisited experts
    [[nodiscard]] double dense() const { return attentionAndOther + denseFeedForward + embedding; }
    [[nodiscard]] double total() const { return dense() + expert; }
};

/// Matrices, biases, norms and embeddings: 12 L h² + 13 L h + (V + s) h for a plain GPT (D. Narayanan et al., "Efficient Large-Scale
/// Language Model Training on GPU Clusters Using Megatron-LM", 2021, formula 2). Scaled to `statedParameters` if given.
[[nodiscard]] ParameterCount countParameters(const TransformerModel& model);

/// What is computed twice to keep less in memory.
enum class Recompute : std::uint8_t {
    None,
    Selective, ///< the attention core only (V. Korthikanti et al., "Reducing Activation Recomputation", 2022); FlashAttention does so itself
    Full       ///< the forward pass of every layer once more; the output layer is not repeated
};
[[nodiscard]] const char* name(Recompute recompute);
inline constexpr Recompute kRecomputes[] = {Recompute::None, Recompute::Selective, Recompute::Full};

/// How a job is cut: GPUs = TP · PP · CP · DP; expert parallelism lies inside DP (and so divides DP · CP).
struct Parallelism {
    int tensor = 8, pipeline = 8, data = 512, expert = 1, context = 1;
    int virtualStages = 1;        ///< v: pieces of the model on each pipeline stage (interleaved schedule)
    int microBatch = 1;           ///< samples in one micro-batch
    int microBatches = 64;        ///< in one iteration, of each pipeline
    bool scatterGather = true;    ///< pipeline sends split over the TP ranks, gathered by NVLink at the receiver
    bool sequenceParallel = true; ///< norms, dropout and what they keep are cut over the TP ranks too (Korthikanti et al. 2022)
    [[nodiscard]] int pieces() const { return pipeline * virtualStages; }
    [[nodiscard]] std::int64_t gpus() const { return std::int64_t(tensor) * pipeline * data * context; }
    [[nodiscard]] double samplesPerIteration() const { return double(data) * microBatch * microBatches; }
};

/// Layers of one piece of the model. The last piece computes the output layer and the loss too.
struct PieceLayers {
    int plain = 0, expert = 0; ///< with one MLP, with experts
    bool output = false;
    [[nodiscard]] int layers() const { return plain + expert; }
};

/// The pieces in the order of the model; stage s holds the pieces s, s + PP, s + 2 PP … Where layers do not divide, the pieces in the
/// middle have one more than those at the ends, which have embedding and output beside them: 126 layers on 16 stages are 7, 14 × 8, 7
/// (Llama Team 2024, section 3.3.2). An end piece may have none.
[[nodiscard]] std::vector<PieceLayers> cutLayers(const TransformerModel& model, const Parallelism& cut);
/// All pieces of the stage with the most layers, added up.
[[nodiscard]] PieceLayers fullestStage(const TransformerModel& model, const Parallelism& cut);

/// How often one GPU communicates for one micro-batch in some layers, forward and backward. Recomputing in full repeats the forward
/// pass's collectives.
struct CommunicationCounts {
    double tensorForward = 0, tensorBackward = 0, contextForward = 0, contextBackward = 0, expertForward = 0, expertBackward = 0;
};
[[nodiscard]] CommunicationCounts communicationCounts(const Parallelism& cut, Recompute recompute, const PieceLayers& layers);

/// Bytes that one GPU hands to its collectives in one iteration (buffers; ring factors are not in them).
struct TrainingVolume {
    double gradientDenseBytes = 0;     ///< reduced over DP · CP: dense parameters / (TP · PP) · bytes; uneven stages: of the fullest
    double gradientExpertBytes = 0;    ///< reduced over DP · CP / EP: expert parameters / (TP · PP · EP) · bytes; uneven stages: of the fullest
    double pipelineBytes = 0;          ///< one send of one micro-batch: b s h / (CP · TP with scatter/gather) · bytes
    double tensorBytes = 0;            ///< one all-reduce of TP: b s h / CP · bytes
    int layersPerStage = 0;            ///< of the fullest stage
    double expertBytes = 0;            ///< one all-to-all of EP: b s h · topK / (CP · TP) · bytes
    std::int64_t pipelineSends = 0;    ///< by one middle GPU: 2 v per micro-batch (activations on, gradients back)
    std::int64_t tensorAllReduces = 0; ///< of the fullest stage: 4 per layer and micro-batch (2 forward, 2 backward), 6 with full recompute
    std::int64_t expertAllToAlls = 0;  ///< 4 per expert layer and micro-batch (there and back, forward and backward), 6 with full recompute
    [[nodiscard]] double gradientBytes() const { return gradientDenseBytes + gradientExpertBytes; }
    /// One tensor of every layer of a stage: the figure nearest to the "560 MB" of the HPN paper, 604 MB.
    [[nodiscard]] double tensorPassBytes() const { return layersPerStage * tensorBytes; }
};

[[nodiscard]] TrainingVolume trainingVolume(const TransformerModel& model, const Parallelism& cut, Recompute recompute);
/// Parameters that one GPU of the fullest stage keeps: layers of that stage, embeddings spread over the stages.
struct ShardedParameters {
    double dense = 0, expert = 0;
};
[[nodiscard]] ShardedParameters parametersPerGpu(const TransformerModel& model, const Parallelism& cut);

} // namespace formulas
} // namespace hw::sim
