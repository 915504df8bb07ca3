// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "core/operations/jobs/job_telemetry.h"

#include <string_view>

namespace hw::importers {

struct JobLogText {
    std::string framework; ///< "Megatron-LM"
    std::vector<jobs::JobSample> samples;
    std::vector<Text> notes; ///< what could not be derived, and what is missing for it
};

/// Iterations from the lines of a framework: Megatron-LM (also with DeepSpeed), NeMo, DeepSpeed, torchtitan, PyTorch Lightning; prefixes of torchrun
/// and `srun --label` name the rank. Lines without a date follow each other by their iteration times. Error: Unreadable where no line is of an
/// iteration.
[[nodiscard]] Result<JobLogText> readJobLog(std::string_view text, const std::string& file, const std::string& job);

} // namespace hw::importers
