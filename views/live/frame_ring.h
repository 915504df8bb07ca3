// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/monitor.h"

#include <deque>
#include <vector>

namespace hw::views {

/// Values of one point over a time, in the unit of its measure.
struct PointSeries {
    std::vector<std::int64_t> timesMs;
    std::vector<double> values;
    friend bool operator==(const PointSeries&, const PointSeries&) = default;
};

/// The newest frames, one a second, as many as the memory given to them holds: the last minutes without a store.
class FrameRing {
public:
    static constexpr std::size_t kBytes = 96'000'000, kMostFrames = 3600;
    explicit FrameRing(std::size_t bytes = kBytes, std::size_t most = kMostFrames) : m_most(bytes), m_mostFrames(most) {}
    /// Keeps the frame where it is a second after the last one kept.
    bool push(const monitoring::FramePtr& frame);
    void clear();
    [[nodiscard]] monitoring::FramePtr at(std::int64_t timeMs) const; ///< the last not after it; null: it is older than all
    [[nodiscard]] std::int64_t oldestMs() const { return m_frames.empty() ? 0 : m_frames.front()->atMs; }
    [[nodiscard]] const std::deque<monitoring::FramePtr>& frames() const { return m_frames; }
    /// What is known of a point between two moments.
    [[nodiscard]] PointSeries series(const bindings::Point& point, std::int64_t fromMs, std::int64_t toMs) const;

private:
    std::deque<monitoring::FramePtr> m_frames;
    std::size_t m_most, m_mostFrames, m_bytes = 0;
};

} // namespace hw::views
