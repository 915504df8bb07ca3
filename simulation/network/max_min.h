// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fill_stage.h"
#include "problem.h"

namespace hw::sim {

/// Exact max-min fair rates by progressive filling (Bertsekas and Gallager, Data Networks, 6.5.2): no flow can get
/// a higher rate / weight without taking from one that has no more. Exact up to rounding of doubles.
///
/// Works in stages (see FillStage): each fixes the flows below some level, the open ones with what is left of the
/// capacities make the next, smaller problem. Memory is kept between calls.
class FairFill {
public:
    FairFill();
    FairFill(FairFill&&) noexcept;
    FairFill& operator=(FairFill&&) noexcept;
    ~FairFill();

    /// Indexes a problem; the arrays of the view must stay as they are until the last solve().
    void prepare(const ProblemView& problem);
    /// Writes one rate a flow. May be repeated; needs prepare().
    void solve(std::span<double> rate);

private:
    struct Level;

    void solveLevel(size_t depth, bool complete, std::span<double> rate);
    Level& level(size_t depth);
    void remainder(size_t depth, std::span<const double> rate, size_t left);

    std::vector<std::unique_ptr<Level>> m_levels;
};

/// Max-min fair rates of a FlowProblem, for repeated solving. One thread at a time.
class MaxMinSolver {
public:
    /// Builds the index; `problem` must outlive the solver and keep its flows and links.
    explicit MaxMinSolver(const FlowProblem& problem);

    /// Rates of all flows, in flow order; valid until the next call. Does not allocate after the first call.
    std::span<const double> solve();

    /// The same with other capacities (one a link, >= 0; 0 is a dead link, its flows get 0). Builds the index anew
    /// for them; a later solve() uses them too.
    std::span<const double> solve(std::span<const double> capacity);

private:
    ProblemView view() const;

    const FlowProblem& m_problem;
    std::vector<double> m_capacity;
    FairFill m_fill;
    Scratch<double> m_rate;
};

} // namespace hw::sim
