// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/layout/plan.h"
#include "core/design/layout/plant.h"
#include "core/design/layout/supply_trays.h"

#include <algorithm>

#include <map>

namespace hw {

namespace {

/// What of `servers_per_rack` could not be had, as a note of the design.
void noteFewerServers(Snapshot& design, const layout::Plan& plan)
{
    std::map<std::string, std::int64_t> racksOf; // in the order of the words
    for (const auto& [why, racks] : plan.fewerServers) racksOf[words(why)] = racks;
    Text all;
    for (const auto& [why, racks] : racksOf) {
        const Text one = i18np(racks, "{1} ({0} rack)", "{1} ({0} racks)", why);
        all = all.empty() ? one : i18n("{}; {}", all, one);
    }
    if (!all.empty()) design.putSetting("note.layout.servers_per_rack", words(i18n("servers per rack: {}", all)));
}

} // namespace

Result<void> layOut(Snapshot& design, const layout::Options& options, const Catalog& catalog)
{
    using namespace layout;
    try {
        DesignBuilder builder(design);
        Parts parts(builder, catalog, options.where);
        const Survey found = survey(design, parts, options);
        if (found.loose.empty()) return {};
        Plan made = plan(found, group(found, options), parts, options);
        noteFewerServers(design, made);
        writePlaces(builder, made, parts);
        placeDevices(design, made);
        writeTrays(builder, made, parts);
        writeEquipment(builder, made, parts);
        return {};
    } catch (const Failure& failure) {
        return tl::unexpected(failure.error);
    }
}

Result<void> feedDesign(Snapshot& design, const layout::Options& options, const Catalog& catalog)
{
    using namespace layout;
    try {
        DesignBuilder builder(design);
        Parts parts(builder, catalog, options.where);
        writePlant(builder, options, parts);
        writeSupplyTrays(builder, options, parts);
        return {};
    } catch (const Failure& failure) {
        return tl::unexpected(failure.error);
    }
}

namespace layout {

Failure refusal(const std::string& where, Text what, Text todo) { return {Error{ErrorCode::Refused, where, std::move(what), std::move(todo)}}; }

Failure mistake(const std::string& where, Text what, Text todo) { return {Error{ErrorCode::Unreadable, where, std::move(what), std::move(todo)}}; }

std::optional<TierId> findTier(const Snapshot& design, const std::string& key)
{
    std::optional<TierId> found;
    const auto& t = design.tiers;
    t.forEach([&](TierId id) {
        if (t.key[id] == key || (t.key[id].empty() && t.name[id] == key && !found)) found = id;
    });
    return found;
}

/// Rows run across the hall, cells along it; of the two ways round the one that takes more racks.
void fitInto(Options& options, const HallRoom& room, const Parts& parts)
{
    const auto &server = parts.rack(options.rack), &network = parts.rack(options.networkRack), &liquid = parts.rack(options.liquidRack);
    const std::int32_t depth = std::max({server.depth.value.count(), network.depth.value.count(), liquid.depth.value.count()}),
                       pitch = 2 * depth + options.hotAisle + options.coldAisle;
    const auto fit = [&](std::int32_t along, std::int32_t across) {
        const std::int64_t wide = 2 * std::max(0, network.width.value.count() - server.width.value.count()); // of a network rack or two in the row
        return std::pair(std::max<std::int64_t>(0, (along - 2 * kHallEndMm) / pitch),
                         std::max<std::int64_t>(0, (across - 2 * kRowEndMm - wide) / server.width.value.count()));
    };
    const auto one = fit(room.lengthMm, room.widthMm), other = fit(room.widthMm, room.lengthMm);
    const auto [cells, racks] = one.first * one.second >= other.first * other.second ? one : other;
    options.cellsPerHall = std::max<std::int64_t>(1, cells), options.racksPerRow = std::clamp<std::int64_t>(racks, 1, 100);
    options.hallsPerBuilding = 1;
    options.buildingPerPod = false;
    options.buildingLimitW = 1'000'000'000'000; // power is another question
}

Demand& Demand::operator+=(const Demand& other)
{
    units += other.units, designMw += other.designMw, nameplateMw += other.nameplateMw, liquidMw += other.liquidMw;
    grams += other.grams, cables += other.cables, typicalMw += other.typicalMw;
    return *this;
}

} // namespace layout
} // namespace hw
