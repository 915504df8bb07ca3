// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver_bench.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "flowgen.h"
#include "simgrid_yardstick.h"
#include "simulation/fairshare/certificate.h"
#include "simulation/fairshare/completion.h"
#include "simulation/fairshare/cpu_clock.h"
#include "simulation/fairshare/max_min.h"

namespace hw::bench {

namespace {

using hw::sim::FlowProblem;

/// CPU ms of every run. The least is what the work costs, the median what it costs beside whatever else the machine does.
class Runs {
public:
    template <class Work>
    void time(Work work)
    {
        const double start = hw::sim::cpuSeconds();
        work();
        m_ms.push_back((hw::sim::cpuSeconds() - start) * 1e3);
    }
    double least() const { return std::ranges::min(m_ms); }
    double median() const
    {
        auto sorted = m_ms;
        std::ranges::sort(sorted);
        return sorted[sorted.size() / 2];
    }

private:
    std::vector<double> m_ms;
};

struct Times {
    Runs build, solve, touch;
    hw::sim::FillCounters counters;
    bool certified = false;
};

void touchEveryHop(const FlowProblem& problem, std::vector<double>& sum)
{
    for (uint32_t f = 0; f < problem.flowCount(); ++f)
        for (uint32_t h = problem.offset[f]; h < problem.offset[f + 1]; ++h) sum[problem.link[h]] += problem.size[f];
}

/// Build, solve and touch in turns, so that all meet the same machine.
Times measure(const FlowProblem& problem, int repeats)
{
    Times times;
    std::vector<double> sum(problem.linkCount());
    for (int i = 0; i < repeats; ++i) {
        std::optional<hw::sim::MaxMinSolver> solver;
        times.build.time([&] { solver.emplace(problem); });
        for (int j = 0; j < 4; ++j) {
            times.touch.time([&] { touchEveryHop(problem, sum); });
            times.solve.time([&] { solver->solve(); });
        }
        times.counters = solver->counters();
        if (i == 0) times.certified = hw::sim::certify(problem, solver->solve()).ok;
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
    const double build = t.build.least(), solve = t.solve.least(), touch = t.touch.least();
    const hw::sim::FillCounters& c = t.counters;
    const double hops = static_cast<double>(problem.hopCount());
    char line[300];
    std::snprintf(line, sizeof line, "%-26s %9zu %8zu %9zu %9.3f %9.3f %9.3f %6.2f %6.2f %6.2f %6.2f %6.2f %8zu %8zu  %-11s", name,
                  problem.flowCount(), problem.linkCount(), problem.hopCount(), build, solve, touch, solve / touch,
                  t.solve.median() / t.touch.median(), (build + solve) / touch, static_cast<double>(c.keptHops) / hops,
                  static_cast<double>(c.rateReads) / hops, c.evaluations, c.bottlenecks, t.certified ? "ok" : "FAILED");
    out << line << simgridColumns(simgrid, solve, solver.solve());
    if (simgrid.done) {
        std::snprintf(line, sizeof line, " %8.1f", simgrid.cpuMs / (build + solve));
        out << line;
    }
    out << '\n' << std::flush;
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
    o.randomPlacement = false; // neighbors share a leaf or meet on few others
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

void printRateHead(std::ostream& out)
{
    char head[300];
    std::snprintf(head, sizeof head, "%-26s %9s %8s %9s %9s %9s %9s %6s %6s %6s %6s %6s %8s %8s  %-11s%10s %8s %10s %8s\n", "problem (CPU ms, least)",
                  "flows", "links", "hops", "build", "solve", "touch", "solve*", "med.*", "all*", "kept", "reads", "looks", "bottlen.", "certificate",
                  "SimGrid", "/ solve", "deviation", "/ all");
    out << head;
}

void printCompletionHead(std::ostream& out)
{
    char head[200];
    std::snprintf(head, sizeof head, "%-26s %9s %8s %9s %9s %9s %9s %21s%10s %8s %10s\n", "problem (CPU ms)", "flows", "links", "hops", "events",
                  "resolved", "CPU ms", "", "SimGrid", "ratio", "deviation");
    out << head;
}

void printYardstick(std::ostream& out)
{
    out << (kSimgridInstalled
                ? "SimGrid: its max-min solver alone, once, on all flows at once; / solve, / all: its time over ours; deviation: worst of "
                  "any flow's rate or finish time;\n-: left out, takes SimGrid minutes\n"
                : "SimGrid: not installed (apt-get install libsimgrid-dev)\n");
}

} // namespace

void benchSolver(std::ostream& out, bool large)
{
    out << "touch: adding a number to the link of every hop. In times of touch: solve*, med.* (medians), all* = build + solve. Per hop: kept, of "
           "links that may fill,\n"
           "and reads, of rates by a solve. looks: at links; bottlen.: links that held flows back\n";
    printRateHead(out);
    printRow(out, "benchmark mix", generateFlows(benchmarkOptions()), 20);
    printRow(out, "ring, random placement", generateFlows(ringOptions()), 20);
    printRow(out, "ring, in order", generateFlows(uncontendedOptions()), 20);
    printRow(out, "small mix", generateFlows(smallOptions()), 200);
    if (large) {
        printRow(out, "large permutation", generateFlows(largeOptions(Traffic::Permutation)), 6, Yardstick::None);
        printRow(out, "large mix", generateFlows(largeOptions(Traffic::Mix)), 6, Yardstick::None);
    }
    printCompletionHead(out);
    printCompletion(out, generateFlows(smallOptions()), Yardstick::Simgrid);
    printCompletion(out, generateFlows(fewCompletionOptions()), Yardstick::Simgrid);
    printCompletion(out, generateFlows(completionOptions()), Yardstick::None);
    printYardstick(out);
}

} // namespace hw::bench
