// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/simulated_loads.h"

#include "app/cli/scenario_input.h"
#include "simulation/questions/run_request.h"

#include <algorithm>

namespace hw::cli {

void declareSimulated(CLI::App& app, std::string& scenario)
{
    app.add_option("--scenario", scenario, words(i18n("What should go over the network: links that carry less than it says are told (docs/live.md)")))
        ->option_text("SCENARIO.json");
}

Result<std::vector<float>> simulatedLoads(const std::string& scenario, const Figures& figures, const Progress& progress)
{
    if (scenario.empty()) return std::vector<float>{};
    const auto text = readScenario(scenario);
    if (!text) return tl::unexpected(text.error());
    const auto request = sim::parseScenarioRequest(text->text, text->where);
    if (!request) return tl::unexpected(request.error());
    const auto refuse = [&](Text what, Text todo) { return fail(ErrorCode::Refused, text->where, std::move(what), std::move(todo)); };
    if (!request->sweep.empty()) return refuse(i18n("a sweep has many answers"), i18n("leave \"sweep\" out"));
    if (!request->kind->onDesign)
        return refuse(i18n("{} knows no links", request->kind->name), i18n("name a scenario of flows or of a training job"));
    if (!request->designTemplate.empty() || !request->designSet.empty())
        return refuse(i18n("asks about another design than the one that is followed"), i18n("leave \"design\" out"));
    const auto answer = sim::runRequest(*request, {figures.snapshot, figures.parts}, {}, progress);
    if (!answer) return tl::unexpected(answer.error());
    if (std::ranges::none_of(answer->steadyGbps, [](float gbps) { return gbps > 0; }))
        return refuse(i18n("the answer of {} has no load of links that lasts", request->kind->name),
                      i18n("name a scenario of flows or of a training job"));
    return answer->steadyGbps;
}

} // namespace hw::cli
