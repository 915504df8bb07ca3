// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/isolation/isolation.h"
#include "core/output/exchange/formats.h"

namespace hw::importers {

/// What a scheduler has set aside: `sinfo -R`, `scontrol show node` (text or --json), `kubectl get nodes -o json`. Errors: Unreadable with the place.
[[nodiscard]] Result<std::vector<isolation::Cordoned>> readCordoned(const exchange::ImportSource& source);
/// Those of several files, one after the other. Errors: Unreadable with the first file that cannot be read.
[[nodiscard]] Result<std::vector<isolation::Cordoned>> readCordonedFiles(const std::vector<std::string>& files);

} // namespace hw::importers
