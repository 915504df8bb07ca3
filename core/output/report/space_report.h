// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"

#include <nlohmann/json_fwd.hpp>

namespace hw {

/// "halls" of the report: size, cells, rows, racks, power and the heaviest rack of every room with racks.
[[nodiscard]] nlohmann::ordered_json hallsJson(const Figures& figures);
/// "power.by_tier": what the devices of every tier draw, in every hall and together.
[[nodiscard]] nlohmann::ordered_json tierPowerJson(const Figures& figures);
/// "power.peaks": the rack and the row that draw most, on every basis.
[[nodiscard]] nlohmann::ordered_json peaksJson(const Figures& figures);
/// "fibre.runs": the data cables between every two tiers: lengths, those that leave their hall, and how many are bought at each length.
[[nodiscard]] nlohmann::ordered_json cableRunsJson(const Figures& figures);
/// "fibre.trays": where every tray is fullest.
[[nodiscard]] nlohmann::ordered_json traysJson(const Figures& figures);

} // namespace hw
