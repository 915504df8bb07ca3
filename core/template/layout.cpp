// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/template/layout_plan.h"

#include "core/template/generator.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw {

const std::set<std::string>& layoutKeys()
{
    static const std::set<std::string> keys{"rack",
                                            "liquid_rack",
                                            "network_rack",
                                            "servers_per_rack",
                                            "racks_per_row",
                                            "cells_per_hall",
                                            "halls_per_building",
                                            "network_rack_units",
                                            "cables_per_rack",
                                            "hot_aisle",
                                            "cold_aisle",
                                            "building",
                                            "building_it_limit_w",
                                            "network_racks",
                                            "row_tray",
                                            "spine_tray",
                                            "duct",
                                            "rack_pdu",
                                            "busway",
                                            "transformer",
                                            "fan_wall",
                                            "cdu"};
    return keys;
}

void checkPlaces(const LayoutSpec& spec, const std::set<std::string>& tiers)
{
    for (const auto& [tier, text] : spec.place)
        if (!tiers.contains(tier)) throw mistake(text.where, fmt::format("no tier is called '{}'", tier), "name a tier of this template");
}

namespace {

/// What of `servers_per_rack` could not be had, as a note of the design.
void noteFewerServers(Snapshot& design, const layout::Plan& plan)
{
    std::string text;
    for (const auto& [why, racks] : plan.fewerServers)
        text += fmt::format("{}{} ({} rack{})", text.empty() ? "" : "; ", why, racks, racks == 1 ? "" : "s");
    if (!text.empty()) design.putSetting("note.layout.servers_per_rack", "servers a rack: " + text);
}

} // namespace

void layOut(Snapshot& design, const LayoutSpec& spec, Scope& constants, const Catalogue& catalogue)
{
    using namespace layout;
    const Options options = readOptions(spec, constants);
    Parts parts(design, catalogue, options.where);
    const Survey found = survey(design, parts, spec, options);
    if (found.loose.empty()) return;
    Plan made = plan(found, group(found, options), parts, options);
    noteFewerServers(design, made);
    writePlaces(design, made, parts);
    placeDevices(design, made);
    writeTrays(design, made, parts);
    writeEquipment(design, made, parts);
}

namespace layout {

namespace {

/// Reads one key after the other; what is not given has the default of the README.
class OptionReader {
public:
    OptionReader(const LayoutSpec& spec, Scope& constants) : m_spec(spec), m_constants(constants) {}

    [[nodiscard]] const ExpressionText* field(const char* key) const
    {
        const auto found = m_spec.fields.find(key);
        return found == m_spec.fields.end() ? nullptr : &found->second;
    }
    [[nodiscard]] std::string slug(const char* key, const char* fallback) const { return field(key) ? field(key)->text : fallback; }
    [[nodiscard]] std::int64_t number(const char* key, std::int64_t fallback, std::int64_t least, std::int64_t most) const
    {
        const auto* text = field(key);
        if (!text) return fallback;
        const std::int64_t value = Expression(*text, m_constants).whole();
        if (value < least || value > most)
            throw refusal(text->where, fmt::format("{} is {}, which cannot be laid out", key, value), fmt::format("choose {} to {}", least, most));
        return value;
    }
    [[nodiscard]] bool word(const char* key, const char* yes, const char* no) const
    {
        const auto* text = field(key);
        return text && oneOf<bool>(text->text, text->where, {{yes, true}, {no, false}});
    }

private:
    const LayoutSpec& m_spec;
    Scope& m_constants;
};

} // namespace

Options readOptions(const LayoutSpec& spec, Scope& constants)
{
    const OptionReader r(spec, constants);
    Options o;
    o.where = spec.where.empty() ? "layout" : spec.where;
    o.rack = r.slug("rack", "rack-48u-600x1200");
    o.liquidRack = r.slug("liquid_rack", "rack-nvl72");
    o.networkRack = r.slug("network_rack", "rack-48u-800x1200");
    o.rowTray = r.slug("row_tray", "tray-600x100");
    o.spineTray = r.slug("spine_tray", "tray-600x100");
    o.duct = r.slug("duct", "duct-campus");
    o.rackPdu = r.slug("rack_pdu", "rack-pdu-80a");
    o.busway = r.slug("busway", "busway-1600a-400v");
    o.transformer = r.slug("transformer", "transformer-3150kva");
    o.fanWall = r.slug("fan_wall", "fan-wall-450kw");
    o.cdu = r.slug("cdu", "cdu-1300kw");
    o.serversPerRack = r.number("servers_per_rack", 0, 0, 1000);
    o.racksPerRow = r.number("racks_per_row", 18, 1, 100);
    o.cellsPerHall = r.number("cells_per_hall", 20, 1, 200);
    o.hallsPerBuilding = r.number("halls_per_building", 1, 1, 100);
    o.networkUnits = r.number("network_rack_units", 32, 1, 100);
    o.cablesPerRack = r.number("cables_per_rack", 1024, 1, 1'000'000);
    o.hotAisle = std::int32_t(r.number("hot_aisle", 1800, 600, 10'000));
    o.coldAisle = std::int32_t(r.number("cold_aisle", 3000, 900, 10'000));
    o.buildingLimitW = r.number("building_it_limit_w", 18'000'000, 1, 1'000'000'000'000);
    o.buildingPerPod = r.word("building", "pod", "shared");
    o.endOfRow = r.word("network_racks", "end-of-row", "mid-row");
    return o;
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

Place placeFromText(const ExpressionText& text)
{
    return oneOf<Place>(
        text.text, text.where,
        {{"in-rack", Place::InRack}, {"with-servers", Place::WithServers}, {"network-rows", Place::NetworkRows}, {"core", Place::Core}});
}

Demand& Demand::operator+=(const Demand& other)
{
    units += other.units, designMw += other.designMw, nameplateMw += other.nameplateMw, liquidMw += other.liquidMw;
    grams += other.grams, cables += other.cables;
    return *this;
}

} // namespace layout
} // namespace hw
