// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/bindings/channel.h"
#include "core/operations/bindings/pattern.h"
#include "core/operations/jobs/job_telemetry.h"

#include <filesystem>
#include <optional>

namespace hw::jobs {

/// Which channels are of jobs: `resources/telemetry/jobs/*.yaml` (docs/jobs.md), or a file of the same form.
class JobRules {
public:
    /// Error: Unreadable with file and line.
    [[nodiscard]] static Result<JobRules> read(const std::string& yaml, const std::string& file);
    /// Those named; none: the shipped ones.
    [[nodiscard]] static Result<JobRules> of(const std::vector<std::filesystem::path>& files);

    struct Found {
        std::string job, host;
        int rank = -1;
        JobMeasure measure = JobMeasure::IterationTime;
        double factor = 1; ///< to the unit of the measure
    };
    /// Nothing: not a channel of a job.
    [[nodiscard]] std::optional<Found> find(const bindings::ChannelText& channel) const;
    [[nodiscard]] std::size_t size() const { return m_rules.size(); }

private:
    struct Rule {
        bindings::Pattern channel;
        JobMeasure measure = JobMeasure::IterationTime;
        double factor = 1;
        std::size_t set = 0;
    };
    /// Labels that name job, rank and host; the first that the channel has counts.
    struct Labels {
        std::vector<std::string> job, rank, host;
    };
    std::vector<Rule> m_rules;
    std::vector<Labels> m_labels; ///< by set
};

} // namespace hw::jobs
