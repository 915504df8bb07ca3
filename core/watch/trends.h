// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/judge.h"

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
    [[nodiscard]] const std::map<live::PointNo, std::deque<std::int64_t>>& changes() const { return m_changes; } ///< of states, within the window
    void renumber(const std::vector<live::PointNo>& now);

private:
    struct Anchor {
        std::int64_t ms = 0, nextMs = 0;
        float value = 0, next = 0;
    };
    void rise(live::PointNo p, float value, std::int64_t atMs, const Limits& limits);

    std::map<live::PointNo, Rising> m_rising;
    std::map<live::PointNo, std::deque<std::int64_t>> m_changes;
    std::unordered_map<live::PointNo, Anchor> m_anchors;
    std::unordered_map<live::PointNo, bool> m_states;
};

} // namespace hw::watch
