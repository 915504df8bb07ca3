// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/settings/registry.h"

#include "core/foundation/base/spelling.h"
#include "core/foundation/settings/cabling_settings.h"
#include "core/foundation/settings/grid_settings.h"
#include "core/foundation/settings/money_settings.h"
#include "core/foundation/settings/monitoring_settings.h"
#include "core/foundation/settings/prediction_settings.h"
#include "core/foundation/settings/telemetry_settings.h"
#include "core/foundation/settings/year_settings.h"

#include <algorithm>
#include <unordered_map>

namespace hw {

namespace {

using Kind = SettingKind;

std::vector<Setting> made()
{
    const TextId project = TextId("Project"), power = TextId("Site power"), substations = TextId("Substations"), cooling = TextId("Cooling"),
                 failures = TextId("Failure impact");
    std::vector<Setting> all = {
        {"project.name", Kind::Text, 0, 0, {}, project, TextId("Name"), "", "", TextId("shown in reports and file names")},
        {"project.currency", Kind::Currency, 0, 0, {}, project, TextId("Currency"), "", "USD", TextId("three letters; prices are not converted")},
        {"project.rack_names",
         Kind::Text,
         0,
         0,
         {},
         project,
         TextId("Rack name pattern"),
         "",
         "",
         TextId("# a digit, @ a letter, * any text; rule D2 reports other names; if empty, none")},
        {"project.device_names",
         Kind::Text,
         0,
         0,
         {},
         project,
         TextId("Device name pattern"),
         "",
         "",
         TextId("# a digit, @ a letter, * any text; rule D2 reports other names; if empty, none")},
        {"site.plan_north_deg",
         Kind::Number,
         0,
         360,
         {},
         project,
         TextId("Plan north"),
         "°",
         "0",
         TextId("bearing of the upward direction of the plan, clockwise from true north; set when a plan is rotated to the walls of a hall")},
        {"site.power_basis",
         Kind::Choice,
         0,
         0,
         {"design", "typical", "nameplate"},
         power,
         TextId("Power basis for limits"),
         "",
         "design",
         TextId("power of each device: typical, design or nameplate")},
        {"site.limit_basis",
         Kind::Choice,
         0,
         0,
         {"it", "facility"},
         power,
         TextId("Limit applies to"),
         "",
         "it",
         TextId("IT power only, or including cooling and losses (times PUE)")},
        {"site.pue", Kind::Number, 1, 3, {}, power, TextId("PUE"), "", "1.2", TextId("constant: facility power over IT power (ISO/IEC 30134-2)")},
        {"site.pue_basis",
         Kind::Choice,
         0,
         0,
         {"losses", "constant"},
         power,
         TextId("PUE basis"),
         "",
         "losses",
         TextId("losses, pumps, fans and heat rejection of this design if it has all of them; otherwise the constant")},
        {"site.pue_source", Kind::Text, 0, 0, {}, power, TextId("Source of the PUE"), "", "", TextId("if empty, reports show it as assumed")},
        {"site.substations",
         Kind::Count,
         0,
         1000,
         {},
         substations,
         TextId("Substations"),
         "",
         "0",
         TextId("of a design without drawn substations (assumed); 0: none")},
        {"site.substation_transformers", Kind::Count, 0, 1000, {}, substations, TextId("Transformers per substation"), "", "2"},
        {"site.substation_mva", Kind::Number, 0, 10'000, {}, substations, TextId("Transformer rating"), "MVA", "63"},
        {"site.substation_spare", Kind::Count, 0, 1000, {}, substations, TextId("Tolerated outages"), "", "1", TextId("1: N-1")},
        {"site.fuel_hours",
         Kind::Number,
         0,
         1000,
         {},
         substations,
         TextId("Fuel autonomy"),
         "h",
         "12",
         TextId("fuel autonomy of all generator sets at design load (Uptime Institute: 12 h, all tiers)")},
        {"site.generator_noise_dba",
         Kind::Number,
         0,
         130,
         {},
         substations,
         TextId("Generator set noise at 7 m"),
         "dB(A)",
         "75",
         TextId("assumed: upper end of 65 to 75 dB(A) of enclosed sets")},
        {"site.cooler_noise_dba",
         Kind::Number,
         0,
         130,
         {},
         substations,
         TextId("Chiller and dry cooler noise at 7 m"),
         "dB(A)",
         "65",
         TextId("assumed: per outdoor chiller, dry cooler or cooling tower")},
        {"site.boundary_m",
         Kind::Number,
         0,
         10'000,
         {},
         substations,
         TextId("Distance to the site boundary"),
         "m",
         "50",
         TextId("assumed: from the outermost buildings and yards")},
        {"site.noise_limit_dba",
         Kind::Number,
         0,
         130,
         {},
         substations,
         TextId("Noise limit at the site boundary"),
         "dB(A)",
         "0",
         TextId("specified in the permit; 0: no limit")},
        {"site.exhaust_gap_m",
         Kind::Number,
         0,
         100,
         {},
         substations,
         TextId("Clearance of generator exhaust to air intakes"),
         "m",
         "3",
         TextId("assumed: between generator sets and outdoor heat rejection")},
        {"site.power_factor", Kind::Number, 0.1, 1, {}, substations, TextId("Power factor"), "", "0.95"},
        {"cooling.coolant", Kind::Choice, 0, 0, {"pg25", "water"}, cooling, TextId("Coolant"), "", "pg25", TextId("25 % propylene glycol, or water")},
        {"cooling.coolant_supply_c", Kind::Number, 5, 60, {}, cooling, TextId("Coolant supply temperature"), "°C", "30"},
        {"cooling.coolant_delta_k", Kind::Number, 1, 60, {}, cooling, TextId("Coolant temperature rise (ΔT)"), "K", "12"},
        {"cooling.air_delta_k", Kind::Number, 1, 60, {}, cooling, TextId("Air temperature rise (ΔT)"), "K", "15"},
        {"cooling.facility_supply_c",
         Kind::Number,
         5,
         50,
         {},
         cooling,
         TextId("Facility water supply temperature"),
         "°C",
         "20",
         TextId("assumed: one loop supplies fan walls and CDUs; with dry coolers only, limited by the outdoor temperature")},
        {"cooling.facility_delta_k", Kind::Number, 1, 40, {}, cooling, TextId("Facility water temperature rise (ΔT)"), "K", "10", TextId("assumed")},
        {"cooling.air_supply_c",
         Kind::Number,
         10,
         45,
         {},
         cooling,
         TextId("Rack inlet air temperature"),
         "°C",
         "25",
         TextId("assumed; ASHRAE TC 9.9 recommends 18 to 27")},
        {"cooling.air_limit_c",
         Kind::Number,
         20,
         60,
         {},
         cooling,
         TextId("Rack inlet temperature limit"),
         "°C",
         "35",
         TextId("ASHRAE TC 9.9, allowable in class A2")},
        {"cooling.bypass_percent",
         Kind::Number,
         0,
         80,
         {},
         cooling,
         TextId("Bypass air"),
         "%",
         "5",
         TextId("leakage of contained aisles: 3 to 5 % at 5 to 10 Pa")},
        {"cooling.fittings_k",
         Kind::Number,
         0,
         100,
         {},
         cooling,
         TextId("Fitting loss coefficient"),
         "",
         "3",
         TextId("assumed: sum of the loss coefficients of bends and branches in each pipe between two elements")},
        {"cooling.ride_through_k",
         Kind::Number,
         0.1,
         60,
         {},
         cooling,
         TextId("Ride-through temperature rise of coolant"),
         "K",
         "15",
         TextId("assumed: allowable rise after heat removal stops")},
        {"cooling.fill_margin_percent",
         Kind::Number,
         0,
         100,
         {},
         cooling,
         TextId("Coolant purchased in excess of loop volume"),
         "%",
         "10",
         TextId("assumed: losses from filling and venting, and a first refill")},
        {"site.ambient_c",
         Kind::Number,
         0,
         60,
         {},
         cooling,
         TextId("Maximum outdoor temperature"),
         "°C",
         "35",
         TextId("design dry-bulb temperature for heat rejection; 35 is the rating condition of ASHRAE 90.1")},
        {"site.wet_bulb_c",
         Kind::Number,
         0,
         40,
         {},
         cooling,
         TextId("Maximum wet-bulb temperature"),
         "°C",
         "24",
         TextId("for cooling towers; 24 is the design value of the Modelica Buildings library")},
        {"site.dew_point_c",
         Kind::Number,
         0,
         30,
         {},
         cooling,
         TextId("Maximum indoor dew point"),
         "°C",
         "15",
         TextId("ASHRAE TC 9.9, recommended range: up to 15")},
        {"site.ambient_source",
         Kind::Text,
         0,
         0,
         {},
         cooling,
         TextId("Source of the outdoor temperatures"),
         "",
         "",
         TextId("if empty, reports show them as assumed")},
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
         TextId("switchgear to transformers: determines their cable size")},
        {"power.high_kv",
         Kind::Number,
         52,
         800,
         {},
         power,
         TextId("High voltage"),
         "kV",
         "110",
         TextId("utility to HV/MV transformers: determines their cable size")},
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
         TextId("Target oversubscription"),
         {},
         ":1",
         "",
         TextId("limit for rule N10")},
        {"storage.*.capacity_tb",
         Kind::Number,
         0,
         1e9,
         {},
         TextId("Storage"),
         TextId("Capacity per node"),
         "TB",
         "",
         TextId("usable capacity of one node of this tier; 0: not specified")},
        {"storage.*.media_gbytes_per_s",
         Kind::Number,
         0,
         1e6,
         {},
         TextId("Storage"),
         TextId("Media throughput per node"),
         "GB/s",
         "",
         TextId("sequential throughput of the media of one node of this tier; 0: throughput of its links")},
        {"network.*.hash.*",
         Kind::Choice,
         0,
         0,
         {"five-tuple", "source-port"},
         TextId("Hashing"),
         {},
         "",
         "five-tuple",
         TextId("fields that the switches of a tier hash to choose among equal-cost next hops; used for routing in simulations")},
        {"impact.generator_start_s",
         Kind::Number,
         0,
         3600,
         {},
         failures,
         TextId("Generator start time"),
         "s",
         "10",
         TextId("from loss of voltage to load at the transfer switch: NFPA 110 type 10; groups that synchronize take 15 to 30 s")},
        {"power.generator_failure_percent",
         Kind::Number,
         0,
         100,
         {},
         failures,
         TextId("Generator failure on demand"),
         "%",
         "1.35",
         TextId("generator sets that do not start, for the availability of the power path (IEEE 493, 0.0135 per start; not verified)")},
        {"impact.change_over_s",
         Kind::Number,
         0,
         3600,
         {},
         failures,
         TextId("Transfer time"),
         "s",
         "0.5",
         TextId("of switchboards and switchgear with two feeds (assumed); static switches take a quarter of a cycle, "
                "which power supplies ride through")},
        {"impact.trips",
         Kind::Choice,
         0,
         0,
         {"on", "off"},
         failures,
         TextId("Trip on overload"),
         "",
         "on",
         TextId("elements above their rating after a failure are also lost")},
        {"impact.breaker_curve",
         Kind::Choice,
         0,
         0,
         {"c", "b", "d"},
         failures,
         TextId("Miniature circuit breaker trip curve"),
         "",
         "c",
         TextId("up to 125 A (IEC 60898-1): does not trip at 1.13 In, trips within an hour at 1.45 In")},
        {"impact.trip_bound",
         Kind::Choice,
         0,
         0,
         {"earliest", "latest"},
         failures,
         TextId("Trip curve bound"),
         "",
         "earliest",
         TextId("of circuit breaker time-current curves; earliest is conservative: more equipment is lost, and sooner")},
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
         TextId("Overload time of batteries and generators"),
         "s",
         "60",
         TextId(
             "time above the rating until they trip, also for rectifiers (assumed); circuit breakers trip according to their time-current curves")},
        {"impact.trip_percent",
         Kind::Number,
         10,
         1000,
         {},
         failures,
         TextId("Breaker setting"),
         "%",
         "100",
         TextId("Ir as a share of the rating in kVA, otherwise of the capacity; generators and rectifiers: of their capacity (assumed)")},
        {"power.battery_kw_per_kwh",
         Kind::Number,
         0,
         100,
         {},
         failures,
         TextId("Maximum battery discharge power"),
         "kW/kWh",
         "6",
         TextId("relative to the energy when new; above it, batteries cut out as on overload (assumed: 34.6 kWh "
                "cabinets deliver about 200 kW); 0: no limit")},
        {"impact.cabinet_margin_s",
         Kind::Number,
         0,
         3600,
         {},
         failures,
         TextId("Stagnant coolant ride-through"),
         "s",
         "15",
         TextId("of a cabinet without a specified coolant volume, after flow stops: planning margin (assumed)")},
        {"impact.air_margin_s",
         Kind::Number,
         0,
         86'400,
         {},
         failures,
         TextId("Room air ride-through"),
         "s",
         "120",
         TextId("at full heat load without heat removal: planning margin (assumed); 0: the room's air volume only")},
        {"impact.chiller_restart_s",
         Kind::Number,
         0,
         86'400,
         {},
         failures,
         TextId("Chiller restart time"),
         "s",
         "600",
         TextId("from power restoration to full capacity, for chillers without a value of their own: 10 min lockout (assumed)")},
        {"addressing.*", Kind::Address, 0, 0, {}, TextId("Addressing"), {}, "", "", TextId("pools and numbers of the address plan")},
    };
    for (const auto& more : {plant, gridSettings(), yearSettings(), moneySettings(), telemetrySettings(), monitoringSettings(), predictionSettings()})
        add(more);
    const auto written = [&](const char* key, TextId help) {
        all.push_back({.key = key, .kind = Kind::Text, .group = TextId("Template"), .help = help, .writer = SettingWriter::Program});
    };
    written("template.name", TextId("template from which the design was created"));
    written("template.places", TextId("'given' if the design is in rooms that were not created by a template"));
    written("template.text", TextId("template text, so that parameters can be changed later"));
    written("parameter.*", TextId("template parameter; change it with set-parameter"));
    written("choice.*", TextId("template choice"));
    written("wiring.*.uneven", TextId("links that a link rule could not distribute evenly"));
    written("note.*", TextId("messages from design generation; included in reports"));
    written("tag.*.name", TextId("name of an inventory tag; imported from and exported to NetBox"));
    written("tag.*.color", TextId("color of an inventory tag, as in NetBox"));
    written("tag.*.on", TextId("objects with this tag: tables and row numbers"));
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
    const Setting* const exact = inEitherSpelling(key, [&](std::string_view one) {
        const auto found = byKey.find(one);
        return found == byKey.end() ? nullptr : found->second;
    });
    if (exact) return exact;
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
