// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/tables.h"
#include "importers/ifc/ifc_geometry.h"

namespace hw::importers::ifc {

/// A space as a room: its outline in mm of the world.
struct IfcRoom {
    std::uint64_t number = 0; ///< of its instance; 0: made of a ring of walls
    std::string name, longName;
    std::vector<Spot2> outline;
    double low = 0, height = 0;
    std::uint64_t story = 0, building = 0;           ///< instances; 0: none
    std::map<std::string, std::string> properties{}; ///< of the set "Hall_Space"
};

/// A wall, column, door, ramp or keep-out, straight from a to b in the plan, in mm of the world.
struct IfcPiece {
    StructureKind kind = StructureKind::Wall;
    std::string name;
    Spot2 a, b;
    double width = 0, height = 0, low = 0;
    std::uint64_t story = 0;
    std::vector<std::uint64_t> spaces{}; ///< that it is in or refers to
};

struct IfcStory {
    std::string name;
    std::uint64_t building = 0;
};
struct IfcSiteBuilding {
    std::string name;
    std::optional<Spot3> origin;                     ///< of its placement in mm of the world, where that is not turned
    std::map<std::string, std::string> properties{}; ///< of the set "Hall_Building"
};

/// What of a building model makes rooms.
struct IfcModel {
    std::vector<IfcRoom> rooms;
    std::vector<IfcPiece> pieces;
    std::map<std::uint64_t, IfcStory> stories;
    std::map<std::uint64_t, IfcSiteBuilding> buildings;
    std::map<std::string, std::size_t> ignored;   ///< elements of other kinds, by entity
    std::map<std::string, std::size_t> shapeless; ///< spaces, walls … without a body that can be read, by entity
    std::vector<Text> doubts;
};
[[nodiscard]] IfcModel readModel(const StepFile& file);

} // namespace hw::importers::ifc
