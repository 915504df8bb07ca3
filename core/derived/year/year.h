// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/year/load_profile.h"
#include "core/derived/year/tariff.h"
#include "core/foundation/base/progress.h"
#include "core/physics/plant/plant_model.h"

namespace hw {

/// Energy in kWh, water in L.
struct YearSums {
    double it = 0, site = 0, pumps = 0, fans = 0, chillers = 0, rejection = 0, humidity = 0, ventilation = 0, losses = 0, feeders = 0, supplies = 0,
           other = 0, reused = 0, heatPump = 0, unmet = 0;
    double evaporation = 0, drift = 0, blowDown = 0, humidifier = 0;
    std::int64_t freeHours = 0, partlyFreeHours = 0; ///< without compressors; with compressors beside free cooling
    double meanC = 0, peakW = 0;
    [[nodiscard]] double cooling() const { return pumps + fans + chillers + rejection + humidity + ventilation; }
    [[nodiscard]] double water() const { return evaporation + drift + blowDown + humidifier; }
    [[nodiscard]] double pue() const { return it > 0 ? site / it : 0; }       ///< ISO/IEC 30134-2
    [[nodiscard]] double wue() const { return it > 0 ? water() / it : 0; }    ///< ISO/IEC 30134-9, L/kWh
    [[nodiscard]] double erf() const { return site > 0 ? reused / site : 0; } ///< ISO/IEC 30134-6
};

/// A plant over a year.
struct Year {
    weather::WeatherYear weather{};
    std::string profile{};
    Tariff tariff{};
    std::optional<double> gramsPerKwh{}; ///< of the grid
    std::string carbonSource{};
    std::vector<plant::PlantHour> hours{}; ///< 8,760
    YearSums all{};
    std::array<YearSums, 12> months{};
    Bill bill{};
    std::size_t worst = 0, peak = 0; ///< hours of the highest PUE and the highest power
    std::int64_t overHours = 0, condensingHours = 0;
    double mostOverK = 0, mostImbalance = 0;
    /// Facility water of a design.
    struct Water {
        std::string loop{};
        double supplyC = 0, returnC = 0, warmestC = 0; ///< warmest: that what it cools allows; 0 = not stated
    };
    std::vector<Water> water{};
    std::string reuseLoop{};                             ///< that gives heat to a consumer; empty: none does
    std::vector<double> durationW{};                     ///< power of the site, descending
    std::array<std::array<double, 24>, 12> puePattern{}; ///< by month and hour of the day
    [[nodiscard]] std::optional<double> carbonKg() const { return gramsPerKwh ? std::optional(all.site * *gramsPerKwh / 1000) : std::nullopt; }
    [[nodiscard]] std::optional<double> cue() const ///< ISO/IEC 30134-8, kg/kWh
    {
        return gramsPerKwh && all.it > 0 ? std::optional(all.pue() * *gramsPerKwh / 1000) : std::nullopt;
    }
};

/// Every month is solved on its own, so that the result does not depend on the number of threads. Error: Canceled.
[[nodiscard]] Result<Year> yearOf(const plant::PlantModel& plant, const weather::WeatherYear& weather, const LoadProfile& profile,
                                  const Tariff& tariff, const Progress& progress = {});

} // namespace hw
