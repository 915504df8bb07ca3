// SPDX-License-Identifier: GPL-3.0-or-later
// An oracle for phases: the same transfers flow by flow, to their last completion.
#pragma once

#include "simulation/fairshare/certificate.h"
#include "simulation/fairshare/completion.h"
#include "simulation/fairshare/max_min.h"
#include "simulation/training/phase.h"

#include <algorithm>
#include <cmath>

namespace hw::test {

using namespace hw::sim;

/// Sets of transfers that start together and share the fabric.
struct TogetherResult {
    std::vector<double> finishS; ///< by set: when its last flow has ended, at line rate
    std::vector<double> aloneS;  ///< by set: the same without the others
    std::vector<float> loadGbps; ///< by directed link while all are under way
    std::uint64_t flows = 0, unreachable = 0;
    bool certified = false; ///< the first rates were proved max-min
};

/// Appends a set's flows; sizes in Gbit.
inline void append(FlowProblem& problem, const TransferFlows& flows)
{
    for (std::uint32_t f = 0; f < flows.bytes.size(); ++f)
        problem.addFlow(flows.bytes[f] / kBytesPerSOfGbps, {flows.link.data() + flows.offset[f], flows.link.data() + flows.offset[f + 1]});
}

inline double lastEnd(const FlowProblem& problem, std::size_t first, std::size_t last, std::vector<double>* all = nullptr)
{
    const CompletionResult run = runToCompletion(problem);
    double end = 0;
    for (std::size_t f = first; f < last; ++f) end = std::max(end, run.finish[f]);
    if (all) *all = run.finish;
    return end;
}

/// Exact fluid completion, flow by flow, under plain max-min sharing (every flow alike). `jobs`: one for all sets, or one each.
inline Result<TogetherResult> runTogether(const WorkloadFabric& fabric, std::span<const TransferSet> sets, std::span<const TrainingJob> jobs,
                                          const PhaseOptions& options = {})
{
    if (sets.empty() || (jobs.size() != 1 && jobs.size() != sets.size()))
        return fail(ErrorCode::Refused, "sets", verbatim("need one job for all or one each"), verbatim("correct the call"));
    TogetherResult out;
    FlowProblem problem;
    problem.capacity = workloadCapacities(fabric, jobs.front().accelerator, options.state);
    for (double& c : problem.capacity)
        if (std::isinf(c)) c = 1e15;
    std::vector<std::size_t> first{0};
    for (std::size_t s = 0; s < sets.size(); ++s) {
        const auto flows = routeTransfers(fabric, sets[s], jobs.size() == 1 ? jobs[0] : jobs[s], options);
        if (!flows) return tl::unexpected(flows.error());
        out.unreachable += flows->unreachable;
        FlowProblem alone;
        alone.capacity = problem.capacity;
        append(alone, *flows);
        append(problem, *flows);
        first.push_back(problem.flowCount());
        out.aloneS.push_back(lastEnd(alone, 0, alone.flowCount()));
    }
    std::vector<double> finish;
    if (problem.flowCount() > 0) lastEnd(problem, 0, problem.flowCount(), &finish);
    for (std::size_t s = 0; s < sets.size(); ++s) {
        double end = 0;
        for (std::size_t f = first[s]; f < first[s + 1]; ++f) end = std::max(end, finish[f]);
        out.finishS.push_back(end);
    }
    MaxMinSolver solver(problem);
    const auto rates = solver.solve();
    out.certified = certify(problem, rates).ok;
    out.flows = problem.flowCount();
    out.loadGbps.assign(fabric.graph->directedCount(), 0.0f);
    for (std::uint32_t f = 0; f < problem.flowCount(); ++f)
        for (const std::uint32_t l : problem.linksOf(f))
            if (l < out.loadGbps.size()) out.loadGbps[l] += float(rates[f]);
    return out;
}

} // namespace hw::test
