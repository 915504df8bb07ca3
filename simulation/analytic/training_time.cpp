// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/analytic/training_time.h"

#include <algorithm>

namespace hw::sim {

namespace {

constexpr double kPetaflopDay = 1e15 * 86400.0;

AlphaBeta withLibrary(AlphaBeta way, double factor) { return {way.alphaS, way.bytesPerS * factor}; }

double gradientReductionS(const TrainingVolume& v, const Parallelism& cut, AlphaBeta way)
{
    const int replicas = cut.data * cut.context;
    const double dense = ringAllReduceS(replicas, v.gradientDenseBytes, way);
    return v.gradientExpertBytes > 0 ? dense + ringAllReduceS(std::max(1, replicas / cut.expert), v.gradientExpertBytes, way) : dense;
}

} // namespace

TokenFlops flopsPerToken(const TransformerModel& m, Recompute recompute)
{
    const double n = countParameters(m).active;
    const double attention = double(m.layers) * m.hidden * m.sequence; // L h s: one attention core forward is 4 of these
    TokenFlops f;
    f.model = 6 * n + 12 * attention;
    switch (recompute) {
    case Recompute::None: f.hardware = f.model; break;
    case Recompute::Selective: f.hardware = f.model + 4 * attention; break;
    case Recompute::Full: f.hardware = 8 * n + 16 * attention; break;
    }
    return f;
}

double petaflopDays(double activeParameters, double tokens) { return 6 * activeParameters * tokens / kPetaflopDay; }

double trainingDays(double days, double gpus, double peakFlops, double mfu) { return days * 1e15 / (gpus * peakFlops * mfu); }

double pipelineBubbleShare(const Parallelism& cut)
{
    const double idle = cut.pipeline - 1;
    return idle / (double(cut.virtualStages) * cut.microBatches + idle);
}

IterationEstimate estimateIteration(const TransformerModel& model, const Parallelism& cut, const TrainingMachine& machine, Recompute recompute)
{
    const TrainingVolume v = trainingVolume(model, cut);
    const TokenFlops flops = flopsPerToken(model, recompute);
    const AlphaBeta inside = withLibrary(machine.inside, machine.libraryFactor), outside = withLibrary(machine.outside, machine.libraryFactor);
    const double tokens = cut.samplesPerIteration() * model.sequence;
    const double gpus = double(cut.gpus());

    IterationEstimate e;
    e.computeS = flops.hardware * tokens / (gpus * machine.peakFlops * machine.computeEfficiency);
    e.tensorS = double(v.tensorAllReduces) * ringAllReduceS(cut.tensor, v.tensorBytes, inside);
    e.pipelineS = double(v.pipelineSends) * (v.pipelineBytes > 0 ? outside.messageS(v.pipelineBytes) : 0.0);
    e.expertS = double(v.expertAllToAlls) * allToAllS(cut.expert, v.expertBytes, outside);
    e.dataS = gradientReductionS(v, cut, outside);
    e.exposedTensorS = e.tensorS * (1 - machine.tensorOverlap);
    e.exposedPipelineS = e.pipelineS * (1 - machine.pipelineOverlap);
    e.exposedExpertS = e.expertS * (1 - machine.expertOverlap);
    e.exposedDataS = e.dataS * (1 - machine.gradientOverlap);

    const double busy = e.computeS + e.exposedTensorS + e.exposedPipelineS + e.exposedExpertS;
    const double bubble = pipelineBubbleShare(cut);
    e.bubbleS = busy * bubble / (1 - bubble);
    e.iterationS = busy + e.bubbleS + e.exposedDataS;
    e.exposedShare = (e.exposedTensorS + e.exposedPipelineS + e.exposedExpertS + e.exposedDataS) / e.iterationS;
    e.tokensPerS = tokens / e.iterationS;
    e.mfu = e.tokensPerS * flops.model / (gpus * machine.peakFlops);
    e.hfu = e.tokensPerS * flops.hardware / (gpus * machine.peakFlops);
    return e;
}

} // namespace hw::sim
