// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/monitoring_bench.h"

#include "core/operations/monitoring/monitor.h"
#include "core/operations/monitoring/plan/plan.h"
#include "simulation/fairshare/cpu_clock.h"
#include "tests/monitoring/fault_table.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ostream>
#include <random>

#include <fmt/format.h>

namespace hw::bench {

namespace {

using bindings::Measure;
using sim::cpuSeconds;

/// Racks, the power chain, GPUs and ports of a design, as a hall has them.
bindings::BoundPtr pointsOf(const Figures& figures)
{
    const Snapshot& s = *figures.snapshot;
    auto bound = std::make_shared<bindings::Bound>();
    auto& points = bound->points;
    s.racks.forEach([&](RackId id) {
        for (const Measure m : {Measure::ActivePower, Measure::AirInlet, Measure::Flow, Measure::SupplyTemperature})
            points.push_back({ref(id), m, {}});
    });
    s.devices.forEach([&](DeviceId id) {
        const TierKind kind = s.tiers.kind[s.devices.tier[id]];
        const int gpus = figures.parts->device(s.devices.type[id]).accelerators;
        for (const Measure m : {Measure::ActivePower, Measure::Status}) points.push_back({ref(id), m, {}});
        if (kind == TierKind::Power)
            for (const char* phase : {"l1", "l2", "l3"}) points.push_back({ref(id), Measure::Current, phase});
        for (int gpu = 0; gpu < gpus; ++gpu)
            for (const Measure m : {Measure::ActivePower, Measure::Temperature, Measure::Utilization, Measure::Xid})
                points.push_back({ref(id), m, fmt::format("gpu{}", gpu)});
    });
    s.links.forEach([&](LinkId id) {
        for (const PortId port : {s.links.from[id], s.links.to[id]})
            if (s.ports.medium[port] == Medium::Data)
                for (const Measure m : {Measure::Transmit, Measure::Receive, Measure::Errors, Measure::Drops, Measure::LinkUp, Measure::LinkRate})
                    points.push_back({ref(port), m, {}});
    });
    std::ranges::sort(points);
    const auto twice = std::ranges::unique(points);
    points.erase(twice.begin(), twice.end());
    return bound;
}

/// What a healthy point says.
double usual(const monitoring::Plan& plan, Measure m, double noise)
{
    switch (m) {
    case Measure::Status:
    case Measure::LinkUp: return 1;
    case Measure::Errors:
    case Measure::Drops:
    case Measure::Xid: return 0;
    case Measure::LinkRate: return plan.planned > 0 ? plan.planned : 4e11;
    case Measure::AirInlet: return 24 + noise;
    case Measure::SupplyTemperature: return 30 + noise;
    default: return (plan.planned > 0 ? double(plan.planned) : 100.0) * (0.8 + 0.01 * noise);
    }
}

} // namespace

void benchWatch(std::ostream& out)
{
    const auto figures = designOf("hpn", {});
    const auto bound = pointsOf(*figures);
    const monitoring::Plans plans = monitoring::Plans::of(*figures, *bound);
    monitoring::Monitor watch;
    double start = cpuSeconds();
    watch.design(figures, bound);
    out << fmt::format("watch   points {}, expectations from the design {:.2f} s\n", bound->points.size(), cpuSeconds() - start);
    constexpr std::size_t kEach = 100'000;
    constexpr int kSeconds = 30;
    std::mt19937 random(1);
    std::int64_t now = 1'800'000'000'000;
    (void)watch.advance(now);
    std::size_t at = 0;
    double spent = 0, worst = 0;
    std::vector<monitoring::PointSample> samples(kEach);
    for (int s = 0; s < kSeconds; ++s) {
        for (auto& sample : samples) {
            const auto p = bindings::PointNo(at++ % bound->points.size());
            const double noise = double(random() % 2001) / 1000 - 1;
            sample = {p, now, usual(plans.points[p], bound->points[p].measure, noise), true};
        }
        now += 1000;
        start = cpuSeconds();
        watch.take(samples);
        const auto events = watch.advance(now);
        const double took = cpuSeconds() - start;
        spent += took, worst = std::max(worst, took);
    }
    out << fmt::format("        {} samples a second: {:.3f} of one core, worst second {:.3f} s, {} deviations and {} alarms stand\n", kEach,
                       spent / kSeconds, worst, watch.frame()->deviations.size(), watch.frame()->alarms.size());
    start = cpuSeconds();
    (void)watch.frame();
    out << fmt::format("        a frame {:.1f} ms\n", (cpuSeconds() - start) * 1000);
}

void benchFaults(std::ostream& out)
{
    struct Design {
        const char* name;
        std::map<std::string, std::string> values;
    };
    const std::vector<Design> designs{
        {"nvl72", {{"segments", "1"}, {"networks", "backend"}}}, {"hpn", {{"segments", "1"}, {"networks", "backend"}}}, {"rail-optimized-2", {}}};
    for (const Design& design : designs)
        for (const unsigned seed : {11u, 12u}) {
            const auto figures = designOf(design.name, design.values);
            FaultRun run;
            run.options.pollS = 4, run.options.seed = seed, run.options.startMs = 1'800'000'000'000;
            std::vector<FaultFound> rows;
            auto cases = oneOfEachKind(figures);
            for (const FaultCase& pair : pairsOf(cases)) cases.push_back(pair);
            for (const FaultCase& fault : cases) rows.push_back(tryFault(figures, fault, run));
            out << fmt::format("faults  {} seed {}: {}\n{}", design.name, seed, ratesOf(rows), tableOf(rows)) << std::flush;
        }
}

} // namespace hw::bench
