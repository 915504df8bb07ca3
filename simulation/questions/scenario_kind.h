// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"
#include "core/foundation/base/result.h"
#include "core/foundation/catalog/catalog.h"
#include "core/foundation/model/snapshot.h"
#include "simulation/answers/parameter_schema.h"
#include "simulation/playback.h"
#include "simulation/result.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hw::sim {
inline namespace questions {

struct FailedState;

/// The design that a scenario looks at. Shared and immutable; any thread.
struct ScenarioDesign {
    SnapshotPtr snapshot;
    std::shared_ptr<const ProjectParts> parts;
    std::shared_ptr<const FailedState> lost = {}; ///< of it, before the scenario lets anything fail; null: nothing
};

/// What a scenario found.
struct ScenarioOutcome {
    Json results = Json::object();            ///< keys carry their unit (`_s`, `_gbps`)
    std::vector<Text> notes = {};             ///< what the model leaves out, what was assumed: sentences
    std::shared_ptr<const FlowResult> flows;  ///< link loads to draw over the design, when it has some
    std::shared_ptr<const Playback> playback; ///< how they move over time, when they do
    std::vector<float> steadyGbps = {};       ///< what links carry on average while it goes on, by directed link as in FlowResult; empty: it ends
};

/// A kind of question, as data: its name, its parameters, and the function that answers it. Without any parameter each kind answers a
/// case that makes sense (of the analyses: the acceptance case of its check).
struct ScenarioKind {
    std::string name;
    Text summary;
    bool onDesign = false; ///< asks about a design (key `workload` of a scenario); else it needs none (key `analysis`)
    std::vector<Field> fields;
    /// Gets complete, checked parameters; `design` is set when `onDesign`. Errors: Unreadable or Refused with the key's path as place;
    /// Canceled. Any thread, several at once.
    std::function<Result<ScenarioOutcome>(const ScenarioDesign& design, const Json& parameters, const Progress& progress)> run;
};

/// All of them in a fixed order; nullptr for a name that is not there.
[[nodiscard]] std::span<const ScenarioKind> scenarioKinds();
[[nodiscard]] const ScenarioKind* findScenarioKind(std::string_view name);

/// Names, summaries and parameters as JSON, for help and forms.
[[nodiscard]] Json describeScenarioKinds();

/// Checks the parameters and runs one kind. Errors: Usage for an unknown name; those of readParameters and of the kind.
[[nodiscard]] Result<ScenarioOutcome> runKind(std::string_view name, const ScenarioDesign& design, const Json& given, const Progress& progress = {});

} // namespace questions
} // namespace hw::sim
