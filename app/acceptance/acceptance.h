// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/operations/asbuilt/gates.h"

namespace hw::app {

/// Files and folders with the test results of one segment; what is empty was not tested.
struct GateEvidence {
    std::string audit, model;                              ///< gates 1 and 4
    std::vector<std::string> config{}, perftest{}, nccl{}; ///< gates 1, 2 and 3
    std::string injected{}, recording{}; ///< gate 4: script of the faults that were put in, and the telemetry meanwhile; both or none
    bool preCheck = false;               ///< the configuration of the switches alone, before hosts are deployed
    [[nodiscard]] bool empty() const;
};
struct GateResults {
    std::vector<asbuilt::GateEvaluation> gates; ///< those that there are results for, in order
    std::vector<Text> doubts;                   ///< what of the files could not be used
};
/// Errors: Unreadable with file and place; those of the comparison and the simulation.
[[nodiscard]] Result<GateResults> evaluateGates(const FiguresPtr& figures, const asbuilt::SegmentKey& key, const GateEvidence& evidence,
                                                const Progress& progress);

/// Gates go in one after the other. What passes behind one that just failed is not recorded, and says so in its facts; behind one that is open, as
/// nothing was said of it, that is refused with the reason.
[[nodiscard]] Result<void> recordGates(Snapshot& snapshot, const asbuilt::SegmentKey& key, std::vector<asbuilt::GateEvaluation>& judged,
                                       const std::string& author, const std::string& date);

/// Waives a gate with a reason; what it opened again. Errors: Refused.
[[nodiscard]] Result<int> waiveGate(Snapshot& snapshot, const asbuilt::SegmentKey& key, int gate, const std::string& reason,
                                    const std::string& author, const std::string& date);

} // namespace hw::app
