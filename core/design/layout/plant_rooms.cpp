// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/layout/plant_rooms.h"

#include "core/derived/figures/power_chain.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw::layout {

namespace {

// Assumed: gaps between equipment and working space before it, walls between rooms.
constexpr std::int32_t kGapMm = 300, kPlantGapMm = 900, kFrontMm = 1500, kYardGapMm = 2000, kYardFrontMm = 3000, kWallMm = 1000, kRoomHeightMm = 4500,
                       kSubstationGapMm = 20'000, kSubstationMm = 40'000;

std::int32_t depthOf(std::span<const Footprint> inside, std::span<const Footprint> outside, std::int32_t width, std::int32_t gap)
{
    const std::int32_t in = inLines(inside, width, gap, kFrontMm).second, out = inLines(outside, width, kYardGapMm, kYardFrontMm).second;
    return (in > 0 ? in + kWallMm : 0) + (out > 0 ? out + kWallMm : 0);
}

} // namespace

std::pair<std::vector<Line>, std::int32_t> inLines(std::span<const Footprint> things, std::int32_t width, std::int32_t gap, std::int32_t front)
{
    std::vector<Line> places;
    std::int32_t x = gap, y = front, deepest = 0;
    bool backward = false; // every other line runs back: a transformer and its board stay side by side
    for (const Footprint& thing : things) {
        if (x > gap && x + thing.width + gap > width) {
            y += deepest + front;
            x = gap, deepest = 0, backward = !backward;
        }
        places.push_back({backward && thing.width + 2 * gap <= width ? width - x - thing.width : x, y});
        x += thing.width + gap;
        deepest = std::max(deepest, thing.depth);
    }
    return {std::move(places), things.empty() ? 0 : y + deepest + front};
}

std::int32_t plantDepth(const Options& o, const Parts& parts, int groups, std::int32_t width, const WaterRoom& water)
{
    std::vector<Footprint> inside, outside, plant, coolers;
    const auto add = [&](std::vector<Footprint>& into, const std::string& slug, std::int64_t count) {
        if (slug == "none") return;
        const auto& spec = parts.device(slug);
        into.insert(into.end(), std::size_t(count), {spec.width.value.count(), spec.depth.value.count()});
    };
    for (const auto& [slug, count] : water.plant) add(plant, slug, count);
    for (const auto& [slug, count] : water.coolers) add(coolers, slug, count);
    for (const auto& [slug, count] : water.electrical) add(inside, slug, count);
    const std::int32_t ofWater = depthOf(plant, coolers, width, kPlantGapMm);
    if (groups == 0 || o.transformer == "none") return ofWater;
    const auto capacity = [&](const std::string& slug) { return std::max<std::int64_t>(1, parts.device(slug).capacity.value.count()); };
    const std::int64_t ups = o.ups == "none" ? 0
                                             : UpsLoad{capacity(o.transformer), capacity(o.transformer)}.modules(
                                                   realRating(parts.device(o.ups), powerFactorOf(parts.design())), capacity(o.ups));
    const auto chains = [&](std::int64_t count, std::int64_t transformers, std::int64_t modules, std::int64_t sets) {
        for (std::int64_t n = 0; n < count; ++n) {
            add(inside, o.transformer, transformers), add(inside, o.switchboard, 1), add(inside, o.ups, modules);
            if (modules > 0) add(inside, o.upsBoard, 1);
            if (o.generators == Generators::Board) add(outside, o.generator, sets);
        }
    };
    // At least as many as will be made: groups are counted for transformers that carry everything alone.
    if (o.redundancy == Redundancy::NPlusOne && o.switchboard != "none")
        chains(groups, std::max<std::int64_t>(5, capacity(o.switchboard) / capacity(o.transformer) + 2),
               ups > 0 ? std::max<std::int64_t>(5, capacity(o.switchboard) / capacity(o.ups) + 2) : 0, 5);
    else if (o.redundancy == Redundancy::Distributed)
        chains((groups + o.systems - 2) / (o.systems - 1) * o.systems, 1, ups, 1);
    else if (o.redundancy == Redundancy::Block)
        chains(groups + (groups + o.systems - 1) / o.systems, 1, ups, 1),
            add(inside, o.staticSwitch.empty() ? kStaticSwitches[1] : o.staticSwitch, 10 * groups);
    else
        chains(2 * groups, 1, ups, 1);
    if (o.generators == Generators::Central) { // the load is at most that of so many groups; a few of smaller sets
        const std::int64_t sets = o.generator == "none" ? 0 : (groups * capacity(o.transformer) + capacity(o.generator) - 1) / capacity(o.generator);
        if (sets > 0) add(outside, o.generator, std::max<std::int64_t>(4, sets) + o.generatorReserve);
    }
    add(inside, o.switchgear, o.generators == Generators::Central ? 4 : 2), add(outside, o.utility, 2);
    return ofWater + depthOf(inside, outside, width, kGapMm);
}

std::vector<Footprint> PlantRooms::sizesOf(const std::vector<DeviceId>& devices) const
{
    std::vector<Footprint> sizes;
    for (const DeviceId id : devices) {
        const auto& spec = m_parts.device(m_out.devices.type[id]);
        sizes.push_back({spec.width.value.count(), spec.depth.value.count()});
    }
    return sizes;
}

HallId PlantRooms::room(HallId of, const char* stem, RoomKind kind, std::int32_t x, std::int32_t y, std::int32_t width, std::int32_t depth)
{
    const std::string key = m_out.halls.key[of], name = m_out.halls.name[of];
    return m_builder.hall({.key = key.empty() ? std::string() : fmt::format("hall.plant/{}/{}", stem, key),
                           .name = fmt::format("{}-{}", name, stem),
                           .building = m_out.halls.building[of],
                           .x = Millimeters(x),
                           .y = Millimeters(y),
                           .sizeX = Millimeters(width),
                           .sizeY = Millimeters(depth),
                           .sizeZ = Millimeters(kRoomHeightMm),
                           .kind = kind});
}

void PlantRooms::fill(HallId room, const std::vector<DeviceId>& devices, const std::vector<Line>& places)
{
    for (std::size_t i = 0; i < devices.size(); ++i) {
        m_out.devices.hall.set(devices[i], room);
        m_out.devices.x.set(devices[i], Millimeters(places[i].x)), m_out.devices.y.set(devices[i], Millimeters(places[i].y));
    }
}

void PlantRooms::write()
{
    std::map<BuildingId, std::int32_t> end; // of what stands in a building, along y
    m_out.halls.forEach([&](HallId hall) {
        std::int32_t& y = end[m_out.halls.building[hall]];
        y = std::max(y, m_out.halls.y[hall].count() + m_out.halls.sizeY[hall].count());
    });
    std::vector<HallId> halls;
    for (const auto* rooms : {&m_electrical, &m_yard, &m_plant, &m_coolers})
        for (const auto& [hall, devices] : *rooms) halls.push_back(hall);
    std::ranges::sort(halls);
    halls.erase(std::unique(halls.begin(), halls.end()), halls.end());
    for (const HallId hall : halls) {
        const BuildingId building = m_out.halls.building[hall];
        const bool alone = end[building] == m_out.halls.y[hall].count() + m_out.halls.sizeY[hall].count();
        const std::int32_t x = m_out.halls.x[hall].count(), width = m_out.halls.sizeX[hall].count();
        std::int32_t y = m_out.halls.y[hall].count() + m_out.halls.sizeY[hall].count() + kWallMm;
        if (!alone && m_out.halls.key[hall].empty()) y = end[building] + kWallMm; // somebody's own rooms stand behind it
        const auto place = [&](const std::vector<DeviceId>& devices, const char* stem, RoomKind kind, std::int32_t gap, std::int32_t front) {
            if (devices.empty()) return;
            const auto [places, depth] = inLines(sizesOf(devices), width, gap, front);
            const HallId made = room(hall, stem, kind, x, y, width, depth);
            if (kind == RoomKind::Electrical) m_electricalOf.emplace(hall, made);
            fill(made, devices, places);
            y += depth + kWallMm;
        };
        place(m_electrical[hall], "electrical", RoomKind::Electrical, kGapMm, kFrontMm);
        place(m_plant[hall], "plant", RoomKind::Plant, kPlantGapMm, kFrontMm);
        place(m_yard[hall], "yard", RoomKind::Yard, kYardGapMm, kYardFrontMm);
        place(m_coolers[hall], "coolers", RoomKind::Yard, kYardGapMm, kYardFrontMm);
        end[building] = std::max(end[building], y);
        if (m_out.buildings.sizeY[building].count() < y) m_out.buildings.sizeY.set(building, Millimeters(y));
    }
    writeSubstations();
}

/// West of everything, one behind the other.
void PlantRooms::writeSubstations()
{
    std::int32_t x = 0, y = 0;
    m_out.buildings.forEach([&](BuildingId id) { x = std::min(x, m_out.buildings.x[id].count()); });
    for (const auto& [side, devices] : m_substation) {
        const auto [places, depth] = inLines(sizesOf(devices), kSubstationMm, kYardGapMm, kYardFrontMm);
        const char letter = char('a' + side);
        const BuildingId building = m_builder.building({.key = fmt::format("building.plant/substation={}", letter),
                                                        .name = fmt::format("substation-{}", letter),
                                                        .kind = BuildingKind::Plant,
                                                        .x = Millimeters(x - kSubstationMm - kSubstationGapMm),
                                                        .y = Millimeters(y),
                                                        .sizeX = Millimeters(kSubstationMm),
                                                        .sizeY = Millimeters(depth),
                                                        .sizeZ = Millimeters(kRoomHeightMm)});
        const HallId yard = m_builder.hall({.key = fmt::format("hall.plant/substation={}", letter),
                                            .name = fmt::format("substation-{}-yard", letter),
                                            .building = building,
                                            .sizeX = Millimeters(kSubstationMm),
                                            .sizeY = Millimeters(depth),
                                            .sizeZ = Millimeters(kRoomHeightMm),
                                            .kind = RoomKind::Yard});
        m_substationOf.emplace(side, yard);
        fill(yard, devices, places);
        y += depth + kSubstationGapMm;
    }
}

} // namespace hw::layout
