// SPDX-License-Identifier: GPL-3.0-or-later
#include "max_min.h"

namespace hw::sim {
inline namespace fairshare {

MaxMinSolver::MaxMinSolver(const FlowProblem& problem) : m_problem(problem) { m_fill.prepare(view()); }

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

} // namespace fairshare
} // namespace hw::sim
