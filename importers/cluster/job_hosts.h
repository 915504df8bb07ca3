// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/jobs/evaluation.h"
#include "core/output/exchange/formats.h"

namespace hw::importers {

/// Hosts of jobs: `scontrol show job`, `squeue` with columns NAME (or JOBID) and NODELIST, `kubectl get pods -o json`, or a CSV table with columns
/// job, host and, if known, rank (the first on that host). Errors: Unreadable with the place.
[[nodiscard]] Result<std::vector<jobs::JobPlace>> readJobHosts(const exchange::ImportSource& source);

} // namespace hw::importers
