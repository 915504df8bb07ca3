// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/document/report_document.h"
#include "core/output/report/report.h"
#include "simulation/air/hall.h"

namespace hw::sim::air {

/// The air of every hall with air units, all of them running; `known`: answers that are there already. Errors: Refused for a design without such a
/// hall; those of solveHall().
[[nodiscard]] Result<std::vector<std::shared_ptr<const HallAir>>> solveHalls(const Figures& figures, const HallOptions& options,
                                                                             const Progress& progress = {},
                                                                             const std::vector<std::shared_ptr<const HallAir>>& known = {});
/// Sections of the report: plan in the colors of the inlets, certificate, metrics with their sources, findings, warmest racks, assumptions.
void addAir(document::ReportDocument& document, const std::vector<std::shared_ptr<const HallAir>>& halls);

/// The report as text and as JSON; without halls as it is.
[[nodiscard]] std::string reportText(const Report& report, const Figures& figures, const std::vector<std::shared_ptr<const HallAir>>& halls);
[[nodiscard]] nlohmann::ordered_json reportJson(const Report& report, const Figures& figures,
                                                const std::vector<std::shared_ptr<const HallAir>>& halls);

} // namespace hw::sim::air
