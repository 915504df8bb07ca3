// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/money/price_book.h"
#include "core/foundation/settings/registry.h"
#include "core/output/exchange/bom.h"

#include <nlohmann/json_fwd.hpp>

namespace hw {

/// What pays back `capital` over so many years at an interest of `share` a year, in equal sums at the end of each year:
/// capital · i / (1 − (1 + i)^−years); capital / years without interest.
[[nodiscard]] double annuity(double capital, double years, double share);

/// An hour of an accelerator on machines that may be taken away. With λ interruptions an hour, R hours to resume and S hours
/// between saves, λ · (R + S/2) of the time is lost: exact while interruptions are far apart.
struct Preemptible {
    double price = 0; ///< asked for an hour
    double interruptionsPerDay = 0, resumeHours = 0, saveHours = 0;
    [[nodiscard]] double usefulShare() const; ///< of the hours, 0 where nothing gets done
    [[nodiscard]] double effective() const;   ///< price of an hour that counts; infinite where nothing gets done
    /// Interruptions a day at which an effective hour costs `other`; 0 where it costs more without any.
    [[nodiscard]] double breakEven(double other) const;
};

/// What an hour of an accelerator in use costs, in the project's currency. Sums are a year's unless they say otherwise.
struct HourCost {
    struct System {
        CostSystem system = CostSystem::Building;
        double capital = 0, years = 0, perYear = 0;
    };
    std::string currency;
    ExchangeRate converted{};      ///< from the project's currency, by `inCurrency`; rate 0: not converted
    std::string projectCurrency{}; ///< of what was converted
    std::int64_t accelerators = 0; ///< active ones
    double itW = 0, pue = 1;       ///< at the basis that limits are compared on
    double facilityW = 0;          ///< with losses and cooling
    std::string facilityBasis;     ///< "losses" of the design, or "constant"
    bool pueComputed = false;
    std::string energyBasis;     ///< "year", "design", "constant"
    double annualPue = 0;        ///< 0: not known
    std::string climate, tariff; ///< of a year's energy
    Text energyNote{};           ///< why the year could not be computed, where it was asked for
    std::vector<System> systems; ///< of the bill, charges in proportion; the building has the works besides
    double capital = 0, perYear = 0;
    double energyKwh = 0, demandCharge = 0; ///< the charge is part of `energy`
    double energy = 0, staff = 0, maintenance = 0, rent = 0;
    double hours = 0;                     ///< in use, of all active accelerators
    double assumedShare = 0;              ///< of the bill
    std::vector<std::string> withoutRate; ///< parts whose prices have no exchange rate: not in the sums
    bool billKnown = true;                ///< false: all prices of the bill are among them, and no sum says anything
    double onDemand = 0;
    Preemptible preemptible;
    /// A setting that it rests on, as it holds here.
    struct Assumption {
        Setting setting;
        std::string value;
        bool own = false; ///< the project says it
    };
    std::vector<Assumption> assumptions;
    [[nodiscard]] double total() const { return perYear + energy + staff + maintenance + rent; }
    [[nodiscard]] double anHour(double sum) const { return hours > 0 ? sum / hours : 0; }
};

[[nodiscard]] HourCost hourCost(const Figures& figures, const Bom& bom);
/// All sums in another currency, at the exchange rate of the project; assumptions stay in the project's. Refused: a code that is none, a currency
/// without a rate.
[[nodiscard]] Result<HourCost> inCurrency(HourCost cost, const Snapshot& snapshot, const std::string& code);
[[nodiscard]] nlohmann::ordered_json hourCostJson(const HourCost& cost, const DesignStamp& stamp); ///< schema hallwright.cost/1
[[nodiscard]] std::string hourCostText(const HourCost& cost, const DesignStamp& stamp);            ///< at most 100 columns

} // namespace hw
