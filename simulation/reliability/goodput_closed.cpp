// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/reliability/goodput.h"

#include <algorithm>
#include <cmath>

namespace hw::sim {
inline namespace reliability {

namespace {

/// E[min(x, a fault at rate λ)].
double meanUntil(double rate, double x) { return rate > 0 ? -std::expm1(-rate * x) / rate : x; }

/// ∫₀^τ k x e^{-kx} dx · 1/k = (1 - e^{-kτ} (1 + kτ)) / k².
double weightedWork(double k, double tau)
{
    const double y = k * tau;
    return y < 1e-4 ? tau * tau * (0.5 - y / 3) : (1 - std::exp(-y) * (1 + y)) / (k * k);
}

} // namespace

double GoodputCase::effectiveIntervalS() const
{
    const double rate = stoppingPerS();
    const double wanted = intervalS > 0 ? intervalS : rate > 0 ? std::sqrt(2 * saveS / rate) : 10 * mtbfS;
    return twoStage ? std::max(wanted, drainS) : wanted;
}

// A moment at which everything is saved is a renewal point. From it one attempt: work until τ is done, until a prediction
// (rate μ per work) or until a stopping fault; then the save (δ) or the planned swap (P), which a fault can also end. A fault
// costs the recovery, which ends at a renewal point again. With λ stopping faults per s and ν tolerated ones per s of work,
// each a stall of s that a fault can end: one second of work lasts d = 1 + ν E[min(s, fault)] and ends in a fault at rate h = λ d.
// Goodput = E[work kept in an attempt] / E[time of an attempt]. A save that is durable only D later is lost when the
// fault comes before: each cycle between faults keeps e^{-λD} of its saves (exact for D ≤ τ, without predictions).
double goodputClosed(const GoodputCase& c)
{
    const double lambda = c.stoppingPerS(), mu = c.predictedPerS() + c.falseAlarmsPerS(), nu = c.toleratedPerS();
    const double tau = c.effectiveIntervalS(), delta = c.saveS, planned = c.plannedS;
    const double stretch = 1 + nu * meanUntil(lambda, c.toleratedStallS);
    const double k = lambda * stretch + mu;
    const double reachesTau = std::exp(-k * tau), interrupted = k > 0 ? mu / k * -std::expm1(-k * tau) : 0.0;
    const double swapSurvives = std::exp(-lambda * planned), saveSurvives = std::exp(-lambda * delta);

    const double kept = mu * weightedWork(k, tau) * swapSurvives + tau * reachesTau * saveSurvives;
    const double failed = 1 - (interrupted * swapSurvives + reachesTau * saveSurvives);
    const double recovery = lambda > 0 ? std::expm1(lambda * c.recovery.totalS()) / lambda : 0.0;
    const double time =
        stretch * meanUntil(k, tau) + interrupted * meanUntil(lambda, planned) + reachesTau * meanUntil(lambda, delta) + failed * recovery;
    return kept / time * (c.twoStage ? std::exp(-lambda * c.drainS) : 1.0);
}

const char* name(JobTime kind)
{
    switch (kind) {
    case JobTime::Effective: return "effective";
    case JobTime::Lost: return "lost";
    case JobTime::Saving: return "saving";
    case JobTime::Stalled: return "stalled";
    case JobTime::Detecting: return "detecting";
    case JobTime::WaitingForHost: return "waiting-for-host";
    case JobTime::Repairing: return "repairing";
    case JobTime::Planned: return "planned";
    }
    return "";
}

} // namespace reliability
} // namespace hw::sim
