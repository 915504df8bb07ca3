// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/derived/impact/network_loss.h"
#include "core/operations/jobs/evaluation.h"

#include <functional>

#include <nlohmann/json.hpp>

namespace hw::sim {

/// What a scenario of a training job found, as a plan to compare a job with; its goodput by the design's own faults and storage, 0 where servers
/// have no path to storage nodes. Error: Refused for results of anything else.
[[nodiscard]] Result<jobs::JobPlan> plannedJob(const std::string& scenario, const nlohmann::ordered_json& results, const Figures& figures);

/// What a scenario finds on what is left of a design, such as SteadyLoads::resultsAfter.
using ResultsAfter = std::function<Result<nlohmann::ordered_json>(const impact::NetworkLoss&)>;
struct PlanLeft {
    jobs::JobPlan plan;
    Text note; ///< why the plan is that of the whole design although something is lost
};
/// The plan on what is left of the design; `whole` where nothing is lost, or where the job cannot run there.
[[nodiscard]] PlanLeft plannedJobAfter(const jobs::JobPlan& whole, const impact::NetworkLoss& lost, const ResultsAfter& resultsAfter,
                                       const Figures& figures);

} // namespace hw::sim
