// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/formats.h"
#include "core/output/scene/scene.h"

namespace hw::scene {

/// `--hall NAME` and `--detail low|high` of the formats of models.
[[nodiscard]] std::vector<exchange::FormatOption> sceneOptions();
/// Error: Refused for a hall that the design does not have, Usage for another detail.
[[nodiscard]] Result<Scope> scopeOf(const Snapshot& snapshot, const exchange::FormatChoices& choices);
/// `--date DATE` of those that state one, and what was given: empty, or ISO 8601. Error: Usage. Nothing reads the clock, so that the same design is
/// the same file.
[[nodiscard]] exchange::FormatOption dateOption();
[[nodiscard]] Result<std::string> dateOf(const exchange::FormatChoices& choices);

} // namespace hw::scene
