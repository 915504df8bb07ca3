// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/detectors/system_detector.h"

namespace hw::monitoring {

/// Servers whose GPUs say that they are busy and that draw far less than others as busy: what a GPU does shows in what it draws, so they are
/// slowed down, by heat, a power cap or a supply that is short. Each is held against all, so several at once come up. Looks at new values only.
class SlowHosts {
public:
    SlowHosts(const bindings::Bound& bound, const Plans& plans, const Limits& limits);
    /// What a server draws against what others as busy would draw in its place, W.
    struct Slow {
        float measured = 0, others = 0;
        std::int64_t sinceMs = 0;
    };
    void second(std::int64_t atMs, std::span<const bindings::PointNo> dirty, const Readings& readings);
    /// Servers that were judged, by the point of their power; `doubtful`: slow, or may turn out to be.
    template <class Each>
    void each(Each&& each) const
    {
        for (const auto& [p, host] : m_hosts)
            if (host.readings > 0) each(p, host.bad > 0);
    }
    [[nodiscard]] const std::map<bindings::PointNo, Slow>& slow() const { return m_slow; } ///< that stand, by the point of their power

private:
    struct Host {
        float busy = kUnknown;   ///< of all that its GPUs can do, 0 to 1; of late
        float effort = kUnknown; ///< its draw over plan and `busy`; of late
        int readings = 0;        ///< behind them
        int bad = 0, idle = 0;   ///< readings in a row
        std::int64_t sinceMs = 0;
    };
    [[nodiscard]] float busyOf(const Plan& plan, const Readings& readings) const;
    [[nodiscard]] float usual() const; ///< the median effort; NaN: too few are known
    void judge(bindings::PointNo p, Host& host, float others, std::int64_t atMs);

    const Plans& m_plans;
    float m_farOff; ///< of what is usual
    int m_inARow;   ///< readings
    std::map<bindings::PointNo, Host> m_hosts;
    std::map<bindings::PointNo, Slow> m_slow;
};

[[nodiscard]] std::unique_ptr<SystemDetector> makeSlowHosts(const DetectorScene& scene);

} // namespace hw::monitoring
