// SPDX-License-Identifier: GPL-3.0-or-later
#include "subset_solver.h"

namespace hw::sim {

namespace {

constexpr uint32_t kNone = ~0u;

} // namespace

SubsetSolver::SubsetSolver(const FlowProblem& problem) : m_problem(problem), m_localLink(problem.linkCount(), kNone) {}

std::span<const double> SubsetSolver::solve(std::span<const uint32_t> flows, std::span<const double> capacity)
{
    m_capacity.clear();
    m_link.clear();
    m_used.clear();
    m_weight.clear();
    m_offset.assign(1, 0);
    for (const uint32_t f : flows) {
        for (const uint32_t l : m_problem.linksOf(f)) {
            if (m_localLink[l] == kNone) {
                m_localLink[l] = static_cast<uint32_t>(m_used.size());
                m_used.push_back(l);
                m_capacity.push_back(capacity[l]);
            }
            m_link.push_back(m_localLink[l]);
        }
        m_offset.push_back(static_cast<uint32_t>(m_link.size()));
        if (!m_problem.weight.empty()) m_weight.push_back(m_problem.weight[f]);
    }
    for (const uint32_t l : m_used) m_localLink[l] = kNone;
    m_rate.resize(flows.size());
    m_fill.prepare({m_capacity, m_offset, m_link, m_weight});
    m_fill.solve(m_rate);
    return m_rate;
}

} // namespace hw::sim
