// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/geometry/frame.h"
#include "core/design/layout/plant_bench.h"

#include <algorithm>

namespace hw::layout {

namespace {

// Assumed: below ground, in lanes beside the buildings; feeders that one bank takes.
constexpr std::int32_t kPowerDuctZ = -1200, kCorridorMm = 16'000, kLaneFromBuildingMm = 2'000, kBankPitchMm = 1'500;
constexpr std::int64_t kFeedersOfBank = 6;

/// Duct banks of one substation: out to a corridor between it and the buildings, along that to the lane behind each building, and in.
class DuctWriter {
public:
    DuctWriter(DesignBuilder& builder, PartTypeId type, int side, HallId yard)
        : m_builder(builder), m_out(builder.design()), m_type(type), m_side(side), m_yard(yard)
    {
    }

    void run(const std::map<HallId, std::int64_t>& feeders, const PlantRooms& rooms)
    {
        std::int32_t west = INT32_MAX;
        for (const auto& [hall, count] : feeders) west = std::min(west, m_out.buildings.x[m_out.halls.building[hall]].count());
        const Frame yard = hallFrame(m_out, m_yard);
        const std::int32_t corridor = west - kCorridorMm + m_side * kBankPitchMm, exitX = yard.x + m_out.halls.sizeX[m_yard].count(),
                           exitY = yard.y + m_out.halls.sizeY[m_yard].count() / 2;
        std::int32_t low = exitY, high = exitY;
        std::int64_t all = 0;
        for (const auto& [hall, count] : feeders) {
            const HallId room = rooms.electricalOf(hall);
            const BuildingId building = m_out.halls.building[hall];
            const Frame at = hallFrame(m_out, room);
            const std::int32_t middle = at.x + m_out.halls.sizeX[room].count() / 2 + m_side * kBankPitchMm,
                               lane = m_out.buildings.y[building].count() + m_out.buildings.sizeY[building].count() + kLaneFromBuildingMm +
                                      m_side * kBankPitchMm,
                               end = at.y + m_out.halls.sizeY[room].count();
            const std::string& name = m_out.halls.name[hall];
            write(name, corridor, lane, middle, lane, count);
            write(name + "-in", middle, lane, middle, end, count);
            low = std::min(low, lane), high = std::max(high, lane), all += count;
        }
        write("trunk", corridor, low, corridor, high, all);
        write("out", exitX, exitY, corridor, exitY, all);
    }

private:
    /// In the frame of the substation's yard, with which the bank moves; so no data cable takes it.
    void write(const std::string& name, std::int32_t x1, std::int32_t y1, std::int32_t x2, std::int32_t y2, std::int64_t feeders)
    {
        const Frame yard = hallFrame(m_out, m_yard);
        const char side = char('a' + m_side);
        (void)m_builder.tray({.key = fmt::format("tray.plant/duct/side={}/{}", side, name),
                              .name = fmt::format("power-duct-{}-{}", side, name),
                              .kind = TrayKind::Duct,
                              .hall = m_yard,
                              .type = m_type,
                              .x1 = Millimeters(x1 - yard.x),
                              .y1 = Millimeters(y1 - yard.y),
                              .z1 = Millimeters(kPowerDuctZ),
                              .x2 = Millimeters(x2 - yard.x),
                              .y2 = Millimeters(y2 - yard.y),
                              .z2 = Millimeters(kPowerDuctZ),
                              .count = std::int16_t(std::clamp<std::int64_t>((feeders + kFeedersOfBank - 1) / kFeedersOfBank, 1, 64)),
                              .carries = Carries::Power,
                              .side = PowerSide(1 + m_side)});
    }

    DesignBuilder& m_builder;
    Snapshot& m_out;
    PartTypeId m_type;
    int m_side;
    HallId m_yard;
};

} // namespace

void writePowerDucts(DesignBuilder& builder, const Options& options, Parts& parts, const PlantRooms& rooms)
{
    if (rooms.ducts().empty() || options.powerDuct == "none") return;
    (void)parts.tray(options.powerDuct);
    const PartTypeId type = parts.use(options.powerDuct);
    for (const auto& [side, feeders] : rooms.ducts()) DuctWriter(builder, type, side, rooms.substationOf(side)).run(feeders, rooms);
}

} // namespace hw::layout
