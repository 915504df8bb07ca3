// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/failover_bench.h"

#include "core/design/template/template.h"
#include "core/foundation/base/resources.h"
#include "core/foundation/model/find_network.h"
#include "simulation/fabric/hash.h"
#include "simulation/fabric/hosts.h"
#include "simulation/fabric/timeline.h"
#include "simulation/fairshare/cpu_clock.h"
#include "simulation/fairshare/max_min.h"
#include "tests/bench/peak_memory.h"

#include <algorithm>
#include <optional>
#include <ostream>

#include <fmt/ostream.h>

namespace hw::bench {

namespace {

using namespace hw::sim;

template <class Work>
double cpuMs(Work work)
{
    const double start = cpuSeconds();
    work();
    return (cpuSeconds() - start) * 1e3;
}

/// A ring per rail over all hosts on both ports, in order or shuffled.
std::vector<FlowSpec> rings(std::vector<DeviceId> hosts, const HostLayout& layout, bool shuffled)
{
    std::uint64_t state = 7;
    for (std::size_t i = hosts.size() - 1; shuffled && i > 0; --i) {
        state = mix(state);
        std::swap(hosts[i], hosts[state % (i + 1)]);
    }
    std::vector<FlowSpec> flows;
    for (int nic = 0; nic < layout.nics; ++nic)
        for (std::size_t i = 0; i < hosts.size(); ++i)
            for (int p = 0; p < layout.portsPerNic; ++p) {
                FlowSpec f;
                f.source = hosts[i], f.destination = hosts[(i + 1) % hosts.size()];
                f.sourceNic = f.destinationNic = std::int16_t(nic);
                f.sourcePort = std::int16_t(p);
                f.connection = std::uint16_t(p);
                f.group = std::uint32_t(nic);
                flows.push_back(f);
            }
    return flows;
}

/// Kills and revives some switches of a level, one after the other.
void killSome(std::ostream& out, const FabricGraph& graph, FabricTimeline& line, int level, const char* tier, int tries)
{
    std::vector<std::uint32_t> switches;
    for (std::uint32_t v = 0; v < graph.switchCount(); ++v)
        if (graph.at(v).level == level) switches.push_back(v);
    if (switches.empty()) return;
    double worst = 0, sum = 0, worstBack = 0;
    std::size_t reroutes = 0, solved = 0;
    for (int i = 0; i < tries; ++i) {
        const auto v = switches[mix(std::uint64_t(i) + 3) % switches.size()];
        const auto before = line.result().reroutes, solvedBefore = line.result().flowsSolved;
        const double t = line.now() + 1;
        const double down = cpuMs([&] {
            line.add({t, FabricEventKind::SwitchDown, v});
            (void)line.run(t);
        });
        reroutes = std::max(reroutes, line.result().reroutes - before);
        solved = std::max(solved, line.result().flowsSolved - solvedBefore);
        worst = std::max(worst, down), sum += down;
        worstBack = std::max(worstBack, cpuMs([&] {
                                 line.add({t + 1, FabricEventKind::SwitchUp, v});
                                 (void)line.run(t + 1);
                             }));
    }
    fmt::print(out, "    {:<12}{:>8.2f} worst {:>8.2f} mean {:>8.2f} back   most flows rerouted {:>6}, solved {:>6}   {}\n", tier, worst, sum / tries,
               worstBack, reroutes, solved,
               worst <= 16    ? "within 16 ms"
               : worst <= 100 ? "within 100 ms"
                              : "OVER 100 ms");
}

void killUnder(std::ostream& out, const FabricGraph& graph, const std::vector<DeviceId>& hosts, const HostLayout& layout, bool shuffled)
{
    RoutingOptions routing;
    FabricTimeline::Options options;
    options.convergence = {0, 0, 0, 0};
    options.prove = false;
    FabricTimeline line(graph, routing, options);
    const auto flows = rings(hosts, layout, shuffled);
    const double start = cpuMs([&] {
        for (const auto& f : flows) line.addFlow(f);
        (void)line.run(0);
    });
    fmt::print(out, "  {} flows, {}: routed and solved in {:.0f} ms, peak {} MiB\n", flows.size(),
               shuffled ? "ranks in random order" : "ranks in order", start, peakMiB());
    killSome(out, graph, line, 1, "ToR", 20);
    killSome(out, graph, line, 2, "aggregation", 20);
    killSome(out, graph, line, 3, "core", 20);
    Certificate proof;
    const double proving = cpuMs([&] { proof = line.prove(); });
    const auto routed = routeFlows(graph, routing, flows);
    double solving = 0;
    const double build = cpuMs([&] {
        MaxMinSolver solver(routed->problem);
        solving = cpuMs([&] { (void)solver.solve(); });
    });
    fmt::print(out, "    proof of all rates {:.1f} ms: {}; all of them solved from nothing {:.1f} ms (of it solve {:.1f})\n", proving,
               proof.ok ? "ok" : "FAILED", build, solving);
}

} // namespace

void benchFailover(std::ostream& out)
{
    const auto catalog = *Catalog::load(resourceFolder() / "catalog");
    const auto design = *Template::load(resourceFolder() / "templates/hpn.yaml");
    const auto snapshot = *instantiate(design, {{"pods", 8}}, catalog);
    const auto network = *findNetwork(*snapshot, "backend");
    const auto hosts = activeServers(*snapshot);
    const auto layout = *hostLayout(*snapshot, network, hosts);
    FabricOptions options;
    options.portsPerNic = layout.portsPerNic;
    std::optional<FabricGraph> graph;
    const double build = cpuMs([&] { graph.emplace(*snapshot, network, options); });
    fmt::print(out, "a switch dies under an all-reduce of {} GPUs (CPU ms); fabric as arrays: {:.0f} ms, {} switches\n",
               hosts.size() * std::size_t(layout.nics), build, graph->switchCount());
    killUnder(out, *graph, hosts, layout, false);
    killUnder(out, *graph, hosts, layout, true);
}

} // namespace hw::bench
