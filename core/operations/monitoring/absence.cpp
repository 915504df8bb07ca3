// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/absence.h"

#include <algorithm>

namespace hw::monitoring {

using bindings::PointNo;

namespace {

constexpr std::int64_t kAfterGapMs = 120'000; ///< slow channels have not spoken again yet
constexpr std::int64_t kOnItsWayMs = 2000;    ///< what was sent before a gap may be taken so much after it began
constexpr std::size_t kMany = 20;             ///< that fall silent in one second together with most others: their source is away
constexpr std::int64_t kDeafMs = 30'000;      ///< without any value of so many: no source is heard, and nothing is known of the hall (assumed)

} // namespace

void Absence::gap(const bindings::Gap& gap)
{
    const auto known = std::ranges::find_if(m_gaps, [&](const bindings::Gap& g) { return g.source == gap.source && g.fromMs == gap.fromMs; });
    if (known != m_gaps.end())
        *known = gap;
    else
        m_gaps.push_back(gap);
}

bool Absence::isAway(std::int64_t lastMs, std::int64_t atMs) const
{
    if (m_mostSilentMs >= 0 && atMs - m_mostSilentMs < kAfterGapMs) return true;
    return std::ranges::any_of(m_gaps, [&](const bindings::Gap& g) { return g.fromMs <= atMs && lastMs <= g.fromMs + kOnItsWayMs; });
}

/// Whether one is over for so long that all should have spoken again.
bool Absence::endGaps(std::int64_t atMs)
{
    bool ended = std::erase_if(m_gaps, [&](const bindings::Gap& g) { return g.toMs != 0 && atMs - g.toMs >= kAfterGapMs; }) > 0;
    if (m_mostSilentMs >= 0 && atMs - m_mostSilentMs >= kAfterGapMs) m_mostSilentMs = -1, ended = true;
    return ended;
}

void Absence::second(std::int64_t atMs, const Silence& silence)
{
    m_missed.clear(), m_excused.clear();
    const bool most = silence.nowSilent() * 2 > silence.heard();
    m_deafMs = silence.heard() > kMany && atMs - silence.newestMs() >= kDeafMs ? silence.newestMs() : -1;
    if (m_deafMs >= 0 || (most && (silence.silent().size() > kMany || m_mostSilentMs >= 0))) m_mostSilentMs = atMs;
    for (const PointNo p : silence.back()) m_waiting.erase(p);
    if (endGaps(atMs))
        for (auto at = m_waiting.begin(); at != m_waiting.end();) {
            const PointNo p = *at;
            if (isAway(silence.lastMs(p), atMs)) {
                ++at;
                continue;
            }
            if (silence.isSilent(p)) m_missed.push_back(p);
            at = m_waiting.erase(at);
        }
    for (const PointNo p : silence.silent()) {
        const bool away = isAway(silence.lastMs(p), atMs);
        (away ? m_excused : m_missed).push_back(p);
        if (away) m_waiting.insert(p);
    }
    std::ranges::sort(m_missed);
}

void Absence::renumber(const std::vector<PointNo>& now)
{
    std::set<PointNo> waiting;
    for (const PointNo p : m_waiting)
        if (now[p] != bindings::kNoPoint) waiting.insert(now[p]);
    m_waiting = std::move(waiting);
}

} // namespace hw::monitoring
