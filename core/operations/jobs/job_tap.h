// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/jobs/job_rules.h"

#include <memory>

namespace hw::jobs {

/// The same source, of which samples of job channels are kept in `telemetry` too. All is passed on.
[[nodiscard]] std::unique_ptr<bindings::Source> tapped(std::unique_ptr<bindings::Source> source, std::shared_ptr<const JobRules> rules,
                                                       std::shared_ptr<JobTelemetry> telemetry);

} // namespace hw::jobs
