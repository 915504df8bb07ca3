// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/geometry/placement.h"
#include "core/design/edit/edits.h"

#include <optional>
#include <span>

namespace hw::edit {

// Edits that arrange several things of a plan together. Places are campus mm unless said otherwise. What stands in another thing of the list
// goes with it. Errors are Refused, and nothing is changed then but the transaction, which is to be dropped.

/// Where a thing stands; nothing for what has no place of its own, as devices in racks.
[[nodiscard]] std::optional<Box> boxOf(const Snapshot& snapshot, const ProjectParts& parts, const Placement& placement, EntityRef entity);

enum class AlignTo : std::uint8_t { Left, CenterX, Right, Bottom, CenterY, Top };
enum class PlanAxis : std::uint8_t { X, Y };
/// "left", "center-x", "right", "bottom", "center-y", "top"; "x", "y".
[[nodiscard]] std::optional<AlignTo> alignOf(std::string_view word);
[[nodiscard]] std::optional<PlanAxis> axisOf(std::string_view word);

/// Moves two or more things to one edge of what is around all of them, or to its middle.
[[nodiscard]] Result<void> align(Transaction& transaction, const ProjectParts& parts, std::span<const EntityRef> entities, AlignTo to);
/// Leaves the same gap between things, in the order in which they stand: between the outermost two, which stay, or of a given size from the first on.
[[nodiscard]] Result<void> distribute(Transaction& transaction, const ProjectParts& parts, std::span<const EntityRef> entities, PlanAxis along,
                                      std::optional<std::int64_t> gap_mm = {});
struct PlanPoint {
    std::int64_t x = 0, y = 0;
};
/// Turns rows, free-standing devices, structures and trays of a hall counterclockwise, together, about a point or their common middle.
[[nodiscard]] Result<void> rotateAbout(Transaction& transaction, const ProjectParts& parts, std::span<const EntityRef> entities, std::int64_t by_deg,
                                       std::optional<PlanPoint> about = {});
/// Mirrors the same along an axis, at a place on it or in their common middle: the racks of a row change their order, and face the other way where
/// the axis is across them.
[[nodiscard]] Result<void> mirror(Transaction& transaction, const ProjectParts& parts, std::span<const EntityRef> entities, PlanAxis along,
                                  std::optional<std::int64_t> at_mm = {});

/// Ends of a line or opposite corners of a rectangle, in the frame of what holds the thing: as its columns have them.
struct PlanLine {
    std::int64_t x1 = 0, y1 = 0, x2 = 0, y2 = 0;
    std::optional<std::int64_t> z1{}, z2{}; ///< of trays
};
/// Gives a building, a rectangular hall, a column or keep-out area new corners, a wall, door or tray new ends. What stands in a building or hall
/// stays where it is on the campus.
[[nodiscard]] Result<void> reshape(Transaction& transaction, EntityRef entity, const PlanLine& to);

} // namespace hw::edit
