// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/questions/kinds.h"

#include "simulation/questions/cut_off.h"
#include "simulation/questions/fabric_fields.h"
#include "simulation/questions/failed_state.h"
#include "simulation/questions/flow_answer.h"
#include "simulation/questions/flow_run.h"
#include "simulation/questions/form.h"

namespace hw::sim {
inline namespace questions {

namespace {

/// A stack has links that the design lacks, which a result by link cannot show; `failure` takes it.
constexpr FabricVariant kShownVariants[] = {FabricVariant::AsDesigned, FabricVariant::SinglePlane, FabricVariant::SingleToR};

Form<FlowQuestion> flowForm(Workload workload)
{
    using Q = FlowQuestion;
    const std::vector<Condition> oneWay = {isNot("path_selection", {name(PathSelection::Spray)})};
    Form<Q> form;
    form.to(&Q::network, text("network", "backend", {}, i18n("network that carries the flows")))
        .some(&Q::pods, selection("pods", 1, 1e6, i18n("participating pods")))
        .some(&Q::segments, selection("segments", 1, 1e6, i18n("segments of every selected pod")))
        .to(&Q::bytes, number("bytes", "bytes", 1e9, 1, 1e15,
                              workload == Workload::RingAllReduce ? i18n("all-reduce buffer size per GPU") : i18n("message size per GPU")))
        .to(&Q::seed, integer("seed", 1, 0, 9e15, i18n("seed of the hash and random draws")))
        .to(&Q::flowsPerPort, onlyWhen(integer("flows_per_port", 1, 1, 64, i18n("connections over which a NIC port spreads its bytes")), oneWay))
        .oneOf(&Q::selection, kPathSelections, selectionField("path_selection"))
        .oneOf(
            &Q::rateControl, kRateControls,
            onlyWhen(choice("rate_control", RateControl::Ideal, kRateControls, i18n("whether a connection uses bandwidth left by others")), oneWay))
        .to(&Q::equalHashSeeds, onlyWhen(boolean("equal_hash_seeds", false, i18n("all tiers use the same hash (polarization)")), oneWay))
        .oneOf(&Q::variant, kShownVariants,
               choice("variant", FabricVariant::AsDesigned, kShownVariants, i18n("same equipment, cabled in this variant")))
        .also(failedField())
        .also(displayOnly(boolean("every_flow", false, i18n("list every flow and the load of every link"))));
    return form;
}

ScenarioKind flowKind(Workload workload, Text summary)
{
    const auto form = flowForm(workload);
    const auto run = [workload, form](const ScenarioDesign& design, const Json& p, const Progress& progress) -> Result<ScenarioOutcome> {
        FlowQuestion start;
        start.workload = workload;
        start.name = name(workload);
        FlowQuestion question = form.read(p, start);
        const auto failed = failedState(design, p, progress);
        if (!failed) return tl::unexpected(failed.error());
        if (*failed) question.lostHosts = (*failed)->hosts, question.deadLinks = (*failed)->links;
        const auto flows = askFlows(*design.snapshot, question, progress);
        if (!flows) return tl::unexpected(flows.error());
        if (!(*flows)->certificateOk)
            return fail(ErrorCode::Fault, question.name, i18n("max-min fairness of the rates not verified to 1e-9"), i18n("please report it"));
        ScenarioOutcome outcome;
        outcome.results = flowAnswer(*design.snapshot, *design.parts, question, **flows, flagOf(p, "every_flow"));
        if ((*flows)->unreachable > 0) tellCutOff(outcome, (*flows)->unreachable, *failed ? cutOffText(design, question.network, **failed) : Text());
        if (*failed) outcome.results["lost_before"] = (*failed)->json(), outcome.notes.push_back((*failed)->note());
        for (const auto& note : (*flows)->notes) outcome.notes.push_back(note);
        outcome.flows = *flows, outcome.steadyGbps = (*flows)->loadGbps;
        return outcome;
    };
    return {name(workload), std::move(summary), true, form.fields(), run};
}

} // namespace

std::vector<ScenarioKind> designKinds()
{
    std::vector<ScenarioKind> all = {
        flowKind(Workload::RingAllReduce,
                 i18n("One ring per rail over all selected hosts, all ports concurrently: completion, rates, hottest links")),
        flowKind(Workload::Permutation, i18n("Each GPU sends to one other GPU, drawn at random: completion, rates, hottest links"))};
    for (auto* kinds : {trainingKinds, faultKinds, mixKinds, jobKinds, fabricKinds, frontendKinds, deploymentKinds, airKinds})
        for (auto& kind : kinds()) all.push_back(std::move(kind));
    return all;
}

} // namespace questions
} // namespace hw::sim
