// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/evidence/absence.h"

#include <algorithm>

namespace hw::monitoring {

using bindings::PointNo;

namespace {

constexpr std::int64_t kAfterGapMs = 120'000; ///< slow channels have not spoken again yet
constexpr std::int64_t kOnItsWayMs = 2000;    ///< what was sent before a gap may be taken so much after it began
constexpr std::size_t kMany = 20;             ///< that fall silent in one second together with most others: their source is away
constexpr std::int64_t kQuietMs = 10'000;     ///< the same, from which on it may become so: nobody is missed by himself (assumed)
constexpr std::int64_t kUnknownMs = 330'000;  ///< as long as it is not known how often something comes
constexpr int kKnown = 3, kTimes = 3;         ///< intervals after which that is known; of the longest of them, to be deaf (assumed)

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

/// How often anything comes at all: values of a trend may be minutes apart.
void Absence::listen(std::int64_t newestMs)
{
    if (newestMs == m_newestMs) return;
    const bool counts = m_newestMs >= 0 && m_deafMs < 0; // how long it was deaf is not usual
    if (counts) m_everyMs = std::max(newestMs - m_newestMs, m_everyMs * 99 / 100), m_moments = std::min(m_moments + 1, kKnown);
    m_newestMs = newestMs;
}

void Absence::second(std::int64_t atMs, const Silence& silence, std::int64_t deafMs)
{
    m_missed.clear(), m_excused.clear(), m_denied.clear();
    const bool most = silence.nowSilent() * 2 > silence.heard();
    listen(silence.newestMs());
    const std::int64_t usual = m_moments < kKnown ? kUnknownMs : kTimes * m_everyMs, quiet = atMs - silence.newestMs();
    m_deafMs = silence.heard() > kMany && quiet >= std::max(deafMs, usual) ? silence.newestMs() : -1;
    const bool mayBeDeaf = silence.heard() > kMany && quiet >= std::max(kQuietMs, usual);
    if (mayBeDeaf || (most && (silence.silent().size() > kMany || m_mostSilentMs >= 0))) m_mostSilentMs = atMs;
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
        if (!away && silence.denies(p)) m_denied.push_back(p);
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
