// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/training/iteration.h"

#include "simulation/training/pipeline.h"

#include <algorithm>

namespace hw::sim {
inline namespace training {

namespace {

/// One pass of one micro-batch through one chunk, in the order in which its parts are drawn.
struct Pass {
    double computeS = 0, tensorS = 0, contextS = 0, expertS = 0; ///< communication: exposed
    [[nodiscard]] double totalS() const { return computeS + tensorS + contextS + expertS; }
};

/// Computing hides context, then tensor, then expert communication, as long as it lasts.
Pass passOf(double computeS, double tensorS, double contextS, double expertS, const Overlap& overlap)
{
    double left = computeS;
    const auto exposed = [&](double time, double share) {
        const double hidden = std::min(time * share, left);
        left -= hidden;
        return time - hidden;
    };
    Pass pass;
    pass.computeS = computeS;
    pass.contextS = exposed(contextS, overlap.context);
    pass.tensorS = exposed(tensorS, overlap.tensor);
    pass.expertS = exposed(expertS, overlap.expert);
    return pass;
}

/// Both passes of one micro-batch through a piece.
struct PiecePasses {
    Pass forward, backward;
};

std::vector<PiecePasses> passesOf(const TrainingJob& job, const CommunicationTimes& times)
{
    const auto layers = cutLayers(job.model, job.cut);
    const auto compute = computePerPiece(job);
    std::vector<PiecePasses> pieces;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const CommunicationCounts n = communicationCounts(job.cut, job.recompute, layers[i]);
        pieces.push_back({passOf(compute[i].forwardS, n.tensorForward * times.tensorS, n.contextForward * times.contextS,
                                 n.expertForward * times.expertS, job.overlap),
                          passOf(compute[i].backwardS, n.tensorBackward * times.tensorS, n.contextBackward * times.contextS,
                                 n.expertBackward * times.expertS, job.overlap)});
    }
    return pieces;
}

/// Piece of the model that a step of the schedule runs.
std::size_t pieceOf(const TrainingJob& job, int stage, int chunk) { return std::size_t(chunk) * std::size_t(job.cut.pipeline) + std::size_t(stage); }

PipelinePlan planOf(const TrainingJob& job, const std::vector<PiecePasses>& pieces, const CommunicationTimes& times)
{
    const auto p = std::size_t(job.cut.pipeline);
    const auto sized = [&](std::vector<double> list) {
        list.resize(p, 0.0);
        return list;
    };
    PipelinePlan plan{job.cut.pipeline, job.cut.virtualStages, job.cut.microBatches, {}, {}, sized(times.sendForwardS), sized(times.sendBackwardS)};
    for (int s = 0; s < plan.stages; ++s)
        for (int c = 0; c < plan.chunks; ++c) {
            const PiecePasses& piece = pieces[pieceOf(job, s, c)];
            plan.forwardS.push_back(piece.forward.totalS());
            plan.backwardS.push_back(piece.backward.totalS());
        }
    return plan;
}

/// One micro-batch through all pieces of the stage that has most to do; the mean computing over all stages.
struct StageWork {
    Pass busiest;
    double meanComputeS = 0;
};

StageWork stageWork(const TrainingJob& job, const std::vector<PiecePasses>& pieces)
{
    StageWork work;
    for (int s = 0; s < job.cut.pipeline; ++s) {
        Pass stage;
        for (int c = 0; c < job.cut.virtualStages; ++c)
            for (const Pass* pass : {&pieces[pieceOf(job, s, c)].forward, &pieces[pieceOf(job, s, c)].backward}) {
                stage.computeS += pass->computeS, stage.tensorS += pass->tensorS;
                stage.contextS += pass->contextS, stage.expertS += pass->expertS;
            }
        if (stage.totalS() > work.busiest.totalS()) work.busiest = stage;
        work.meanComputeS += stage.computeS / job.cut.pipeline;
    }
    return work;
}

void draw(const PipelineStep& step, const Pass& pass, std::vector<TimelineSegment>& out)
{
    using Kind = TimelineSegment::Kind;
    double at = step.startS;
    const auto add = [&](Kind kind, double lasting) {
        if (lasting <= 0) return;
        out.push_back({kind, step.stage, step.chunk, step.microBatch, at, at + lasting});
        at += lasting;
    };
    add(step.backward ? Kind::Backward : Kind::Forward, pass.computeS);
    add(Kind::Context, pass.contextS);
    add(Kind::Tensor, pass.tensorS);
    add(Kind::Expert, pass.expertS);
}

double most(const std::vector<double>& list) { return list.empty() ? 0.0 : *std::ranges::max_element(list); }

/// Gradients of a stage start to travel while its last micro-batch goes backward; returns when the slowest stage has them.
double reduceGradients(const TrainingJob& job, const PipelineRun& run, const CommunicationTimes& times, const std::vector<PiecePasses>& pieces,
                       std::vector<TimelineSegment>& out)
{
    double end = run.lengthS;
    for (int s = 0; s < job.cut.pipeline; ++s) {
        const double lasts = std::size_t(s) < times.gradientS.size() ? times.gradientS[std::size_t(s)] : 0.0;
        if (lasts <= 0) continue;
        double windowS = 0;
        for (int c = 0; c < job.cut.virtualStages; ++c) windowS += pieces[pieceOf(job, s, c)].backward.computeS;
        const double start = run.stageEndS(s) - std::min(lasts * job.overlap.gradient, windowS);
        out.push_back({TimelineSegment::Kind::Gradient, std::int16_t(s), 0, 0, start, start + lasts});
        end = std::max(end, start + lasts);
    }
    return end;
}

/// All stages step at once, when the slowest has its gradients: clipping needs the norm over all of them.
double stepOptimizer(const TrainingJob& job, double atS, Iteration& it)
{
    if (job.accelerator.efficiency > 0) return atS;
    const ShardedParameters own = parametersPerGpu(job.model, job.cut);
    const double replicas = double(job.cut.data) * job.cut.context;
    const bool sharded = job.algorithms.shardedOptimizer;
    it.optimizerS = optimizerStepS(own.dense / (sharded ? replicas : 1) + own.expert / (sharded ? std::max(1.0, replicas / job.cut.expert) : 1),
                                   job.computeUnit());
    for (int s = 0; s < job.cut.pipeline; ++s)
        it.segments.push_back({TimelineSegment::Kind::Optimizer, std::int16_t(s), 0, 0, atS, atS + it.optimizerS});
    return atS + it.optimizerS;
}

void rate(const TrainingJob& job, double meanComputeS, Iteration& it)
{
    const TokenFlops flops = flopsPerToken(job.model, job.recompute);
    const double gpus = double(job.cut.gpus()), peak = job.accelerator.peakFlops[std::size_t(job.precision)];
    it.exposedShare = (it.exposedTensorS + it.exposedContextS + it.exposedExpertS + it.exposedPipelineS + it.exposedGradientS) / it.iterationS;
    it.tokensPerIteration = job.cut.samplesPerIteration() * job.model.sequence;
    it.tokensPerS = it.tokensPerIteration / it.iterationS;
    it.flopsPerGpu = it.tokensPerS * flops.model / gpus;
    it.hardwareFlopsPerGpu = it.tokensPerS * flops.hardware / gpus;
    it.computeFlopsPerGpu = it.tokensPerIteration * flops.hardware / gpus / meanComputeS;
    it.mfu = it.flopsPerGpu / peak;
    it.hfu = it.hardwareFlopsPerGpu / peak;
    it.trainingDays = job.tokensToTrain / it.tokensPerS / 86400;
    it.scalingEfficiency = meanComputeS / it.iterationS;
}

} // namespace

const char* name(TimelineSegment::Kind kind)
{
    using Kind = TimelineSegment::Kind;
    switch (kind) {
    case Kind::Forward: return "forward";
    case Kind::Backward: return "backward";
    case Kind::Tensor: return "tensor";
    case Kind::Context: return "context";
    case Kind::Expert: return "expert";
    case Kind::Gradient: return "gradient";
    case Kind::Optimizer: return "optimizer";
    }
    return "";
}

double contextBytes(const TrainingJob& job)
{
    const TransformerModel& m = job.model;
    return 2.0 * job.cut.microBatch * m.sequence * m.keyValueWidth() / job.cut.tensor * m.bytesPerValue;
}

std::vector<PieceCompute> computePerPiece(const TrainingJob& job)
{
    std::vector<PieceCompute> pieces;
    const ForwardFlops flops = forwardFlops(job.model);
    const double perFlop = double(job.cut.microBatch) * job.model.sequence /
                           (double(job.cut.tensor) * job.cut.context * job.accelerator.peakFlops[std::size_t(job.precision)]);
    for (const PieceLayers& layers : cutLayers(job.model, job.cut)) {
        if (job.accelerator.efficiency > 0) {
            const double forward = flops.of(layers), again = job.recompute == Recompute::Full ? forward - (layers.output ? flops.output : 0.0)
                                                             : job.recompute == Recompute::Selective && !job.model.flashAttention
                                                                 ? layers.layers() * flops.core
                                                                 : 0.0;
            pieces.push_back({forward * perFlop / job.accelerator.efficiency, (2 * forward + again) * perFlop / job.accelerator.efficiency});
        } else
            pieces.push_back(pieceCompute(job.model, job.cut, job.recompute, layers, job.computeUnit(), job.calibration));
    }
    return pieces;
}

Iteration layOutIteration(const TrainingJob& job, const CommunicationTimes& times)
{
    const auto pieces = passesOf(job, times);
    const StageWork work = stageWork(job, pieces);
    const double batches = job.cut.microBatches, passes = batches * job.cut.virtualStages;

    const PipelineRun run = runPipeline(planOf(job, pieces, times));
    const PipelineRun freeSends = runPipeline(planOf(job, pieces, {}));
    Iteration it;
    for (const PipelineStep& step : run.steps) {
        const PiecePasses& piece = pieces[pieceOf(job, step.stage, step.chunk)];
        draw(step, step.backward ? piece.backward : piece.forward, it.segments);
    }
    const double reduced = reduceGradients(job, run, times, pieces, it.segments);
    it.iterationS = stepOptimizer(job, reduced, it);
    std::ranges::stable_sort(it.segments, [](const TimelineSegment& a, const TimelineSegment& b) { return a.stage < b.stage; });

    const CommunicationCounts n = communicationCounts(job.cut, job.recompute, fullestStage(job.model, job.cut));
    it.computeS = batches * work.busiest.computeS;
    it.tensorS = batches * (n.tensorForward + n.tensorBackward) * times.tensorS;
    it.contextS = batches * (n.contextForward + n.contextBackward) * times.contextS;
    it.expertS = batches * (n.expertForward + n.expertBackward) * times.expertS;
    it.pipelineS = job.cut.pipeline > 1 ? passes * (most(times.sendForwardS) + most(times.sendBackwardS)) : 0;
    it.gradientS = most(times.gradientS);
    it.exposedTensorS = batches * work.busiest.tensorS;
    it.exposedContextS = batches * work.busiest.contextS;
    it.exposedExpertS = batches * work.busiest.expertS;
    it.bubbleS = freeSends.lengthS - batches * work.busiest.totalS();
    it.exposedPipelineS = run.lengthS - freeSends.lengthS;
    it.exposedGradientS = reduced - run.lengthS;
    rate(job, batches * work.meanComputeS, it);
    return it;
}

} // namespace training
} // namespace hw::sim
