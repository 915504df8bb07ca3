// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/evidence/silence.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace hw::monitoring {

using bindings::PointNo;

namespace {
/// Of what speaks on change alone, as long as it is not known how often that is repeated: the DSX event bus does so every 100 s.
constexpr std::int64_t kOnChangeMs = 330'000;
constexpr std::size_t kRepeatsKnown = 20;                              ///< so often something was repeated, then it is known (assumed)
constexpr double kRepeatsLate = 1.3;                                   ///< times the longest of them, and 5 s (assumed)
constexpr std::int64_t kUsual = 6;                                     ///< of the longest interval of late (assumed)
constexpr std::uint8_t kSteady = 2;                                    ///< intervals that repeat, from which a point counts as polled (assumed)
constexpr std::int64_t kPollJitterMs = 1500, kLongestPollMs = 120'000; ///< of a poll; beyond that nobody waits for it (assumed)
} // namespace

void Silence::resize(std::size_t points)
{
    m_points.assign(points, {});
    m_due.clear(), m_new.clear(), m_silent.clear(), m_back.clear(), m_backNow.clear();
    m_heard = m_nowSilent = 0;
}

void Silence::seen(PointNo point, std::int64_t atMs, bool repeats)
{
    PointTiming& h = m_points[point];
    const bool sooner = repeats && !h.repeats && h.lastMs >= 0;
    h.repeats = repeats;
    if (h.lastMs < 0)
        ++m_heard;
    else if (!h.silent && !h.denies)
        h.intervalMs =
            std::int32_t(std::max<std::int64_t>(std::min<std::int64_t>(atMs - h.lastMs, 86'400'000), std::int64_t(h.intervalMs) * 99 / 100));
    if (h.lastMs >= 0) {
        const auto interval = std::int32_t(std::min<std::int64_t>(atMs - h.lastMs, 86'400'000));
        const bool same = h.lastIntervalMs > 0 && std::abs(interval - h.lastIntervalMs) <= kPollJitterMs + h.lastIntervalMs / 10;
        h.steady = same ? std::min<std::uint8_t>(kSteady, h.steady + 1) : 0;
        h.lastIntervalMs = interval;
    }
    h.denies = false;
    h.lastMs = atMs, m_newestMs = std::max(m_newestMs, atMs);
    if (h.silent) h.silent = false, --m_nowSilent, m_backNow.push_back(point);
    if (h.dueMs < 0 || sooner) m_new.push_back(point);
}

std::int64_t Silence::nextReadMs(PointNo point) const
{
    const PointTiming& h = m_points[point];
    if (h.steady < kSteady || h.silent || h.lastIntervalMs > kLongestPollMs) return -1;
    return h.lastMs + h.lastIntervalMs + h.lastIntervalMs / 10 + kPollJitterMs;
}

void Silence::denied(PointNo point)
{
    PointTiming& h = m_points[point];
    if (h.lastMs < 0 || h.silent || std::exchange(h.denies, true)) return;
    m_new.push_back(point);
}

void Silence::repeated(std::int64_t afterMs)
{
    if (afterMs > kOnChangeMs) return; // it changed and came back, or was away
    ++m_repeats, m_longestRepeat = std::max(m_longestRepeat, afterMs);
}

std::int64_t Silence::allowed(const PointTiming& h, std::int64_t leastMs) const
{
    if (h.denies) return leastMs;
    if (h.repeats) return std::max(leastMs, std::int64_t(h.intervalMs) * kUsual);
    // How often others repeat says nothing of what was heard once: it may be read less often than they.
    if (m_repeats < kRepeatsKnown || h.intervalMs == 0) return std::max(kOnChangeMs, std::int64_t(h.intervalMs) * 3);
    const auto late = std::int64_t(double(std::max(m_longestRepeat, std::int64_t(h.intervalMs))) * kRepeatsLate) + 5000;
    return std::max(leastMs, late);
}

void Silence::second(std::int64_t atMs, std::int64_t leastMs)
{
    m_silent.clear();
    m_back.swap(m_backNow), m_backNow.clear();
    const auto wait = [&](PointNo p) {
        PointTiming& h = m_points[p];
        h.dueMs = std::max(atMs + 1, h.lastMs + allowed(h, leastMs));
        m_due[h.dueMs].push_back(p);
    };
    for (const PointNo p : m_new) wait(p);
    m_new.clear();
    while (!m_due.empty() && m_due.begin()->first <= atMs) {
        const std::int64_t key = m_due.begin()->first;
        const auto due = std::move(m_due.begin()->second);
        m_due.erase(m_due.begin());
        for (const PointNo p : due) {
            PointTiming& h = m_points[p];
            if (h.dueMs != key) continue; // it waits elsewhere
            if (h.lastMs + allowed(h, leastMs) > atMs) {
                wait(p);
            } else {
                h.dueMs = -1, h.silent = true, ++m_nowSilent;
                m_silent.push_back(p);
            }
        }
    }
    std::ranges::sort(m_silent), std::ranges::sort(m_back);
}

void Silence::renumber(const std::vector<PointNo>& now, std::size_t points)
{
    const auto was = std::move(m_points);
    resize(points);
    for (PointNo old = 0; old < was.size(); ++old) {
        if (now[old] == bindings::kNoPoint || was[old].lastMs < 0) continue;
        PointTiming& h = m_points[now[old]];
        h = was[old], ++m_heard, m_nowSilent += h.silent;
        h.dueMs = -1;
        if (!h.silent) m_new.push_back(now[old]);
    }
}

} // namespace hw::monitoring
