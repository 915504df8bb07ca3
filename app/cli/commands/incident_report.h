// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"
#include "core/output/incident/incident.h"

#include <optional>
#include <string>

namespace hw::cli {

/// `--incident FILE` and `--paper` of commands that follow a hall.
void declareIncident(CLI::App& app, std::string& output, std::string& paper);
/// Before anything is followed. Errors: Usage, for a name that ends in nothing known, or paper without a report.
[[nodiscard]] Result<void> checkIncident(const std::string& output, const std::string& paper);
/// Writes the report of what was reported. Error: Refused where nothing was judged.
[[nodiscard]] Outcome writeIncident(const std::string& project, const std::optional<monitoring::Incident>& incident, const std::string& output,
                                    const std::string& paper, const Progress& progress);

} // namespace hw::cli
