// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/template/layout_section.h"

#include "core/design/template/failure.h"

#include <array>

#include <fmt/format.h>

namespace hw {

namespace {

// Keys by what they are about.
const std::vector<const char*> kWays{"redundancy", "generators",    "generator_reserve",       "cooling_ups", "battery_minutes",
                                     "systems",    "static_switch", "substation_transformers", "power_duct"};
const std::vector<const char*> kWater{"cooling",       "manifold", "row_header", "facility_header", "headers",
                                      "facility_pump", "tank",     "tanks",      "chiller",         "facility_supply_c",
                                      "condenser",     "valve",    "pipe_rack",  "cdu_rejector",    "electrical_air"};
const std::vector<const char*> kPowerParts{"feed", "rack_pdu",  "busway",     "transformer", "generator",        "switchboard",
                                           "ups",  "ups_board", "switchgear", "utility",     "grid_transformer", "grid_utility"};
const std::vector<const char*> kLayoutPlaces{"rack",
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
                                             "containment",
                                             "building",
                                             "building_it_limit_w",
                                             "network_racks",
                                             "row_tray",
                                             "spine_tray",
                                             "duct",
                                             "fan_wall",
                                             "cdu"};

std::set<std::string> united(std::initializer_list<const std::vector<const char*>*> lists)
{
    std::set<std::string> all;
    for (const auto* list : lists) all.insert(list->begin(), list->end());
    return all;
}

} // namespace

const std::set<std::string>& layoutKeys()
{
    static const auto keys = united({&kLayoutPlaces, &kPowerParts, &kWays, &kWater});
    return keys;
}

namespace {

void without(const LayoutSpec& spec, const char* key, const char* other, const std::string& value)
{
    if (const auto found = spec.fields.find(key); found != spec.fields.end())
        throw mistake(found->second.where, i18n("'{}' has no effect with {}: {}", key, other, value), i18n("remove one of them"));
}

} // namespace

void checkFeedOnly(const LayoutSpec& spec)
{
    static const auto ofFeeding = united({&kPowerParts, &kWays, &kWater});
    for (const auto& [name, text] : spec.fields)
        if (!ofFeeding.contains(name))
            throw mistake(text.where, i18n("'{}' has no effect in a template with buildings", name),
                          i18n("remove it, or let the engine lay out the design"));
    if (!spec.fields.contains("feed"))
        for (const auto* keys : {&kWays, &kWater})
            for (const char* key : *keys) without(spec, key, "feed", "no");
    if (!spec.place.empty())
        throw mistake(spec.place.begin()->second.where, i18n("'{}' has no effect in a template with buildings", "place"),
                      i18n("remove it, or let the engine lay out the design"));
}

void checkPlaces(const LayoutSpec& spec, const std::set<std::string>& tiers)
{
    for (const auto& [tier, text] : spec.place)
        if (!tiers.contains(tier)) throw mistake(text.where, i18n("unknown tier '{}'", tier), i18n("use a tier of this template"));
}

namespace {

/// Reads one key after the other; what is not given keeps the value that it has.
class OptionReader {
public:
    OptionReader(const LayoutSpec& spec, Scope& constants) : m_spec(spec), m_constants(constants) {}

    void slug(const char* key, std::string& into) const
    {
        if (const auto* text = field(key)) into = text->text;
    }
    template <class T>
    void number(const char* key, T& into, std::int64_t least, std::int64_t most) const
    {
        const auto* text = field(key);
        if (!text) return;
        const std::int64_t value = Expression(*text, m_constants).whole();
        if (value < least || value > most)
            throw refusal(text->where, i18n("{} is {}, which is out of range", key, value), i18n("use {} to {}", least, most));
        into = T(value);
    }
    void word(const char* key, const char* yes, const char* no, bool& into) const
    {
        if (const auto* text = field(key)) into = oneOf<bool>(text->text, text->where, {{yes, true}, {no, false}});
    }

    template <Worded E>
    void word(const char* key, E& into) const
    {
        if (const auto* text = field(key)) into = wordIn<E>(text->text, text->where);
    }

private:
    [[nodiscard]] const ExpressionText* field(const char* key) const
    {
        const auto found = m_spec.fields.find(key);
        return found == m_spec.fields.end() ? nullptr : &found->second;
    }
    const LayoutSpec& m_spec;
    Scope& m_constants;
};

} // namespace

namespace {

/// A word, or a number as a choice gives it.
layout::Redundancy redundancyOf(const ExpressionText& text, Scope& constants)
{
    using enum layout::Redundancy;
    static const std::vector<std::pair<std::string, layout::Redundancy>> words{
        {"2n", TwoN}, {"n+1", NPlusOne}, {"distributed", Distributed}, {"block", Block}};
    for (const auto& [word, value] : words)
        if (text.text == word) return value;
    std::int64_t number = -1;
    try {
        number = Expression(text, constants).whole();
    } catch (const TemplateFailure&) {
    }
    if (number < 0 || number >= std::int64_t(words.size()))
        throw mistake(text.where, i18n("'{}' is not a valid redundancy", text.text),
                      i18n("use 2n, n+1, distributed or block, or reference a choice parameter with these values"));
    return words[std::size_t(number)].second;
}

/// Redundancy and what goes with it; a key that would change nothing is refused.
void readRedundancy(const LayoutSpec& spec, Scope& constants, const OptionReader& r, layout::Options& o)
{
    using enum layout::Redundancy;
    const auto given = spec.fields.find("redundancy");
    if (given != spec.fields.end()) {
        o.redundancy = redundancyOf(given->second, constants);
        if (o.transformer == "none") without(spec, "redundancy", "transformer", "none");
        if (!o.feed) without(spec, "redundancy", "feed", "no");
    }
    const std::string name = given == spec.fields.end() ? "2n" : given->second.text;
    // A named set, and what has one way to a switchgear, unless stated otherwise.
    if (spec.fields.contains("generator") || o.redundancy == NPlusOne || o.redundancy == Block || o.switchgear == "none")
        o.generators = layout::Generators::Board;
    r.word("generators", o.generators);
    o.smallOnBoards = !spec.fields.contains("generators") && !spec.fields.contains("generator_reserve") && !spec.fields.contains("switchgear");
    if (o.redundancy == Block && o.generators == layout::Generators::Central)
        throw refusal(spec.fields.find("generators")->second.where,
                      i18n("central generators cannot be combined with redundancy block: loss of a switchgear would transfer several blocks to one "
                           "redundant block"),
                      i18n("use generators: board, or redundancy 2n or distributed"));
    for (const char* part : {"generator", "switchgear"})
        if (const auto field = spec.fields.find(part); field != spec.fields.end() && field->second.text == "none")
            without(spec, "generators", part, "none");
    if (o.generators == layout::Generators::Board) without(spec, "generator_reserve", "generators", "board");
    r.number("generator_reserve", o.generatorReserve, 0, 8);
    if (o.generators == layout::Generators::Board && !spec.fields.contains("generator")) o.generator = "generator-3250kw";
    for (const char* key : {"cooling_ups", "battery_minutes"}) {
        if (o.ups == "none") without(spec, key, "ups", "none");
        if (!o.feed) without(spec, key, "feed", "no");
    }
    r.word("cooling_ups", o.coolingUps);
    r.number("battery_minutes", o.batteryMinutes, 1, 60);
    if (o.redundancy != Distributed && o.redundancy != Block) without(spec, "systems", "redundancy", name);
    if (o.redundancy != Block) without(spec, "static_switch", "redundancy", name);
    r.number("systems", o.systems, o.redundancy == Distributed ? 3 : 1, o.redundancy == Distributed ? 4 : 16);
    r.slug("static_switch", o.staticSwitch);
    if (o.redundancy == NPlusOne && !spec.fields.contains("transformer")) o.transformer = "transformer-1600kva"; // so that several make N
    r.number("substation_transformers", o.substationTransformers, 0, 16);
    r.slug("power_duct", o.powerDuct);
    for (const char* key : {"grid_transformer", "grid_utility"})
        if (const auto field = spec.fields.find(key); field != spec.fields.end() && field->second.text == "none") {
            without(spec, "substation_transformers", key, "none");
            without(spec, "power_duct", key, "none");
        }
}

} // namespace

namespace {

/// Water, and what goes with it; a key that would change nothing is refused.
void readWater(const LayoutSpec& spec, const OptionReader& r, layout::Options& o)
{
    r.word("cooling", "yes", "no", o.cooling);
    constexpr std::array kOfFacility{"facility_header",   "headers",   "facility_pump", "tank",         "tanks",
                                     "facility_supply_c", "condenser", "valve",         "cdu_rejector", "electrical_air"};
    if (spec.fields.contains("cooling") && !o.feed) without(spec, "cooling", "feed", "no");
    if (!o.feed || !o.cooling) {
        for (const char* key : kOfFacility) without(spec, key, o.feed ? "cooling" : "feed", "no");
        for (const char* key : {"manifold", "row_header", "chiller", "pipe_rack"}) without(spec, key, o.feed ? "cooling" : "feed", "no");
    }
    r.slug("manifold", o.manifold), r.slug("row_header", o.rowHeader), r.slug("facility_header", o.facilityHeader);
    r.slug("facility_pump", o.facilityPump), r.slug("tank", o.tank), r.slug("chiller", o.chiller);
    if (o.redundancy == layout::Redundancy::NPlusOne) o.headers = layout::Headers::Single; // as its boards
    r.word("headers", o.headers);
    r.slug("condenser", o.condenser), r.slug("valve", o.valve), r.slug("pipe_rack", o.pipeRack), r.slug("cdu_rejector", o.cduRejector);
    r.slug("electrical_air", o.electricalAir);
    for (const char* part : {"transformer", "ups", "ups_board"})
        if (const auto field = spec.fields.find(part); field != spec.fields.end() && field->second.text == "none")
            without(spec, "electrical_air", part, "none");
    if (o.chiller == "none")
        for (const char* key : kOfFacility) without(spec, key, "chiller", "none");
    if (o.tank == "none") without(spec, "tanks", "tank", "none");
    r.number("tanks", o.tanks, 1, 20);
    r.number("facility_supply_c", o.facilitySupplyC, 5, 60);
}

} // namespace

layout::Options layoutOptions(const LayoutSpec& spec, Scope& constants)
{
    using layout::Place;
    const OptionReader r(spec, constants);
    layout::Options o;
    if (!spec.where.empty()) o.where = spec.where;
    r.slug("rack", o.rack), r.slug("liquid_rack", o.liquidRack), r.slug("network_rack", o.networkRack);
    r.slug("row_tray", o.rowTray), r.slug("spine_tray", o.spineTray), r.slug("duct", o.duct);
    r.slug("rack_pdu", o.rackPdu), r.slug("busway", o.busway), r.slug("transformer", o.transformer);
    r.word("feed", "yes", "no", o.feed);
    r.slug("generator", o.generator), r.slug("switchboard", o.switchboard), r.slug("ups", o.ups), r.slug("ups_board", o.upsBoard);
    const auto bySize = [&](const char* key) { return !spec.fields.contains(key); };
    o.sizesBusway = bySize("busway"), o.sizesTransformer = bySize("transformer"), o.sizesGenerator = bySize("generator"),
    o.sizesGridTransformer = bySize("grid_transformer"), o.sizesSwitchboard = bySize("switchboard");
    o.sizesUps = bySize("ups"), o.sizesUpsBoard = bySize("ups_board"), o.sizesSwitchgear = bySize("switchgear");
    r.slug("switchgear", o.switchgear), r.slug("utility", o.utility);
    r.slug("grid_transformer", o.gridTransformer), r.slug("grid_utility", o.gridUtility);
    r.slug("fan_wall", o.fanWall), r.slug("cdu", o.cdu);
    o.sizesFanWall = bySize("fan_wall"), o.sizesCdu = bySize("cdu"), o.sizesFacilityPump = bySize("facility_pump");
    r.number("servers_per_rack", o.serversPerRack, 0, 1000);
    r.number("racks_per_row", o.racksPerRow, 1, 100);
    r.number("cells_per_hall", o.cellsPerHall, 1, 200);
    r.number("halls_per_building", o.hallsPerBuilding, 1, 100);
    r.number("network_rack_units", o.networkUnits, 1, 100);
    r.number("cables_per_rack", o.cablesPerRack, 1, 1'000'000);
    r.number("hot_aisle", o.hotAisle, 600, 10'000);
    r.number("cold_aisle", o.coldAisle, 900, 10'000);
    r.number("building_it_limit_w", o.buildingLimitW, 1, 1'000'000'000'000);
    r.word("containment", o.containment);
    r.word("building", "pod", "shared", o.buildingPerPod);
    r.word("network_racks", "end-of-row", "mid-row", o.endOfRow);
    readRedundancy(spec, constants, r, o);
    readWater(spec, r, o);
    for (const auto& [tier, text] : spec.place)
        o.place[tier] = oneOf<Place>(
            text.text, text.where,
            {{"in-rack", Place::InRack}, {"with-servers", Place::WithServers}, {"network-rows", Place::NetworkRows}, {"core", Place::Core}});
    return o;
}

} // namespace hw
