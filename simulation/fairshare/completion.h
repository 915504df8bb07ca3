// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "problem.h"

namespace hw::sim {
inline namespace fairshare {

/// What a run gave. `finish` has one time a flow; infinity for flows that never end (dead links, or the run was stopped).
struct CompletionResult {
    std::vector<double> finish;
    bool stopped = false;   ///< by the stop token
    size_t events = 0;      ///< moments at which rates changed
    size_t flowsSolved = 0; ///< flows solved again, summed over the events
};

using CompletionProgress = std::function<void(double fraction)>; ///< called at most once a percent, on the running thread

/// All flows from t = 0 to their ends under max-min sharing. Checks `stop` at every event.
[[nodiscard]] CompletionResult runToCompletion(const FlowProblem& problem, const std::stop_token& stop = {}, const CompletionProgress& progress = {});

} // namespace fairshare
} // namespace hw::sim
