// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/template/layout_plan.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw::layout {

namespace {

constexpr std::int32_t kHallZ = 4500, kBuildingZ = 7000; ///< mm

/// Writes one hall with all that stands in it.
class PlaceWriter {
public:
    PlaceWriter(Snapshot& design, Plan& plan, Parts& parts, std::uint32_t number)
        : m_out(design), m_plan(plan), m_parts(parts), m_b(plan.halls[number]), m_prefix(plan.severalHalls() ? m_b.name + "-" : std::string()),
          m_stem(m_b.key.substr(m_b.key.find('/') + 1))
    {
    }

    void run()
    {
        writeBuilding();
        writeHall();
        for (std::uint32_t r = 0; r < m_b.rows.size(); ++r) writeRow(r);
    }

private:
    /// The first hall of a building brings the building.
    void writeBuilding()
    {
        auto& t = m_out.buildings;
        const std::string key = fmt::format("building.auto/{}", m_b.core ? "core=0" : fmt::format("n={}", m_b.site));
        t.forEach([&](BuildingId id) {
            if (t.key[id] == key) m_building = id;
        });
        if (m_building) return;
        const BuildingId id = t.insert();
        m_building = id;
        t.key.set(id, key);
        t.name.set(id, m_b.siteName);
        t.kind.set(id, m_b.core ? BuildingKind::Network : BuildingKind::Pod);
        t.x.set(id, Millimetres(m_b.siteX)), t.y.set(id, Millimetres(m_b.siteY));
        t.sizeX.set(id, Millimetres(m_b.siteSizeX)), t.sizeY.set(id, Millimetres(m_b.siteSizeY)), t.sizeZ.set(id, Millimetres(kBuildingZ));
        t.itLimit.set(id, m_b.core ? Milliwatts() : watts(m_plan.options.buildingLimitW));
    }

    void writeHall()
    {
        auto& t = m_out.halls;
        m_b.id = t.insert();
        t.key.set(m_b.id, "hall.auto/" + m_stem);
        t.name.set(m_b.id, m_b.hallName);
        t.building.set(m_b.id, *m_building);
        t.x.set(m_b.id, Millimetres(m_b.x - m_b.siteX + kHallX)), t.y.set(m_b.id, Millimetres(m_b.y - m_b.siteY + kHallY));
        t.sizeX.set(m_b.id, Millimetres(m_b.hallX)), t.sizeY.set(m_b.id, Millimetres(m_b.hallY)), t.sizeZ.set(m_b.id, Millimetres(kHallZ));
    }

    /// Rows of a cell stand back to back at its hot aisle; all are centred on the middle of the hall.
    void writeRow(std::uint32_t r)
    {
        auto& row = m_b.rows[r];
        auto& t = m_out.rows;
        const std::int32_t cell = std::int32_t(r / 2), side = std::int32_t(r % 2), front = kFirstFrontMm + cell * m_b.pitch;
        row.id = t.insert();
        t.key.set(row.id, fmt::format("row.auto/{}/cell={}/side={}", m_stem, cell, side));
        t.name.set(row.id, fmt::format("{}c{:02}-row{}", m_prefix, cell + 1, side + 1));
        t.hall.set(row.id, m_b.id);
        const std::int32_t low = (m_b.hallY - row.widthMm) / 2;
        t.x.set(row.id, Millimetres(side == 0 ? front : front + m_b.pitch - m_plan.options.coldAisle));
        t.y.set(row.id, Millimetres(side == 0 ? low + row.widthMm : low));
        t.angle.set(row.id, std::int16_t(side == 0 ? 270 : 90));
        t.cell.set(row.id, cell);
        for (const std::uint32_t rack : row.racks) writeRack(m_plan.racks[rack], row.id, cell, side);
    }

    void writeRack(PlannedRack& rack, RowId row, std::int32_t cell, std::int32_t side)
    {
        auto& t = m_out.racks;
        rack.name = fmt::format("{}c{:02}-r{}-{:02}", m_prefix, cell + 1, side + 1, rack.position + 1);
        rack.id = t.insert();
        t.key.set(rack.id, rack.key);
        t.name.set(rack.id, rack.name);
        t.row.set(rack.id, row);
        if (m_lastType != rack.type) m_lastType = rack.type, m_typeId = m_parts.use(rack.type);
        t.type.set(rack.id, m_typeId);
        t.along.set(rack.id, Millimetres(rack.along)), t.across.set(rack.id, Millimetres(0));
        t.powerLimit.set(rack.id, m_parts.rack(rack.type).powerLimit.value);
    }

    Snapshot& m_out;
    Plan& m_plan;
    Parts& m_parts;
    PlannedHall& m_b;
    std::string m_prefix, m_stem, m_lastType;
    PartTypeId m_typeId;
    Maybe<BuildingId> m_building;
};

} // namespace

void writePlaces(Snapshot& design, Plan& plan, Parts& parts)
{
    for (std::uint32_t n = 0; n < plan.halls.size(); ++n) PlaceWriter(design, plan, parts, n).run();
}

void placeDevices(Snapshot& design, const Plan& plan)
{
    for (const auto& rack : plan.racks)
        for (const auto& [device, u] : rack.devices) {
            design.devices.rack.set(device, rack.id);
            design.devices.u.set(device, std::int16_t(u));
        }
}

} // namespace hw::layout
