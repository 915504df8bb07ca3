// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "simulation/analytic/parameter_schema.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hw::sim {

/// A question that needs no design: closed forms and small simulations. Without any parameter each answers the acceptance case
/// of its check (goodput S9, checkpoint P7, amdahl P5, collective and training-volume P8, pxn S5, xlink S10, priority S8,
/// hash-dodging S7, port-failover S2).
struct Analysis {
    std::string name;
    std::string summary;
    std::vector<Field> fields;
    /// Gets complete, checked parameters; gives {"results": {…}, "notes": […]}.
    std::function<Result<Json>(const Json& parameters, const Progress& progress)> run;
};

/// All of them, in a fixed order; nullptr for a name that is not there.
[[nodiscard]] std::span<const Analysis> analyses();
[[nodiscard]] const Analysis* findAnalysis(std::string_view name);

/// Names, summaries and parameters as JSON, for help and forms.
[[nodiscard]] Json describeAnalyses();

/// {"schema": "hallwright.analysis/1", "analysis", "parameters" (complete), "results", "notes"}.
/// Errors: Usage for an unknown name; Unreadable with the key's path for parameters; Refused for values that make no sense
/// together; Cancelled.
[[nodiscard]] Result<Json> runAnalysis(std::string_view name, const Json& parameters, const Progress& progress = {});

/// Whether a scenario text asks for an analysis: a JSON object with the key `analysis`. False for text that is not JSON.
[[nodiscard]] bool asksForAnalysis(std::string_view text);

/// Runs a scenario text: {"schema": "hallwright.scenario/1", "analysis": NAME, "name": optional, PARAMETER: …,
/// "sweep": {"parameter": PATH, "values": […]} or a list of such, all combinations}. PATH is a key or for example
/// `jobs[0].gpus`. With a sweep the result has {"sweep": {"parameters", "points": [{"values", "results"}]}} in place of
/// "results". Errors as above, their place is `where:LINE: KEY`; Unreadable for text that is not JSON.
[[nodiscard]] Result<Json> runAnalysisScenario(std::string_view text, const std::string& where, const Progress& progress = {});

} // namespace hw::sim
