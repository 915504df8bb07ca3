// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "core/foundation/model/snapshot.h"

#include <array>
#include <filesystem>
#include <span>
#include <vector>

namespace hw {

/// What electricity costs: energy by month, day and hour, demand by month, fixed sums.
struct Tariff {
    /// A price that holds in these months, on these days, from and to these hours; the first that holds counts.
    struct Band {
        std::string name{};
        std::vector<int> months{}; ///< 1 to 12; empty: all
        std::string days{};        ///< weekdays, weekends; empty: all
        double from = 0, to = 24;
        double price = 0; ///< per kWh
    };
    std::string slug{}, title{}, source{}, currency{};
    char confidence = 'C';
    std::vector<Band> bands{};
    double price = 0;            ///< per kWh where no band holds
    double demandPerKwMonth = 0; ///< of the month's billed demand
    double ratchet = 0;          ///< least billed demand: share of the larger of the year's peak and the contract
    double contractKw = 0;       ///< 0: none
    double fixedPerMonth = 0;
    [[nodiscard]] double priceAt(std::size_t hour, int firstWeekday) const;
};

/// Sums of a year in the tariff's currency.
struct Bill {
    struct Month {
        double energy = 0, demand = 0, fixed = 0, peakKw = 0, billedKw = 0;
        [[nodiscard]] double total() const { return energy + demand + fixed; }
    };
    std::array<Month, 12> months{};
    double energy = 0, demand = 0, fixed = 0;
    [[nodiscard]] double total() const { return energy + demand + fixed; }
};
/// `kw`: mean power of each hour of a year.
[[nodiscard]] Bill billOf(const Tariff& tariff, std::span<const double> kw, int firstWeekday);

/// Error: Unreadable with file, line and key.
[[nodiscard]] Result<std::vector<Tariff>> readTariffs(const std::string& yaml, const std::string& file);
[[nodiscard]] const Result<std::vector<Tariff>>& shippedTariffs(); ///< `resources/plant/tariffs.yaml`, read once
/// The setting "site.tariff": a shipped one, else one price "cost.tariff" with the demand charge of the settings "cost.demand…". Errors: Refused for
/// an unknown name or a currency without an exchange rate; sums are in the project's currency.
[[nodiscard]] Result<Tariff> tariffOf(const Snapshot& snapshot);
/// A shipped tariff by name, or the only one of a YAML file; in the project's currency.
[[nodiscard]] Result<Tariff> tariffNamed(const Snapshot& snapshot, const std::string& nameOrFile);

} // namespace hw
