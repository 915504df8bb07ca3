// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/layout/plan.h"
#include "core/design/layout/plant.h"
#include "core/design/layout/water_sizes.h"
#include "core/foundation/model/setting_values.h"
#include "core/physics/coolant/heat.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace hw::layout {

namespace {

constexpr std::int32_t kFanWallGapMm = 200;
constexpr std::int32_t kCduEndMm = 1800;
constexpr std::int32_t kBuildingEndMm = 6000;                                                      ///< of a building besides its hall, in length
constexpr std::array kAirUnitSizes{"crah-50kw", "crah-100kw", "fan-wall-200kw", "fan-wall-300kw"}; ///< below the one named
constexpr std::array kRoomUnitSizes{"crah-50kw", "crah-100kw", "crah-250kw", "crah-400kw"};        ///< of electrical rooms
// Losses of an electrical room, of the IT load of its hall: those of the shipped designs with 2N are 3.9 to 4.5 %, 5.6 % at 1 MW, where equipment
// idles; a redundant block idles beside blocks at full load (4.6 %).
constexpr double kElectricalLoss = 0.0405, kBlockLoss = 0.05, kElectricalIdle = 0.02, kElectricalIdleW = 20000;
constexpr std::int64_t kFewAirUnits = 4; ///< that carry all; for more of them the next size
constexpr double kAirMargin = 1.05;      ///< losses of power equipment in the room's air

std::int64_t ceilDiv(std::int64_t a, std::int64_t b) { return b > 0 ? (a + b - 1) / b : 0; }

/// Runs along the racks of every row; a new pair of busways where one alone could not carry the next rack.
void splitRows(const Plan& plan, PlannedHall& b, const Parts& parts)
{
    const auto& busway = parts.device(plan.options.busway);
    const std::int64_t capacity = busway.capacity.value.count();
    const auto taps = std::int64_t(busway.outlets.size());
    for (std::uint32_t r = 0; r < b.rows.size(); ++r) {
        std::int64_t mw = 0, used = 0;
        for (std::uint32_t i = 0; i < b.rows[r].racks.size(); ++i) {
            const auto& rack = plan.racks[b.rows[r].racks[i]];
            const std::int64_t more = pdusOfSide(plan, b.rows[r].racks[i], parts);
            const bool full = (capacity > 0 && mw + rack.demand.nameplateMw > capacity) || (taps > 0 && used + more > taps);
            if (i == 0 || full) {
                b.sections.push_back({r, i, 0, 0});
                mw = 0, used = 0;
            }
            ++b.sections.back().count;
            mw += rack.demand.nameplateMw, used += more;
        }
    }
}

/// One pair of transformers for as many sections in a row as one of the two carries alone.
void groupSections(const Plan& plan, PlannedHall& b, const Parts& parts)
{
    const auto& transformer = parts.device(plan.options.transformer);
    const std::int64_t capacity = transformer.capacity.value.count(), ways = std::int64_t(transformer.outlets.size());
    std::int64_t mw = 0, used = 0;
    for (auto& section : b.sections) {
        std::int64_t more = 0;
        for (std::uint32_t i = section.first; i < section.first + section.count; ++i)
            more += plan.racks[b.rows[section.row].racks[i]].demand.nameplateMw;
        if (b.transformerGroups == 0 || (capacity > 0 && mw + more > capacity) || (ways > 0 && used + 1 > ways)) {
            ++b.transformerGroups;
            mw = 0, used = 0;
        }
        section.group = std::uint32_t(b.transformerGroups - 1);
        mw += more, ++used;
    }
}

} // namespace

int pdusOfSide(const Plan& plan, std::uint32_t rack, const Parts& parts)
{
    if (const auto& own = plan.ownPdus[rack]; !own.empty()) return int(own.size() + 1) / 2;
    if (plan.options.rackPdu == "none") return 0;
    const auto& pdu = parts.device(plan.options.rackPdu);
    return int(std::max<std::int64_t>(1, ceilDiv(plan.racks[rack].demand.nameplateMw, pdu.capacity.value.count())));
}

namespace {

/// Air units of this size that carry all, by heat with its margin and by air.
std::int64_t airUnitsNeeded(std::int64_t airMw, const std::string& slug, const Parts& parts)
{
    const DeviceSpec& unit = parts.device(slug);
    const double milliwatts = kAirMargin * double(airMw);
    const auto byHeat = std::int64_t(std::ceil(milliwatts / std::max(1.0, double(unit.capacity.value.count())) - 1e-9));
    const double deltaK = std::max(0.1, numberSetting(parts.design(), "cooling.air_delta_k")),
                 bypass = std::clamp(numberSetting(parts.design(), "cooling.bypass_percent") / 100, 0.0, 0.9);
    const double each = unit.cooling.airM3s.value, m3s = milliwatts / 1e3 / (coolant::kAirJPerM3K * deltaK * (1 - bypass));
    return each > 0 ? std::max(byHeat, std::int64_t(std::ceil(m3s / each - 1e-9))) : byHeat;
}

} // namespace

int fanWallsFor(std::int64_t airMw, const Options& o, const Parts& parts)
{
    if (o.fanWall == "none" || airMw <= 0) return 0;
    if (const std::int64_t few = airUnitsNeeded(airMw, o.fanWall, parts); few <= kFewAirUnits) return int(few + 1);
    const std::int64_t needed = ceilDiv(airMw, parts.device(o.fanWall).capacity.value.count());
    return int(std::max(needed + std::max<std::int64_t>(2, ceilDiv(needed, 5)), airUnitsNeeded(airMw, o.fanWall, parts) + 1));
}

RoomUnits roomUnitsFor(double itW, const Options& o, const Parts& parts)
{
    RoomUnits out;
    const double watts = (o.redundancy == Redundancy::Block ? kBlockLoss : kElectricalLoss) * itW + std::min(kElectricalIdle * itW, kElectricalIdleW);
    if (o.electricalAir == "none" || o.transformer == "none" || o.ups == "none" || o.upsBoard == "none") return out;
    if (watts <= 1e3 * numberSetting(parts.design(), "rule.c17.room_kw", 10)) return out;
    const auto mw = std::int64_t(1e3 * watts / kAirMargin); // without the losses of a room of its own
    out.slug = o.electricalAir, out.watts = watts;
    if (o.electricalAir == "sized")
        for (const char* slug : kRoomUnitSizes) {
            out.slug = slug;
            if (airUnitsNeeded(mw, slug, parts) <= kFewAirUnits) break;
        }
    out.count = airUnitsNeeded(mw, out.slug, parts) + 1;
    return out;
}

Options sizedFor(const Options& o, std::int64_t airMw, std::int64_t liquidOfCellMw, const Parts& parts)
{
    Options out = o;
    const auto smaller = [&](const char* slug, const std::string& named) {
        return parts.has(slug) && parts.device(slug).capacity.value < parts.device(named).capacity.value;
    };
    if (o.fanWall != "none" && o.sizesFanWall && airMw > 0)
        for (const char* slug : kAirUnitSizes)
            if (smaller(slug, o.fanWall) && airUnitsNeeded(airMw, slug, parts) <= kFewAirUnits) {
                out.fanWall = slug;
                break;
            }
    const double watts = double(liquidOfCellMw) / 1e3;
    if (liquidOfCellMw > 0) out.cdu = cduFor(watts, watts / 1e3 * waterConditions(parts.design(), o).liquidLpmPerKw, o, parts);
    return out;
}

int cdusFor(std::int64_t liquidMw, const Options& o, const Parts& parts)
{
    const std::int64_t capacity = o.cdu == "none" ? 0 : parts.device(o.cdu).capacity.value.count();
    return liquidMw > 0 && capacity > 0 ? int(ceilDiv(liquidMw, capacity)) + 1 : 0;
}

std::int64_t liquidOfCell(const Plan& plan, const PlannedHall& hall, std::size_t cell)
{
    std::int64_t liquid = 0;
    for (const PlannedRow& row : hall.rows)
        if (row.cell == std::int32_t(cell))
            for (const std::uint32_t rack : row.racks) liquid += plan.racks[rack].demand.liquidMw;
    return liquid;
}

namespace {

/// Along both long walls.
void standFanWalls(PlannedHall& b, const DeviceSpec& spec)
{
    const int side = (b.fanWalls + 1) / 2;
    const std::int32_t pitch = side > 0 ? (b.hallX - 2 * kFanWallEndMm) / side : 0;
    for (int n = 0; n < b.fanWalls; ++n) {
        const int wall = n / side, unit = n % side;
        b.fanWallSpots.push_back({fmt::format("wall={}/unit={}", wall, unit), fmt::format("{}-{:02}", wall + 1, unit + 1),
                                  kFanWallEndMm + unit * pitch, wall == 0 ? kFanWallBackMm : b.hallY - spec.depth.value.count() - kFanWallBackMm});
    }
}

/// At the ends of each cell with liquid-cooled racks.
void standCdus(const Plan& plan, PlannedHall& b, const DeviceSpec& spec, const Parts& parts)
{
    Options options = plan.options;
    options.cdu = b.cdu;
    const std::int32_t width = spec.width.value.count() + 100;
    const int abreast = std::max(1, b.pitch / std::max(1, width));
    for (int cell = 0; cell < b.cells(); ++cell) {
        const int count = cdusFor(liquidOfCell(plan, b, std::size_t(cell)), options, parts);
        for (int n = 0; n < count; ++n)
            b.cduSpots.push_back({fmt::format("cell={}/unit={}", cell, n), fmt::format("c{:02}-cdu{}", cell + 1, n + 1),
                                  kFirstFrontMm + cell * b.pitch + n % abreast * width,
                                  n / abreast % 2 != 0 ? b.hallY - kCduEndMm - spec.depth.value.count() : kCduEndMm});
    }
}

} // namespace

void standEquipment(const Plan& plan, PlannedHall& b, const Parts& parts)
{
    if (b.fanWalls > 0) standFanWalls(b, parts.device(b.fanWall));
    if (b.cdu != "none") standCdus(plan, b, parts.device(b.cdu), parts);
}

void planEquipment(const Plan& plan, PlannedHall& b, const Parts& parts)
{
    std::int64_t hottest = 0;
    for (int cell = 0; cell < b.cells(); ++cell) hottest = std::max(hottest, liquidOfCell(plan, b, std::size_t(cell)));
    const Options o = sizedFor(plan.options, b.demand.designMw - b.demand.liquidMw, hottest, parts);
    b.fanWall = o.fanWall, b.cdu = o.cdu;
    if (o.busway != "none") splitRows(plan, b, parts);
    if (o.busway != "none" && o.transformer != "none") groupSections(plan, b, parts);
    if (o.fanWall != "none") {
        const auto& wall = parts.device(o.fanWall);
        b.fanWalls = fanWallsFor(b.demand.designMw - b.demand.liquidMw, o, parts);
        const std::int32_t side = (b.fanWalls + 1) / 2;
        b.hallX = std::max(b.hallX, 2 * kFanWallEndMm + side * (wall.width.value.count() + kFanWallGapMm));
    }
    const WaterRoom water = o.feed ? waterRoom(b.demand, o, parts) : WaterRoom{};
    const std::int64_t most = o.transformer == "none" ? 0 : std::max<std::int64_t>(1, parts.device(o.transformer).capacity.value.count());
    const int ofWater = most > 0 ? std::max(1, int(ceilDiv(water.drawMw, most / 10 * 9))) : 0; // of fans and chillers
    b.plantDepth = plantDepth(o, parts, b.transformerGroups > 0 ? b.transformerGroups + ofWater : 0, b.hallX, water);
    b.sizeY += b.plantDepth;
    b.sizeX = b.hallX + kBuildingEndMm;
}

} // namespace hw::layout
