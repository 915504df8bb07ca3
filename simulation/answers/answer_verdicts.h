// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/answers/parameter_schema.h"

namespace hw::sim {
inline namespace questions {

/// One sentence that says what the results of a single run come to. By what they hold, not by their kind, so that kinds of
/// the same make read alike; `parameters` are those of the question. Empty where nothing can be said.
[[nodiscard]] Text verdictOfResults(const Json& results, const Json& parameters);

/// Whether an answer is a no: what was asked for does not run, in a sweep at no point.
[[nodiscard]] bool answerIsNo(const Json& document);

} // namespace questions
} // namespace hw::sim
