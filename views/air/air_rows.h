// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/air/hall.h"
#include "simulation/air/openfoam.h"
#include "views/models/cell_table_model.h"

namespace hw::views {

// What the panel of the air lists. `before`: the hall without failures, or null.

[[nodiscard]] QStringList airRackHeaders();
[[nodiscard]] std::vector<CellRow> airRackRows(const Figures& figures, const sim::air::HallAir& air, const sim::air::HallAir* before,
                                               const sim::air::FoamAnswer* foam = nullptr);
[[nodiscard]] QStringList airUnitHeaders();
[[nodiscard]] std::vector<CellRow> airUnitRows(const Figures& figures, const sim::air::HallAir& air, const sim::air::HallAir* before);
/// Findings of the hall, then each rack above the recommended temperature, warmest first.
[[nodiscard]] std::vector<CellRow> airFindingRows(const Figures& figures, const sim::air::HallAir& air);
/// Metrics with what they are from, then the assumptions.
[[nodiscard]] std::vector<CellRow> airMetricRows(const sim::air::HallAir& air, const sim::air::HallAir* before);

} // namespace hw::views
