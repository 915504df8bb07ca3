// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/snapshot.h"

#include <span>
#include <vector>

namespace hw::site {

/// A place on the floor in mm of the room's frame.
struct FloorPoint {
    std::int32_t x = 0, y = 0;
    friend bool operator==(const FloorPoint&, const FloorPoint&) = default;
};
/// Along the axes; what only touches it is outside.
struct FloorRect {
    std::int32_t x1 = 0, y1 = 0, x2 = 0, y2 = 0;
    [[nodiscard]] FloorRect grown(std::int32_t x, std::int32_t y) const { return {x1 - x, y1 - y, x2 + x, y2 + y}; }
    [[nodiscard]] FloorRect transposed() const { return {y1, x1, y2, x2}; }
    [[nodiscard]] bool meets(const FloorRect& o) const { return x1 < o.x2 && o.x1 < x2 && y1 < o.y2 && o.y1 < y2; }
    friend bool operator==(const FloorRect&, const FloorRect&) = default;
};

/// Something that stands in a room, as far as rows of racks mind: a straight piece with a width, at any angle.
struct Obstacle {
    StructureKind kind = StructureKind::Column;
    FloorPoint a, b;
    std::int32_t width = 0;
    [[nodiscard]] FloorRect box() const; ///< around it
    /// Whether it covers floor of a rectangle.
    [[nodiscard]] bool meets(const FloorRect& rect) const;
    /// A door with the floor that stays free before and behind it: as far as it opens, and an aisle's least width.
    [[nodiscard]] Obstacle withFloor() const;
};

/// A room as a polygon with what stands in it. Plain values; any thread.
class RoomShape {
public:
    RoomShape(std::vector<FloorPoint> outline, std::vector<Obstacle> obstacles);
    /// A hall with its corners (or the rectangle of its size) and structures.
    [[nodiscard]] static RoomShape of(const Snapshot& design, HallId hall);

    [[nodiscard]] const std::vector<FloorPoint>& outline() const { return m_outline; }
    [[nodiscard]] const std::vector<Obstacle>& obstacles() const { return m_obstacles; }
    [[nodiscard]] FloorRect bounds() const { return m_bounds; }
    [[nodiscard]] bool contains(const FloorRect& rect) const; ///< whole within the outline
    /// Whether a rectangle, with `clearance` all around, is in the room and free of all that stands there. Doors keep theirs by themselves.
    [[nodiscard]] bool fits(const FloorRect& rect, std::int32_t clearance = 0) const;
    [[nodiscard]] RoomShape transposed() const; ///< x for y

private:
    std::vector<FloorPoint> m_outline;
    std::vector<Obstacle> m_obstacles;
    FloorRect m_bounds;
    bool m_rectangle = false; ///< along the axes
};

inline constexpr std::int32_t kDoorFloorMm = 1200; ///< free before a door: an aisle's least width (S4)

} // namespace hw::site
