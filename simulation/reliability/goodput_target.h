// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/reliability/goodput.h"

#include <optional>

namespace hw::sim {
inline namespace reliability {

/// Checkpoint intervals with which a job reaches a goodput, by the closed form.
struct IntervalRange {
    double bestS = 0, bestGoodput = 0; ///< the best interval, and what it gives
    bool reached = false;
    double fromS = 0, toS = 0; ///< all intervals in between reach the target; 0 where none does
};
[[nodiscard]] IntervalRange intervalsFor(GoodputCase c, double target);

/// The longest recovery (detection to restored state) with which the best interval still reaches the target; none: not even without any.
[[nodiscard]] std::optional<double> recoveryBudgetS(GoodputCase c, double target);

} // namespace reliability
} // namespace hw::sim
