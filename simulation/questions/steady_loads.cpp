// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/questions/steady_loads.h"

#include "simulation/questions/failed_state.h"

#include <algorithm>

namespace hw::sim {
inline namespace questions {

Result<SteadyLoads> SteadyLoads::of(const ScenarioRequest& request, const ScenarioDesign& design, const Progress& progress)
{
    const auto refuse = [&](Text what, Text todo) { return fail(ErrorCode::Refused, request.where, std::move(what), std::move(todo)); };
    const Text lasting = i18n("specify a scenario of flows, of a training job or of predefined jobs, for example gpt3-iteration");
    if (!request.kind->onDesign) return refuse(i18n("{} does not use a design and has no links", request.kind->name), lasting);
    if (!request.sweep.empty())
        return refuse(i18n("a sweep has several results"), i18n("copy the file without its \"sweep\", with the actual values"));
    if (request.designTemplate.empty() && !request.designSet.empty())
        return refuse(i18n("uses design parameters that differ from those of the built design"),
                      i18n("leave \"design\" out, or change the parameters of the project"));
    auto parameters = request.completeAt(0);
    if (!parameters) return tl::unexpected(placed(request, parameters.error()));
    SteadyLoads loads(*request.kind, std::move(*parameters), design);
    auto outcome = loads.m_kind->run(design, loads.m_parameters, progress);
    if (!outcome) return tl::unexpected(placed(request, outcome.error()));
    loads.m_whole = std::move(outcome->steadyGbps), loads.m_results = std::move(outcome->results);
    if (std::ranges::none_of(loads.m_whole, [](float gbps) { return gbps > 0; }))
        return refuse(i18n("{} ends, or puts no traffic on the network of this design: no link has a steady load", request.kind->name), lasting);
    return loads;
}

std::vector<float> SteadyLoads::after(const impact::NetworkLoss& loss) const
{
    if (loss.none()) return m_whole;
    auto outcome = runAfter(loss);
    return outcome ? std::move(outcome->steadyGbps) : std::vector<float>(); // refused: too little is left of it
}

Result<Json> SteadyLoads::resultsAfter(const impact::NetworkLoss& loss) const
{
    if (loss.none()) return m_results;
    auto outcome = runAfter(loss);
    if (!outcome) return tl::unexpected(outcome.error());
    return std::move(outcome->results);
}

Result<ScenarioOutcome> SteadyLoads::runAfter(const impact::NetworkLoss& loss) const
{
    ScenarioDesign left = m_design;
    left.lost = std::make_shared<const FailedState>(FailedState{loss.hosts, loss.links});
    return m_kind->run(left, m_parameters, {});
}

} // namespace questions
} // namespace hw::sim
