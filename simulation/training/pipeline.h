// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace hw::sim {
inline namespace training {

/// One pipeline of one iteration. Chunk c of stage s is virtual stage c · stages + s of the model. All times in s.
struct PipelinePlan {
    int stages = 1;
    int chunks = 1;                          ///< v, of the interleaved schedule
    int microBatches = 1;                    ///< a multiple of `stages` if chunks > 1
    std::vector<double> forwardS, backwardS; ///< of one micro-batch, by stage · chunks + chunk
    std::vector<double> sendForwardS,
        sendBackwardS; ///< by stage: of activations from it to the next (the last one's go to the first), of gradients from it to the one before
};

struct PipelineStep {
    std::int32_t microBatch = 0;
    std::int16_t stage = 0, chunk = 0;
    bool backward = false;
    double startS = 0, endS = 0;
};

struct PipelineRun {
    std::vector<PipelineStep> steps;  ///< by stage, then in time
    std::vector<std::uint32_t> first; ///< of each stage in `steps`; one more entry at the end
    double lengthS = 0;               ///< until the last backward pass has ended
    [[nodiscard]] double stageEndS(int stage) const { return steps[first[std::size_t(stage) + 1] - 1].endS; }
};

/// Runs the one-forward-one-backward schedule, interleaved if chunks > 1, in the order of Megatron-LM (D. Narayanan et al. 2021):
/// every stage works through its fixed list, a pass starts when the stage is free and its input has arrived. Sends take their
/// time beside the computing. Without sends and with equal stages its length is (m + (p - 1) / v) (t_f + t_b).
[[nodiscard]] PipelineRun runPipeline(const PipelinePlan& plan);

} // namespace training
} // namespace hw::sim
