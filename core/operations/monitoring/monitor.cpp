// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/monitor.h"

#include "core/operations/monitoring/conductor.h"

#include <algorithm>
#include <utility>

namespace hw::monitoring {

Monitor::Monitor() : m_state(std::make_unique<State>()) {}
Monitor::~Monitor() = default;
Monitor::Monitor(Monitor&&) noexcept = default;
Monitor& Monitor::operator=(Monitor&&) noexcept = default;

void Monitor::design(FiguresPtr design, bindings::BoundPtr bound) { m_state->design(std::move(design), std::move(bound)); }
void Monitor::simulated(std::span<const float> gbps, impact::LoadsAfter after) { m_state->simulated(gbps, std::move(after)); }
void Monitor::take(std::span<const PointSample> samples) { m_state->take(samples); }
void Monitor::unboundLeak(const std::string& channel, bool leaks) { m_state->unboundLeak(channel, leaks); }
void Monitor::clock(const ClockShift& shift) { m_state->clock = shift; }
void Monitor::gap(const bindings::Gap& gap) { m_state->gap(gap); }
void Monitor::answer(const Answer& answer, std::int64_t atMs) { m_state->alarms.answer(answer, atMs, m_state->events); }

std::vector<Event> Monitor::advance(std::int64_t atMs)
{
    constexpr std::int64_t kLongestMs = 3'600'000; // of a pause in a recording that is judged second by second
    const std::int64_t last = atMs - atMs % 1000;
    for (std::int64_t t = m_state->now < 0 || last - m_state->now > kLongestMs ? last : m_state->now + 1000; t <= last; t += 1000) m_state->second(t);
    return std::exchange(m_state->events, {});
}

FramePtr Monitor::frame() const { return m_state->frame(); }

} // namespace hw::monitoring
