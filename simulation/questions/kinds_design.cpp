// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/questions/kinds.h"

#include "simulation/questions/flow_run.h"

namespace hw::sim::inline questions {

namespace {

Result<ScenarioOutcome> runFlows(Workload workload, const ScenarioDesign& design, const Json& p, const Progress& progress)
{
    Scenario s;
    s.workload = workload;
    s.name = name(workload);
    s.network = textOf(p, "network");
    s.pods = selected(p, "pods");
    s.segments = selected(p, "segments");
    s.bytes = numberOf(p, "bytes");
    s.seed = p.at("seed").get<std::uint64_t>();
    s.flowsPerPort = int(numberOr(p, "flows_per_port", 1));
    s.selection = pathSelection(textOf(p, "path_selection")).value_or(s.selection); // the fields allow no others
    if (p.contains("rate_control")) s.rateControl = rateControl(textOf(p, "rate_control")).value_or(s.rateControl);
    s.equalHashSeeds = p.contains("equal_hash_seeds") && flagOf(p, "equal_hash_seeds");
    s.variant = fabricVariant(textOf(p, "variant")).value_or(s.variant);
    const auto flows = runScenario(*design.snapshot, s, progress);
    if (!flows) return tl::unexpected(flows.error());
    if (!(*flows)->certificateOk) return fail(ErrorCode::Fault, s.name, "the rates are not proved max-min to 1e-9", "please report it");
    ScenarioOutcome outcome;
    outcome.results = Json::parse(resultJson(*design.snapshot, *design.parts, s, **flows, flagOf(p, "every_flow")));
    outcome.notes = outcome.results["notes"];
    for (const char* key : {"schema", "revision", "scenario", "notes"}) outcome.results.erase(key);
    outcome.flows = *flows;
    return outcome;
}

ScenarioKind flowKind(Workload workload, std::string summary)
{
    const std::vector<Condition> oneWay = {isNot("path_selection", {"spray"})};
    return {name(workload),
            std::move(summary),
            true,
            {text("network", "backend", {}, "that carries the flows"), selection("pods", 1, 1e6, "that take part"),
             selection("segments", 1, 1e6, "of every chosen pod"),
             number("bytes", "bytes", 1e9, 1, 1e15, workload == Workload::RingAllReduce ? "all-reduced buffer of a GPU" : "message of a GPU"),
             integer("seed", 1, 0, 9e15, "of the hash and of random draws"),
             onlyWhen(integer("flows_per_port", 1, 1, 64, "connections that a NIC port spreads its bytes over"), oneWay),
             text("path_selection", "hash", {"hash", "disjoint", "least-load", "spray"}, "how connections get their ways"),
             onlyWhen(text("rate_control", "ideal", {"ideal", "paced"}, "whether a connection uses what others leave"), oneWay),
             onlyWhen(boolean("equal_hash_seeds", false, "all tiers hash alike (polarisation)"), oneWay),
             text("variant", "as-designed", {"as-designed", "single-plane", "single-tor"}, "the same equipment, cabled so"),
             displayOnly(boolean("every_flow", false, "list every flow and every link's load"))},
            [workload](const ScenarioDesign& design, const Json& p, const Progress& progress) { return runFlows(workload, design, p, progress); }};
}

} // namespace

std::vector<ScenarioKind> designKinds()
{
    std::vector<ScenarioKind> all = {
        flowKind(Workload::RingAllReduce, "One ring a rail over all chosen hosts, every port at once: completion, rates, hottest links"),
        flowKind(Workload::Permutation, "Every GPU sends to one other, drawn at random: completion, rates, hottest links")};
    for (auto* kinds : {trainingKinds, faultKinds, mixKinds, jobKinds, fabricKinds})
        for (auto& kind : kinds()) all.push_back(std::move(kind));
    return all;
}

} // namespace hw::sim::inline questions
