// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/size_bench.h"

#include "core/design/sizing/sizing.h"
#include "core/foundation/base/resources.h"

#include <algorithm>
#include <chrono>
#include <ostream>

#include <fmt/ostream.h>

namespace hw::bench {

namespace {

using Clock = std::chrono::steady_clock;

template <class F>
double milliseconds(F&& work)
{
    const auto start = Clock::now();
    work();
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Slowest and median of counts of eight designs, each new to the counter.
void benchCount(std::ostream& out, const Template& design, const Catalog& catalog, const char* networks)
{
    auto counter = *TemplateCounter::bind(design, catalog);
    std::vector<double> times;
    for (int round = 0; round < 3; ++round)
        for (int pods = 1; pods <= 8; ++pods) {
            const auto values = *design.complete(std::map<std::string, std::string>{{"pods", std::to_string(pods)}, {"networks", networks}});
            const double ms = milliseconds([&] { (void)counter.count(values); });
            if (round > 0) times.push_back(ms);
        }
    std::sort(times.begin(), times.end());
    fmt::print(out, "  {:<44}{:>10.2f} ms   slowest {:.2f} ms\n", fmt::format("count of {} with {} networks", design.name(), networks),
               times[times.size() / 2], times.back());
}

} // namespace

void benchSize(std::ostream& out)
{
    fmt::print(out, "size\n");
    std::vector<Template> templates;
    Catalog catalog;
    fmt::print(out, "  {:<44}{:>10.1f} ms\n", "read templates", milliseconds([&] { templates = *loadTemplates(resourceFolder() / "templates"); }));
    fmt::print(out, "  {:<44}{:>10.1f} ms\n", "read catalog", milliseconds([&] { catalog = *Catalog::load(resourceFolder() / "catalog"); }));
    for (const auto& design : templates)
        if (design.name() == "hpn")
            for (const auto* networks : {"backend", "all"}) benchCount(out, design, catalog, networks);
    for (const std::int64_t n : {1'000, 10'000, 100'000, 200'000}) {
        sizing::SizeRequest request;
        request.accelerators = n;
        std::size_t designs = 0, refused = 0;
        std::vector<double> times;
        for (int i = 0; i < 3; ++i)
            times.push_back(milliseconds([&] {
                const auto answer = *sizing::size(request, templates, catalog);
                designs = answer.designs.size(), refused = answer.refused.size();
            }));
        std::sort(times.begin(), times.end());
        fmt::print(out, "  {:<44}{:>10.1f} ms   {} designs, {} refused   {}\n", fmt::format("size for {} accelerators", n), times[1], designs,
                   refused, n == 100'000 ? "target: 1 s" : "");
    }
}

} // namespace hw::bench
