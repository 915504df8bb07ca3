// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/jobs/evaluation.h"

namespace hw::jobs {

/// The ranks' own part of a job: who takes longer than the others; used in this folder only.
struct RankTimes {
    int rank = 0;
    Maybe<DeviceId> host;
    int gpu = 0;                                      ///< within its host
    double computeS = -1, sendS = -1, dataWaitS = -1; ///< of late; -1: not reported
    const JobSeries* series = nullptr;                ///< what was read of it; null: nothing
};

/// What slows a job, from the times of its ranks beside each other and beside the plan.
[[nodiscard]] std::vector<JobCause> causesOf(const Figures& design, const JobState& job, const std::vector<RankTimes>& ranks);

/// The median; -1 for none.
[[nodiscard]] double medianOf(std::vector<double> values);

inline constexpr double kSlow = 1.1; ///< over the reference (assumed: iterations of one job vary by less)

} // namespace hw::jobs
