// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/words.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace hw::jobs {

/// What a channel of a training job measures; times of one iteration.
enum class JobMeasure : std::uint8_t {
    Iteration,     ///< its number
    IterationTime, ///< s
    TokensPerS,
    ComputeTime, ///< s, forward and backward pass without communication
    SendTime,    ///< s that NICs of a rank send
    DataWait,    ///< s that a rank waits for its data loader
    CheckpointTime,
    Mfu, ///< 0 to 1
    Ranks,
    Hosts,
};
} // namespace hw::jobs

namespace hw {
HW_WORDS(jobs::JobMeasure, "iteration", "iteration-time", "tokens-per-second", "compute-time", "send-time", "data-wait", "checkpoint-time", "mfu",
         "ranks", "hosts")
} // namespace hw

namespace hw::jobs {

struct JobSample {
    std::string job;
    JobMeasure measure = JobMeasure::IterationTime;
    int rank = -1;    ///< -1: of the whole job
    std::string host; ///< of the rank, empty: not stated
    std::int64_t timeMs = 0;
    double value = 0;
};

struct JobReading {
    std::int64_t timeMs = 0;
    double value = 0;
};
using JobSeries = std::map<JobMeasure, std::vector<JobReading>>; ///< ascending by time

/// All that was seen of one job.
struct JobData {
    std::string name;
    JobSeries whole;
    struct Rank {
        std::string host;
        JobSeries series;
    };
    std::map<int, Rank> ranks;
};

/// Collects the samples of jobs. Any thread. Of a rank the last readings are kept, of the job all (at least an hour of one a second).
class JobTelemetry {
public:
    void take(const JobSample& sample);              ///< what is not finite, or negative, is left out
    [[nodiscard]] std::vector<JobData> jobs() const; ///< by name

private:
    static constexpr std::size_t kMostOfRank = 64, kMostOfJob = 1'000'000, kMostRanks = 1'000'000, kMostJobs = 10'000;
    mutable std::mutex m_mutex;
    std::map<std::string, JobData> m_jobs;
    std::size_t m_ranks = 0;
};

} // namespace hw::jobs
