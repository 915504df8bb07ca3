// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/evidence/readings.h"

#include <deque>
#include <unordered_map>

namespace hw::monitoring {

/// Temperatures that rise fast, and states that change to and fro. Looks at new values only.
class Trends {
public:
    void second(std::int64_t atMs, std::span<const bindings::PointNo> dirty, const Readings& readings, const Plans& plans,
                const bindings::Bound& bound, const Limits& limits);
    struct Rising {
        double kelvinPerMinute = 0;
        std::int64_t sinceMs = 0;
    };
    [[nodiscard]] const std::map<bindings::PointNo, Rising>& rising() const { return m_rising; }
    struct Flapping {
        std::uint32_t changes = 0; ///< within the window
        std::int64_t sinceMs = 0;
    };
    /// What changes its state to and fro, each link once, by the point that showed it first: by the states that are read, or by a counter of
    /// changes, which sees those between two readings, too.
    [[nodiscard]] const std::map<bindings::PointNo, Flapping>& flapping() const { return m_flapping; }
    void renumber(const std::vector<bindings::PointNo>& now);

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
    void rise(bindings::PointNo p, float value, std::int64_t atMs, const Limits& limits);
    void count(bindings::PointNo p, const Readings& readings, std::int64_t atMs, const Limits& limits);
    void findFlapping(std::int64_t atMs, const Plans& plans, const Limits& limits);

    std::map<bindings::PointNo, Rising> m_rising;
    std::map<bindings::PointNo, Flapping> m_flapping;
    std::map<bindings::PointNo, std::deque<std::int64_t>> m_changes; ///< of states, within the window
    std::unordered_map<bindings::PointNo, Counted> m_counted;
    std::map<bindings::PointNo, double> m_many; ///< counters that say enough changes for the window
    std::unordered_map<bindings::PointNo, Anchor> m_anchors;
    std::unordered_map<bindings::PointNo, bool> m_states;
};

} // namespace hw::monitoring
