// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/impact/network_loss.h"
#include "core/operations/monitoring/incident/findings.h"

#include <span>

namespace hw::monitoring {

using bindings::PointSample;

/// Judges what is measured against the design: deviations, alarms and their probable cause. Its clock is the arrival of data (`advance`),
/// never that of the machine, so that the same samples and advances in the same order give the same events at any speed.
/// Not thread-safe: belongs to the follower's thread.
class Monitor {
public:
    Monitor();
    ~Monitor();
    Monitor(Monitor&&) noexcept;
    Monitor& operator=(Monitor&&) noexcept;

    /// The design and bindings to judge by; keeps what is known of points that stay.
    void design(FiguresPtr design, bindings::BoundPtr bound);
    /// What links should carry, Gb/s by directed link (2 × LinkId + direction, 0: from lower to upper end); empty: nothing was simulated.
    /// `after`: what they should carry once something of the network is lost; without it the same as before.
    void simulated(std::span<const float> gbps, impact::LoadsAfter after = {});
    /// A sample counts from the next whole second that is judged, whatever time it states: clocks of sources may be wrong.
    void take(std::span<const PointSample> samples);
    void gap(const bindings::Gap& gap);
    /// What a channel says that reports leaks and is bound to nothing; counts from the next whole second.
    void unboundLeak(const std::string& channel, bool leaks);
    void clock(const ClockShift& shift); ///< as they are from the next whole second on
    void answer(const Answer& answer, std::int64_t atMs);
    /// Judges at every whole second up to and with `atMs`; events since the last call. The cost is that of the points that changed.
    [[nodiscard]] std::vector<Event> advance(std::int64_t atMs);
    [[nodiscard]] FramePtr frame() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace hw::monitoring
