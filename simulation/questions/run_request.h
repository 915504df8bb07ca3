// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/questions/request.h"

#include <filesystem>
#include <functional>
#include <span>

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
    /// Runs points of a sweep somewhere else: fills what is null of `found`. `identity` is that of the answer. What it leaves runs here.
    std::function<Result<void>(const std::string& identity, std::vector<Json>& found)> elsewhere = {};
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

/// Runs these points of a sweep alone and leaves them in `options.keep`. Errors as of runRequest.
[[nodiscard]] Result<void> runPoints(const ScenarioRequest& request, const ScenarioDesign& design, std::span<const std::size_t> points,
                                     const RunOptions& options, const Progress& progress = {});

/// Points of a sweep as a user writes them, counted from 1: "1-40,55"; the result counts from 0, ascending. Errors: Usage.
[[nodiscard]] Result<std::vector<std::size_t>> parsePoints(const std::string& text, std::size_t points);

} // namespace questions
} // namespace hw::sim
