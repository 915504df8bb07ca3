// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/questions/request.h"

namespace hw::sim {
inline namespace questions {

/// Raised whenever a model gives other numbers than before for the same design and question: older answers are stale then.
inline constexpr int kModelRevision = 10;

/// The program that answers, for example "0.9.0, models 2".
[[nodiscard]] std::string programIdentity();

/// What is asked, as 16 hexadecimal digits: kind, parameters as they count, sweep, changes of the design, the content of files that they name
/// and of the resources that they read (accelerators, models; the catalog where a template is run again). The scenario's name is not in it.
[[nodiscard]] std::string requestIdentity(const ScenarioRequest& request);

/// What an answer is the answer to: one number over design content (designFingerprint(), 0 for none), question and program.
[[nodiscard]] std::string answerIdentity(std::uint64_t design, const std::string& request);

/// A question about designs that templates make: over its text, templates, catalog, workloads, climates and program.
[[nodiscard]] std::string resourcesIdentity(const std::string& question);

} // namespace questions
} // namespace hw::sim
