// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver_bench.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "flowgen.h"
#include "simgrid_yardstick.h"
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

constexpr unsigned kSimgridLimitS = 60; ///< the benchmark problem takes 3 to 8 s

/// Largest relative difference between what SimGrid and we say of a flow.
double worstDeviation(std::span<const double> simgrid, std::span<const double> ours)
{
    double worst = 0;
    for (size_t i = 0; i < ours.size(); ++i) worst = std::max(worst, std::fabs(simgrid[i] - ours[i]) / ours[i]);
    return worst;
}

std::string simgridColumns(const SimgridRun& run, double oursMs, std::span<const double> ours)
{
    if (!run.done) return "         -        -          -";
    char text[100];
    std::snprintf(text, sizeof text, "%10.3f %8.1f %10.1e", run.cpuMs, run.cpuMs / oursMs, worstDeviation(run.value, ours));
    return text;
}

enum class Yardstick { Simgrid, None };

void printRow(std::ostream& out, const char* name, const FlowProblem& problem, int repeats, Yardstick yardstick = Yardstick::Simgrid)
{
    const Times t = measure(problem, repeats);
    const SimgridRun simgrid = yardstick == Yardstick::Simgrid ? simgridRates(problem, kSimgridLimitS) : SimgridRun{};
    hw::sim::MaxMinSolver solver(problem);
    char line[200];
    std::snprintf(line, sizeof line, "%-26s %9zu %8zu %9zu %9.3f %9.3f %9.3f %7.1f  %-11s", name, problem.flowCount(), problem.linkCount(),
                  problem.hopCount(), t.build, t.solve, t.touch, t.solve / t.touch, t.certified ? "ok" : "FAILED");
    out << line << simgridColumns(simgrid, t.solve, solver.solve()) << '\n' << std::flush;
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

FlowGenOptions fewCompletionOptions()
{
    FlowGenOptions o = completionOptions();
    o.flows = 2'000;
    return o;
}

void printCompletion(std::ostream& out, const FlowProblem& problem, Yardstick yardstick)
{
    const double start = hw::sim::cpuSeconds();
    const auto run = hw::sim::runToCompletion(problem);
    const double cpuMs = (hw::sim::cpuSeconds() - start) * 1e3;
    const SimgridRun simgrid = yardstick == Yardstick::Simgrid ? simgridCompletion(problem, kSimgridLimitS) : SimgridRun{};
    char line[200];
    std::snprintf(line, sizeof line, "%-26s %9zu %8zu %9zu %9zu %9.1f %9.3f %21s", "to completion", problem.flowCount(), problem.linkCount(),
                  problem.hopCount(), run.events, static_cast<double>(run.flowsSolved) / static_cast<double>(run.events), cpuMs, "");
    out << line << simgridColumns(simgrid, cpuMs, run.finish) << '\n' << std::flush;
}

void printHead(std::ostream& out, const char* c1, const char* c2, const char* c3, const char* c4, const char* c5)
{
    char head[200];
    std::snprintf(head, sizeof head, "%-26s %9s %8s %9s %9s %9s %9s %7s  %-11s%10s %8s %10s\n", "problem (CPU ms)", "flows", "links", "hops", c1, c2, c3,
                  c4, c5, "SimGrid", "ratio", "deviation");
    out << head;
}

void printYardstick(std::ostream& out)
{
    out << (kSimgridInstalled ? "SimGrid: its max-min solver alone, once, on all flows at once; ratio: its time over ours; deviation: worst of "
                                "any flow's rate or finish time;\n-: left out, takes SimGrid minutes\n"
                              : "SimGrid: not installed (apt-get install libsimgrid-dev)\n");
}

} // namespace

void benchSolver(std::ostream& out, bool large)
{
    printHead(out, "build", "solve", "touch", "ratio", "certificate");
    printRow(out, "benchmark mix", generateFlows(benchmarkOptions()), 20);
    printRow(out, "ring, random placement", generateFlows(ringOptions()), 20);
    printRow(out, "ring, in order", generateFlows(uncontendedOptions()), 20);
    printRow(out, "small mix", generateFlows(smallOptions()), 200);
    if (large) {
        printRow(out, "large permutation", generateFlows(largeOptions(Traffic::Permutation)), 3, Yardstick::None);
        printRow(out, "large mix", generateFlows(largeOptions(Traffic::Mix)), 3, Yardstick::None);
    }
    printHead(out, "events", "resolved", "CPU ms", "", "");
    printCompletion(out, generateFlows(smallOptions()), Yardstick::Simgrid);
    printCompletion(out, generateFlows(fewCompletionOptions()), Yardstick::Simgrid);
    printCompletion(out, generateFlows(completionOptions()), Yardstick::None);
    printYardstick(out);
}

} // namespace hw::bench
