// SPDX-License-Identifier: GPL-3.0-or-later
#include "certificate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "exact_sum.h"

namespace hw::sim {
inline namespace fairshare {

namespace {

/// What the rates make of every link.
struct Links {
    std::vector<double> slack; ///< 1 - load / capacity; negative if overloaded
    std::vector<double> top;   ///< highest rate / weight
};

Links measure(const FlowProblem& problem, std::span<const double> rate, std::span<const double> capacity)
{
    std::vector<ExactSum> load(problem.linkCount());
    Links links;
    links.top.resize(problem.linkCount());
    for (uint32_t f = 0; f < problem.flowCount(); ++f)
        for (const uint32_t l : problem.linksOf(f)) {
            load[l].add(rate[f]);
            links.top[l] = std::max(links.top[l], rate[f] / problem.weightOf(f));
        }
    links.slack.resize(problem.linkCount());
    for (size_t l = 0; l < links.slack.size(); ++l) {
        const double sum = load[l].value();
        if (capacity[l] > 0)
            links.slack[l] = 1 - sum / capacity[l];
        else
            links.slack[l] = sum > 0 ? -std::numeric_limits<double>::infinity() : 0;
    }
    return links;
}

size_t countDistinct(std::vector<double> levels, double tolerance)
{
    std::sort(levels.begin(), levels.end());
    size_t distinct = levels.empty() ? 0 : 1;
    for (size_t i = 1; i < levels.size(); ++i)
        if (levels[i] > levels[i - 1] * (1 + tolerance)) ++distinct;
    return distinct;
}

} // namespace

Certificate certify(const FlowProblem& problem, std::span<const double> rate, double tolerance, std::span<const double> capacity)
{
    Certificate result;
    result.violatingFlows = static_cast<size_t>(std::count_if(rate.begin(), rate.end(), [](double r) { return !std::isfinite(r) || r < 0; }));
    if (rate.size() != problem.flowCount() || result.violatingFlows > 0) {
        result.worstGap = std::numeric_limits<double>::infinity();
        return result;
    }
    const Links links = measure(problem, rate, capacity.empty() ? std::span<const double>(problem.capacity) : capacity);
    for (const double slack : links.slack) {
        result.overload = std::max(result.overload, -slack);
        result.saturatedLinks += slack < tolerance;
    }
    std::vector<double> levels(problem.flowCount());
    for (uint32_t f = 0; f < problem.flowCount(); ++f) {
        levels[f] = rate[f] / problem.weightOf(f);
        double gap = std::numeric_limits<double>::infinity();
        for (const uint32_t l : problem.linksOf(f)) {
            const double below = links.top[l] > 0 ? 1 - levels[f] / links.top[l] : 0;
            gap = std::min(gap, std::max(links.slack[l], below));
        }
        result.worstGap = std::max(result.worstGap, gap);
        result.violatingFlows += gap > tolerance;
    }
    result.distinctRates = countDistinct(std::move(levels), 1e-9);
    result.ok = result.overload <= tolerance && result.violatingFlows == 0;
    return result;
}

} // namespace fairshare
} // namespace hw::sim
