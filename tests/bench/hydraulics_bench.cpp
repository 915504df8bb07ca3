// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/hydraulics_bench.h"

#include "core/physics/hydraulics/solver.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <ostream>

#include <fmt/ostream.h>

namespace hw::bench {

namespace {

using namespace hydraulics;

void pipe(Network& net, Index from, Index to, double length, double diameter, double k, bool checkValve = false)
{
    Link link;
    link.id = fmt::format("p{}", net.links.size());
    link.from = from, link.to = to;
    link.lengthM = length, link.diameterM = diameter, link.roughnessM = 1.5e-6, link.minorK = k, link.checkValve = checkValve;
    net.links.push_back(std::move(link));
}

Index junction(Network& net)
{
    net.nodes.push_back({fmt::format("n{}", net.nodes.size()), false, 0, 0, 0});
    return Index(net.nodes.size() - 1);
}

/// `rows` of `racks` on two mains, PG25 at 30 °C.
Network hall(int rows, int racks, bool checkValves)
{
    Network net;
    net.viscosityM2s = 1.7628e-6, net.densityKgM3 = 1019.4;
    net.nodes.push_back({"A", true, 0, 20, 0});
    Index supply = junction(net), back = 0;
    Link pump;
    pump.id = "pump", pump.kind = LinkKind::Pump, pump.from = 0, pump.to = supply;
    const double liters = 2e-3 * rows * racks;
    pump.curve = {{0, 45}, {liters * 0.7, 38}, {liters, 30}, {liters * 1.4, 15}};
    net.links.push_back(pump);
    for (int row = 0; row < rows; ++row) {
        const Index in = junction(net), out = junction(net);
        pipe(net, supply, in, 6, 0.6, 0.5), pipe(net, out, back, 6, 0.6, 0.5);
        supply = in, back = out;
        Index s = in, r = out;
        for (int rack = 0; rack < racks; ++rack) {
            const Index s2 = junction(net), r2 = junction(net);
            pipe(net, s, s2, 0.6, 0.15, 0.2), pipe(net, r2, r, 0.6, 0.15, 0.2);
            pipe(net, s2, r2, 4, 0.028, 25, checkValves && rack % 3 == 0);
            s = s2, r = r2;
        }
    }
    return net;
}

void bench(std::ostream& out, int rows, int racks, bool checkValves)
{
    const Network net = hall(rows, racks, checkValves);
    double best = std::numeric_limits<double>::infinity();
    Solution solution;
    for (int i = 0; i < 3; ++i) {
        const auto start = std::chrono::steady_clock::now();
        solution = *solve(net);
        best = std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    fmt::print(out, "  {:>7} links{:<20}{:>8.1f} ms {:>3} trials   flows balance to {:.0e} m³/s, heads to {:.0e} m\n", net.links.size(),
               checkValves ? ", check valves" : "", best, solution.trials, solution.certificate.massM3s, solution.certificate.energyM);
}

} // namespace

void benchHydraulics(std::ostream& out)
{
    fmt::print(out, "hydraulics: check, solve and certify, best of three\n");
    for (const int rows : {20, 200, 2000})
        for (const bool checkValves : {false, true}) bench(out, rows, 16, checkValves);
}

} // namespace hw::bench
