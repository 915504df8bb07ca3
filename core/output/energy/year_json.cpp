// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/energy/year_output.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace hw {

namespace {

using Json = nlohmann::ordered_json;

double at(double value, double steps) { return std::round(value * steps) / steps; }

Json hourJson(const Year& year, std::size_t h)
{
    const plant::PlantHour& hour = year.hours[h];
    const weather::Air& air = year.weather.hours[h];
    return {{"time", weather::momentOf(h).text()},
            {"hour", h},
            {"pue", at(hour.pue(), 1e6)},
            {"facility_w", at(hour.siteW, 1)},
            {"it_w", at(hour.itW, 1)},
            {"dry_bulb_c", at(air.dryBulbC, 100)},
            {"wet_bulb_c", at(air.wetBulbC, 100)}};
}

Json sumsJson(const YearSums& s)
{
    const auto mwh = [](double kwh) { return at(kwh / 1000, 1e3); };
    return {{"it_mwh", mwh(s.it)},
            {"facility_mwh", mwh(s.site)},
            {"cooling_mwh", mwh(s.cooling())},
            {"losses_mwh", mwh(s.losses + s.feeders)},
            {"other_mwh", mwh(s.other)},
            {"pue", at(s.pue(), 1e6)},
            {"wue_l_per_kwh", at(s.wue(), 1e6)},
            {"water_m3", at(s.water() / 1000, 1e3)},
            {"peak_kw", at(s.peakW / 1000, 1e3)},
            {"mean_c", at(s.meanC, 100)},
            {"hours_free_cooling", s.freeHours},
            {"hours_partly_free_cooling", s.partlyFreeHours}};
}

Json weatherJson(const Year& year)
{
    const auto& w = year.weather;
    const auto degrees = [](std::optional<double> c) { return c ? Json(*c) : Json(); };
    return {{"place", w.slug.empty() ? w.title : w.slug},
            {"title", w.title},
            {"source", w.source},
            {"synthetic", w.synthetic},
            {"assumed", w.assumed},
            {"filled_hours", w.filled},
            {"suspect_hours", w.suspect},
            {"design_days",
             {{"dry_bulb_996_c", degrees(w.design.coldest996C)},
              {"dry_bulb_04_c", degrees(w.design.hottest04C)},
              {"wet_bulb_04_c", degrees(w.design.wetBulb04C)},
              {"wet_bulb_most_c", degrees(w.design.wetBulbMostC)}}}};
}

Json energyJson(const YearSums& s)
{
    const auto mwh = [](double kwh) { return at(kwh / 1000, 1e3); };
    return {{"it", mwh(s.it)},
            {"facility", mwh(s.site)},
            {"pumps", mwh(s.pumps)},
            {"fans", mwh(s.fans)},
            {"chillers", mwh(s.chillers)},
            {"heat_rejection", mwh(s.rejection)},
            {"humidity", mwh(s.humidity)},
            {"ventilation", mwh(s.ventilation)},
            {"losses", mwh(s.losses)},
            {"feeders", mwh(s.feeders)},
            {"other", mwh(s.other)},
            {"power_supplies_within_it", mwh(s.supplies)}};
}

} // namespace

std::vector<std::pair<double, double>> durationPoints(const Year& year)
{
    std::vector<std::pair<double, double>> out;
    const auto& sorted = year.durationW;
    if (sorted.empty()) return out;
    for (const double share : {0.0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0})
        out.emplace_back(share, sorted[std::min(sorted.size() - 1, std::size_t(share * double(sorted.size())))]);
    return out;
}

Json yearJson(const Year& year, std::span<const YearOfPhase> phases, const DesignStamp& stamp)
{
    const YearSums& all = year.all;
    Json json{{"schema", "hallwright.year/1"},
              {"design", {{"name", stamp.project}, {"revision", stamp.revision}, {"date", stamp.date}}},
              {"annual_pue", at(all.pue(), 1e6)},
              {"wue_l_per_kwh", at(all.wue(), 1e6)},
              {"cue_kg_per_kwh", year.cue() ? Json(at(*year.cue(), 1e6)) : Json()},
              {"erf", at(all.erf(), 1e6)},
              {"energy_mwh", at(all.site / 1000, 1e3)},
              {"worst_hour", hourJson(year, year.worst)},
              {"peak_hour", hourJson(year, year.peak)},
              {"hours_free_cooling", all.freeHours},
              {"hours_partly_free_cooling", all.partlyFreeHours},
              {"hours_over_set_point", year.overHours},
              {"most_over_set_point_k", at(year.mostOverK, 100)},
              {"hours_condensing", year.condensingHours},
              {"unmet_heat_mwh", at(all.unmet / 1000, 1e3)},
              {"imbalance", year.mostImbalance},
              {"profile", year.profile},
              {"weather", weatherJson(year)},
              {"energy", energyJson(all)}};
    json["water"] = {{"total_m3", at(all.water() / 1000, 1e3)},
                     {"evaporation_m3", at(all.evaporation / 1000, 1e3)},
                     {"drift_m3", at(all.drift / 1000, 1e3)},
                     {"blow_down_m3", at(all.blowDown / 1000, 1e3)},
                     {"humidifiers_m3", at(all.humidifier / 1000, 1e3)}};
    json["carbon"] = {{"g_per_kwh", year.gramsPerKwh ? Json(*year.gramsPerKwh) : Json()},
                      {"source", year.carbonSource},
                      {"t_per_year", year.carbonKg() ? Json(at(*year.carbonKg() / 1000, 1e3)) : Json()}};
    json["reuse"] = {{"loop", year.reuseLoop.empty() ? Json() : Json(year.reuseLoop)},
                     {"heat_mwh", at(all.reused / 1000, 1e3)},
                     {"heat_pump_mwh", at(all.heatPump / 1000, 1e3)}};
    json["bill"] = {{"tariff", year.tariff.slug},
                    {"currency", year.tariff.currency},
                    {"energy", at(year.bill.energy, 100)},
                    {"demand", at(year.bill.demand, 100)},
                    {"fixed", at(year.bill.fixed, 100)},
                    {"total", at(year.bill.total(), 100)},
                    {"per_kwh", all.site > 0 ? at(year.bill.total() / all.site, 1e6) : 0}};
    auto& loops = json["facility_water"] = Json::array();
    for (const Year::Water& water : year.water)
        loops.push_back({{"loop", water.loop},
                         {"supply_c", at(water.supplyC, 100)},
                         {"return_c", at(water.returnC, 100)},
                         {"class", waterClass(water.supplyC)},
                         {"warmest_c", water.warmestC > 0 ? Json(at(water.warmestC, 100)) : Json()}});
    auto& months = json["months"] = Json::array();
    for (std::size_t m = 0; m < 12; ++m) {
        Json month{{"month", m + 1}};
        month.update(sumsJson(year.months[m]));
        month["bill"] = at(year.bill.months[m].total(), 100);
        months.push_back(month);
    }
    auto& duration = json["load_duration"] = Json::array();
    for (const auto& [share, watts] : durationPoints(year)) duration.push_back({{"share_of_hours", share}, {"facility_kw", at(watts / 1000, 1e3)}});
    auto& pattern = json["pue_by_month_and_hour"] = Json::array();
    for (const auto& month : year.puePattern) {
        Json row = Json::array();
        for (const double pue : month) row.push_back(at(pue, 1e4));
        pattern.push_back(row);
    }
    auto& list = json["phases"] = Json::array();
    for (const YearOfPhase& phase : phases) {
        Json one{{"phase", phase.number}, {"name", phase.name}};
        one.update(sumsJson(phase.sums));
        one["bill"] = at(phase.bill, 100);
        list.push_back(one);
    }
    return json;
}

Json reportedJson(std::span<const ReportedComparison> rows)
{
    Json json{{"schema", "hallwright.year-validation/1"}};
    auto& list = json["rows"] = Json::array();
    for (const ReportedComparison& row : rows)
        list.push_back({{"case", row.site->operatorName + ", " + row.site->site},
                        {"quantity", "annual PUE"},
                        {"plant", row.site->plant},
                        {"climate", row.site->climate},
                        {"measured", {row.site->least, row.site->most}},
                        {"computed", at(row.computed, 1e4)},
                        {"error", at(row.error(), 1e4)},
                        {"allowed", ReportedComparison::kAllowed},
                        {"ok", row.compared() ? Json(row.ok()) : Json()},
                        {"not_comparable", row.compared() ? Json() : Json(row.site->notComparable)},
                        {"source", row.site->source}});
    return json;
}

} // namespace hw
