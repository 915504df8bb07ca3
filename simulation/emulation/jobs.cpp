// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/emulation/jobs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace hw::emulation {

namespace {

constexpr double kStartS = 15;      // data are read, the network is set up
constexpr double kSaveEveryS = 300; // a checkpoint, and how long it takes
constexpr double kSaveS = 8;
constexpr double kWaiting = 0.35; // of a GPU that waits for the network, of its load while it computes (assumed)

} // namespace

Jobs::Jobs(std::size_t hosts, std::vector<char> spare, const JobOptions& options, std::uint64_t seed)
    : m_options(options), m_random(seed, 1), m_spare(std::move(spare)), m_taken(hosts, 0), m_freeMs(hosts, 0), m_load(hosts, 0), m_traffic(hosts, 0)
{
    m_spare.resize(hosts, 0);
    for (const char s : m_spare) m_usable += s == 0;
}

void Jobs::playOne(std::vector<std::uint32_t> hosts)
{
    m_one = true, m_only = std::move(hosts);
    for (Job& job : m_jobs)
        m_busy -= std::erase_if(job.hosts, [&](std::uint32_t h) {
            if (std::ranges::binary_search(m_only, h)) return false;
            m_taken[h] = 0;
            return true;
        });
}

void Jobs::end(std::int64_t ms)
{
    std::erase_if(m_jobs, [&](const Job& job) {
        if (job.endMs > ms && !job.hosts.empty()) return false;
        for (const std::uint32_t h : job.hosts) m_taken[h] = 0;
        m_busy -= job.hosts.size();
        return true;
    });
}

/// Its other hosts wait until it goes on from its last checkpoint without what was lost.
void Jobs::loseHosts(std::int64_t ms, std::span<const char> up)
{
    for (std::size_t h = 0; h < up.size(); ++h)
        if (!up[h]) m_freeMs[h] = ms + std::llround(m_options.restartS * 1000);
    for (Job& job : m_jobs) {
        const auto lost = std::erase_if(job.hosts, [&](std::uint32_t h) {
            if (up[h]) return false;
            m_taken[h] = 0;
            --m_busy;
            return true;
        });
        if (lost > 0) job.stallMs = ms + std::llround(m_options.stallS * 1000);
    }
}

/// The shape of its iterations.
void Jobs::drawCourse(Job& job, std::int64_t ms)
{
    job.startMs = m_now > 0 ? ms : ms - std::llround((2 * kStartS + m_random.uniform() * 600) * 1000); // the hall ran before
    job.endMs = ms + std::max<std::int64_t>(30'000, std::llround(m_random.exponential(m_options.meanMinutes * 60'000)));
    job.periodS = m_options.leastPeriodS + m_random.uniform() * (m_options.mostPeriodS - m_options.leastPeriodS);
    job.duty = 0.65 + 0.25 * m_random.uniform();
    job.level = 0.85 + 0.15 * m_random.uniform();
}

/// Hosts that can work and do not, to the one job: it goes back to its last checkpoint for them.
void Jobs::join(std::int64_t ms)
{
    std::vector<std::uint32_t> free;
    for (const std::uint32_t h : m_only)
        if (!m_taken[h] && m_freeMs[h] <= ms) free.push_back(h);
    if (free.empty()) return;
    if (m_jobs.empty()) {
        drawCourse(m_jobs.emplace_back(), ms);
        m_jobs.back().endMs = std::numeric_limits<std::int64_t>::max();
    } else {
        m_jobs.back().stallMs = ms + std::llround(m_options.stallS * 1000);
    }
    for (const std::uint32_t h : free) m_taken[h] = 1, m_jobs.back().hosts.push_back(h);
    m_busy += free.size();
}

void Jobs::start(std::int64_t ms, double dayShare)
{
    if (m_one) return join(ms);
    const double busy = m_options.busyShare + m_options.busySwing * std::sin(2 * std::numbers::pi * (dayShare - 0.375)); // most at 15 h
    const auto wanted = std::size_t(std::clamp(busy, 0.0, 1.0) * double(m_usable));
    for (int tries = 0; m_busy < wanted && tries < 64; ++tries) {
        // Small jobs are many, large ones hold most of the hosts.
        const double most = std::log2(std::max(1.0, double(m_usable) / 2));
        auto size = std::size_t(std::llround(std::exp2(m_random.uniform() * most)));
        size = std::clamp<std::size_t>(size, 1, wanted - m_busy);
        Job job;
        for (std::size_t looked = 0; looked < m_taken.size() && job.hosts.size() < size; ++looked, ++m_next) {
            if (m_next >= m_taken.size()) m_next = 0;
            if (m_taken[m_next] || m_spare[m_next] || m_freeMs[m_next] > ms) continue;
            job.hosts.push_back(std::uint32_t(m_next));
        }
        if (job.hosts.empty()) return;
        for (const std::uint32_t h : job.hosts) m_taken[h] = 1;
        m_busy += job.hosts.size();
        drawCourse(job, ms);
        m_jobs.push_back(std::move(job));
    }
}

void Jobs::swing(std::int64_t ms, double seconds)
{
    std::ranges::fill(m_load, 0);
    for (const Job& job : m_jobs) {
        const double age = double(ms - job.startMs) / 1000;
        double load = job.level, traffic = !m_one ? (1 - job.duty) * 0.9 + 0.05 : 1;
        if (ms < job.stallMs || age < kStartS) {
            load = 0.15, traffic = 0.01;
        } else if (std::fmod(age, kSaveEveryS) > kSaveEveryS - kSaveS) {
            load = 0.4, traffic = 0.1;
        } else if (std::fmod(age, job.periodS) > job.duty * job.periodS) {
            load *= kWaiting;
        }
        for (const std::uint32_t h : job.hosts) m_load[h] = load, m_traffic[h] += traffic * seconds;
        if (m_one) m_wentOn += traffic * seconds;
    }
}

void Jobs::advance(std::int64_t ms, double dayShare, std::span<const char> up)
{
    end(ms);
    loseHosts(ms, up);
    if (ms >= m_lookMs) start(ms, dayShare), m_lookMs = ms + 5000;
    swing(ms, double(ms - m_now) / 1000);
    m_now = ms;
}

} // namespace hw::emulation
