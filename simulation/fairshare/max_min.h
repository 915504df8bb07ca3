// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "fair_fill.h"
#include "problem.h"

namespace hw::sim {
inline namespace fairshare {

/// Max-min fair rates of a FlowProblem, for repeated solving. One thread at a time.
class MaxMinSolver {
public:
    /// Builds the index; `problem` must outlive the solver and keep its flows and links.
    explicit MaxMinSolver(const FlowProblem& problem);

    /// Rates of all flows, in flow order; valid until the next call. Does not allocate after the first call.
    std::span<const double> solve();

    /// The same with other capacities (one a link, >= 0; 0 is a dead link, its flows get 0). Builds the index again
    /// for them; a later solve() uses them too.
    std::span<const double> solve(std::span<const double> capacity);

    const FillCounters& counters() const { return m_fill.counters(); }

private:
    ProblemView view() const;

    const FlowProblem& m_problem;
    std::vector<double> m_capacity;
    FairFill m_fill;
    Scratch<double> m_rate;
};

} // namespace fairshare
} // namespace hw::sim
