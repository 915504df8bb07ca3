// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/energy/year_output.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hw {

namespace {

std::string line(const Text& text) { return words(text) + '\n'; }
std::string fact(const Text& label, const Text& value) { return fmt::format("  {:<26} {}\n", label, value); }

Text water(double liters) { return i18n("{:L} m³", std::llround(liters / 1000)); }
Text mwh(double kwh) { return i18n("{:L} MWh", std::llround(kwh / 1000)); }

std::string energyText(const Year& year)
{
    const YearSums& s = year.all;
    std::string out = '\n' + line(i18n("Energy"));
    const auto row = [&](const Text& label, double kwh) {
        out += fmt::format("  {:<26} {:>14} {:>8.2f} %\n", label, mwh(kwh), s.it > 0 ? 100 * kwh / s.it : 0);
    };
    row(i18n("IT"), s.it);
    row(i18n("chillers"), s.chillers);
    row(i18n("heat rejection fans"), s.rejection);
    row(i18n("pumps and CDUs"), s.pumps);
    row(i18n("air-cooling units"), s.fans);
    row(i18n("humidity control"), s.humidity);
    row(i18n("ventilation"), s.ventilation);
    row(i18n("power equipment losses"), s.losses);
    row(i18n("feeder losses"), s.feeders);
    row(i18n("other"), s.other);
    row(i18n("facility"), s.site);
    return out + "  " + line(i18n("Power supply losses: {:L} MWh, included in IT energy", std::llround(s.supplies / 1000)));
}

std::string monthsText(const Year& year)
{
    std::string out = '\n' + line(i18n("Months"));
    out += fmt::format("  {:>5} {:>8} {:>10} {:>12} {:>7} {:>7} {:>9} {:>9} {:>14} {:>14}\n", words(i18n("month")), words(i18n("mean °C")),
                       words(i18n("IT MWh")), words(i18n("facility MWh")), "PUE", "WUE", words(i18n("water m³")), words(i18n("peak kW")),
                       words(i18n("free-cooling h")), year.tariff.currency);
    for (std::size_t m = 0; m < 12; ++m) {
        const YearSums& s = year.months[m];
        out += fmt::format("  {:>5} {:>8.1f} {:>10} {:>12} {:>7.3f} {:>7.3f} {:>9} {:>9} {:>14} {:>14}\n", m + 1, s.meanC,
                           i18n("{:L}", std::llround(s.it / 1000)), i18n("{:L}", std::llround(s.site / 1000)), s.pue(), s.wue(),
                           i18n("{:L}", std::llround(s.water() / 1000)), i18n("{:L}", std::llround(s.peakW / 1000)), s.freeHours,
                           i18n("{:L}", std::llround(year.bill.months[m].total())));
    }
    return out;
}

std::string durationText(const Year& year)
{
    std::string out = '\n' + line(i18n("Load-duration curve: share of hours at or above a facility power"));
    const double most = year.durationW.empty() ? 0 : year.durationW.front();
    constexpr double kBar = 50;
    for (const auto& [share, watts] : durationPoints(year))
        out += fmt::format("  {:>4.0f} % {:>12} kW {}\n", share * 100, i18n("{:L}", std::llround(watts / 1000)),
                           std::string(most > 0 ? std::size_t(std::lround(kBar * watts / most)) : 0, '#'));
    return out;
}

std::string patternText(const Year& year)
{
    double least = 1e9, most = 0;
    for (const auto& month : year.puePattern)
        for (const double pue : month) least = std::min(least, pue), most = std::max(most, pue);
    std::string out = '\n' + line(i18n("PUE by month and hour of the day: 0 = {:.3f}, 9 = {:.3f}", least, most));
    out += "        ";
    for (int h = 0; h < 24; ++h) out += fmt::format("{:>3}", h);
    out += '\n';
    for (std::size_t m = 0; m < 12; ++m) {
        out += fmt::format("  {:>5} ", m + 1);
        for (const double pue : year.puePattern[m])
            out += fmt::format("{:>3}", most > least ? std::min(9, int(10 * (pue - least) / (most - least))) : 0);
        out += '\n';
    }
    return out;
}

std::string waterText(const Year& year)
{
    if (year.water.empty()) return {};
    std::string out = '\n' + line(i18n("Facility water"));
    for (const Year::Water& water : year.water) {
        const Text limit = water.warmestC <= 0                     ? i18n("equipment limit not specified")
                           : water.supplyC > water.warmestC + 0.05 ? i18n("! equipment limit {:g} °C", water.warmestC)
                                                                   : i18n("equipment limit {:g} °C", water.warmestC);
        out += fmt::format("  {:<28} {:>5.1f} to {:.1f} °C  {:<4} {}\n", water.loop, water.supplyC, water.returnC, waterClass(water.supplyC), limit);
    }
    return out;
}

std::string phasesText(std::span<const YearOfPhase> phases, const std::string& currency)
{
    if (phases.empty()) return {};
    std::string out = '\n' + line(i18n("Phases"));
    for (const YearOfPhase& phase : phases)
        out += fmt::format("  {:>2} {:<20} {:>14} {:>7.3f} {:>7.3f} {:>12} {:>16} {}\n", phase.number, phase.name, mwh(phase.sums.site),
                           phase.sums.pue(), phase.sums.wue(), water(phase.sums.water()), i18n("{:L}", std::llround(phase.bill)), currency);
    return out;
}

std::string hourText(const Year& year, std::size_t h)
{
    const plant::PlantHour& hour = year.hours[h];
    const weather::Air& air = year.weather.hours[h];
    return words(i18n("{}: {:L} kW, PUE {:.3f}, {:.1f} °C, wet bulb {:.1f} °C", weather::momentOf(h).text(), std::llround(hour.siteW / 1000),
                      hour.pue(), air.dryBulbC, air.wetBulbC));
}

/// Reported values at the same climate.
std::string nearbyText(const Year& year)
{
    const auto& sites = shippedReportedSites();
    if (!sites) return {};
    std::string out;
    for (const ReportedSite& site : *sites) {
        if (site.climate != year.weather.slug) continue;
        const std::string value =
            site.least == site.most ? fmt::format("{:.2f}", site.least) : fmt::format("{:.2f} to {:.2f}", site.least, site.most);
        const double near = std::clamp(year.all.pue(), site.least, site.most);
        out += fmt::format("  {:<10} {:<22} {:<12} {:>14} {:>+8.3f}\n", site.operatorName, site.site, site.plant, value, year.all.pue() - near);
    }
    if (out.empty()) return {};
    return '\n' + line(i18n("Reported annual PUE in this climate, and deviation of this design (plant type assumed)")) + out;
}

} // namespace

std::string yearText(const Year& year, std::span<const YearOfPhase> phases, const DesignStamp& stamp)
{
    const YearSums& s = year.all;
    std::string out = line(stamp.text()) + '\n';
    out += fact(i18n("Weather"), weatherText(year));
    out += fact(i18n("IT load"), i18n("{}, {:L} kW on average", year.profile, std::llround(s.it / double(weather::kHours))));
    out += fact(i18n("Annual PUE"), i18n("{:.3f}", s.pue()));
    out += fact(i18n("WUE"), i18n("{:.3f} L/kWh: evaporation {}, drift {}, blowdown {}, humidifiers {}", s.wue(), water(s.evaporation),
                                  water(s.drift), water(s.blowDown), water(s.humidifier)));
    out += fact(i18n("CUE"), year.cue() ? i18n("{:.3f} kg/kWh, {:L} t per year at {:g} g/kWh ({})", *year.cue(),
                                               std::llround(*year.carbonKg() / 1000), *year.gramsPerKwh, year.carbonSource)
                                        : i18n("unknown; set site.carbon_g_per_kwh"));
    if (s.reused > 0)
        out += fact(i18n("Heat reuse"),
                    i18n("{} from {}, ERF {:.3f}, consumer's heat pump {}", mwh(s.reused), year.reuseLoop, s.erf(), mwh(s.heatPump)));
    out += fact(i18n("Highest PUE"), verbatim(hourText(year, year.worst)));
    out += fact(i18n("PUE basis"), i18n("hourly: part load, variable speed; report: full IT load at site.ambient_c"));
    out += fact(i18n("Peak power"), verbatim(hourText(year, year.peak)));
    out += fact(i18n("Free cooling"), i18n("{:L} hours without compressors, {:L} with partial free cooling", s.freeHours, s.partlyFreeHours));
    out += fact(i18n("Above set point"), i18n("{:L} hours, maximum {:.1f} K", year.overHours, year.mostOverK));
    out += fact(i18n("Condensation"), i18n("{:L} hours with facility water below the indoor dew point", year.condensingHours));
    if (s.unmet > 0.5) out += fact(i18n("Heat not removed"), mwh(s.unmet));
    out += fact(i18n("Electricity"),
                i18n("{:L} {}: energy {:L}, demand {:L}, fixed {:L} ({})", std::llround(year.bill.total()), year.tariff.currency,
                     std::llround(year.bill.energy), std::llround(year.bill.demand), std::llround(year.bill.fixed), year.tariff.title));
    return out + energyText(year) + waterText(year) + monthsText(year) + durationText(year) + patternText(year) +
           phasesText(phases, year.tariff.currency) + nearbyText(year);
}

std::string reportedText(std::span<const ReportedComparison> rows)
{
    std::string out =
        line(i18n("Reference plants over a year against reported annual PUE (allowable difference {:.2f})", ReportedComparison::kAllowed));
    for (const ReportedComparison& row : rows) {
        const std::string value = row.site->least == row.site->most ? fmt::format("{:.2f}", row.site->least)
                                                                    : fmt::format("{:.2f} to {:.2f}", row.site->least, row.site->most);
        out += fmt::format("  {:<8} {:<20} {:<10} {:<9} {:>13} {:>8.3f} {:>+8.3f} {}\n", row.site->operatorName, row.site->site, row.site->climate,
                           row.site->plant, value, row.computed, row.error(), row.compared() ? row.ok() ? "" : "!" : "-");
    }
    return out + line(i18n("- not compared: plant and occupancy of the site not published"));
}

} // namespace hw
