// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/layout/plan.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw::layout {

namespace {

constexpr std::int32_t kHallZ = 4500, kBuildingZ = 7000; ///< mm

/// Writes one hall with all that stands in it.
class PlaceWriter {
public:
    PlaceWriter(DesignBuilder& builder, Plan& plan, Parts& parts, std::uint32_t number)
        : m_out(builder), m_plan(plan), m_parts(parts), m_b(plan.halls[number]), m_prefix(plan.prefixOf(m_b)),
          m_stem(m_b.key.substr(m_b.key.find('/') + 1))
    {
    }

    void run()
    {
        if (!m_b.given) {
            writeBuilding();
            writeHall();
        }
        for (std::uint32_t r = 0; r < m_b.rows.size(); ++r) writeRow(r);
    }

private:
    /// The first hall of a building brings the building.
    void writeBuilding()
    {
        const auto& t = m_out.design().buildings;
        std::string key = fmt::format("building.auto/{}", m_b.core ? "core=0" : fmt::format("n={}", m_b.site));
        t.forEach([&](BuildingId id) {
            if (t.key[id] == key) m_building = id;
        });
        if (m_building) return;
        m_building = m_out.building({.key = std::move(key),
                                     .name = m_b.siteName,
                                     .kind = m_b.core ? BuildingKind::Network : BuildingKind::Pod,
                                     .x = Millimeters(m_b.siteX),
                                     .y = Millimeters(m_b.siteY),
                                     .sizeX = Millimeters(m_b.siteSizeX),
                                     .sizeY = Millimeters(m_b.siteBuiltY),
                                     .sizeZ = Millimeters(kBuildingZ),
                                     .itLimit = m_b.core ? Milliwatts() : watts(m_plan.options.buildingLimitW)});
    }

    void writeHall()
    {
        m_b.id = m_out.hall({.key = "hall.auto/" + m_stem,
                             .name = m_b.hallName,
                             .building = *m_building,
                             .x = Millimeters(m_b.x - m_b.siteX + kHallX),
                             .y = Millimeters(m_b.y - m_b.siteY + kHallY),
                             .sizeX = Millimeters(m_b.hallX),
                             .sizeY = Millimeters(m_b.hallY),
                             .sizeZ = Millimeters(kHallZ)});
    }

    void writeRow(std::uint32_t r)
    {
        auto& row = m_b.rows[r];
        if (row.racks.empty()) return;
        const std::int32_t side = std::int32_t(r % 2);
        row.id = m_out.row({.key = fmt::format("row.auto/{}/cell={}/side={}", m_stem, row.cell, side),
                            .name = fmt::format("{}c{:02}-row{}", m_prefix, row.cell + 1, side + 1),
                            .hall = m_b.id,
                            .x = Millimeters(row.x),
                            .y = Millimeters(row.y),
                            .angle = row.angle,
                            .cell = row.cell,
                            .containment = m_plan.options.containment});
        for (const std::uint32_t rack : row.racks) writeRack(m_plan.racks[rack], row.id, row.cell, side);
    }

    void writeRack(PlannedRack& rack, RowId row, std::int32_t cell, std::int32_t side)
    {
        rack.name = fmt::format("{}c{:02}-r{}-{:02}", m_prefix, cell + 1, side + 1, rack.position + 1);
        rack.id = m_out.rack({.key = rack.key,
                              .name = rack.name,
                              .row = row,
                              .type = m_parts.use(rack.type),
                              .along = Millimeters(rack.along),
                              .powerLimit = m_parts.rack(rack.type).powerLimit.value});
    }

    DesignBuilder& m_out;
    Plan& m_plan;
    Parts& m_parts;
    PlannedHall& m_b;
    std::string m_prefix, m_stem;
    Maybe<BuildingId> m_building;
};

} // namespace

void writePlaces(DesignBuilder& builder, Plan& plan, Parts& parts)
{
    for (std::uint32_t n = 0; n < plan.halls.size(); ++n) PlaceWriter(builder, plan, parts, n).run();
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
