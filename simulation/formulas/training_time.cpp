// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/formulas/training_time.h"

namespace hw::sim {
inline namespace formulas {

namespace {

constexpr double kPetaflopDay = 1e15 * 86400.0;

} // namespace

ForwardFlops forwardFlops(const TransformerModel& m)
{
    const double h = m.hidden, ofWidth = 2 * (m.gatedFeedForward ? 3 : 2) * h;
    ForwardFlops f;
    f.attention = 2 * m.attentionWeights();
    f.core = 2 * (m.queryWidth() + m.attentionWidth()) * m.sequence * (m.causalAttention ? 0.5 : 1.0);
    f.feedForward = ofWidth * m.feedForwardWidth();
    f.experts = ofWidth * (m.topK * m.expertWidth() + m.sharedFeedForward) + 2 * h * m.experts;
    f.output = 2 * h * m.vocabulary;
    return f;
}

TokenFlops flopsPerToken(const TransformerModel& m, Recompute recompute)
{
    const ForwardFlops forward = forwardFlops(m);
    const PieceLayers all{m.layers - m.expertLayers(), m.expertLayers(), true};
    TokenFlops f;
    f.model = f.hardware = 3 * forward.of(all);
    if (recompute == Recompute::Full) f.hardware += forward.of(all) - forward.output;
    if (recompute == Recompute::Selective && !m.flashAttention) f.hardware += m.layers * forward.core;
    return f;
}

double petaflopDays(double activeParameters, double tokens) { return 6 * activeParameters * tokens / kPetaflopDay; }

double trainingDays(double days, double gpus, double peakFlops, double mfu) { return days * 1e15 / (gpus * peakFlops * mfu); }

double pipelineBubbleShare(const Parallelism& cut)
{
    const double idle = cut.pipeline - 1;
    return idle / (double(cut.virtualStages) * cut.microBatches + idle);
}

} // namespace formulas
} // namespace hw::sim
