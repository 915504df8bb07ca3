// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/report.h"

namespace hw {

/// What the report says of cooling, from the chain.
void fillCooling(const Figures& figures, Report& report);
/// The part "cooling" of `report --json`.
[[nodiscard]] nlohmann::ordered_json coolingJson(const Report::Cooling& cooling, const Figures& figures);
/// One line a loop, and below it what of it does not fit.
[[nodiscard]] std::vector<Text> coolingLines(const Report::Cooling& cooling, const Figures& figures);

} // namespace hw
