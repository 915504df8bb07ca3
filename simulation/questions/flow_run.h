// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"
#include "core/foundation/base/result.h"
#include "core/foundation/model/snapshot.h"
#include "simulation/questions/flow_question.h"
#include "simulation/result.h"

#include <memory>

namespace hw::sim {
inline namespace questions {

/// Answers a question on a snapshot: draws the flows, routes them by ECMP over the fabric, solves exact
/// max-min rates, proves them, and finds the completion time. Any thread; errors name the question's key.
[[nodiscard]] Result<std::shared_ptr<const FlowResult>> askFlows(const Snapshot& snapshot, const FlowQuestion& question,
                                                                 const Progress& progress = {});

} // namespace questions
} // namespace hw::sim
