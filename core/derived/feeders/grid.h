// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/foundation/base/result.h"

namespace hw {

/// What a grid operator asks of large loads; 0 where no document was found for it.
struct GridRule {
    std::string slug{}, title{}, status{}, recovery{}, source{};
    char confidence = 'C';
    double fromMw = 0;            ///< size of the load from which it holds
    double rampMwPerMin = 0;      ///< change within any minute
    double stepMw = 0, stepS = 0; ///< change within any such time
};
/// Error: Unreadable with file, line and key.
[[nodiscard]] Result<std::vector<GridRule>> readGridRules(const std::string& yaml, const std::string& file);
[[nodiscard]] const Result<std::vector<GridRule>>& shippedGridRules(); ///< `resources/plant/grids.yaml`, read once
/// The setting "site.grid"; none where it is empty. Error: Refused for an unknown name.
[[nodiscard]] Result<std::optional<GridRule>> gridOf(const Snapshot& snapshot);

/// "1=20; 2=45": contracted demand in MW by the phase from which it holds, ascending. Error: Refused.
[[nodiscard]] Result<std::vector<std::pair<int, double>>> contractSteps(const Snapshot& snapshot);
/// In W: the step that holds in a phase, else the demand that the sites contract, together; 0: none stated.
[[nodiscard]] double contractAt(const Snapshot& snapshot, std::span<const std::pair<int, double>> steps, int phase);

/// What one job that starts or waits changes at the grid: IT power of the largest building between the shares of the settings "rule.p11.…".
struct LoadSwing {
    double watts = 0, seconds = 0;
    [[nodiscard]] double within(double s) const { return seconds <= s ? watts : watts * s / seconds; } ///< W
};
[[nodiscard]] LoadSwing loadSwing(const Figures& figures, PowerBasis basis);

} // namespace hw
