// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/physics/site/room_shape.h"

#include <array>

namespace hw::site {

/// What a cell is: two rows of racks back to back around a hot aisle, their fronts to cold aisles. Lengths in mm.
struct CellRequest {
    std::int32_t rowLength = 11'000, rackDepth = 1'200, rackWidth = 600;
    std::int32_t hotAisle = 1'800, coldAisle = 3'000;
    std::int32_t wallFront = 2'400; ///< from a front to the room's outline
    std::int32_t wallEnd = 4'500;   ///< from a row's end to it: fan walls, doors
    std::int32_t passage = 1'200;   ///< that stays free before fronts and row ends, whatever stands there (S4)
    std::int32_t grid = 100;        ///< places that are looked at
    int angle = 90;                 ///< in which rows run: 0 along x, 90 along y
    bool single = false;            ///< one row to a cell, `passage` behind it: rooms too narrow for two
    std::int32_t egress = 0;        ///< from the middle of a rack to a door at most, along the axes; 0: not looked at
    friend auto operator<=>(const CellRequest&, const CellRequest&) = default;
};

/// A row of a cell: its floor, and where no rack stands in it, along the row from its low end: at columns, and too far from any door.
struct RowPlace {
    FloorRect box;
    std::vector<std::pair<std::int32_t, std::int32_t>> gaps;
    std::int32_t racks = 0; ///< positions beside the gaps
    friend bool operator==(const RowPlace&, const RowPlace&) = default;
};
struct CellPlace {
    std::array<RowPlace, 2> rows;
    [[nodiscard]] std::int32_t racks() const { return rows[0].racks + rows[1].racks; }
    friend bool operator==(const CellPlace&, const CellPlace&) = default;
};

/// The places in a room for as many racks as possible, in lines of cells whose rows begin on one line: most racks, then nearest to
/// the room's low corner. The second row of a single cell is empty. Exact on the grid for such lines; linear in places times what stands near them.
/// Walls, ramps and columns leave `passage` before each front and row end; a column may stand within a row, where it takes positions, and in a cold
/// aisle; none stands in a hot aisle; the floor before doors and keep-outs carries no cell. In a room with doors no rack is farther from one than
/// `egress`.
[[nodiscard]] std::vector<CellPlace> cellPlaces(const RoomShape& room, const CellRequest& wish);

[[nodiscard]] std::int32_t racksOf(std::span<const CellPlace> cells);

} // namespace hw::site
