// SPDX-License-Identifier: GPL-3.0-or-later
#include "max_min.h"

#include <algorithm>

#include "exact_sum.h"

namespace hw::sim {

namespace {

constexpr uint32_t kNone = ~0u;
constexpr uint32_t kExactCount = 2048; ///< with more flows on some link, plain sums lose too many digits

/// Sums the rates on every link of the problem.
void sumLoads(const ProblemView& problem, std::span<const double> rate, uint32_t longestLink, Scratch<double>& load)
{
    const size_t links = problem.capacity.size();
    load.assign(links, 0.0);
    if (longestLink > kExactCount || !problem.weight.empty()) {
        std::vector<ExactSum> sum(links);
        for (size_t f = 0; f < problem.flowCount(); ++f)
            for (uint32_t h = problem.offset[f]; h < problem.offset[f + 1]; ++h) sum[problem.link[h]].add(rate[f]);
        for (size_t l = 0; l < links; ++l) load[l] = sum[l].value();
        return;
    }
    const uint32_t *const offset = problem.offset.data(), *const link = problem.link.data();
    double* const on = load.data();
    for (size_t f = 0, flows = problem.flowCount(); f < flows; ++f) {
        const double r = rate[f];
        for (uint32_t h = offset[f], end = offset[f + 1]; h < end; ++h) on[link[h]] += r;
    }
}

} // namespace

struct FairFill::Level {
    ProblemView problem;
    FillStage stage;

    // What the level above left open; level 0 has a problem from outside instead.
    Scratch<uint32_t> flowOf; ///< per flow its number one level up
    Scratch<uint32_t> linkOf; ///< per link its number one level up
    Scratch<uint32_t> offset, link;
    Scratch<double> capacity, weight, rate;

    // For making the next level.
    Scratch<double> load;
    Scratch<uint32_t> localLink;

    void takeFlows(const Level& above, size_t count);
    void takeLinks(Level& above);
};

/// Copies the open flows of the level above with its numbers for links.
void FairFill::Level::takeFlows(const Level& above, size_t count)
{
    const ProblemView& from = above.problem;
    flowOf.resize(count);
    offset.resize(count + 1);
    size_t taken = 0;
    uint32_t hops = 0;
    for (uint32_t f = 0; f < from.flowCount(); ++f) {
        if (!above.stage.isOpen(f)) continue;
        flowOf[taken] = f;
        offset[taken++] = hops;
        hops += from.offset[f + 1] - from.offset[f];
    }
    offset[count] = hops;
    link.resize(hops);
    for (size_t i = 0; i < count; ++i) std::copy_n(from.link.data() + from.offset[flowOf[i]], offset[i + 1] - offset[i], link.data() + offset[i]);
    weight.resize(from.weight.empty() ? 0 : count);
    for (size_t i = 0; i < weight.size(); ++i) weight[i] = from.weight[flowOf[i]];
}

/// Numbers the links that the flows use, and gives them what the level above left. No branch: half of the hops meet a
/// link for the first time.
void FairFill::Level::takeLinks(Level& above)
{
    above.localLink.assign(above.problem.capacity.size(), kNone);
    linkOf.resize(link.size() + 1);
    uint32_t *const local = above.localLink.data(), *const used = linkOf.data();
    uint32_t count = 0;
    for (uint32_t& hop : link.span()) {
        const uint32_t l = hop, known = local[l], isNew = known == kNone;
        used[count] = l;
        hop = isNew ? count : known;
        local[l] = hop;
        count += isNew;
    }
    capacity.resize(count);
    for (uint32_t i = 0; i < count; ++i) capacity[i] = std::max(above.problem.capacity[used[i]] - above.load[used[i]], 0.0);
}

FairFill::FairFill() = default;
FairFill::FairFill(FairFill&&) noexcept = default;
FairFill& FairFill::operator=(FairFill&&) noexcept = default;
FairFill::~FairFill() = default;

FairFill::Level& FairFill::level(size_t depth)
{
    while (m_levels.size() <= depth) m_levels.push_back(std::make_unique<Level>());
    return *m_levels[depth];
}

void FairFill::prepare(const ProblemView& problem)
{
    Level& top = level(0);
    top.problem = problem;
    top.stage.build(problem, false);
}

void FairFill::solve(std::span<double> rate)
{
    solveLevel(0, false, rate);
}

void FairFill::solveLevel(size_t depth, bool complete, std::span<double> rate)
{
    Level& here = level(depth);
    if (depth > 0) here.stage.build(here.problem, complete);
    const size_t left = here.stage.run(rate);
    if (left == 0) return;
    remainder(depth, rate, left);
    Level& below = level(depth + 1);
    below.rate.resize(left);
    // A stage that fixed little chose its ceiling badly: the next one takes everything, so that few stages suffice.
    solveLevel(depth + 1, left > rate.size() / 2, below.rate.span());
    for (size_t i = 0; i < left; ++i) rate[below.flowOf[i]] = below.rate[i];
}

/// Makes level depth + 1 from the `left` flows that the stage at `depth` left open.
void FairFill::remainder(size_t depth, std::span<const double> rate, size_t left)
{
    Level &below = level(depth + 1), &here = level(depth);
    const ProblemView& problem = here.problem;
    sumLoads(problem, rate, here.stage.longestLink(), here.load);
    below.takeFlows(here, left);
    below.takeLinks(here);
    below.problem = {below.capacity.span(), below.offset.span(), below.link.span(), below.weight.span()};
}

MaxMinSolver::MaxMinSolver(const FlowProblem& problem) : m_problem(problem)
{
    m_fill.prepare(view());
}

ProblemView MaxMinSolver::view() const
{
    return {m_capacity.empty() ? std::span<const double>(m_problem.capacity) : m_capacity, m_problem.offset, m_problem.link, m_problem.weight};
}

std::span<const double> MaxMinSolver::solve()
{
    m_rate.resize(m_problem.flowCount());
    m_fill.solve(m_rate.span());
    return m_rate.span();
}

std::span<const double> MaxMinSolver::solve(std::span<const double> capacity)
{
    m_capacity.assign(capacity.begin(), capacity.end());
    m_fill.prepare(view());
    return solve();
}

} // namespace hw::sim
