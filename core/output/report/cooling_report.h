// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/report/report.h"

namespace hw {

/// What the report says of cooling, from the chain.
void fillCooling(const Figures& figures, Report& report);
/// The part "cooling" of `report --json`.
[[nodiscard]] nlohmann::ordered_json coolingJson(const Report::Cooling& cooling, const Figures& figures);
/// Losses of the power chain, the draw of cooling at the heat of the design, and the PUE of both.
[[nodiscard]] Text lossesText(const Report& report);
/// The flow of PG25 beside planners' rule of 15.0 / ΔT L/min a kW, and how far they part; nothing where no PG25 flows.
[[nodiscard]] std::optional<Text> flowRuleText(const Report::Cooling& cooling);
/// One line a loop, and below it what of it does not fit.
[[nodiscard]] std::vector<Text> coolingLines(const Report::Cooling& cooling, const Figures& figures);

} // namespace hw
