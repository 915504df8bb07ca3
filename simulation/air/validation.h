// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/air/plan.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace hw::sim::air {

/// A computed quantity beside a published one.
struct ValidationRow {
    std::string situation; ///< "lid-cavity", "pod2" …
    Text quantity;
    std::string unit;
    double measured = 0, computed = 0; ///< of an error over many points: 0 and its root mean square
    double allowed = 0;                ///< deviation
    bool published = true;             ///< false: `measured` is another model's answer, not a measurement
    bool settled = true;
    [[nodiscard]] double error() const { return computed - measured; }
    [[nodiscard]] bool ok() const { return settled && std::abs(error()) <= allowed; }
};

struct ValidationReport {
    std::vector<ValidationRow> rows;
    std::vector<std::pair<std::string, Text>> notes; ///< by case: what is assumed, grid, time
};

/// Names of the cases in the order in which they run, fast ones first.
[[nodiscard]] std::vector<std::string> validationCases();

/// Runs cases of resources/air/validation.json; empty: all. Errors: Unreadable; Usage for a name that does not exist; Canceled.
[[nodiscard]] Result<ValidationReport> validate(const std::vector<std::string>& names, const Progress& progress = {});

/// {"schema": "hallwright.air-validation/1", "rows": [{"case", "quantity", "unit", "measured", "computed", "error", "allowed", "settled", "ok"}],
/// "notes": [{"case", "note"}]}
[[nodiscard]] nlohmann::ordered_json validationJson(const ValidationReport& report);

} // namespace hw::sim::air
