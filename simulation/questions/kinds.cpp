// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/questions/kinds.h"

#include <algorithm>

namespace hw::sim {
inline namespace questions {

namespace {

ScenarioKind kindOf(Analysis analysis)
{
    auto run = [ask = std::move(analysis.run)](const ScenarioDesign&, const Json& parameters, const Progress& progress) {
        return ask(parameters, progress);
    };
    return {std::move(analysis.name), std::move(analysis.summary), false, std::move(analysis.fields), std::move(run)};
}

std::vector<ScenarioKind> makeKinds()
{
    std::vector<ScenarioKind> all = designKinds();
    for (auto* make : {goodputAnalysis, goodputTargetAnalysis, checkpointAnalysis, faultCausesAnalysis, amdahlAnalysis, collectiveAnalysis,
                       forwardingAnalysis, xlinkAnalysis, priorityAnalysis, blackHoleAnalysis, portFailoverAnalysis, trainingAnalysis,
                       publishedAnalysis, inferenceAnalysis, spotAnalysis, faultPredictionAnalysis, crossSiteAnalysis})
        all.push_back(kindOf(make()));
    return all;
}

} // namespace

std::span<const ScenarioKind> scenarioKinds()
{
    static const std::vector<ScenarioKind> all = makeKinds();
    return all;
}

const ScenarioKind* findScenarioKind(std::string_view name)
{
    const auto it = std::ranges::find(scenarioKinds(), name, &ScenarioKind::name);
    return it == scenarioKinds().end() ? nullptr : &*it;
}

Json describeScenarioKinds()
{
    Json list = Json::array();
    for (const ScenarioKind& k : scenarioKinds())
        list.push_back(
            {{"name", k.name}, {"key", k.onDesign ? "workload" : "analysis"}, {"summary", k.summary}, {"parameters", describeFields(k.fields)}});
    return list;
}

Result<ScenarioOutcome> runKind(std::string_view name, const ScenarioDesign& design, const Json& given, const Progress& progress)
{
    const ScenarioKind* kind = findScenarioKind(name);
    if (!kind) return fail(ErrorCode::Usage, "scenario", i18n("unknown scenario \"{}\"", name), i18n("see the list: hallwright-cli scenarios"));
    if (kind->onDesign && !design.snapshot)
        return fail(ErrorCode::Usage, "scenario", i18n("\"{}\" requires a design", name), i18n("specify a project file"));
    const auto parameters = readParameters(given, kind->fields);
    if (!parameters) return tl::unexpected(parameters.error());
    return kind->run(design, *parameters, progress);
}

} // namespace questions
} // namespace hw::sim
