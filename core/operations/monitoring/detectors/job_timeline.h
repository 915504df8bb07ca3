// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/detectors/system_detector.h"

#include <deque>
#include <optional>

namespace hw::monitoring {

/// How a job that was simulated goes on: what its links carry of what they should, all together. A save, a restart or a server that is gone
/// makes all of them carry less for a while: that is no link's fault. Looks at new values only.
class JobTimeline {
public:
    explicit JobTimeline(const Plans& plans) : m_plans(plans) {}
    void second(std::int64_t atMs, std::span<const bindings::PointNo> dirty, const Readings& readings, const Limits& limits);

    /// Whether all that was read at about that time carried less, so that a link which carries `share` of what it should has that from the job.
    [[nodiscard]] bool explains(float share, std::int64_t atMs, const Limits& limits) const;
    static constexpr std::int64_t kAroundMs = 10'000; ///< until when that is known

    /// All of them carry too little, for too long.
    struct Slow {
        bindings::PointNo point = bindings::kNoPoint; ///< one of those that say it
        double measuredBps = 0, simulatedBps = 0;     ///< of the links that were read of late
        std::int64_t sinceMs = 0;
    };
    [[nodiscard]] const std::optional<Slow>& slow() const { return m_slow; }

private:
    struct Read {
        std::int64_t ms = 0;
        bindings::PointNo point = bindings::kNoPoint;
        float share = 0;
    };
    void judge(std::int64_t atMs, float share, const Readings& readings, const Limits& limits);

    const Plans& m_plans;
    std::deque<Read> m_read; ///< within kAroundMs
    struct Median {
        std::int64_t ms = 0;
        float around = 1, now = 1; ///< of kAroundMs; of the last that were read
    };
    [[nodiscard]] float medianOf(std::size_t newest);
    std::deque<Median> m_medians; ///< second by second
    std::vector<float> m_shares;
    std::optional<Slow> m_slow;
    std::int64_t m_lowMs = -1, m_backMs = -1;
};

[[nodiscard]] std::unique_ptr<SystemDetector> makeSlowJob(const DetectorScene& scene);

} // namespace hw::monitoring
