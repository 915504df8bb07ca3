// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/cost/hour_cost.h"

#include <span>

namespace hw {

/// What is paid in one year of operation, in the project's currency; year 0 is the construction.
struct LifeYear {
    double capital = 0; ///< construction, then replacements
    double energy = 0, maintenance = 0, staff = 0, rent = 0;
    double residual = 0; ///< what is left of equipment at the end, a credit
    [[nodiscard]] double total() const { return capital + energy + maintenance + staff + rent - residual; }
};

/// What a design costs over so many years: construction, replacement of each system at the end of its life, energy of the year, maintenance, staff
/// and rent; the straight-line rest of the last pieces is a credit at the end. Present values at an interest, each sum at the end of its year.
struct LifeCycle {
    struct System {
        CostSystem system = CostSystem::Building;
        double capital = 0, lifeYears = 0;
        int replacements = 0;
        double replaced = 0, residual = 0; ///< not discounted
        double present = 0;                ///< of construction and replacements less the residual
    };
    std::string name{}, currency{}, energyBasis{};
    int years = 0;
    double interest = 0, energyGrowth = 0; ///< shares a year
    double itW = 0, annualPue = 0, energyKwh = 0;
    bool billKnown = true;
    std::vector<System> systems{};
    std::vector<LifeYear> flow{};                                                          ///< years + 1
    double capital = 0, replacement = 0, energy = 0, maintenance = 0, staff = 0, rent = 0; ///< present values
    double residual = 0;                                                                   ///< present value, a credit
    [[nodiscard]] double total() const { return capital + replacement + energy + maintenance + staff + rent - residual; }
    [[nodiscard]] double undiscounted() const;
    [[nodiscard]] double perKwIt() const { return itW > 0 ? total() / (itW / 1000) : 0; }
};
/// `interest` and `energyGrowth` as shares a year; `years` from 1.
[[nodiscard]] LifeCycle lifeCycle(const HourCost& cost, int years, double interest, double energyGrowth);
/// The same with the settings "cost.interest_percent" and "cost.energy_growth_percent".
[[nodiscard]] LifeCycle lifeCycle(const Figures& figures, int years);

/// What a system costs by published sources, per kW of IT.
struct CostRange {
    std::string slug{}; ///< word of a system, or "facility": power, cooling and building together
    double least = 0, most = 0;
    std::string currency{}, source{};
    char confidence = 'C';
};
/// Error: Unreadable with file, line and key.
[[nodiscard]] Result<std::vector<CostRange>> readCostRanges(const std::string& yaml, const std::string& file);
[[nodiscard]] const Result<std::vector<CostRange>>& shippedCostRanges(); ///< `resources/plant/cost-ranges.yaml`, read once

/// A system's construction cost beside its published range, both per kW of IT in the project's currency.
struct CostPosition {
    CostRange range{};
    double perKw = 0;
    [[nodiscard]] int side() const { return perKw < range.least ? -1 : perKw > range.most ? 1 : 0; } ///< below, within, above
};
/// Construction cost of systems, and the IT that they are for.
struct SystemCosts {
    std::string currency{};
    double itW = 0;
    std::vector<std::pair<CostSystem, double>> capital{};
};
/// Of the systems that have a range and a price. Ranges are converted by "currency.USD.rate"; without a rate there is none.
[[nodiscard]] std::vector<CostPosition> costPositions(const Snapshot& snapshot, const SystemCosts& costs);
/// `powerShare`: of the power system that published costs contain (`publishedShare`).
[[nodiscard]] std::vector<CostPosition> costPositions(const Snapshot& snapshot, const LifeCycle& life, double powerShare = 1);
[[nodiscard]] nlohmann::ordered_json costPositionsJson(std::span<const CostPosition> positions);
[[nodiscard]] Text costSideText(const CostPosition& position); ///< "within", "below", "! above"

/// What is listed of one design.
struct LifeCycleOf {
    LifeCycle life{};
    std::vector<CostPosition> positions{};
    DesignStamp stamp{};
};
[[nodiscard]] nlohmann::ordered_json lifeCycleJson(std::span<const LifeCycleOf> designs); ///< hallwright.lifecycle/1, cheapest by present value
[[nodiscard]] std::string lifeCycleText(std::span<const LifeCycleOf> designs);            ///< at most 100 columns for up to four designs

} // namespace hw
