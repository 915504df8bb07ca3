// SPDX-License-Identifier: GPL-3.0-or-later
#include "max_min.h"

#include <algorithm>

#include "exact_sum.h"

namespace hw::sim {

namespace {

constexpr uint32_t kNone = ~0u;
constexpr uint32_t kExactCount = 2048; ///< with more flows on some link, plain sums lose too many digits

/// capacity[l] less the rates on l, for every link of the problem.
void subtractRates(const ProblemView &problem, std::span<const double> rate, uint32_t longestLink, Scratch<double> &rest)
{
    const size_t links = problem.capacity.size();
    rest.resize(links);
    std::copy_n(problem.capacity.data(), links, rest.data());
    if (longestLink > kExactCount || !problem.weight.empty()) {
        std::vector<ExactSum> sum(problem.capacity.begin(), problem.capacity.end());
        for (size_t f = 0; f < problem.flowCount(); ++f)
            for (uint32_t h = problem.offset[f]; h < problem.offset[f + 1]; ++h)
                sum[problem.link[h]].add(-rate[f]);
        for (size_t l = 0; l < links; ++l)
            rest[l] = sum[l].value();
        return;
    }
    const uint32_t *offset = problem.offset.data(), *link = problem.link.data();
    double *const left = rest.data();
    for (size_t f = 0, flows = problem.flowCount(); f < flows; ++f)
        for (uint32_t h = offset[f], end = offset[f + 1]; h < end; ++h)
            left[link[h]] -= rate[f];
}

} // namespace

struct FairFill::Level {
    ProblemView problem;
    FillStage stage;

    // What the level above left open; level 0 has a problem from outside instead.
    std::vector<uint32_t> flowOf; ///< per flow its number one level up
    std::vector<double> capacity, weight, rate;
    std::vector<uint32_t> offset, link;

    // For making the next level.
    Scratch<double> rest;
    Scratch<uint32_t> localLink;

    /// Appends flow f of the level above.
    void takeOver(uint32_t f, Level &above);
};

void FairFill::Level::takeOver(uint32_t f, Level &above)
{
    flowOf.push_back(f);
    for (uint32_t h = above.problem.offset[f]; h < above.problem.offset[f + 1]; ++h) {
        const uint32_t l = above.problem.link[h];
        uint32_t &local = above.localLink[l];
        if (local == kNone) {
            local = static_cast<uint32_t>(capacity.size());
            capacity.push_back(std::max(above.rest[l], 0.0));
        }
        link.push_back(local);
    }
    offset.push_back(static_cast<uint32_t>(link.size()));
    if (!above.problem.weight.empty())
        weight.push_back(above.problem.weight[f]);
}

FairFill::FairFill() = default;
FairFill::FairFill(FairFill &&) noexcept = default;
FairFill &FairFill::operator=(FairFill &&) noexcept = default;
FairFill::~FairFill() = default;

FairFill::Level &FairFill::level(size_t depth)
{
    while (m_levels.size() <= depth)
        m_levels.push_back(std::make_unique<Level>());
    return *m_levels[depth];
}

void FairFill::prepare(const ProblemView &problem)
{
    Level &top = level(0);
    top.problem = problem;
    top.stage.build(problem, false);
}

void FairFill::solve(std::span<double> rate)
{
    solveLevel(0, false, rate);
}

void FairFill::solveLevel(size_t depth, bool complete, std::span<double> rate)
{
    Level &here = level(depth);
    if (depth > 0)
        here.stage.build(here.problem, complete);
    const size_t left = here.stage.run(rate);
    if (left == 0)
        return;
    remainder(depth, rate);
    Level &below = level(depth + 1);
    below.rate.resize(left);
    // A stage that fixed little chose its ceiling badly: the next one takes everything, so that few stages suffice.
    solveLevel(depth + 1, left > rate.size() / 2, below.rate);
    for (size_t i = 0; i < left; ++i)
        rate[below.flowOf[i]] = below.rate[i];
}

/// Makes level depth + 1 from the flows that the stage at `depth` left open.
void FairFill::remainder(size_t depth, std::span<const double> rate)
{
    Level &below = level(depth + 1), &here = level(depth);
    const ProblemView &problem = here.problem;
    subtractRates(problem, rate, here.stage.longestLink(), here.rest);
    here.localLink.assign(problem.capacity.size(), kNone);
    below.flowOf.clear();
    below.capacity.clear();
    below.weight.clear();
    below.link.clear();
    below.offset.assign(1, 0);
    for (uint32_t f = 0; f < problem.flowCount(); ++f)
        if (here.stage.isOpen(f))
            below.takeOver(f, here);
    below.problem = {below.capacity, below.offset, below.link, below.weight};
}

MaxMinSolver::MaxMinSolver(const FlowProblem &problem) : m_problem(problem)
{
    m_fill.prepare(view());
}

ProblemView MaxMinSolver::view() const
{
    return {m_capacity.empty() ? std::span<const double>(m_problem.capacity) : m_capacity, m_problem.offset, m_problem.link,
            m_problem.weight};
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
