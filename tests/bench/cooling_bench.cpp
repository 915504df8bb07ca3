// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/cooling_bench.h"

#include "core/derived/cooling/chain.h"
#include "core/design/template/template.h"
#include "core/foundation/base/resources.h"
#include "tests/cooling/cooling_without.h"

#include <algorithm>
#include <chrono>
#include <ostream>

#include <fmt/ostream.h>

namespace hw::bench {

namespace {

double ms(auto&& work)
{
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

void row(std::ostream& out, const Catalog& catalog, const char* name)
{
    const auto design = *Template::load(resourceFolder() / "templates" / (std::string(name) + ".yaml"));
    const auto figures = figuresOf(*instantiate(design, {}, catalog)).value();
    (void)figures->prepare<PowerNode, PowerFeedsNode, SupplyNode, PowerChainNode<PowerBasis::Design>>({});
    const double whole = ms([&] { (void)figures->get<CoolingChainNode>(); });
    const CoolingChain& chain = figures->get<CoolingChainNode>();
    const auto liquid = std::ranges::count(chain.loops, LoopKind::Liquid, &CoolingLoop::kind);
    const auto first = std::ranges::find_if(chain.units, [](const CoolingUnit& unit) { return unit.feeds >= 0 && unit.parts(); });
    const double loss = first == chain.units.end() ? 0 : ms([&] { (void)test::coolingWithout(chain, {&first->device, 1}); });
    fmt::print(out, "  {:<24}{:>8}{:>8}{:>8}{:>10}{:>12.1f} ms{:>10.2f} ms\n", name, chain.loops.size(), liquid, chain.units.size(),
               chain.takers.size(), whole, loss);
}

} // namespace

void benchCooling(std::ostream& out)
{
    const auto catalog = *Catalog::load(resourceFolder() / "catalog");
    fmt::print(out, "cooling chain: all of it, and one loss\n  {:<24}{:>8}{:>8}{:>8}{:>10}{:>15}{:>13}\n", "template", "loops", "liquid", "units",
               "cabinets", "chain", "loss");
    for (const char* name : {"hpn", "nvl72"}) row(out, catalog, name);
}

} // namespace hw::bench
