// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/catalog/catalog.h"
#include "core/foundation/model/changeset.h"

#include <vector>

namespace hw {

/// A point on the campus in mm: x east, y north, z up from the floor.
struct Point {
    std::int32_t x = 0, y = 0, z = 0;
    friend bool operator==(const Point&, const Point&) = default;
};

struct Box {
    Point low, high;
    friend bool operator==(const Box&, const Box&) = default;
};

/// A tray's center line on the campus.
struct TrayLine {
    Point a, b;
    friend bool operator==(const TrayLine&, const TrayLine&) = default;
};

/// A wall, column or door on the campus: its line in the middle, and its width and height.
struct StructureShape {
    Point a, b;
    std::int32_t width = 0, height = 0;
    [[nodiscard]] Box box() const; ///< around it
    friend bool operator==(const StructureShape&, const StructureShape&) = default;
};

/// Where everything stands on the campus, worked out from the nested frames of the tables.
/// Arrays are indexed by id; entries of dead rows are default boxes. Immutable once made.
class Placement {
public:
    [[nodiscard]] static std::shared_ptr<const Placement> compute(const Snapshot& snapshot, const ProjectParts& parts);
    /// The same result as `compute`, made from the placement before the change.
    [[nodiscard]] static std::shared_ptr<const Placement> update(const Placement& before, const Snapshot& after, const ProjectParts& parts,
                                                                 const ChangeSet& changes);

    [[nodiscard]] const Box& building(BuildingId id) const { return m_buildings[id.value]; }
    [[nodiscard]] const Box& hall(HallId id) const { return m_halls[id.value]; }
    [[nodiscard]] const Box& row(RowId id) const { return m_rows[id.value]; } ///< around its racks
    [[nodiscard]] const Box& rack(RackId id) const { return m_racks[id.value]; }
    [[nodiscard]] const TrayLine& tray(TrayId id) const { return m_trays[id.value]; }
    [[nodiscard]] const StructureShape& structure(StructureId id) const { return m_structures[id.value]; }
    /// A device in a rack: its U range over the rack's footprint; one over a row or free in a room: its own box.
    [[nodiscard]] Box device(const Snapshot& snapshot, const ProjectParts& parts, DeviceId id) const;
    /// Direction in which the rack's front faces, in degrees (0 = +x, 90 = +y). The front is the rack's
    /// side of lower `across`, so a row at angle 0 faces -y (270).
    [[nodiscard]] int facing(RackId id) const { return m_facing[id.value]; }
    friend bool operator==(const Placement&, const Placement&) = default;

private:
    std::vector<Box> m_buildings, m_halls, m_rows, m_racks;
    std::vector<TrayLine> m_trays;
    std::vector<StructureShape> m_structures;
    std::vector<std::int16_t> m_facing;
};

inline constexpr std::int32_t kRackUnitUm = 44450; ///< height of one rack unit in µm (EIA-310)
inline constexpr std::int32_t kRackBaseMm = 100;   ///< from the floor to the first unit (assumed)
/// Height of the lower edge of rack unit `u` (from 1) above the floor.
[[nodiscard]] std::int32_t heightOfUnitMm(int u);

} // namespace hw
