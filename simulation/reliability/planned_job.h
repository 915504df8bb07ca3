// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/operations/jobs/evaluation.h"

#include <nlohmann/json.hpp>

namespace hw::sim {

/// What a scenario of a training job found, as a plan to compare a job with; its goodput by the design's own faults and storage, 0 where servers
/// have no path to storage nodes. Error: Refused for results of anything else.
[[nodiscard]] Result<jobs::JobPlan> plannedJob(const std::string& scenario, const nlohmann::ordered_json& results, const Figures& figures);

} // namespace hw::sim
