// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/geometry/placement.h"

#include "core/derived/geometry/frame.h"

#include <cmath>

namespace hw {

Frame hallFrame(const Snapshot& s, HallId hall)
{
    const BuildingId building = s.halls.building[hall];
    return {s.buildings.x[building].count() + s.halls.x[hall].count(), s.buildings.y[building].count() + s.halls.y[hall].count(), 0};
}

Frame rowFrame(const Snapshot& s, RowId row)
{
    Frame frame = hallFrame(s, s.rows.hall[row]);
    frame.x += s.rows.x[row].count();
    frame.y += s.rows.y[row].count();
    frame.quarter = quarterOf(s.rows.angle[row]);
    return frame;
}

namespace {

Box buildingBox(const Snapshot& s, BuildingId id)
{
    const auto& t = s.buildings;
    const Point low{t.x[id].count(), t.y[id].count(), 0};
    return {low, {low.x + t.sizeX[id].count(), low.y + t.sizeY[id].count(), t.sizeZ[id].count()}};
}

Box hallBox(const Snapshot& s, HallId id)
{
    const Frame f = hallFrame(s, id);
    return {{f.x, f.y, 0}, {f.x + s.halls.sizeX[id].count(), f.y + s.halls.sizeY[id].count(), s.halls.sizeZ[id].count()}};
}

Box rackBox(const Snapshot& s, const ProjectParts& parts, RackId id)
{
    const Frame f = rowFrame(s, s.racks.row[id]);
    const RackSpec& spec = parts.rack(s.racks.type[id]);
    const std::int32_t along = s.racks.along[id].count(), across = s.racks.across[id].count();
    return boxAround(f.at(along, across, 0), f.at(along + spec.width.value.count(), across + spec.depth.value.count(), spec.height.value.count()));
}

/// The front is the side of lower `across`: seen from the front, a row's racks follow from left to right.
std::int16_t rackFacing(const Snapshot& s, RackId id) { return std::int16_t((quarterOf(s.rows.angle[s.racks.row[id]]) * 90 + 270) % 360); }

TrayLine trayLine(const Snapshot& s, TrayId id)
{
    const auto& t = s.trays;
    Frame f;
    if (t.row[id])
        f = rowFrame(s, *t.row[id]);
    else if (t.hall[id])
        f = hallFrame(s, *t.hall[id]);
    return {f.at(t.x1[id].count(), t.y1[id].count(), t.z1[id].count()), f.at(t.x2[id].count(), t.y2[id].count(), t.z2[id].count())};
}

StructureShape structureShape(const Snapshot& s, StructureId id)
{
    const auto& t = s.structures;
    const HallId hall = t.hall[id];
    const Frame f = hallFrame(s, hall);
    const std::int32_t height = t.height[id].count() > 0 ? t.height[id].count() : s.halls.sizeZ[hall].count();
    return {f.at(t.x1[id].count(), t.y1[id].count(), 0), f.at(t.x2[id].count(), t.y2[id].count(), 0), t.width[id].count(), height};
}

Box united(const Box& a, const Box& b)
{
    return {{std::min(a.low.x, b.low.x), std::min(a.low.y, b.low.y), std::min(a.low.z, b.low.z)},
            {std::max(a.high.x, b.high.x), std::max(a.high.y, b.high.y), std::max(a.high.z, b.high.z)}};
}

/// Boxes around the racks of the rows marked in `wanted`; a row without racks is the point of its origin.
void boxRows(const Snapshot& s, const std::vector<Box>& racks, const std::vector<char>& wanted, std::vector<Box>& rows)
{
    std::vector<char> seen(rows.size(), 0);
    s.rows.forEach([&](RowId id) {
        if (!wanted[id.value]) return;
        const Point origin = rowFrame(s, id).at(0, 0, 0);
        rows[id.value] = {origin, origin};
    });
    s.racks.forEach([&](RackId id) {
        const std::uint32_t row = s.racks.row[id].value;
        if (!wanted[row]) return;
        rows[row] = seen[row] ? united(rows[row], racks[id.value]) : racks[id.value];
        seen[row] = 1;
    });
}

/// True when a change needs more than moving single rows, racks and trays.
bool needsAll(const ChangeSet& c, const RowChanges& rows, const RowChanges& racks, const RowChanges& trays)
{
    if (c.changesAny<PartTypes, Buildings, Halls, Structures>()) return true;
    for (const RowChanges* r : {&rows, &racks, &trays})
        if (!r->inserted.empty() || !r->erased.empty()) return true;
    return false;
}

} // namespace

Box StructureShape::box() const
{
    const double dx = b.x - a.x, dy = b.y - a.y, length = std::hypot(dx, dy);
    const auto across = [&](double d) { return std::int32_t(std::ceil(length > 0 ? width / 2.0 * std::abs(d) / length : 0)); };
    const std::int32_t sideX = length > 0 ? across(dy) : width / 2, sideY = length > 0 ? across(dx) : width / 2; // a point is a round column
    return {{std::min(a.x, b.x) - sideX, std::min(a.y, b.y) - sideY, std::min(a.z, b.z)},
            {std::max(a.x, b.x) + sideX, std::max(a.y, b.y) + sideY, std::max(a.z, b.z) + height}};
}

std::shared_ptr<const Placement> Placement::compute(const Snapshot& s, const ProjectParts& parts)
{
    auto result = std::make_shared<Placement>();
    result->m_buildings.resize(s.buildings.nextId());
    result->m_halls.resize(s.halls.nextId());
    result->m_rows.resize(s.rows.nextId());
    result->m_racks.resize(s.racks.nextId());
    result->m_facing.resize(s.racks.nextId());
    result->m_trays.resize(s.trays.nextId());
    s.buildings.forEach([&](BuildingId id) { result->m_buildings[id.value] = buildingBox(s, id); });
    s.halls.forEach([&](HallId id) { result->m_halls[id.value] = hallBox(s, id); });
    s.racks.forEach([&](RackId id) {
        result->m_racks[id.value] = rackBox(s, parts, id);
        result->m_facing[id.value] = rackFacing(s, id);
    });
    boxRows(s, result->m_racks, std::vector<char>(result->m_rows.size(), 1), result->m_rows);
    s.trays.forEach([&](TrayId id) { result->m_trays[id.value] = trayLine(s, id); });
    result->m_structures.resize(s.structures.nextId());
    s.structures.forEach([&](StructureId id) { result->m_structures[id.value] = structureShape(s, id); });
    return result;
}

std::shared_ptr<const Placement> Placement::update(const Placement& before, const Snapshot& s, const ProjectParts& parts, const ChangeSet& changes)
{
    const RowChanges rows = changes.rows<Rows>(), racks = changes.rows<Racks>(), trays = changes.rows<Trays>();
    if (needsAll(changes, rows, racks, trays)) return compute(s, parts);

    auto result = std::make_shared<Placement>(before);
    std::vector<char> movedRow(result->m_rows.size(), 0), movedRack(result->m_racks.size(), 0), movedTray(result->m_trays.size(), 0);
    for (const auto& u : rows.updated) movedRow[u.row] = 1;
    for (const auto& u : racks.updated) movedRack[u.row] = 1;
    for (const auto& u : trays.updated) movedTray[u.row] = 1;

    // A rack that changed its row may have shrunk any other row's box.
    const bool rowsOfRacks = changes.touches(&Racks::row);
    std::vector<char> staleRow = rowsOfRacks ? std::vector<char>(movedRow.size(), 1) : movedRow;
    s.racks.forEach([&](RackId id) {
        const std::uint32_t row = s.racks.row[id].value;
        if (!movedRow[row] && !movedRack[id.value]) return;
        result->m_racks[id.value] = rackBox(s, parts, id);
        result->m_facing[id.value] = rackFacing(s, id);
        staleRow[row] = 1;
    });
    boxRows(s, result->m_racks, staleRow, result->m_rows);
    s.trays.forEach([&](TrayId id) {
        const auto row = s.trays.row[id];
        if (movedTray[id.value] || (row && movedRow[(*row).value])) result->m_trays[id.value] = trayLine(s, id);
    });
    return result;
}

std::int32_t heightOfUnitMm(int u) { return kRackBaseMm + std::int32_t(std::int64_t(std::max(u - 1, 0)) * kRackUnitUm / 1000); }

Box Placement::device(const Snapshot& s, const ProjectParts& parts, DeviceId id) const
{
    const DeviceSpec& spec = parts.device(s.devices.type[id]);
    if (const auto rack = s.devices.rack[id]) {
        Box box = m_racks[(*rack).value];
        const std::int32_t low = heightOfUnitMm(s.devices.u[id]);
        box.low.z = low;
        box.high.z = low + std::int32_t(std::int64_t(spec.halfUnits) * kRackUnitUm / 2000);
        return box;
    }
    Frame frame;
    if (const auto row = s.devices.row[id])
        frame = rowFrame(s, *row);
    else if (const auto hall = s.devices.hall[id])
        frame = hallFrame(s, *hall);
    std::int32_t along = spec.width.value.count(), across = spec.depth.value.count();
    if (quarterOf(s.devices.angle[id]) % 2 != 0) std::swap(along, across);
    const std::int32_t x = s.devices.x[id].count(), y = s.devices.y[id].count(), z = s.devices.z[id].count();
    return boxAround(frame.at(x, y, z), frame.at(x + along, y + across, z + spec.height.value.count()));
}

} // namespace hw
