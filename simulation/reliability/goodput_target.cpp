// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/reliability/goodput_target.h"

#include <algorithm>
#include <cmath>

namespace hw::sim {
inline namespace reliability {

namespace {

constexpr double kShortestS = 1e-3;
constexpr int kSteps = 100; ///< of a search by halves or golden sections: more digits than a double has

double shortest(const GoodputCase& c) { return std::max(kShortestS, c.twoStage ? c.drainS : 0); }

double at(GoodputCase c, double logS)
{
    c.intervalS = std::exp(logS);
    return goodputClosed(c);
}

} // namespace

/// The goodput rises to one maximum and falls again: saving takes less, then more work is lost.
IntervalRange intervalsFor(GoodputCase c, double target)
{
    const double low = std::log(shortest(c)), high = std::log(100 * std::max({c.mtbfS, c.saveS, shortest(c)}));
    const double golden = (std::sqrt(5.0) - 1) / 2;
    double a = low, b = high;
    for (int i = 0; i < kSteps && b - a > 1e-12; ++i) {
        const double left = b - golden * (b - a), right = a + golden * (b - a);
        (at(c, left) < at(c, right) ? a : b) = at(c, left) < at(c, right) ? left : right;
    }
    IntervalRange out;
    const double best = (a + b) / 2;
    out.bestS = std::exp(best), out.bestGoodput = at(c, best), out.reached = out.bestGoodput >= target;
    if (!out.reached) return out;
    const auto edge = [&](double far) {
        double inside = best, outside = far;
        if (at(c, far) >= target) return far;
        for (int i = 0; i < kSteps; ++i) {
            const double middle = (inside + outside) / 2;
            (at(c, middle) >= target ? inside : outside) = middle;
        }
        return inside;
    };
    out.fromS = std::exp(edge(low)), out.toS = std::exp(edge(high));
    return out;
}

std::optional<double> recoveryBudgetS(GoodputCase c, double target)
{
    const auto reaches = [&](double seconds) {
        c.recovery = {0, seconds, 0, 0};
        return intervalsFor(c, target).bestGoodput >= target;
    };
    if (!reaches(0)) return std::nullopt;
    double fine = 0, more = c.mtbfS;
    if (reaches(more)) return more; // a job that is down as long as it runs
    for (int i = 0; i < kSteps && more - fine > 1e-6 * more; ++i) {
        const double middle = (fine + more) / 2;
        (reaches(middle) ? fine : more) = middle;
    }
    return fine;
}

} // namespace reliability
} // namespace hw::sim
