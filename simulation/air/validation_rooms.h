// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/air/plan.h"

#include <nlohmann/json.hpp>

namespace hw::sim::air {

/// Rooms of published measurements, from the entries of resources/air/validation.json.
[[nodiscard]] RoomPlan pod2Plan(const nlohmann::ordered_json& window);
/// Rack and probe positions are drawings in the paper: rows of five at 0.6 m, closed by a door, symmetrical (assumed).
[[nodiscard]] RoomPlan module1Plan(const nlohmann::ordered_json& document);
/// Place of a velocity probe in plan (assumed): L1 … L3 in the hot aisle, L4 outside its door, L5 in front of a unit.
[[nodiscard]] std::array<double, 2> module1Mast(std::string_view name);

} // namespace hw::sim::air
