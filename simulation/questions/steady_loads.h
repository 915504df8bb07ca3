// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/impact/network_loss.h"
#include "simulation/questions/request.h"

namespace hw::sim {
inline namespace questions {

/// What the links of a design carry on average while that which a scenario asks about goes on, also once something of the network is lost:
/// what a hall that is followed is held against. A template that the scenario names is what it would make where no design is given, as for
/// `runRequest`; the design is asked as it stands.
class SteadyLoads {
public:
    /// Errors: those of the scenario; Refused where it has many answers, or changes the design first, or describes nothing that lasts.
    [[nodiscard]] static Result<SteadyLoads> of(const ScenarioRequest& request, const ScenarioDesign& design, const Progress& progress = {});

    [[nodiscard]] const std::vector<float>& whole() const { return m_whole; } ///< with nothing lost; Gb/s by directed link
    [[nodiscard]] const Json& results() const { return m_results; }           ///< what the scenario found with nothing lost
    /// Empty: it does not go on. Routers and hosts know what is lost; a job goes on with the hosts that are left.
    [[nodiscard]] std::vector<float> after(const impact::NetworkLoss& loss) const;
    /// What the scenario finds on what is left of the design. Errors: those of the scenario; too little is left of it.
    [[nodiscard]] Result<Json> resultsAfter(const impact::NetworkLoss& loss) const;

private:
    [[nodiscard]] Result<ScenarioOutcome> runAfter(const impact::NetworkLoss& loss) const;
    SteadyLoads(const ScenarioKind& kind, Json parameters, ScenarioDesign design)
        : m_kind(&kind), m_parameters(std::move(parameters)), m_design(std::move(design))
    {
    }
    const ScenarioKind* m_kind;
    Json m_parameters;
    ScenarioDesign m_design;
    Json m_results;
    std::vector<float> m_whole;
};

} // namespace questions
} // namespace hw::sim
