// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/energy/year_output.h"

namespace hw {

PlainTable yearTable(const Year& year)
{
    PlainTable table;
    table.sheet = "year";
    for (const char* name : {"time",       "dry_bulb_c", "wet_bulb_c",  "dew_point_c",        "it_kw",       "facility_kw",    "pue",
                             "pumps_kw",   "fans_kw",    "chillers_kw", "heat_rejection_kw",  "humidity_kw", "ventilation_kw", "losses_kw",
                             "feeders_kw", "other_kw",   "water_l",     "free_cooling_share", "reused_kw",   "price_per_kwh"})
        table.columns.push_back({name, name == std::string_view("time") ? 14.0 : 12.0});
    table.rows = year.hours.size();
    table.each = [&year](const PlainTable::Take& take) -> Result<void> {
        for (std::size_t h = 0; h < year.hours.size(); ++h) {
            const plant::PlantHour& hour = year.hours[h];
            const weather::Air& air = year.weather.hours[h];
            const auto kw = [](double watts) { return PlainTable::Cell(double(std::llround(watts)) / 1000); };
            const auto fine = [](double value) { return PlainTable::Cell(double(std::llround(value * 1e4)) / 1e4); };
            const std::vector<PlainTable::Cell> row{weather::momentOf(h).text(),
                                                    fine(air.dryBulbC),
                                                    fine(air.wetBulbC),
                                                    fine(air.dewPointC),
                                                    kw(hour.itW),
                                                    kw(hour.siteW),
                                                    fine(hour.pue()),
                                                    kw(hour.pumpsW),
                                                    kw(hour.fansW),
                                                    kw(hour.chillersW),
                                                    kw(hour.rejectionW),
                                                    kw(hour.humidityW),
                                                    kw(hour.ventilationW),
                                                    kw(hour.lossesW),
                                                    kw(hour.feedersW),
                                                    kw(hour.otherW),
                                                    fine((hour.water.total() + hour.humidifierKgS) * 3600),
                                                    fine(hour.freeShare),
                                                    kw(hour.reusedW),
                                                    fine(year.tariff.priceAt(h, year.weather.firstWeekday))};
            if (const auto taken = take(row); !taken) return taken;
        }
        return {};
    };
    return table;
}

} // namespace hw
