// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <string>
#include <vector>

namespace hw::cli {

/// The text of a scenario: a shipped one by name (resources/scenarios), or a file's. `where` is what messages call it.
struct ScenarioText {
    std::string text, where;
};
[[nodiscard]] Result<ScenarioText> readScenario(const std::string& nameOrPath);

/// Names of the shipped scenarios, sorted.
[[nodiscard]] std::vector<std::string> shippedScenarios();

} // namespace hw::cli
