// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"
#include "core/derived/figures/figures.h"
#include "core/derived/impact/network_loss.h"

#include <functional>
#include <vector>

#include <nlohmann/json.hpp>

namespace hw::cli {

/// `--scenario` of commands that follow a hall.
void declareSimulated(CLI::App& app, std::string& scenario);
/// What the links of a design carry on average while what a scenario describes goes on, as monitoring::Monitor and emulation::Hall take it.
struct SimulatedLoads {
    std::vector<float> gbps; ///< empty: nothing was asked
    impact::LoadsAfter after;
    nlohmann::ordered_json results;                                                           ///< of the scenario
    std::function<Result<nlohmann::ordered_json>(const impact::NetworkLoss&)> resultsAfter{}; ///< of the scenario on what is left of the design
};
/// Nothing for an empty name. A scenario that names a template is asked about the project as it is, as by `simulate`; where that is made from
/// another one, a note says so. Errors: those of sim::SteadyLoads.
[[nodiscard]] Result<SimulatedLoads> simulatedLoads(const std::string& scenario, const Figures& figures, const Progress& progress);

} // namespace hw::cli
