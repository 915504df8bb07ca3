// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/dxf/racks.h"
#include "importers/dxf/recognize.h"

namespace hw::importers::dxf {

/// What goes into the design: a room with its walls, and the drawing under it.
struct RoomDrawing {
    std::string path, file, stem; ///< file: its name, which the drawing is known by
    std::string hall;             ///< to draw into; empty: a new one in a new building
    const Recognized* room = nullptr;
    const std::vector<Drawn>* drawn = nullptr;
    std::vector<DrawnRack> racks{};
    bool rackRules = false; ///< racks were asked for
};
/// Changes `design`; tells what it did. Errors: Refused.
[[nodiscard]] Result<void> writeRoom(Snapshot& design, const RoomDrawing& room, exchange::ImportPlan& plan);

} // namespace hw::importers::dxf
