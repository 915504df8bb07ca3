// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/formats.h"

namespace hw::app {

/// The plan of all files as one: those of a format that observes are read together, others one after the other.
[[nodiscard]] Result<exchange::ImportPlan> planFiles(const exchange::Importer& importer, std::span<const exchange::ImportSource> sources,
                                                     const SnapshotPtr& base, const Progress& progress);

} // namespace hw::app
