// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/jobs/evaluation.h"

#include <algorithm>

namespace hw::jobs {

/// Share of its throughput that a job lacks, compared with the reference: planned, or the best so far; 0 where nothing was measured.
[[nodiscard]] inline double throughputLoss(const JobState& job)
{
    return job.iterationS > 0 && job.referenceS > 0 ? std::max(0.0, 1 - job.referenceS / job.iterationS) : 0;
}

} // namespace hw::jobs
