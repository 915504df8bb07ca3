// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/operations/asbuilt/evidence.h"

#include <filesystem>

namespace hw::app {

/// Faults that were put in while a model ran, beside the telemetry of the hall at that time: which of them the live twin reports, and when.
struct InjectedFaults {
    std::vector<asbuilt::ModelTest::Fault> faults; ///< of the three kinds, in order; `ok`: it is reported
    std::vector<Text> facts, faultsOfJobs;         ///< of training jobs whose channels are in the recording
};
/// `script` as for `emulate` (docs/emulate.md), written by hand for a real hall; its times count from the first value of the recording. A fault is
/// reported where a deviation or alarm about its equipment begins before it ends. Errors: Unreadable, Refused with the place in the script.
[[nodiscard]] Result<InjectedFaults> findInjected(const FiguresPtr& figures, const std::filesystem::path& script,
                                                  const std::filesystem::path& recording, const Progress& progress);

} // namespace hw::app
