// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/evidence/silence.h"

#include <set>

namespace hw::monitoring {

/// Parts points that fell silent by themselves from those whose source is away. A gap excuses what was not heard after it began: what another
/// source goes on to say, and then does not, is missed. What a gap excused and what is silent still when it is long over is missed from then on.
class Absence {
public:
    void gap(const bindings::Gap& gap);
    /// Sorts what `silence` found in this second. `deafMs`: after so long without any value the state of the hall is unknown.
    void second(std::int64_t atMs, const Silence& silence, std::int64_t deafMs);
    [[nodiscard]] const std::vector<bindings::PointNo>& missed() const { return m_missed; }   ///< fell silent by themselves, ascending
    [[nodiscard]] const std::vector<bindings::PointNo>& excused() const { return m_excused; } ///< fell silent with their source, ascending
    [[nodiscard]] const std::vector<bindings::PointNo>& denied() const { return m_denied; }   ///< of missed: they say that they have no value
    /// Since when no source says anything, without a gap that tells why; -1: some do.
    [[nodiscard]] std::int64_t deafMs() const { return m_gaps.empty() ? m_deafMs : -1; }
    void renumber(const std::vector<bindings::PointNo>& now);

private:
    [[nodiscard]] bool isAway(std::int64_t lastMs, std::int64_t atMs) const;
    bool endGaps(std::int64_t atMs);
    void listen(std::int64_t newestMs);

    std::vector<bindings::Gap> m_gaps;     ///< open, or ended lately
    std::int64_t m_mostSilentMs = -1;      ///< when most points fell silent at once without a word of why, last seen so
    std::int64_t m_deafMs = -1;            ///< nothing was heard of any since
    std::int64_t m_newestMs = -1;          ///< when anything was heard last
    std::int64_t m_everyMs = 0;            ///< the longest of late between two moments at which anything was heard
    int m_moments = 0;                     ///< such intervals, up to kKnown
    std::set<bindings::PointNo> m_waiting; ///< excused, and silent still
    std::vector<bindings::PointNo> m_missed, m_excused, m_denied;
};

} // namespace hw::monitoring
