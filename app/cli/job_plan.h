// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/derived/impact/network_loss.h"
#include "core/operations/isolation/isolation.h"
#include "core/operations/jobs/evaluation.h"

#include <nlohmann/json.hpp>

namespace hw::cli {

/// What a scenario of a training job found, as a plan to compare a job with; its goodput by the design's own faults and storage, 0 where servers
/// have no path to storage nodes. Error: Refused for results of anything else.
[[nodiscard]] Result<jobs::JobPlan> jobPlanOf(const std::string& scenario, const nlohmann::ordered_json& results, const Figures& figures);

/// What is out of service: of hosts and links that alarms of `frame` report as failed (null: none), elements by name with all that follows from
/// their loss, and hosts that are cordoned. Errors: Refused for an unknown name, with the option as place; Canceled.
[[nodiscard]] Result<impact::NetworkLoss> lostOf(const FiguresPtr& figures, const monitoring::Frame* frame, const std::vector<std::string>& failed,
                                                 const std::vector<isolation::Cordoned>& cordoned, const Progress& progress);

} // namespace hw::cli
