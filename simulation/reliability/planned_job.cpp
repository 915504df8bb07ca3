// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/reliability/planned_job.h"

#include "simulation/reliability/design_goodput.h"

#include <filesystem>

namespace hw::sim {

namespace {

double plannedNumber(const nlohmann::ordered_json& json, const char* key)
{
    const auto at = json.find(key);
    return at != json.end() && at->is_number() ? at->get<double>() : 0;
}

} // namespace

Result<jobs::JobPlan> plannedJob(const std::string& scenario, const nlohmann::ordered_json& results, const Figures& figures)
{
    jobs::JobPlan plan;
    plan.name = std::filesystem::path(scenario).stem().string();
    plan.iterationS = plannedNumber(results, "iteration_s");
    if (!(plan.iterationS > 0) || !results.contains("time") || !results.contains("phases"))
        return fail(ErrorCode::Refused, scenario, i18n("is not a training job scenario"), i18n("use workload training, for example gpt3-iteration"));
    plan.gpus = std::int64_t(plannedNumber(results, "gpus"));
    plan.tokensPerS = plannedNumber(results, "tokens_per_s"), plan.mfu = plannedNumber(results, "mfu");
    plan.computeS = plannedNumber(results["time"], "compute_s") + plannedNumber(results["time"], "optimizer_s");
    for (const auto& phase : results["phases"]) // what NICs send
        if (plannedNumber(phase, "flows") > 0) plan.sendS += plannedNumber(phase, "seconds") * plannedNumber(phase, "times");
    DesignJob job;
    job.gpus = double(plan.gpus);
    if (const auto goodput = designGoodput(*figures.snapshot, *figures.parts, job)) {
        plan.goodput = goodputClosed(goodput->goodput);
        plan.checkpointS = goodput->goodput.saveS;
    }
    return plan;
}

PlanLeft plannedJobAfter(const jobs::JobPlan& whole, const impact::NetworkLoss& lost, const ResultsAfter& resultsAfter, const Figures& figures)
{
    if (lost.none()) return {whole, {}};
    const auto results = resultsAfter(lost);
    auto plan = results ? plannedJob(whole.name, *results, figures) : tl::unexpected(results.error());
    if (!plan)
        return {whole, i18n("{}: compared with the whole design; no simulation without the failed elements: {}", whole.name, plan.error().what)};
    plan->hostsLost = std::int64_t(lost.hosts.size()), plan->linksLost = std::int64_t(lost.links.size());
    plan->wholeIterationS = whole.iterationS;
    return {std::move(*plan), {}};
}

} // namespace hw::sim
