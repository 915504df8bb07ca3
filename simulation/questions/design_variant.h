// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/questions/scenario_kind.h"

#include <map>

namespace hw::sim {
inline namespace questions {

/// A shipped template (by name) or a template file (by path), generated with parameters. Errors name `design.…`.
[[nodiscard]] Result<ScenarioDesign> generatedDesign(const std::string& nameOrPath, const std::map<std::string, Json>& set, const Progress& progress);

/// The design regenerated with changed template parameters, what was changed by hand kept; the given one stays as it is.
[[nodiscard]] Result<ScenarioDesign> variantOf(const ScenarioDesign& base, const std::map<std::string, Json>& set, const Progress& progress);

} // namespace questions
} // namespace hw::sim
