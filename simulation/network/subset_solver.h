// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "max_min.h"
#include "problem.h"

namespace hw::sim {

/// Max-min fair rates of a few flows of a problem. Costs what the subset costs, not what the problem does.
class SubsetSolver {
public:
    /// `problem` must outlive the solver.
    explicit SubsetSolver(const FlowProblem& problem);

    /// Rates of `flows` (distinct) as if there were no others, on links of `capacity` (one per link of the problem, >= 0; only
    /// those of the subset are looked at). One rate per entry of `flows`, valid until the next call.
    std::span<const double> solve(std::span<const uint32_t> flows, std::span<const double> capacity);

private:
    const FlowProblem& m_problem;
    FairFill m_fill;
    std::vector<uint32_t> m_localLink; ///< per link its number in the subset, or none
    std::vector<uint32_t> m_used;      ///< the links of the subset
    std::vector<double> m_capacity, m_weight, m_rate;
    std::vector<uint32_t> m_offset, m_link;
};

} // namespace hw::sim
