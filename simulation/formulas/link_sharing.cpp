// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/formulas/link_sharing.h"

#include <algorithm>
#include <limits>

namespace hw::sim {
inline namespace formulas {

namespace {

/// Progressive filling: all open jobs rise together until a link is full or a job has its rate; those are fixed.
std::vector<double> fill(const SharedLinks& system, std::span<const std::size_t> active, std::vector<double>& left)
{
    std::vector<double> gbps(active.size(), 0.0);
    std::vector<bool> fixed(active.size(), false);
    for (std::size_t open = active.size(); open > 0;) {
        std::vector<int> users(left.size(), 0);
        double rise = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < active.size(); ++i) {
            if (fixed[i]) continue;
            const PeriodicJob& job = system.jobs[active[i]];
            rise = std::min(rise, job.commGbps - gbps[i]);
            for (const int l : job.links) ++users[std::size_t(l)];
        }
        for (std::size_t l = 0; l < left.size(); ++l)
            if (users[l] > 0) rise = std::min(rise, std::max(0.0, left[l]) / users[l]);
        for (std::size_t l = 0; l < left.size(); ++l) left[l] -= rise * users[l];
        for (std::size_t i = 0; i < active.size(); ++i) {
            if (fixed[i]) continue;
            const PeriodicJob& job = system.jobs[active[i]];
            gbps[i] += rise;
            const bool full = std::ranges::any_of(job.links, [&](int l) { return left[std::size_t(l)] <= 1e-9 * system.linkGbps[std::size_t(l)]; });
            if (full || gbps[i] >= job.commGbps * (1 - 1e-12)) {
                fixed[i] = true;
                --open;
            }
        }
    }
    for (std::size_t i = 0; i < active.size(); ++i) gbps[i] /= system.jobs[active[i]].commGbps;
    return gbps;
}

} // namespace

std::vector<double> rankedRates(const SharedLinks& system, std::span<const std::size_t> active, std::span<const double> rank)
{
    std::vector<double> left = system.linkGbps, rates;
    for (std::size_t from = 0, to = 0; from < active.size(); from = to) {
        while (to < active.size() && sameRank(rank[from], rank[to])) ++to;
        const auto equals = fill(system, active.subspan(from, to - from), left);
        rates.insert(rates.end(), equals.begin(), equals.end());
    }
    return rates;
}

} // namespace formulas
} // namespace hw::sim
