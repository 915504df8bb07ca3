// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/jobs/job_telemetry.h"

#include <algorithm>
#include <cmath>

namespace hw::jobs {

namespace {

/// In the order of time; a second reading of one moment replaces the first.
void putReading(std::vector<JobReading>& series, JobReading reading, std::size_t most)
{
    const auto at = std::ranges::lower_bound(series, reading.timeMs, {}, &JobReading::timeMs);
    if (at != series.end() && at->timeMs == reading.timeMs)
        at->value = reading.value;
    else
        series.insert(at, reading);
    if (series.size() > most) series.erase(series.begin(), series.begin() + std::ptrdiff_t(series.size() - most / 2));
}

} // namespace

void JobTelemetry::take(const JobSample& sample)
{
    if (!std::isfinite(sample.value) || sample.value < 0 || sample.job.empty()) return;
    const std::lock_guard lock(m_mutex);
    if (!m_jobs.contains(sample.job) && m_jobs.size() >= kMostJobs) return;
    JobData& job = m_jobs[sample.job];
    job.name = sample.job;
    if (sample.rank < 0) return putReading(job.whole[sample.measure], {sample.timeMs, sample.value}, kMostOfJob);
    if (!job.ranks.contains(sample.rank) && ++m_ranks > kMostRanks) {
        --m_ranks;
        return;
    }
    JobData::Rank& rank = job.ranks[sample.rank];
    if (!sample.host.empty()) rank.host = sample.host;
    putReading(rank.series[sample.measure], {sample.timeMs, sample.value}, kMostOfRank);
}

std::vector<JobData> JobTelemetry::jobs() const
{
    const std::lock_guard lock(m_mutex);
    std::vector<JobData> out;
    for (const auto& [name, job] : m_jobs) out.push_back(job);
    return out;
}

} // namespace hw::jobs
