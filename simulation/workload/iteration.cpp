// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/workload/iteration.h"

#include "simulation/analytic/amdahl.h"
#include "simulation/workload/pipeline.h"

#include <algorithm>

namespace hw::sim {

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

PipelinePlan planOf(const TrainingJob& job, const Pass& forward, const Pass& backward, const CommunicationTimes& times)
{
    const auto p = std::size_t(job.cut.pipeline), v = std::size_t(job.cut.virtualStages);
    const auto sized = [&](std::vector<double> list) { list.resize(p, 0.0); return list; };
    return {job.cut.pipeline, job.cut.virtualStages, job.cut.microBatches, std::vector<double>(p * v, forward.totalS()), std::vector<double>(p * v, backward.totalS()),
            sized(times.sendForwardS), sized(times.sendBackwardS)};
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
double reduceGradients(const TrainingJob& job, const PipelineRun& run, const CommunicationTimes& times, double windowS, std::vector<TimelineSegment>& out)
{
    double end = run.lengthS;
    for (int s = 0; s < job.cut.pipeline; ++s) {
        const double lasts = std::size_t(s) < times.gradientS.size() ? times.gradientS[std::size_t(s)] : 0.0;
        if (lasts <= 0) continue;
        const double start = run.stageEndS(s) - std::min(lasts * job.overlap.gradient, windowS);
        out.push_back({TimelineSegment::Kind::Gradient, std::int16_t(s), 0, 0, start, start + lasts});
        end = std::max(end, start + lasts);
    }
    return end;
}

void rate(const TrainingJob& job, Iteration& it)
{
    const TokenFlops flops = flopsPerToken(job.model, job.recompute);
    const double gpus = double(job.cut.gpus()), peak = job.accelerator.peakFlops[std::size_t(job.precision)];
    it.exposedShare = (it.exposedTensorS + it.exposedContextS + it.exposedExpertS + it.exposedPipelineS + it.exposedGradientS) / it.iterationS;
    it.tokensPerIteration = job.cut.samplesPerIteration() * job.model.sequence;
    it.tokensPerS = it.tokensPerIteration / it.iterationS;
    it.mfu = it.tokensPerS * flops.model / (gpus * peak);
    it.hfu = it.tokensPerS * flops.hardware / (gpus * peak);
    it.trainingDays = job.tokensToTrain / it.tokensPerS / 86400;
    it.scalingEfficiency = scalingEfficiency(it.tokensPerS, gpus, peak * job.accelerator.efficiency / flops.hardware);
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
    }
    return "";
}

CommunicationCounts countsPerChunk(const TrainingJob& job)
{
    const double pieces = double(job.cut.pipeline) * job.cut.virtualStages;
    const double layers = job.model.layers / pieces, expertLayers = job.model.expertLayers() / pieces;
    const double again = job.recompute == Recompute::Full ? 1 : 0; // the forward pass runs once more before the backward one
    CommunicationCounts c;
    if (job.cut.tensor > 1) c.tensorForward = 2 * layers, c.tensorBackward = (2 + 2 * again) * layers;
    if (job.cut.context > 1) c.contextForward = layers, c.contextBackward = (2 + again) * layers; // keys and values again, and their gradients
    if (job.cut.expert > 1) c.expertForward = 2 * expertLayers, c.expertBackward = (2 + 2 * again) * expertLayers;
    return c;
}

double contextBytes(const TrainingJob& job)
{
    const TransformerModel& m = job.model;
    const double width = m.keyValueHeads > 0 ? double(m.hidden) * m.keyValueHeads / m.heads : m.hidden;
    return 2.0 * job.cut.microBatch * m.sequence * width / job.cut.tensor * m.bytesPerValue;
}

ChunkCompute computePerChunk(const TrainingJob& job)
{
    const TokenFlops flops = flopsPerToken(job.model, job.recompute);
    const double tokens = double(job.cut.microBatch) * job.model.sequence;
    const double pieces = double(job.cut.tensor) * job.cut.context * job.cut.pipeline * job.cut.virtualStages;
    const double perFlop = tokens / (pieces * job.accelerator.peakFlops[std::size_t(job.precision)] * job.accelerator.efficiency);
    return {flops.model / 3 * perFlop, (flops.hardware - flops.model / 3) * perFlop};
}

Iteration layOutIteration(const TrainingJob& job, const CommunicationTimes& times)
{
    const CommunicationCounts n = countsPerChunk(job);
    const ChunkCompute compute = computePerChunk(job);
    const Pass forward = passOf(compute.forwardS, n.tensorForward * times.tensorS, n.contextForward * times.contextS, n.expertForward * times.expertS, job.overlap);
    const Pass backward = passOf(compute.backwardS, n.tensorBackward * times.tensorS, n.contextBackward * times.contextS, n.expertBackward * times.expertS, job.overlap);
    const double passes = double(job.cut.virtualStages) * job.cut.microBatches;

    const PipelineRun run = runPipeline(planOf(job, forward, backward, times));
    const PipelineRun freeSends = runPipeline(planOf(job, forward, backward, {}));
    Iteration it;
    for (const PipelineStep& step : run.steps) draw(step, step.backward ? backward : forward, it.segments);
    const double end = reduceGradients(job, run, times, compute.backwardS * job.cut.virtualStages, it.segments);
    std::ranges::stable_sort(it.segments, [](const TimelineSegment& a, const TimelineSegment& b) { return a.stage < b.stage; });

    it.iterationS = end;
    it.computeS = passes * (forward.computeS + backward.computeS);
    it.tensorS = passes * (n.tensorForward + n.tensorBackward) * times.tensorS;
    it.contextS = passes * (n.contextForward + n.contextBackward) * times.contextS;
    it.expertS = passes * (n.expertForward + n.expertBackward) * times.expertS;
    it.pipelineS = job.cut.pipeline > 1 ? passes * (most(times.sendForwardS) + most(times.sendBackwardS)) : 0;
    it.gradientS = most(times.gradientS);
    it.exposedTensorS = passes * (forward.tensorS + backward.tensorS);
    it.exposedContextS = passes * (forward.contextS + backward.contextS);
    it.exposedExpertS = passes * (forward.expertS + backward.expertS);
    it.bubbleS = freeSends.lengthS - passes * (forward.totalS() + backward.totalS());
    it.exposedPipelineS = run.lengthS - freeSends.lengthS;
    it.exposedGradientS = end - run.lengthS;
    rate(job, it);
    return it;
}

} // namespace hw::sim
