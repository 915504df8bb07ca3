// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/reliability/spot.h"

#include "simulation/random.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hw::sim {
inline namespace reliability {

namespace {

/// Standard normal (Box-Muller).
double normal(Random& random)
{
    const double u = 1 - random.uniform(), v = random.uniform();
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

Percentiles percentilesOf(std::vector<double> values)
{
    Percentiles out;
    if (values.empty()) return out;
    std::ranges::sort(values);
    for (const double value : values) out.mean += value / double(values.size());
    const auto at = [&](double share) { return values[std::size_t(std::llround(share * double(values.size() - 1)))]; };
    out.p5 = at(0.05), out.p50 = at(0.5), out.p95 = at(0.95);
    return out;
}

struct Price {
    const InstanceType& type;
    const SpotCase& c;
    Random& random;
    double log = 0;
    std::size_t next = 0;

    Price(const InstanceType& t, const SpotCase& of, Random& r) : type(t), c(of), random(r), log(std::log(t.spotPerH))
    {
        if (!c.pricesPerH.empty())
            next = std::size_t(random.below(c.pricesPerH.size()));
        else if (c.reversion > 0) // from its steady state
            log += c.volatility / std::sqrt(2 * c.reversion) * normal(random);
    }
    double step()
    {
        if (!c.pricesPerH.empty()) return c.pricesPerH[next++ % c.pricesPerH.size()];
        const double kept = std::exp(-c.reversion * c.stepH); // exact step of the process
        const double spread = c.reversion > 0 ? c.volatility * std::sqrt((1 - kept * kept) / (2 * c.reversion)) : c.volatility * std::sqrt(c.stepH);
        log = std::log(type.spotPerH) + (log - std::log(type.spotPerH)) * kept + spread * normal(random);
        return std::exp(log);
    }
};

struct Draw {
    bool finished = false;
    double costUsd = 0, hours = 0, lostH = 0;
    int interruptions = 0;
};

Draw draw(const InstanceType& type, const SpotCase& c, Random& random)
{
    Draw out;
    Price price(type, c, random);
    const double rate = type.speed * speedup(c.parallelShare, c.machines), limit = c.bid * type.onDemandPerH;
    const double reclaim = 1 - std::exp(-c.reclaimedPerH * c.machines * c.stepH); // any machine stops all
    double done = 0, saved = 0, sinceSave = 0, heldH = 0, waitH = 0;              // of work; hours
    bool runs = false;
    for (; out.hours < c.longestH; out.hours += c.stepH) {
        const double now = price.step();
        const double stepUsd = std::min(now, limit) * c.machines * c.stepH;
        const bool affordable = c.capUsd <= 0 || out.costUsd + stepUsd <= c.capUsd; // the next step is not begun above the cap
        if (!runs) {
            if (now > limit) continue;
            runs = true, heldH = 0, waitH = c.restartH, done = saved, sinceSave = 0;
        }
        if (!affordable) return out;
        out.costUsd += stepUsd;
        heldH += c.stepH;
        double left = c.stepH;
        while (left > 1e-12) { // starts, works or saves
            if (waitH > 0) {
                const double part = std::min(waitH, left);
                waitH -= part, left -= part;
                continue;
            }
            const double toSave = c.checkpointEveryH - sinceSave, toEnd = (c.workH - done) / rate, part = std::min({left, toSave, toEnd});
            done += part * rate, sinceSave += part, left -= part;
            if (c.workH - done <= 1e-9 * c.workH) {
                out.finished = true, out.hours += c.stepH - left;
                return out;
            }
            if (sinceSave >= c.checkpointEveryH - 1e-12) saved = done, sinceSave = 0, waitH = c.checkpointH;
        }
        const bool priced = now > limit && heldH >= c.holdingH, reclaimed = random.uniform() < reclaim;
        if (!priced && !reclaimed) continue;
        ++out.interruptions, out.lostH += (done - saved) / rate;
        runs = false;
    }
    return out;
}

} // namespace

const std::vector<ScalingCurve>& scalingCurves()
{
    static const std::vector<ScalingCurve> all = {{"perfect", 1}, {"lammps", 0.9995}, {"gromacs", 0.998}};
    return all;
}

double speedup(double parallelShare, double machines) { return 1 / ((1 - parallelShare) + parallelShare / machines); }

Result<SpotResult> simulateSpot(const InstanceType& type, const SpotCase& c, const Progress& progress)
{
    SpotResult out;
    std::vector<double> costs, hours;
    for (int i = 0; i < c.draws; ++i) {
        if (progress.stopRequested()) return fail(ErrorCode::Canceled, "spot", i18n("canceled"), {});
        Random random(c.seed, std::uint64_t(i));
        const Draw one = draw(type, c, random);
        costs.push_back(one.costUsd);
        if (one.finished) hours.push_back(one.hours);
        out.interruptions += double(one.interruptions) / c.draws, out.lostH += one.lostH / c.draws;
    }
    out.finishedShare = double(hours.size()) / c.draws;
    for (auto [values, to] : {std::pair(costs, &out.costDeciles), std::pair(hours, &out.finishDeciles)}) {
        std::ranges::sort(values);
        for (int tenth = 1; tenth <= 9 && !values.empty(); ++tenth)
            to->push_back(values[std::size_t(std::llround(tenth / 10.0 * double(values.size() - 1)))]);
    }
    out.costUsd = percentilesOf(std::move(costs)), out.finishH = percentilesOf(std::move(hours));
    out.onDemandH = c.workH / (type.speed * speedup(c.parallelShare, c.machines));
    out.onDemandUsd = out.onDemandH * c.machines * type.onDemandPerH;
    return out;
}

} // namespace reliability
} // namespace hw::sim
