// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/scenario/request.h"

#include <filesystem>

namespace hw::sim {

/// What came out of a request: the whole answer as JSON (hallwright.result/1), and of a single run what the window draws.
struct ScenarioAnswer {
    Json document;
    std::shared_ptr<const FlowResult> flows;
    std::shared_ptr<const Playback> playback;
    ScenarioDesign design; ///< that it was run on (generated or changed for this run, or the given one)
};

struct RunOptions {
    unsigned threads = 0;            ///< of a sweep; 0 = as many as cores
    std::filesystem::path keep = {}; ///< file in which a sweep keeps finished points, so that it goes on after a stop; removed at the end
};

/// Runs a request on a design, or on none where the kind asks for none and on the generated `design.template` where none is given.
/// The document: {"schema": "hallwright.result/1", "name", "workload" | "analysis", "design"?, "parameters", "results" | "sweep", "notes"}, where
/// `sweep` is {"parameters", "points": [{"values", "results"}]}; `parameters` is complete and can be run again as it is.
/// The same answer whatever the number of threads. Errors name file, line and key; Cancelled keeps the finished points.
[[nodiscard]] Result<ScenarioAnswer> runRequest(const ScenarioRequest& request, const ScenarioDesign& design, const RunOptions& options = {}, const Progress& progress = {});

} // namespace hw::sim
