// SPDX-License-Identifier: GPL-3.0-or-later
// Energy, water, carbon and electricity cost over a year.
#include "core/output/document/parts.h"

#include "core/foundation/model/setting_values.h"
#include "core/output/energy/year_output.h"
#include "core/output/report/amounts.h"

#include <cmath>

namespace hw::document {
namespace {

using amounts::grouped;

Text thousandths(double value) { return i18n("{:.3f}", value); }

Facts yearFacts(const Year& year, const Input& in)
{
    const YearSums& s = year.all;
    Facts facts;
    facts.lines.push_back({i18n("Weather"), weatherText(year)});
    facts.lines.push_back({i18n("Annual PUE"), thousandths(s.pue())});
    facts.lines.push_back({i18n("WUE"), i18n("{:.3f} L/kWh, {:L} m³ per year", s.wue(), std::llround(s.water() / 1000))});
    facts.lines.push_back(
        {i18n("CUE"), year.cue() ? i18n("{:.3f} kg/kWh, {:L} t per year ({})", *year.cue(), std::llround(*year.carbonKg() / 1000), year.carbonSource)
                                 : i18n("unknown; set site.carbon_g_per_kwh")});
    const plant::PlantHour& worst = year.hours[year.worst];
    facts.lines.push_back({i18n("Highest PUE"), i18n("{}: PUE {:.3f}, {:.1f} °C outdoors", weather::momentOf(year.worst).text(), worst.pue(),
                                                     year.weather.hours[year.worst].dryBulbC)});
    if (in.report.power.pueComputed)
        facts.lines.push_back({i18n("Design PUE"), i18n("{:.3f} at full IT load and {:g} °C outdoors, pumps and fans at full speed; hourly PUE: part "
                                                        "load, variable speed",
                                                        in.report.power.pue, numberSetting(in.snapshot(), "site.ambient_c"))});
    facts.lines.push_back({i18n("Free cooling"), i18n("{:L} hours without compressors", s.freeHours)});
    facts.lines.push_back({i18n("Above set point"), i18n("{:L} hours, maximum {:.1f} K", year.overHours, year.mostOverK),
                           year.overHours > 0 ? Tone::Warning : Tone::Plain});
    facts.lines.push_back({i18n("Electricity"), i18n("{:L} {} per year, of which demand charge {:L} ({})", std::llround(year.bill.total()),
                                                     year.tariff.currency, std::llround(year.bill.demand), year.tariff.title)});
    return facts;
}

Table monthsTable(const Year& year)
{
    Table table;
    table.caption = i18n("Months");
    table.columns = {{i18n("Month"), 0.7},
                     {i18n("Mean, °C"), 0.8, true},
                     {i18n("IT, MWh"), 1, true},
                     {i18n("Facility, MWh"), 1, true},
                     {i18n("PUE"), 0.7, true},
                     {i18n("Water, m³"), 0.9, true},
                     {i18n("Peak, kW"), 0.9, true},
                     {i18n("Free cooling, h"), 1, true},
                     {verbatim(year.tariff.currency), 1.1, true}};
    const auto row = [&](Text name, const YearSums& s, double bill, RowKind kind) {
        table.rows.push_back({{std::move(name), i18n("{:.1f}", s.meanC), grouped(std::llround(s.it / 1000)), grouped(std::llround(s.site / 1000)),
                               thousandths(s.pue()), grouped(std::llround(s.water() / 1000)), grouped(std::llround(s.peakW / 1000)),
                               grouped(s.freeHours), grouped(std::llround(bill))},
                              kind});
    };
    for (std::size_t m = 0; m < 12; ++m) row(i18n("{}", int(m) + 1), year.months[m], year.bill.months[m].total(), RowKind::Plain);
    row(i18n("Year"), year.all, year.bill.total(), RowKind::Total);
    return table;
}

Table usesTable(const Year& year)
{
    const YearSums& s = year.all;
    Table table;
    table.caption = i18n("Energy by use");
    table.columns = {{i18n("Use"), 2}, {i18n("MWh"), 1, true}, {i18n("Share of IT"), 1, true}};
    for (const auto& [name, kwh] : std::initializer_list<std::pair<Text, double>>{{i18n("IT"), s.it},
                                                                                  {i18n("chillers"), s.chillers},
                                                                                  {i18n("heat rejection fans"), s.rejection},
                                                                                  {i18n("pumps and CDUs"), s.pumps},
                                                                                  {i18n("air-cooling units"), s.fans},
                                                                                  {i18n("humidity control"), s.humidity},
                                                                                  {i18n("ventilation"), s.ventilation},
                                                                                  {i18n("power equipment losses"), s.losses},
                                                                                  {i18n("feeder losses"), s.feeders},
                                                                                  {i18n("other"), s.other}})
        table.rows.push_back({{name, grouped(std::llround(kwh / 1000)), i18n("{:.2f} %", s.it > 0 ? 100 * kwh / s.it : 0)}});
    table.rows.push_back({{i18n("facility"), grouped(std::llround(s.site / 1000)), i18n("{:.2f} %", 100 * s.pue())}, RowKind::Total});
    return table;
}

Bars durationBars(const Year& year)
{
    Bars bars;
    bars.caption = i18n("Load-duration curve: share of hours at or above a facility power");
    const double most = year.durationW.empty() ? 0 : year.durationW.front();
    if (most <= 0) return bars;
    for (const auto& [share, watts] : durationPoints(year))
        bars.bars.push_back({i18n("{:.0f} %", share * 100), i18n("{:L} kW", std::llround(watts / 1000)), watts / most, watts / most});
    return bars;
}

/// The pattern of the year in steps of three hours; the upper third of its range stands out.
Table patternTable(const Year& year)
{
    constexpr std::size_t kStep = 3;
    Table table;
    table.caption = i18n("PUE by month and hour of the day");
    table.columns.push_back({i18n("Month"), 0.7});
    for (std::size_t h = 0; h < 24; h += kStep) table.columns.push_back({i18n("{}:00", int(h)), 1, true});
    double least = 1e9, most = 0;
    for (const auto& month : year.puePattern)
        for (const double pue : month) least = std::min(least, pue), most = std::max(most, pue);
    for (std::size_t m = 0; m < 12; ++m) {
        Table::Row row{{i18n("{}", int(m) + 1)}};
        for (std::size_t h = 0; h < 24; h += kStep) {
            double pue = 0;
            for (std::size_t k = h; k < h + kStep; ++k) pue += year.puePattern[m][k] / kStep;
            row.cells.emplace_back(thousandths(pue), pue > least + (most - least) * 2 / 3 ? Tone::Warning : Tone::Plain);
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

} // namespace

Section yearSection(const Input& in)
{
    Section section{i18n("Energy over a year"), 2, "budgets.year", {}};
    const auto year = yearOf(in.figures);
    if (!year) {
        section.blocks.push_back(Paragraph{i18n("Not available: {}; {}.", year.error().what, year.error().todo)});
        return section;
    }
    section.blocks.push_back(yearFacts(*year, in));
    section.blocks.push_back(monthsTable(*year));
    section.blocks.push_back(usesTable(*year));
    section.blocks.push_back(durationBars(*year));
    section.blocks.push_back(patternTable(*year));
    return section;
}

} // namespace hw::document
