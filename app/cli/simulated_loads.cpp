// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/simulated_loads.h"

#include "app/cli/console.h"
#include "app/cli/scenario_input.h"
#include "core/foundation/base/spelling.h"
#include "simulation/questions/steady_loads.h"

#include <filesystem>

namespace hw::cli {

void declareSimulated(CLI::App& app, std::string& scenario)
{
    app.add_option("--scenario", scenario, words(i18n("Scenario with the expected traffic; links that carry less are reported (docs/live.md)")))
        ->option_text("SCENARIO.json");
}

Result<SimulatedLoads> simulatedLoads(const std::string& scenario, const Figures& figures, const Progress& progress)
{
    if (scenario.empty()) return SimulatedLoads{};
    const auto text = readScenario(scenario);
    if (!text) return tl::unexpected(text.error());
    const auto request = sim::parseScenarioRequest(text->text, text->where);
    if (!request) return tl::unexpected(request.error());
    auto loads = sim::SteadyLoads::of(*request, {figures.snapshot, figures.parts}, progress);
    if (!loads) return tl::unexpected(loads.error());
    const std::string made = figures.snapshot->setting("template.name");
    std::error_code error; // shipped scenarios state the design that their figures are of; a file may be meant for it
    if (!request->designTemplate.empty() && !sameName(request->designTemplate, made) && std::filesystem::exists(scenario, error))
        printNote(i18n("{}: runs on this project; its own design ({}) is not used", scenario, request->designTemplate));
    const auto shared = std::make_shared<const sim::SteadyLoads>(std::move(*loads));
    return SimulatedLoads{shared->whole(), [shared](const impact::NetworkLoss& loss) { return shared->after(loss); }, shared->results(),
                          [shared](const impact::NetworkLoss& loss) { return shared->resultsAfter(loss); }};
}

} // namespace hw::cli
