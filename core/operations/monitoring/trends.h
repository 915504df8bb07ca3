// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/judge.h"

#include <deque>
#include <unordered_map>

namespace hw::watch {

/// Temperatures that rise fast, and states that change to and fro. Looks at new values only.
class Trends {
public:
    void second(std::int64_t atMs, std::span<const live::PointNo> dirty, const Readings& readings, const Plans& plans, const live::Bound& bound,
                const Limits& limits);
    struct Rising {
        double kelvinPerMinute = 0;
        std::int64_t sinceMs = 0;
    };
    [[nodiscard]] const std::map<live::PointNo, Rising>& rising() const { return m_rising; }
    struct Flapping {
        std::uint32_t changes = 0; ///< within the window
        std::int64_t sinceMs = 0;
    };
    /// What changes its state to and fro, each link once, by the point that showed it first: by the states that are read, or by a counter of
    /// changes, which sees those between two readings, too.
    [[nodiscard]] const std::map<live::PointNo, Flapping>& flapping() const { return m_flapping; }
    void renumber(const std::vector<live::PointNo>& now);

private:
    struct Anchor {
        std::int64_t ms = 0, nextMs = 0;
        float value = 0, next = 0;
    };
    /// What a counter of changes said last: so many in each span of time.
    struct Counted {
        std::deque<std::pair<double, std::int64_t>> spans; ///< changes, ms
        std::int64_t timeMs = 0, heardMs = 0;
    };
    void rise(live::PointNo p, float value, std::int64_t atMs, const Limits& limits);
    void count(live::PointNo p, const Readings& readings, std::int64_t atMs, const Limits& limits);
    void findFlapping(std::int64_t atMs, const Plans& plans, const Limits& limits);

    std::map<live::PointNo, Rising> m_rising;
    std::map<live::PointNo, Flapping> m_flapping;
    std::map<live::PointNo, std::deque<std::int64_t>> m_changes; ///< of states, within the window
    std::unordered_map<live::PointNo, Counted> m_counted;
    std::map<live::PointNo, double> m_many; ///< counters that say enough changes for the window
    std::unordered_map<live::PointNo, Anchor> m_anchors;
    std::unordered_map<live::PointNo, bool> m_states;
};

} // namespace hw::watch
