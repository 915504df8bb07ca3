// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/estimate_bench.h"

#include "core/foundation/base/resources.h"
#include "tests/sizing/generated.h"

#include <algorithm>
#include <ostream>

#include <fmt/ostream.h>

namespace hw::bench {

namespace {

using sizing::SizedDesign;

std::string error(double estimate, double made)
{
    if (made <= 0) return estimate <= 0 ? "none" : "only estimated";
    return fmt::format("{:+.1f} %", 100 * (estimate / made - 1));
}

void row(std::ostream& out, const SizedDesign& design, const Template& source, const Catalog& catalog)
{
    const auto snapshot = instantiate(source, design.parameters, catalog);
    const auto figures = snapshot ? computeFigures(*snapshot) : Result<FiguresPtr>(tl::unexpected(snapshot.error()));
    if (!figures) {
        fmt::print(out, "| {} | {} | {} |\n", design.templateName, design.accelerators, figures.error().text());
        return;
    }
    const auto made = sizing::generatedOf(**figures, design.network, design.basis);
    const auto singleMode = sizing::singleModeOf(design, catalog);
    fmt::print(out, "| {} ({}) | {} | {} | {} ({}) | {:.1f} ({}) | {} ({}) | {:.2f} ({}) |\n", design.templateName, design.variant,
               design.accelerators, made.halls, made.racks, error(double(design.racks), double(made.racks)), double(made.lengthMm) / 1e6,
               error(double(design.cabling.lengthMm), double(made.lengthMm)), made.singleMode, error(double(singleMode), double(made.singleMode)),
               toWatts(made.power) / 1e6, error(toWatts(design.powerOfAll[std::size_t(design.basis)]), toWatts(made.power)));
}

} // namespace

void benchEstimate(std::ostream& out)
{
    const auto templates = *loadTemplates(resourceFolder() / "templates");
    const auto catalog = *Catalog::load(resourceFolder() / "catalog");
    fmt::print(out, "| template | accelerators | halls | racks | cable km | single-mode modules | IT MW |\n|---|---|---|---|---|---|---|\n");
    for (const auto& source : templates) {
        std::int64_t last = 0;
        for (const std::int64_t n : {1'000, 4'000, 16'000, 40'000, 100'000}) {
            sizing::SizeRequest request;
            request.accelerators = n;
            request.templates = {source.name()};
            const auto answer = sizing::size(request, templates, catalog);
            if (!answer || answer->designs.empty() || answer->designs.front().accelerators == last) continue;
            last = answer->designs.front().accelerators;
            row(out, answer->designs.front(), source, catalog);
        }
    }
}

} // namespace hw::bench
