// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/bindings/point.h"

#include <map>
#include <vector>

namespace hw::monitoring {

/// Which points have not been heard of for longer than usual. A point is looked at when it is due, not every second.
class Silence {
public:
    void resize(std::size_t points);
    /// `repeats`: it was heard to say the same again soon, so it does not speak on change alone.
    void seen(bindings::PointNo point, std::int64_t atMs, bool repeats);
    void denied(bindings::PointNo point); ///< it was heard to have no value: missed before it would be if it only said nothing
    /// A point that speaks on change alone was heard to say the same again after so long: its source repeats what does not change.
    void repeated(std::int64_t afterMs);
    /// Works out who fell silent up to now: `silent`; and who of these was heard of again since the last call: `back`. Both ascending.
    void second(std::int64_t atMs, std::int64_t leastMs);
    [[nodiscard]] const std::vector<bindings::PointNo>& silent() const { return m_silent; }
    [[nodiscard]] const std::vector<bindings::PointNo>& back() const { return m_back; }
    [[nodiscard]] bool isSilent(bindings::PointNo point) const { return m_points[point].silent; }
    [[nodiscard]] std::size_t heard() const { return m_heard; } ///< points that ever had a value
    [[nodiscard]] std::size_t nowSilent() const { return m_nowSilent; }
    [[nodiscard]] std::int64_t newestMs() const { return m_newestMs; } ///< when any of them was last heard; -1: never
    [[nodiscard]] std::int64_t lastMs(bindings::PointNo point) const { return m_points[point].lastMs; }
    /// The longest interval between its readings of late, ms; 0: unknown.
    [[nodiscard]] std::int64_t longestMs(bindings::PointNo point) const { return m_points[point].intervalMs; }
    [[nodiscard]] bool denies(bindings::PointNo point) const { return m_points[point].denies; }   ///< it said last that it has no value
    [[nodiscard]] bool repeats(bindings::PointNo point) const { return m_points[point].repeats; } ///< else it speaks on change alone
    /// By when a point that is polled at a steady interval is read again; -1: no such interval is known.
    [[nodiscard]] std::int64_t nextReadMs(bindings::PointNo point) const;
    void renumber(const std::vector<bindings::PointNo>& now, std::size_t points);

private:
    struct PointTiming {
        std::int64_t lastMs = -1, dueMs = -1; ///< dueMs: when it is looked at next; -1: not waiting
        std::int32_t intervalMs = 0;          ///< the longest of late; 0: not known
        std::int32_t lastIntervalMs = 0;      ///< the last one; 0: there was none
        std::uint8_t steady = 0;              ///< intervals in a row that were as long as the one before, up to kSteady
        bool silent = false, repeats = false, denies = false;
    };
    [[nodiscard]] std::int64_t allowed(const PointTiming& heard, std::int64_t leastMs) const;

    std::vector<PointTiming> m_points;
    std::map<std::int64_t, std::vector<bindings::PointNo>> m_due;
    std::vector<bindings::PointNo> m_new; ///< seen and not waiting yet
    std::vector<bindings::PointNo> m_silent, m_back, m_backNow;
    std::size_t m_heard = 0, m_nowSilent = 0;
    std::int64_t m_newestMs = -1;
    std::size_t m_repeats = 0;        ///< how often something was said again
    std::int64_t m_longestRepeat = 0; ///< ms
};

} // namespace hw::monitoring
