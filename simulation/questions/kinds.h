// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/questions/analyses.h"
#include "simulation/questions/scenario_kind.h"

namespace hw::sim {
inline namespace questions {

/// The kinds that ask about a design. A new one: a maker in a kinds_*.cpp, listed in kinds_design.cpp.
[[nodiscard]] std::vector<ScenarioKind> designKinds();
[[nodiscard]] std::vector<ScenarioKind> fabricKinds();
[[nodiscard]] std::vector<ScenarioKind> failureKinds();
[[nodiscard]] std::vector<ScenarioKind> trainingKinds();
[[nodiscard]] std::vector<ScenarioKind> faultKinds();
[[nodiscard]] std::vector<ScenarioKind> mixKinds();
[[nodiscard]] std::vector<ScenarioKind> jobKinds();
[[nodiscard]] std::vector<ScenarioKind> deploymentKinds();
[[nodiscard]] std::vector<ScenarioKind> frontendKinds();
[[nodiscard]] std::vector<ScenarioKind> airKinds();

} // namespace questions
} // namespace hw::sim
