// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/year/reported_sites.h"
#include "core/derived/year/year_of.h"
#include "core/foundation/files/plain_table.h"
#include "core/output/exchange/design_stamp.h"

#include <nlohmann/json_fwd.hpp>

namespace hw {

/// The same year once a phase is installed.
struct YearOfPhase {
    int number = 0;
    std::string name{};
    double itW = 0; ///< mean
    YearSums sums{};
    double bill = 0;
};

[[nodiscard]] nlohmann::ordered_json yearJson(const Year& year, std::span<const YearOfPhase> phases, const DesignStamp& stamp); ///< hallwright.year/1
[[nodiscard]] std::string yearText(const Year& year, std::span<const YearOfPhase> phases, const DesignStamp& stamp); ///< at most 100 columns
/// A row for each hour; borrows the year.
[[nodiscard]] PlainTable yearTable(const Year& year);

[[nodiscard]] nlohmann::ordered_json reportedJson(std::span<const ReportedComparison> rows); ///< hallwright.year-validation/1
[[nodiscard]] std::string reportedText(std::span<const ReportedComparison> rows);

/// Share of the hours at or above a power: points of the load-duration curve at 0, 1, 5, 10, 20 … 100 %.
[[nodiscard]] std::vector<std::pair<double, double>> durationPoints(const Year& year);
} // namespace hw
