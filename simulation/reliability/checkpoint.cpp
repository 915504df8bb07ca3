// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/reliability/checkpoint.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hw::sim {
inline namespace reliability {

namespace {

/// Where `test` turns true, by halving the logarithm of a number of GPUs; `test` is false below and true above.
template <class Test>
double turningPoint(Test test)
{
    double low = 1, high = 1e9;
    if (test(low)) return low;
    for (int i = 0; i < 100; ++i) (test(std::sqrt(low * high)) ? high : low) = std::sqrt(low * high);
    return high;
}

/// 1,234: two digits are enough for a job size in a sentence.
std::int64_t roundGpus(double gpus)
{
    const double unit = std::pow(10.0, std::max(0.0, std::floor(std::log10(gpus)) - 1));
    return std::llround(std::floor(gpus / unit) * unit);
}

Text hours(double s) { return s >= 3600 ? i18n("{:g} h", s / 3600) : i18n("{:g} min", s / 60); }

} // namespace

double stateBytes(double parameters, double bytesPerParameter) { return parameters * bytesPerParameter; }
double dumpBytes(double gpus, double bytesPerGpu) { return gpus * bytesPerGpu; }

double drainS(double bytes, double hosts, double hostBytesPerS, double storageBytesPerS)
{
    const double network = hosts * hostBytesPerS;
    return bytes / (storageBytesPerS > 0 ? std::min(network, storageBytesPerS) : network);
}

double restoreS(double bytes, int readers, double readerBytesPerS, int replicas, double bytesPerReader, AlphaBeta way)
{
    return bytes / (readers * readerBytesPerS) + broadcastS(replicas, bytesPerReader, way);
}

double saveShare(double saveS, double intervalS) { return saveS / intervalS; }

double wasteFirstOrder(const CheckpointPlan& p, double tau) { return p.saveS / tau + (tau / 2 + p.recoveryS) / p.mtbfS; }

double optimumIntervalS(const CheckpointPlan& p) { return std::sqrt(2 * p.saveS * p.mtbfS); }

double goodputExact(const CheckpointPlan& p, double tau)
{
    return tau / (p.mtbfS * std::exp(p.recoveryS / p.mtbfS) * std::expm1((tau + p.saveS) / p.mtbfS));
}

double optimumIntervalExactS(const CheckpointPlan& p)
{
    // d/dτ = 0 where (1 - τ/M) e^{(τ+δ)/M} = 1, once between 0 and M: left of it the left side is larger.
    double low = 0, high = p.mtbfS;
    for (int i = 0; i < 200; ++i) {
        const double tau = 0.5 * (low + high);
        ((1 - tau / p.mtbfS) * std::exp((tau + p.saveS) / p.mtbfS) > 1 ? low : high) = tau;
    }
    return 0.5 * (low + high);
}

IntervalAdvice adviseInterval(const CheckpointPlan& p, double tau, VerdictLimits limits)
{
    IntervalAdvice a;
    a.intervalS = tau;
    a.goodput = goodputExact(p, tau);
    a.bestGoodput = goodputExact(p, optimumIntervalS(p));
    const double lost = a.bestGoodput - a.goodput;
    a.verdict = lost <= limits.suitsUpTo ? IntervalVerdict::Suits : lost < limits.failsFrom ? IntervalVerdict::Costly : IntervalVerdict::Fails;
    return a;
}

const char* name(IntervalVerdict verdict)
{
    switch (verdict) {
    case IntervalVerdict::Suits: return "suits";
    case IntervalVerdict::Costly: return "costly";
    case IntervalVerdict::Fails: return "fails";
    }
    return "";
}

IntervalReach intervalReach(const FaultLog& log, const CheckpointPlan& plan, double tau, VerdictLimits limits)
{
    // A small job wants longer intervals than τ: count only the loss of intervals that are too long.
    const auto lost = [&](double gpus) {
        CheckpointPlan p = plan;
        p.mtbfS = mtbfS(log, gpus);
        return optimumIntervalS(p) >= tau ? 0.0 : goodputExact(p, optimumIntervalS(p)) - goodputExact(p, tau);
    };
    // The loss falls again once no interval works at all: failing stays failing, so stop at its peak.
    double peak = 1;
    for (double g = 1; g < 1e9; g *= 1.05)
        if (lost(g) > lost(peak)) peak = g;
    IntervalReach r;
    r.suitsUpToGpus = turningPoint([&](double g) { return g >= peak || lost(g) > limits.suitsUpTo; });
    r.failsFromGpus = turningPoint([&](double g) { return g >= peak || lost(g) >= limits.failsFrom; });
    return r;
}

Text intervalStatement(const FaultLog& log, const CheckpointPlan& plan, double shortestS, double longestS, VerdictLimits limits)
{
    const double suits = intervalReach(log, plan, longestS, limits).suitsUpToGpus;
    const double fails = intervalReach(log, plan, shortestS, limits).failsFromGpus;
    return i18n("Checkpoint intervals of {} to {} suit jobs up to about {:L} GPUs (no more than {:g} points of "
                "goodput below the optimum interval) and fail from about {:L} GPUs on ({:g} points or more below it, "
                "at any interval in that range).",
                hours(shortestS), hours(longestS), roundGpus(suits), limits.suitsUpTo * 100, roundGpus(fails), limits.failsFrom * 100);
}

} // namespace reliability
} // namespace hw::sim
