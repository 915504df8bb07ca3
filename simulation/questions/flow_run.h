// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/catalogue/catalogue.h"
#include "simulation/questions/flow_question.h"
#include "simulation/result.h"

namespace hw::sim::inline questions {

/// Runs a scenario on a snapshot: draws the flows, routes them by ECMP over the fabric, solves exact
/// max-min rates, proves them, and finds the completion time. Any thread; errors name the scenario's key.
[[nodiscard]] Result<std::shared_ptr<const FlowResult>> runScenario(const Snapshot& snapshot, const Scenario& scenario,
                                                                    const Progress& progress = {});

/// The result as JSON (hallwright.result/1): summary, hottest links by name, certificate, notes; with
/// `everyFlow` also rate and finish time of every flow.
[[nodiscard]] std::string resultJson(const Snapshot& snapshot, const ProjectParts& parts, const Scenario& scenario, const FlowResult& result,
                                     bool everyFlow);
/// The same for people.
[[nodiscard]] std::string resultText(const Snapshot& snapshot, const ProjectParts& parts, const Scenario& scenario, const FlowResult& result);

} // namespace hw::sim::inline questions
