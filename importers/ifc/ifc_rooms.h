// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/formats.h"
#include "importers/ifc/ifc_building.h"

namespace hw::importers::ifc {

/// Which rooms of a model become which.
struct RoomChoice {
    std::string path, stem;          ///< of the file; the name without its ending
    std::vector<std::string> spaces; ///< names or long names of those to read; empty: all
    std::string hall;                ///< to put the one room into; empty: new halls in new buildings
};
/// Writes rooms with their walls, columns and doors into a design. Errors: Refused.
[[nodiscard]] Result<void> writeRooms(Snapshot& design, const IfcModel& model, const RoomChoice& choice, exchange::ImportPlan& plan);

} // namespace hw::importers::ifc
