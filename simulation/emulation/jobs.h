// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/random.h"

#include <cstdint>
#include <span>
#include <vector>

namespace hw::emulation {

/// What the assumed schedule of a training cluster looks like. All assumed: no trace is copied.
struct JobOptions {
    double meanMinutes = 20;                  ///< a job runs for, exponential
    double busyShare = 0.9;                   ///< of the hosts, at the mean of a day
    double busySwing = 0.06;                  ///< and by so much more in the afternoon, less at night
    double leastPeriodS = 2, mostPeriodS = 9; ///< of an iteration
    double restartS = 120;                    ///< a host that has power again takes no work for
    double stallS = 30;                       ///< a job that lost a host stands still for
};

/// Jobs on hosts: they start and end, and the hosts of one swing together between computing and waiting for the network.
class Jobs {
public:
    /// `hosts`: so many places, neighbors next to each other; `spare`: those that stand by.
    Jobs(std::size_t hosts, std::vector<char> spare, const JobOptions& options, std::uint64_t seed);

    /// From now on one job without end, on these places alone, ascending: a host that is back joins it again. None: it does not go on.
    void playOne(std::vector<std::uint32_t> hosts);
    /// Whether a host takes work.
    [[nodiscard]] bool takesWork(std::size_t host) const { return m_freeMs[host] <= m_now; }

    /// To a moment (ms since the start); `up` by host. `dayShare`: 0 to 1, of the day at that moment.
    void advance(std::int64_t ms, double dayShare, std::span<const char> up);

    /// Of what its GPUs can do, 0 to 1, at this moment.
    [[nodiscard]] double load(std::size_t host) const { return m_load[host]; }
    /// Seconds of full traffic that its NICs had since the start; of the one job: that it went on. Never falls.
    [[nodiscard]] double traffic(std::size_t host) const { return m_traffic[host]; }
    /// Seconds that the one job went on since the start.
    [[nodiscard]] double wentOn() const { return m_wentOn; }
    [[nodiscard]] std::size_t running() const { return m_jobs.size(); }
    /// The places that work on the one job now.
    [[nodiscard]] std::span<const std::uint32_t> hostsOfOne() const
    {
        return m_one && !m_jobs.empty() ? std::span<const std::uint32_t>(m_jobs.back().hosts) : std::span<const std::uint32_t>();
    }

private:
    struct Job {
        std::vector<std::uint32_t> hosts;
        std::int64_t startMs = 0, endMs = 0, stallMs = 0;
        double periodS = 4, duty = 0.8, level = 0.95;
    };
    void end(std::int64_t ms);
    void loseHosts(std::int64_t ms, std::span<const char> up);
    void start(std::int64_t ms, double dayShare);
    void join(std::int64_t ms);
    void drawCourse(Job& job, std::int64_t ms);
    void swing(std::int64_t ms, double seconds);

    JobOptions m_options;
    sim::Random m_random;
    std::vector<char> m_spare, m_taken;
    std::vector<std::int64_t> m_freeMs; ///< by host: it takes work from then on
    std::vector<double> m_load, m_traffic;
    std::vector<Job> m_jobs;
    bool m_one = false;                ///< there is one job; else an assumed schedule
    std::vector<std::uint32_t> m_only; ///< its hosts
    double m_wentOn = 0;
    std::size_t m_busy = 0, m_usable = 0, m_next = 0;
    std::int64_t m_now = 0, m_lookMs = 0;
};

} // namespace hw::emulation
