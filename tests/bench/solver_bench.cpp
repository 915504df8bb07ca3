// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver_bench.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "flowgen.h"
#include "simulation/network/certificate.h"
#include "simulation/network/completion.h"
#include "simulation/network/cpu_clock.h"
#include "simulation/network/max_min.h"

namespace hw::bench {

namespace {

using hw::sim::FlowProblem;

struct Times {
    double build = std::numeric_limits<double>::infinity();
    double solve = build;
    double touch = build;
    bool certified = false;
};

/// Keeps the best of several runs of `work`, in CPU ms.
template <class Work>
void best(double& ms, Work work)
{
    const double start = hw::sim::cpuSeconds();
    work();
    ms = std::min(ms, (hw::sim::cpuSeconds() - start) * 1e3);
}

void touchEveryHop(const FlowProblem& problem, std::vector<double>& sum)
{
    for (uint32_t f = 0; f < problem.flowCount(); ++f)
        for (uint32_t h = problem.offset[f]; h < problem.offset[f + 1]; ++h) sum[problem.link[h]] += problem.size[f];
}

Times measure(const FlowProblem& problem, int repeats)
{
    Times times;
    std::vector<double> sum(problem.linkCount());
    for (int i = 0; i < repeats; ++i) {
        const double start = hw::sim::cpuSeconds();
        hw::sim::MaxMinSolver solver(problem);
        times.build = std::min(times.build, (hw::sim::cpuSeconds() - start) * 1e3);
        best(times.touch, [&] { touchEveryHop(problem, sum); });
        for (int j = 0; j < 4; ++j) best(times.solve, [&] { solver.solve(); });
        if (i == 0) times.certified = hw::sim::certify(problem, solver.solve()).ok;
    }
    return times;
}

void printRow(std::ostream& out, const char* name, const FlowProblem& problem, int repeats)
{
    const Times t = measure(problem, repeats);
    char line[200];
    std::snprintf(line, sizeof line, "%-26s %9zu %8zu %9zu %9.3f %9.3f %9.3f %7.1f  %s\n", name, problem.flowCount(), problem.linkCount(),
                  problem.hopCount(), t.build, t.solve, t.touch, t.solve / t.touch, t.certified ? "ok" : "FAILED");
    out << line << std::flush;
}

FlowGenOptions ringOptions()
{
    FlowGenOptions o = benchmarkOptions();
    o.flows = 32'768;
    o.traffic = Traffic::Ring;
    o.degraded = 0;
    return o;
}

FlowGenOptions uncontendedOptions()
{
    FlowGenOptions o = ringOptions();
    o.randomPlacement = false; // neighbours share a leaf or meet on few others
    return o;
}

FlowGenOptions smallOptions()
{
    FlowGenOptions o;
    o.traffic = Traffic::Mix;
    o.degraded = 0.01;
    return o;
}

FlowGenOptions largeOptions(Traffic traffic)
{
    FlowGenOptions o = benchmarkOptions();
    o.pods = 64;
    o.cores = 12;
    o.traffic = traffic;
    o.flows = 1'000'000;
    return o;
}

FlowGenOptions completionOptions()
{
    FlowGenOptions o = benchmarkOptions();
    o.pods = 8;
    o.leafs = 16;
    o.aggs = 16;
    o.hosts = 32;
    o.cores = 32;
    o.flows = 10'000;
    return o;
}

void printCompletion(std::ostream& out)
{
    const FlowProblem problem = generateFlows(completionOptions());
    const double start = hw::sim::cpuSeconds();
    const auto run = hw::sim::runToCompletion(problem);
    char line[200];
    std::snprintf(line, sizeof line, "to completion: %zu flows on %zu links, %zu events, %.1f flows solved an event: %.3f s CPU\n",
                  problem.flowCount(), problem.linkCount(), run.events, static_cast<double>(run.flowsSolved) / static_cast<double>(run.events),
                  hw::sim::cpuSeconds() - start);
    out << line;
}

} // namespace

void benchSolver(std::ostream& out, bool large)
{
    char head[200];
    std::snprintf(head, sizeof head, "%-26s %9s %8s %9s %9s %9s %9s %7s  %s\n", "problem (CPU ms)", "flows", "links", "hops", "build", "solve",
                  "touch", "ratio", "certificate");
    out << head;
    printRow(out, "benchmark mix", generateFlows(benchmarkOptions()), 20);
    printRow(out, "ring, random placement", generateFlows(ringOptions()), 20);
    printRow(out, "ring, in order", generateFlows(uncontendedOptions()), 20);
    printRow(out, "small mix", generateFlows(smallOptions()), 200);
    if (large) {
        printRow(out, "large permutation", generateFlows(largeOptions(Traffic::Permutation)), 3);
        printRow(out, "large mix", generateFlows(largeOptions(Traffic::Mix)), 3);
    }
    printCompletion(out);
}

} // namespace hw::bench
