// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/operations/asbuilt/gates.h"

namespace hw::app {

/// The bus bandwidth that a collective of the run's largest message reaches among its hosts of the segment (all active ones where it names
/// none), by the same simulation as the workload `bandwidth`. Errors: Refused for a collective that is not told; those of the simulation.
[[nodiscard]] Result<asbuilt::CollectiveLimit> simulatedLimit(const Figures& figures, const asbuilt::Segment& segment,
                                                              const asbuilt::CollectiveRun& run, const Progress& progress);

} // namespace hw::app
