// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/scenario/key_lines.h"
#include "simulation/scenario/scenario_kind.h"

#include <map>

namespace hw::sim {

/// One direction of a sweep: a parameter of the scenario (`jobs[0].gpus`) or of the design's template (`design.segments`).
struct SweepAxis {
    std::string parameter;
    std::vector<Json> values;
};

/// A scenario as a file says it, checked:
/// `{"schema": "hallwright.scenario/1", "name": "…", "workload" | "analysis": KIND, PARAMETER: …,
///   "design": {"template": "hpn", "set": {"pods": 2}},
///   "sweep": {"parameter": PATH, "values": […]} or {"parameter": PATH, "from": A, "to": B, "steps": N} or a list of such}`.
/// `design.template` is generated with `design.set` when no project is given; without a template `design.set` changes the project's parameters for
/// this run only.
struct ScenarioRequest {
    std::string name;
    std::string where;                  ///< the file, for messages
    const ScenarioKind* kind = nullptr;
    Json parameters;                    ///< complete
    std::string designTemplate;         ///< empty: none named
    std::map<std::string, Json> designSet;
    std::vector<SweepAxis> sweep;       ///< all combinations, the last varies fastest
    KeyLines lines;

    [[nodiscard]] std::size_t points() const;
    /// The values of the axes at one point.
    [[nodiscard]] std::vector<Json> valuesAt(std::size_t point) const;
};

/// Errors are Unreadable (Usage for an unknown kind named on a command line is the caller's matter); their place is `where:LINE: KEY`.
[[nodiscard]] Result<ScenarioRequest> parseScenarioRequest(std::string_view text, const std::string& where);

/// Adds an axis from the command line: `PATH=V1,V2,…` or `PATH=FROM:TO:STEP`. Errors: Usage.
[[nodiscard]] Result<void> addSweepAxis(ScenarioRequest& request, const std::string& text);

/// Gives an error of a run, whose place is a key, the file and line of that key.
[[nodiscard]] Error placed(const ScenarioRequest& request, Error error);

/// The scenario as a file of its own again.
[[nodiscard]] Json toJson(const ScenarioRequest& request);

/// Sets the value at a path such as `jobs[0].gpus`; false when the place is not there.
[[nodiscard]] bool assignPath(Json& parameters, const std::string& path, const Json& value);

} // namespace hw::sim
