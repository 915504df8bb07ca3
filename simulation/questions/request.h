// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/questions/key_lines.h"
#include "simulation/questions/scenario_kind.h"

#include <map>

namespace hw::sim {
inline namespace questions {

/// One direction of a sweep: a parameter of the scenario (`jobs[0].gpus`) or of the design's template (`design.segments`).
struct SweepAxis {
    std::string parameter;
    std::vector<Json> values;
    std::string path = {}; ///< of the axis in the scenario, "sweep" or "sweep[1]"; empty: it was given on the command line
};

/// A scenario as a file says it, checked:
/// `{"schema": "hallwright.scenario/1", "name": "…", "workload" | "analysis": KIND, PARAMETER: …,
///   "design": {"template": "hpn", "set": {"pods": 2}},
///   "sweep": {"parameter": PATH, "values": […]} or {"parameter": PATH, "from": A, "to": B, "steps": N} or a list of such}`.
/// `design.template` is generated with `design.set` when no project is given; without a template `design.set` changes the project's parameters for
/// this run only.
struct ScenarioRequest {
    std::string name;
    std::string where; ///< the file, for messages
    const ScenarioKind* kind = nullptr;
    Json parameters;            ///< as given, checked; completeAt() adds the rest
    std::string designTemplate; ///< empty: none named
    std::map<std::string, Json> designSet;
    std::vector<SweepAxis> sweep; ///< all combinations, the last varies fastest
    KeyLines lines;

    [[nodiscard]] std::size_t points() const;
    /// The values of the axes at one point.
    [[nodiscard]] std::vector<Json> valuesAt(std::size_t point) const;
    /// All parameters at one point (of a scenario without a sweep: 0). Keys that do not count there are not in it.
    [[nodiscard]] Result<Json> completeAt(std::size_t point) const;
};

/// Errors are Unreadable (Usage for an unknown kind named on a command line is the caller's matter); their place is `where:LINE: KEY`.
[[nodiscard]] Result<ScenarioRequest> parseScenarioRequest(std::string_view text, const std::string& where);

/// Adds an axis from the command line: `PATH=V1,V2,…` or `PATH=FROM:TO:STEP`. Errors: Usage.
[[nodiscard]] Result<void> addSweepAxis(ScenarioRequest& request, const std::string& text);

/// Gives an error of a run, whose place is a key, the file and line of that key or of what it stands in.
[[nodiscard]] Error placed(const ScenarioRequest& request, Error error);
/// The same for an error of one point of the sweep: the place is the swept value where that is at fault, and says at which values it happened.
[[nodiscard]] Error placedAt(const ScenarioRequest& request, std::size_t point, Error error);

/// The scenario as a file of its own again.
[[nodiscard]] Json toJson(const ScenarioRequest& request);

/// Sets the value at a path such as `jobs[0].gpus`, in a list that was left to its default too; false when the place is not there.
[[nodiscard]] bool assignPath(Json& parameters, const std::string& path, const Json& value, std::span<const Field> fields);

} // namespace questions
} // namespace hw::sim
