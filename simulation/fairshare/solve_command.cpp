// SPDX-License-Identifier: GPL-3.0-or-later
#include "solve_command.h"

#include <algorithm>
#include <cstdio>

#include "completion.h"
#include "cpu_clock.h"
#include "max_min.h"

namespace hw::sim {
inline namespace fairshare {

namespace {

void solveRates(const FlowProblem& problem, int repeat, const std::stop_token& stop, SolveOutcome& outcome)
{
    double start = cpuSeconds();
    MaxMinSolver solver(problem);
    outcome.buildS = cpuSeconds() - start;
    std::span<const double> rates;
    for (int i = 0; i < std::max(repeat, 1) && (i == 0 || !stop.stop_requested()); ++i) {
        start = cpuSeconds();
        rates = solver.solve();
        const double took = cpuSeconds() - start;
        outcome.solveS = i == 0 ? took : std::min(outcome.solveS, took);
    }
    outcome.certificate = certify(problem, rates);
    outcome.certificateOk = outcome.certificate.ok;
    outcome.values.assign(rates.begin(), rates.end());
}

} // namespace

tl::expected<SolveOutcome, ProblemError> solveFile(const SolveRequest& request, std::stop_token stop, const std::function<void(double)>& progress)
{
    SolveOutcome outcome;
    double start = cpuSeconds();
    const auto problem = readProblem(request.path);
    outcome.readS = cpuSeconds() - start;
    if (!problem) return tl::unexpected(problem.error());
    outcome.flows = problem->flowCount();
    outcome.links = problem->linkCount();
    outcome.hops = problem->hopCount();
    solveRates(*problem, request.repeat, stop, outcome);
    if (request.finish) {
        start = cpuSeconds();
        CompletionResult run = runToCompletion(*problem, stop, progress);
        outcome.finishS = cpuSeconds() - start;
        outcome.values = std::move(run.finish);
    }
    outcome.stopped = stop.stop_requested();
    if (outcome.stopped) outcome.values.clear();
    return outcome;
}

std::string SolveOutcome::line() const
{
    char text[320];
    std::snprintf(text, sizeof text,
                  "flows=%zu links=%zu hops=%zu read_s=%.6f build_s=%.6f solve_s=%.6f certificate=%s", // no text
                  flows, links, hops, readS, buildS, solveS, certificateOk ? "ok" : "failed");
    std::string result(text);
    if (finishS > 0) {
        std::snprintf(text, sizeof text, " finish_s=%.6f", finishS);
        result += text;
    }
    return result;
}

} // namespace fairshare
} // namespace hw::sim
