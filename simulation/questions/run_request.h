// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/questions/request.h"

#include <filesystem>

namespace hw::sim {
inline namespace questions {

/// What came out of a request: the whole answer as JSON (hallwright.result/1), and of a single run what the window draws.
struct ScenarioAnswer {
    Json document;
    std::shared_ptr<const FlowResult> flows;
    std::shared_ptr<const Playback> playback;
    ScenarioDesign design;              ///< that it was run on (generated or changed for this run, or the given one)
    std::vector<float> steadyGbps = {}; ///< see ScenarioOutcome
};

struct RunOptions {
    unsigned threads = 0;            ///< of a sweep; 0 = as many as cores
    std::filesystem::path keep = {}; ///< file in which a sweep keeps finished points, so that it goes on after a stop; removed at the end
};

/// Runs a request on a design, or on none where the kind asks for none and on the generated `design.template` where none is given.
/// The document: {"schema": "hallwright.result/1", "name", "workload" | "analysis", "design"?, "identity", "program", "parameters",
/// "results" | "sweep", "notes"}, where `design.content` is the fingerprint of the design that was asked about, before any `set`, `identity` is
/// answerIdentity(), and `sweep` is {"parameters", "points": [{"values", "results", "notes"?}]}. `parameters` is complete (of a sweep: as given) and
/// can be run again as it is. Notes that every point has stand in `notes`; the others there once, with the first point that they belong to,
/// and at each of their points.
/// The same answer whatever the number of threads. Errors name file, line and key; Canceled keeps the finished points.
[[nodiscard]] Result<ScenarioAnswer> runRequest(const ScenarioRequest& request, const ScenarioDesign& design, const RunOptions& options = {},
                                                const Progress& progress = {});

} // namespace questions
} // namespace hw::sim
