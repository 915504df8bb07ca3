// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/formulas/inference.h"

#include <algorithm>
#include <cmath>

namespace hw::sim {
inline namespace formulas {

namespace {

/// All-reduces of `tokens` rows over a replica, two a layer: a ring inside the domain; beyond it the slowest link carries each domain's part once.
double communicationS(const InferenceCase& c, int gpus, double tokens)
{
    if (gpus < 2) return 0;
    const double bytes = tokens * c.hidden * c.bytesPerActivation;
    const int inside = std::min(gpus, c.domainGpus);
    const double domains = std::ceil(double(gpus) / c.domainGpus);
    double each = 2 * (inside - 1.0) / inside * bytes / c.insideBytesPerS + c.insideS;
    if (domains > 1) each += 2 * (domains - 1) / domains * bytes / inside / c.outsideBytesPerS + c.outsideS;
    return 2 * c.layers * each;
}

/// Of the weights, what one step of a batch reads: experts that no request needs stay unread.
double readShare(const InferenceCase& c, double batch)
{
    const double active = std::min(1.0, c.activeParameters / c.parameters);
    return 1 - std::pow(1 - active, batch);
}

double stepS(const InferenceCase& c, int gpus, double batch, double keyValues)
{
    const double read =
        (c.parameters * c.bytesPerParameter * readShare(c, batch) + batch * keyValues) / gpus / (c.memoryBytesPerS * c.memoryEfficiency);
    const double compute = 2 * c.activeParameters * batch / gpus / (c.peakFlops * c.efficiency);
    return std::max(read, compute) + communicationS(c, gpus, batch);
}

} // namespace

InferencePoint inferenceOn(const InferenceCase& c, int gpus)
{
    InferencePoint out;
    out.gpus = gpus, out.straddles = gpus > c.domainGpus;
    const double perToken = 2 * c.layers * c.keyValueHeads * c.headSize * c.bytesPerKeyValue;
    out.keyValueBytesPerRequest = perToken * (c.promptTokens + c.answerTokens);
    const double keyValues = perToken * (c.promptTokens + c.answerTokens / 2); // of one request, on average
    const double weights = c.parameters * c.bytesPerParameter;
    out.weightsBytesPerGpu = weights / gpus;
    const double room = c.gpuMemoryBytes * c.memoryShare * gpus - weights;
    const double most = std::floor(room / out.keyValueBytesPerRequest);
    out.fits = most >= 1;
    if (!out.fits) return out;
    out.prefillS = 2 * c.activeParameters * c.promptTokens / gpus / (c.peakFlops * c.efficiency) + communicationS(c, gpus, c.promptTokens);
    double low = 1, high = most; // a step takes longer with more requests
    if (stepS(c, gpus, most, keyValues) <= c.tokenS) low = most;
    while (high - low > 1) {
        const double middle = std::floor((low + high) / 2);
        (stepS(c, gpus, middle, keyValues) <= c.tokenS ? low : high) = middle;
    }
    out.batch = low, out.stepS = stepS(c, gpus, low, keyValues);
    out.meetsBudget = out.stepS <= c.tokenS && out.prefillS <= c.firstTokenS;
    out.answerS = out.prefillS + out.stepS * c.answerTokens;
    out.communicationShare = communicationS(c, gpus, low) / out.stepS;
    // Prefill of a request and its part of the decode steps share the GPUs.
    out.tokensPerSPerGpu = c.answerTokens / (out.prefillS + c.answerTokens * out.stepS / low) / gpus;
    out.tokensPerSPerKw = out.tokensPerSPerGpu / c.kwPerGpu;
    return out;
}

std::optional<InferencePoint> bestReplica(const InferenceCase& c, int mostGpus)
{
    std::optional<InferencePoint> best;
    const auto look = [&](int gpus) {
        const InferencePoint point = inferenceOn(c, gpus);
        if (point.meetsBudget && (!best || point.tokensPerSPerGpu > best->tokensPerSPerGpu)) best = point;
    };
    for (int gpus = 1; gpus <= mostGpus; gpus *= 2) {
        look(gpus);
        if (gpus <= mostGpus / 9) look(9 * gpus);
    }
    if (c.domainGpus <= mostGpus) look(c.domainGpus);
    return best;
}

} // namespace formulas
} // namespace hw::sim
