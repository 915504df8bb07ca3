// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/year/year.h"

#include "core/foundation/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace hw {

namespace {

constexpr double kSecondsPerHour = 3600;
constexpr double kOverK = 0.5; ///< over the set point before an hour counts

void add(YearSums& sums, const plant::PlantHour& hour, double outdoorC)
{
    const auto kwh = [](double watts) { return watts / 1000; };
    sums.it += kwh(hour.itW), sums.site += kwh(hour.siteW);
    sums.pumps += kwh(hour.pumpsW), sums.fans += kwh(hour.fansW), sums.chillers += kwh(hour.chillersW), sums.rejection += kwh(hour.rejectionW);
    sums.humidity += kwh(hour.humidityW), sums.ventilation += kwh(hour.ventilationW);
    sums.losses += kwh(hour.lossesW), sums.feeders += kwh(hour.feedersW), sums.supplies += kwh(hour.supplyLossW), sums.other += kwh(hour.otherW);
    sums.reused += kwh(hour.reusedW), sums.heatPump += kwh(hour.heatPumpW), sums.unmet += kwh(hour.unmetW);
    sums.evaporation += hour.water.evaporation * kSecondsPerHour, sums.drift += hour.water.drift * kSecondsPerHour;
    sums.blowDown += hour.water.blowDown * kSecondsPerHour, sums.humidifier += hour.humidifierKgS * kSecondsPerHour;
    sums.freeHours += !hour.compressors, sums.partlyFreeHours += hour.compressors && hour.freeShare > 0;
    sums.meanC += outdoorC, sums.peakW = std::max(sums.peakW, hour.siteW);
}

} // namespace

Result<Year> yearOf(const plant::PlantModel& plant, const weather::WeatherYear& weather, const LoadProfile& profile, const Tariff& tariff,
                    const Progress& progress)
{
    Year out{.weather = weather, .profile = profile.source, .tariff = tariff, .gramsPerKwh = weather.gramsPerKwh, .carbonSource = weather.grid};
    out.hours.resize(weather::kHours);
    const bool whole = parallelFor(12, {.stop = progress.stop}, [&](std::size_t m) {
        plant::PlantSolver solver(plant);
        const std::size_t first = weather::hourOf(int(m) + 1, 1), end = first + std::size_t(weather::kMonthDays[m]) * 24;
        for (std::size_t h = first; h < end; ++h) out.hours[h] = solver.solve(weather.hours[h], profile.shares[h], int(m) + 1);
    });
    if (!whole) return fail(ErrorCode::Canceled, {}, i18n("stopped"));
    std::array<std::array<double, 24>, 12> it{}, site{};
    std::vector<double> kw;
    for (std::size_t h = 0; h < weather::kHours; ++h) {
        const plant::PlantHour& hour = out.hours[h];
        const auto now = weather::momentOf(h);
        const auto m = std::size_t(now.month - 1);
        add(out.all, hour, weather.hours[h].dryBulbC), add(out.months[m], hour, weather.hours[h].dryBulbC);
        it[m][std::size_t(now.hour)] += hour.itW, site[m][std::size_t(now.hour)] += hour.siteW;
        if (hour.pue() > out.hours[out.worst].pue()) out.worst = h;
        if (hour.siteW > out.hours[out.peak].siteW) out.peak = h;
        out.overHours += hour.warmestOverK > kOverK, out.condensingHours += hour.condenses;
        out.mostOverK = std::max(out.mostOverK, hour.warmestOverK), out.mostImbalance = std::max(out.mostImbalance, std::abs(hour.imbalance()));
        kw.push_back(hour.siteW / 1000);
    }
    out.all.meanC /= double(weather::kHours);
    for (std::size_t m = 0; m < 12; ++m) {
        out.months[m].meanC /= weather::kMonthDays[m] * 24;
        for (std::size_t h = 0; h < 24; ++h) out.puePattern[m][h] = it[m][h] > 0 ? site[m][h] / it[m][h] : 0;
    }
    out.bill = billOf(tariff, kw, weather.firstWeekday);
    for (const double power : kw) out.durationW.push_back(power * 1000);
    std::ranges::sort(out.durationW, std::greater());
    return out;
}

} // namespace hw
