// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"
#include "simulation/emulation/output.h"

namespace hw::cli {

struct EmulationPace {
    double rate = 1; ///< steps a second
    double forS = 0; ///< 0: until it is stopped
};

/// Steps a hall in real time, says its values and those of its job (may be null) and does what lines on standard input ask, until it is stopped.
[[nodiscard]] Outcome emulateLive(emulation::Hall& hall, emulation::JobEmulation* job, std::vector<std::unique_ptr<emulation::Output>>& outputs,
                                  const EmulationPace& pace, const Progress& progress);

} // namespace hw::cli
