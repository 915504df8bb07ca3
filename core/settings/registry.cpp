// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/registry.h"

#include "core/settings/cabling_settings.h"
#include "core/settings/money_settings.h"
#include "core/settings/telemetry_settings.h"
#include "core/settings/watch_settings.h"

#include <algorithm>
#include <unordered_map>

namespace hw {

namespace {

using Kind = SettingKind;

std::vector<Setting> made()
{
    const TextId project = TextId("Project"), power = TextId("Site power"), substations = TextId("Substations"), cooling = TextId("Cooling"),
                 failures = TextId("What fails");
    std::vector<Setting> all = {
        {"project.name", Kind::Text, 0, 0, {}, project, TextId("Name"), "", "", TextId("stands in reports and file names")},
        {"project.currency", Kind::Currency, 0, 0, {}, project, TextId("Currency"), "", "USD", TextId("three letters; prices are not converted")},
        {"site.power_basis",
         Kind::Choice,
         0,
         0,
         {"design", "typical", "nameplate"},
         power,
         TextId("Limits are compared with"),
         "",
         "design",
         TextId("power of every device: typical, design or nameplate")},
        {"site.limit_basis",
         Kind::Choice,
         0,
         0,
         {"it", "facility"},
         power,
         TextId("A limit counts"),
         "",
         "it",
         TextId("IT power alone, or with cooling and losses (times PUE)")},
        {"site.pue", Kind::Number, 1, 3, {}, power, TextId("PUE"), "", "1.2", TextId("constant: facility power over IT power (ISO/IEC 30134-2)")},
        {"site.pue_basis",
         Kind::Choice,
         0,
         0,
         {"losses", "constant"},
         power,
         TextId("PUE is taken from"),
         "",
         "losses",
         TextId("losses, pumps, fans and heat rejection of this design, where it has all of them; or the constant")},
        {"site.pue_source", Kind::Text, 0, 0, {}, power, TextId("Where the PUE comes from"), "", "", TextId("left empty, reports call it assumed")},
        {"site.substations",
         Kind::Count,
         0,
         1000,
         {},
         substations,
         TextId("Substations"),
         "",
         "0",
         TextId("of a design that has none drawn (assumed); 0: none")},
        {"site.substation_transformers", Kind::Count, 0, 1000, {}, substations, TextId("Transformers of each"), "", "2"},
        {"site.substation_mva", Kind::Number, 0, 10'000, {}, substations, TextId("Rating of a transformer"), "MVA", "63"},
        {"site.substation_spare", Kind::Count, 0, 1000, {}, substations, TextId("Of these may be out"), "", "1", TextId("1: N-1")},
        {"site.power_factor", Kind::Number, 0.1, 1, {}, substations, TextId("Power factor"), "", "0.95"},
        {"cooling.coolant", Kind::Choice, 0, 0, {"pg25", "water"}, cooling, TextId("Coolant"), "", "pg25", TextId("25 % propylene glycol, or water")},
        {"cooling.coolant_supply_c", Kind::Number, 5, 60, {}, cooling, TextId("Coolant is supplied at"), "°C", "30"},
        {"cooling.coolant_delta_k", Kind::Number, 1, 60, {}, cooling, TextId("Coolant warms up by"), "K", "12"},
        {"cooling.air_delta_k", Kind::Number, 1, 60, {}, cooling, TextId("Air warms up by"), "K", "15"},
        {"cooling.facility_supply_c",
         Kind::Number,
         5,
         50,
         {},
         cooling,
         TextId("Facility water is supplied at"),
         "°C",
         "20",
         TextId("assumed: cools fan walls and CDUs from one loop; dry coolers alone give what the outdoor air allows")},
        {"cooling.facility_delta_k", Kind::Number, 1, 40, {}, cooling, TextId("Facility water warms up by"), "K", "10", TextId("assumed")},
        {"cooling.air_supply_c",
         Kind::Number,
         10,
         45,
         {},
         cooling,
         TextId("Air before the racks"),
         "°C",
         "25",
         TextId("assumed; ASHRAE TC 9.9 recommends 18 to 27")},
        {"cooling.air_limit_c",
         Kind::Number,
         20,
         60,
         {},
         cooling,
         TextId("Racks are too hot at"),
         "°C",
         "35",
         TextId("ASHRAE TC 9.9, allowed in class A2")},
        {"cooling.bypass_percent",
         Kind::Number,
         0,
         80,
         {},
         cooling,
         TextId("Air that passes no rack"),
         "%",
         "5",
         TextId("leaks of contained aisles: 3 to 5 % at 5 to 10 Pa")},
        {"cooling.fittings_k",
         Kind::Number,
         0,
         100,
         {},
         cooling,
         TextId("Loss of fittings"),
         "",
         "3",
         TextId("assumed: loss coefficients of bends and branch of each pipe between two elements, added up")},
        {"cooling.ride_through_k",
         Kind::Number,
         0.1,
         60,
         {},
         cooling,
         TextId("Coolant may warm up by"),
         "K",
         "15",
         TextId("assumed: once nothing takes its heat out any more")},
        {"cooling.fill_margin_percent",
         Kind::Number,
         0,
         100,
         {},
         cooling,
         TextId("Coolant bought above the volume of its loops"),
         "%",
         "10",
         TextId("assumed: losses of filling and venting, and a first refill")},
        {"site.ambient_c",
         Kind::Number,
         0,
         60,
         {},
         cooling,
         TextId("Outdoor air at most"),
         "°C",
         "35",
         TextId("dry bulb that heat rejection is planned for; 35 is the rating condition of ASHRAE 90.1")},
        {"site.wet_bulb_c",
         Kind::Number,
         0,
         40,
         {},
         cooling,
         TextId("Wet bulb at most"),
         "°C",
         "24",
         TextId("for cooling towers; 24 is the design value of the Modelica Buildings library")},
        {"site.dew_point_c",
         Kind::Number,
         0,
         30,
         {},
         cooling,
         TextId("Dew point indoors at most"),
         "°C",
         "15",
         TextId("ASHRAE TC 9.9, recommended range: up to 15")},
        {"site.ambient_source",
         Kind::Text,
         0,
         0,
         {},
         cooling,
         TextId("Where the outdoor temperatures come from"),
         "",
         "",
         TextId("left empty, reports call them assumed")},
    };
    const auto add = [&](const std::vector<Setting>& more) { all.insert(all.end(), more.begin(), more.end()); };
    add(cablingSettings());
    const std::vector<Setting> plant = {
        {"power.medium_kv",
         Kind::Number,
         1,
         52,
         {},
         power,
         TextId("Medium voltage"),
         "kV",
         "20",
         TextId("switchgear to transformers: sizes their cables")},
        {"power.high_kv",
         Kind::Number,
         52,
         800,
         {},
         power,
         TextId("High voltage"),
         "kV",
         "110",
         TextId("utility to HV/MV transformers: sizes their cables")},
        {"power.conductor_c",
         Kind::Number,
         20,
         130,
         {},
         power,
         TextId("Conductor temperature"),
         "°C",
         "90",
         TextId("for voltage drop and losses of feeders and busways; 90: XLPE at its ampacity (IEC 60364-5-52)")},
        {"network.*.target_oversubscription.*",
         Kind::Number,
         0.001,
         1e6,
         {},
         TextId("Oversubscription wanted"),
         {},
         ":1",
         "",
         TextId("rule N10 compares with it")},
        {"network.*.hash.*",
         Kind::Choice,
         0,
         0,
         {"five-tuple", "source-port"},
         TextId("Hashing"),
         {},
         "",
         "five-tuple",
         TextId("what the switches of a tier hash to choose among equal next hops; simulations route by it")},
        {"impact.generator_start_s",
         Kind::Number,
         0,
         3600,
         {},
         failures,
         TextId("Generators carry after"),
         "s",
         "10",
         TextId("from the loss of voltage to load at the transfer switch: NFPA 110 type 10; groups that synchronise take 15 to 30 s")},
        {"impact.change_over_s",
         Kind::Number,
         0,
         3600,
         {},
         failures,
         TextId("A change-over takes"),
         "s",
         "0.5",
         TextId("of boards and switchgear with two ways in (assumed); static switches take a quarter of a cycle, which power supplies bridge")},
        {"impact.trips",
         Kind::Choice,
         0,
         0,
         {"on", "off"},
         failures,
         TextId("Overloads trip"),
         "",
         "on",
         TextId("what a failure leaves above its rating goes out, too")},
        {"impact.breaker_curve",
         Kind::Choice,
         0,
         0,
         {"c", "b", "d"},
         failures,
         TextId("Curve of miniature circuit breakers"),
         "",
         "c",
         TextId("up to 125 A (IEC 60898-1): does not trip at 1.13 In, trips within an hour at 1.45 In")},
        {"impact.trip_bound",
         Kind::Choice,
         0,
         0,
         {"earliest", "latest"},
         failures,
         TextId("Breakers trip at the"),
         "",
         "earliest",
         TextId("bound of their time-current band; earliest is conservative: more is lost, and sooner")},
        {"impact.long_time_s",
         Kind::Number,
         0.5,
         30,
         {},
         failures,
         TextId("Long-time delay of circuit breakers"),
         "s",
         "12",
         TextId("tr at 6 Ir, above 125 A (IEC 60947-2, assumed); pickup between 1.05 and 1.30 Ir")},
        {"impact.short_time",
         Kind::Number,
         1.5,
         15,
         {},
         failures,
         TextId("Short-time pickup of circuit breakers"),
         "Ir",
         "8",
         TextId("Isd, within 10 % (assumed)")},
        {"impact.short_time_s",
         Kind::Number,
         0,
         1,
         {},
         failures,
         TextId("Short-time delay of circuit breakers"),
         "s",
         "0.2",
         TextId("tsd (assumed)")},
        {"impact.instantaneous",
         Kind::Number,
         1.5,
         20,
         {},
         failures,
         TextId("Instantaneous pickup of circuit breakers"),
         "Ir",
         "12",
         TextId("Ii, within 10 % (assumed)")},
        {"impact.trip_s",
         Kind::Number,
         0,
         86'400,
         {},
         failures,
         TextId("Batteries and generators cut out after"),
         "s",
         "60",
         TextId("above what they give, and rectifiers (assumed); circuit breakers trip by their time-current band")},
        {"impact.trip_percent",
         Kind::Number,
         10,
         1000,
         {},
         failures,
         TextId("Breakers are set to"),
         "%",
         "100",
         TextId("Ir of the rating in kVA, else of the capacity; generators and rectifiers: of their capacity (assumed)")},
        {"power.battery_kw_per_kwh",
         Kind::Number,
         0,
         100,
         {},
         failures,
         TextId("Batteries give at most"),
         "kW/kWh",
         "6",
         TextId("of their energy when new; above it they cut out like an overload (assumed: cabinets of 34.6 kWh give about 200 kW); 0: no limit")},
        {"impact.cabinet_margin_s",
         Kind::Number,
         0,
         3600,
         {},
         failures,
         TextId("Coolant that stands lasts"),
         "s",
         "15",
         TextId("of a cabinet whose litres are not stated, once nothing flows: planners' margin (assumed)")},
        {"impact.air_margin_s",
         Kind::Number,
         0,
         86'400,
         {},
         failures,
         TextId("Air of a room lasts"),
         "s",
         "120",
         TextId("at all of its heat with none taken out: planners' margin (assumed); 0: the room's volume of air alone")},
        {"impact.chiller_restart_s",
         Kind::Number,
         0,
         86'400,
         {},
         failures,
         TextId("Chillers start again within"),
         "s",
         "600",
         TextId("from power to full capacity, of chillers that state none: a lock-out of 10 min (assumed)")},
        {"addressing.*", Kind::Address, 0, 0, {}, TextId("Addresses"), {}, "", "", TextId("pools and numbers of the address plan")},
    };
    for (const auto& more : {plant, moneySettings(), telemetrySettings(), watchSettings()}) add(more);
    const auto written = [&](const char* key, TextId help) {
        all.push_back({.key = key, .kind = Kind::Text, .group = TextId("Template"), .help = help, .writer = SettingWriter::Program});
    };
    written("template.name", TextId("the template that the design came from"));
    written("template.places", TextId("'given' where the design stands in rooms that no template made"));
    written("template.text", TextId("its text, so that parameters can be changed later"));
    written("parameter.*", TextId("a parameter of the template; set-parameter changes it"));
    written("choice.*", TextId("a choice of the template"));
    written("wiring.*.uneven", TextId("what a link rule could not spread evenly"));
    written("note.*", TextId("what generating has to say; reports print it"));
    return all;
}

bool fits(std::string_view pattern, std::string_view key)
{
    const auto star = pattern.find('*');
    if (star == std::string_view::npos) return pattern == key;
    if (key.substr(0, star) != pattern.substr(0, star)) return false;
    const auto rest = pattern.substr(star + 1);
    for (std::size_t end = star + 1; end <= key.size(); ++end)
        if (fits(rest, key.substr(end))) return true;
    return false;
}

} // namespace

std::span<const Setting> settingsRegistry()
{
    static const std::vector<Setting> all = made();
    return all;
}

bool isPattern(std::string_view key) { return key.find('*') != std::string_view::npos; }

std::string writtenOut(std::string_view pattern, const std::vector<std::string>& names)
{
    std::string key;
    std::size_t next = 0;
    for (const char c : pattern)
        if (c == '*' && next < names.size())
            key += names[next++];
        else
            key += c;
    return key;
}

const Setting* findSetting(std::string_view key)
{
    static const auto byKey = [] {
        std::unordered_map<std::string_view, const Setting*> index;
        for (const Setting& s : settingsRegistry()) index.emplace(s.key, &s);
        return index;
    }();
    if (const auto found = byKey.find(key); found != byKey.end()) return found->second;
    const auto all = settingsRegistry();
    const auto it = std::ranges::find_if(all, [&](const Setting& s) { return isPattern(s.key) && fits(s.key, key); });
    return it == all.end() ? nullptr : &*it;
}

std::string defaultOf(std::string_view key)
{
    const Setting* setting = findSetting(key);
    return setting ? setting->fallback : std::string();
}

const char* name(SettingKind kind)
{
    switch (kind) {
    case Kind::Text: return "text";
    case Kind::Currency: return "currency";
    case Kind::Choice: return "choice";
    case Kind::Number: return "number";
    case Kind::Count: return "count";
    case Kind::Address: return "address";
    }
    return "";
}

} // namespace hw
