// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/formats.h"

namespace hw::importers {

/// Reads a workload of AICB or SimAI: a plan with what it contains and what of it SimAI or this product plays otherwise than it reads, and
/// nothing for the design. Errors: Unreadable with the place.
[[nodiscard]] Result<exchange::ImportPlan> workloadPlan(const exchange::ImportSource& source, const SnapshotPtr& base);

} // namespace hw::importers
