// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/settings/year_settings.h"

namespace hw {

namespace {

using Kind = SettingKind;

struct YearRow {
    const char* key;
    double least, most;
    TextId label;
    const char *unit, *fallback;
    TextId help;
    TextId source;
};

void addNumbers(std::vector<Setting>& all, TextId group, std::initializer_list<YearRow> rows)
{
    for (const YearRow& row : rows)
        all.push_back({row.key, Kind::Number, row.least, row.most, {}, group, row.label, row.unit, row.fallback, row.help, row.source});
}

} // namespace

std::vector<Setting> yearSettings()
{
    const TextId assumed = TextId("assumed"), year = TextId("Energy over a year"), reuse = TextId("Heat reuse");
    std::vector<Setting> all = {
        {"site.climate",
         Kind::Text,
         0,
         0,
         {},
         year,
         TextId("Climate"),
         "",
         "ashburn",
         TextId("place whose monthly normals give the weather of a year (docs/year.md lists them)"),
         assumed},
        {"site.carbon_g_per_kwh",
         Kind::Number,
         0,
         3000,
         {},
         year,
         TextId("Carbon intensity"),
         "g/kWh",
         "",
         TextId("of the grid, CO2 equivalent; if empty, that of the climate's grid")},
        {"site.tariff",
         Kind::Text,
         0,
         0,
         {},
         year,
         TextId("Electricity tariff"),
         "",
         "",
         TextId("shipped tariff (docs/year.md lists them); if empty, one price per kWh and the demand charge below")},
        {"cost.energy_basis",
         Kind::Choice,
         0,
         0,
         {"year", "design"},
         year,
         TextId("Energy basis of the hourly cost"),
         "",
         "year",
         TextId("8,760 hours of the climate, or facility power at the design outdoor temperature times the load factor")},
        {"year.profile",
         Kind::Choice,
         0,
         0,
         {"constant", "daily", "jobs"},
         year,
         TextId("IT load profile"),
         "",
         "constant",
         TextId("with the load factor as mean: constant, a daily cycle with weekends, or jobs with gaps between them")},
        {"year.power_supplies",
         Kind::Choice,
         0,
         0,
         {"titanium", "platinum", "ruby"},
         year,
         TextId("Power supply class"),
         "",
         "titanium",
         TextId("80 PLUS class at 230 V, for efficiency at part load"),
         assumed},
        {"year.redundant_units",
         Kind::Choice,
         0,
         0,
         {"share", "standby"},
         year,
         TextId("Redundant pumps and fans"),
         "",
         "share",
         TextId("share: all units run at lower speed; standby: only those that are needed run"),
         assumed},
        {"year.free_cooling",
         Kind::Choice,
         0,
         0,
         {"on", "off"},
         year,
         TextId("Free cooling coils of air-cooled chillers"),
         "",
         "on",
         TextId("the air-cooled chillers of the catalog are sized and priced with them")},
        {"year.economizer",
         Kind::Choice,
         0,
         0,
         {"off", "on"},
         year,
         TextId("Economizer of water-cooled chillers"),
         "",
         "off",
         TextId("a heat exchanger between chilled and condenser water that the design does not contain, 2 K approach (assumed)")},
        {"year.adiabatic",
         Kind::Choice,
         0,
         0,
         {"off", "on"},
         year,
         TextId("Adiabatic pads of dry coolers"),
         "",
         "off",
         TextId("wetted while the dry coolers alone do not reach the set point")},
        {"year.chiller_air",
         Kind::Text,
         0,
         0,
         {},
         year,
         TextId("Part-load curves of air-cooled chillers"),
         "",
         "screw-vsd-air",
         TextId("set of resources/plant/chillers.csv; also at full load for chillers without rejection points"),
         TextId("PNNL Copper")},
        {"year.chiller_water",
         Kind::Text,
         0,
         0,
         {},
         year,
         TextId("Part-load curves of water-cooled chillers"),
         "",
         "centrifugal-vsd-1407kw",
         TextId("set of resources/plant/chillers.csv; also at full load for chillers without rejection points"),
         TextId("PNNL Copper")},
    };
    addNumbers(
        all, year,
        {{"year.daily_swing_percent", 0, 100, TextId("Daily swing of the IT load"), "%", "20",
          TextId("daily profile: around its mean, highest at 15:00"), assumed},
         {"year.weekend_percent", 0, 100, TextId("IT load on weekends"), "%", "90", TextId("daily profile: relative to weekdays"), assumed},
         {"year.job_days", 0.1, 365, TextId("Job duration"), "days", "28", TextId("jobs profile: a job on all accelerators"), assumed},
         {"year.idle_hours", 0, 8000, TextId("Gap between jobs"), "h", "12", TextId("jobs profile"), assumed},
         {"year.idle_percent", 0, 100, TextId("IT load between jobs"), "%", "30", TextId("jobs profile: relative to the load during a job"), assumed},
         {"year.growth_start_percent", 0, 100, TextId("IT load at the start of the year"), "%", "100",
          TextId("relative to its end; grows linearly over the year"), assumed},
         {"year.free_cooling_approach_k", 1, 20, TextId("Free cooling approach"), "K", "5",
          TextId("outdoor air to supply at which coils carry all of the heat"), assumed},
         {"year.free_cooling_fans_percent", 0, 20, TextId("Free cooling fan power"), "%", "2.5", TextId("of the rated heat, at full speed"), assumed},
         {"year.adiabatic_percent", 0, 100, TextId("Pad effectiveness"), "%", "85", TextId("share of the wet-bulb depression"), assumed},
         {"year.least_condenser_c", 5, 40, TextId("Minimum condenser water temperature"), "°C", "16", TextId("at the inlet of water-cooled chillers"),
          assumed},
         {"year.fixed_head_percent", 0, 100, TextId("Fixed head"), "%", "30",
          TextId("share of the head of pumps and fans that does not fall with the square of the flow"), assumed},
         {"year.least_flow_percent", 0, 100, TextId("Minimum flow"), "%", "30", TextId("of each loop, relative to its design flow"), assumed},
         {"year.cycles", 1.1, 100, TextId("Cycles of concentration"), "", "5", TextId("of tower water: determines the blow-down"), assumed},
         {"year.drift_percent", 0, 1, TextId("Drift"), "%", "0.002", TextId("of the water that circulates"),
          TextId("0.001 to 0.005 % with current eliminators")},
         {"year.other_percent", 0, 20, TextId("Other loads"), "%", "0.5", TextId("of IT power: lighting, controls, generator heaters"), assumed},
         {"year.ventilation_percent", 0, 50, TextId("Ventilation"), "%", "3.5", TextId("of losses in rooms without air units: 10 K, 250 Pa"),
          assumed},
         {"year.frost_point_k", 0, 40, TextId("Minimum indoor dew point below 0 °C"), "K", "9", TextId("9: -9 °C"),
          TextId("ASHRAE TC 9.9, recommended range: from -9 °C")},
         {"year.air_changes", 0, 10, TextId("Outdoor air changes"), "1/h", "0.3", TextId("of the halls, dried or humidified to the indoor limits"),
          assumed},
         {"cost.demand_per_kw_month", 0, 1e5, TextId("Demand charge"), "/kW·month", "0", TextId("beside the price per kWh"),
          TextId("none: no charge added")},
         {"cost.contract_kw", 0, 1e9, TextId("Contracted demand"), "kW", "0", TextId("0: none"), TextId("none: no charge added")},
         {"cost.ratchet_percent", 0, 100, TextId("Minimum billed demand"), "%", "85",
          TextId("of the larger of contracted demand and the year's peak"), TextId("Dominion GS-5, AEP Ohio: 85 %")}});
    addNumbers(all, reuse,
               {{"reuse.heat_kw", 0, 1e6, TextId("Heat demand"), "kW", "0", TextId("of a consumer of waste heat; 0: none"), assumed},
                {"reuse.supply_c", 10, 120, TextId("Consumer supply temperature"), "°C", "60",
                 TextId("above the return temperature, a heat pump of the consumer lifts the heat"), assumed}});
    const auto month = [&](const char* key, TextId label, const char* fallback) {
        all.push_back(
            {key, Kind::Count, 1, 12, {}, reuse, label, "", fallback, TextId("1 to 12; a season may include the turn of the year"), assumed});
    };
    month("reuse.first_month", TextId("First month of the season"), "10");
    month("reuse.last_month", TextId("Last month of the season"), "4");
    return all;
}

} // namespace hw
