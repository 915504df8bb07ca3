// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/report/report.h"

namespace hw {

/// Cost, phases and stages of a report, of which counts and power are there already.
void fillMoney(const Figures& figures, const Bom& bom, Report& report);
/// Of its cost per kW of IT what stands beyond the required capacity: redundancy, and standard sizes; 0 where that is not compared.
[[nodiscard]] double beyondRequired(const Report::Cost::Item& item);
[[nodiscard]] nlohmann::ordered_json costJson(const Report::Cost& cost);
[[nodiscard]] nlohmann::ordered_json phasesJson(const Report& report);
[[nodiscard]] nlohmann::ordered_json stagesJson(const Stages& stages);

} // namespace hw
