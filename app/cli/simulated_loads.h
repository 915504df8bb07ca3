// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"
#include "core/derive/figures.h"

#include <vector>

namespace hw::cli {

/// `--scenario` of commands that follow a hall.
void declareSimulated(CLI::App& app, std::string& scenario);
/// What the links of a design carry on average while what a scenario describes goes on: Gb/s by directed link, as watch::Watch takes it.
/// Nothing for an empty name. Errors: those of the scenario; Refused where it asks about another design, many at once, or nothing that lasts.
[[nodiscard]] Result<std::vector<float>> simulatedLoads(const std::string& scenario, const Figures& figures, const Progress& progress);

} // namespace hw::cli
