// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/training/training_job.h"

#include <vector>

namespace hw::sim {
inline namespace training {

/// Times in s of the job's communication, each with all its groups on the fabric at once, latency and library included.
struct CommunicationTimes {
    double tensorS = 0;                              ///< one all-reduce
    double contextS = 0;                             ///< one exchange of all keys and values of a layer
    double expertS = 0;                              ///< one all-to-all
    std::vector<double> sendForwardS, sendBackwardS; ///< by stage, as in PipelinePlan
    std::vector<double> gradientS;                   ///< by stage: dense and expert gradients after each other
};

/// Keys and values of all context ranks of one layer on one GPU's heads: the full output of the ring's all-gather.
[[nodiscard]] double contextBytes(const TrainingJob& job);

/// Computing of one micro-batch in every piece of the model, in its order: the compute model, or all operations over a stated share of
/// the peak.
[[nodiscard]] std::vector<PieceCompute> computePerPiece(const TrainingJob& job);

/// A stretch on the time line of one pipeline stage.
struct TimelineSegment {
    enum class Kind : std::uint8_t { Forward, Backward, Tensor, Context, Expert, Gradient, Optimizer };
    Kind kind = Kind::Forward;
    std::int16_t stage = 0, chunk = 0;
    std::int32_t microBatch = 0;
    double startS = 0, endS = 0;
};
[[nodiscard]] const char* name(TimelineSegment::Kind kind);

/// One iteration. `computeS` + all exposed times + `bubbleS` + `optimizerS` = `iterationS`, up to rounding. With uneven stages the parts
/// are those of the stage that has most to do; what the others wait for it is in none of them.
struct Iteration {
    double computeS = 0;   ///< of one GPU
    double optimizerS = 0; ///< its step over the GPU's own parameters; 0 with a stated efficiency, which covers it
    double bubbleS = 0;    ///< idle in the pipeline, were sends free
    double tensorS = 0, contextS = 0, expertS = 0, pipelineS = 0, gradientS = 0; ///< full times of one GPU; sends of the slowest stage
    double exposedTensorS = 0, exposedContextS = 0, exposedExpertS = 0, exposedPipelineS = 0, exposedGradientS = 0;
    double iterationS = 0;
    double exposedShare = 0; ///< exposed communication, of the iteration
    double tokensPerIteration = 0, tokensPerS = 0;
    double mfu = 0, hfu = 0;                         ///< model (hardware) FLOPs of the peak
    double flopsPerGpu = 0, hardwareFlopsPerGpu = 0; ///< a second, over the iteration: mfu and hfu times the peak
    double computeFlopsPerGpu = 0;                   ///< hardware FLOPs a second while computing: over the mean computing time of a GPU
    double trainingDays = 0;
    double scalingEfficiency = 0;          ///< T(n) / (n T(1)): throughput over that of as many GPUs that never wait for each other
    std::vector<TimelineSegment> segments; ///< by stage, then in time
};

/// Puts the parts on a time line: the pipeline schedule with communication that is not hidden inside its passes, sends between
/// stages, and each stage's gradient reduction after (behind) its last backward passes. Hidden is the job's overlap share, but
/// never more than the computing that can hide it. Not in it: data loading, stragglers.
[[nodiscard]] Iteration layOutIteration(const TrainingJob& job, const CommunicationTimes& times);

} // namespace training
} // namespace hw::sim
