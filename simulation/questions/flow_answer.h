// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/catalog/catalog.h"
#include "simulation/answers/parameter_schema.h"
#include "simulation/questions/flow_question.h"
#include "simulation/result.h"

namespace hw::sim {
inline namespace questions {

/// What flows on a design found, as the results of an answer: summary, proof, hottest links by name, tiers, collisions; with `everyFlow`
/// also every flow's rate and finish time, and every link's load.
[[nodiscard]] Json flowAnswer(const Snapshot& snapshot, const ProjectParts& parts, const FlowQuestion& question, const FlowResult& result,
                              bool everyFlow);

} // namespace questions
} // namespace hw::sim
