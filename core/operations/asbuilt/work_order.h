// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/files/plain_table.h"
#include "core/operations/asbuilt/compare.h"

namespace hw::asbuilt {

/// What a step is called on paper: "connect", "unplug", "move", "re-seat", "set the rate".
[[nodiscard]] Text actionText(WorkStep::Do what);
[[nodiscard]] std::string_view actionWord(WorkStep::Do what);

/// Where a device stands, for people on the floor; empty and -1 where it is not placed.
struct FloorPlace {
    std::string hall, row, rack;
    int u = -1;
};
[[nodiscard]] FloorPlace floorPlace(const Snapshot& snapshot, Maybe<DeviceId> device);

/// One step with its difference, at one rack; racks in the order of halls and rows, what stands in none last, in a rack from the top down.
struct RackStep {
    std::size_t difference = 0; ///< of the comparison's list
    const WorkStep* step = nullptr;
    FloorPlace at, to;
};
[[nodiscard]] std::vector<RackStep> stepsByRack(const Snapshot& snapshot, const Comparison& comparison);

/// The work order as a table: a row per step, rack by rack. Figures and comparison must outlive it.
[[nodiscard]] PlainTable workTable(const Figures& figures, const Comparison& comparison);
/// The same to be printed: a sheet per rack with boxes to tick.
[[nodiscard]] std::string workSheet(const Figures& figures, const Comparison& comparison);

} // namespace hw::asbuilt
