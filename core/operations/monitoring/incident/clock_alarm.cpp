// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/incident/clock_alarm.h"

#include <cmath>

namespace hw::monitoring {

/// Once, however many channels jump.
void ClockAlarm::second(std::int64_t t, const ClockShift& clock, AlarmBook& alarms, std::vector<Event>& events)
{
    constexpr std::int64_t kJoinMs = 3000, kOverMs = 60'000, kSettledMs = 30'000; // others follow; it is over; between two words
    const std::string about = "clock";                                            // no text: a key
    if (clock.channels > 0) {
        if (m_sinceMs < 0) m_sinceMs = t;
        m_lastMs = t;
        if (clock.channels >= m_most.channels) m_most = clock;
    }
    if (m_sinceMs < 0) return;
    if (clock.channels == 0 && t - m_lastMs >= kOverMs) {
        alarms.end(about, t, events);
        m_sinceMs = -1, m_told = 0, m_most = {};
        return;
    }
    const bool isNew = m_told == 0;
    const ClockShift& said = m_most;
    if (t - m_sinceMs < kJoinMs || (!isNew && said.channels < 2 * m_told)) return;
    if (!isNew && (t - m_sinceMs) % kSettledMs != 0) return;
    Alarm alarm;
    alarm.kind = AlarmKind::Condition, alarm.sinceMs = m_sinceMs;
    const auto seconds = std::abs(said.byMs) / 1000;
    alarm.what =
        said.byMs > 0
            ? i18np(std::int64_t(said.channels), "clock jump at a source: timestamps of {0:L} channel are {1:L} s ahead, {2}; arrival time is used",
                    "clock jump at a source: timestamps of {0:L} channels are {1:L} s ahead, including {2}; arrival time is used", seconds,
                    said.channel)
            : i18np(std::int64_t(said.channels), "clock jump at a source: timestamps of {0:L} channel are {1:L} s behind, {2}; arrival time is used",
                    "clock jump at a source: timestamps of {0:L} channels are {1:L} s behind, including {2}; arrival time is used", seconds,
                    said.channel);
    isNew ? alarms.raise(about, std::move(alarm), t, events) : alarms.change(about, alarm, t, events);
    m_told = said.channels;
}

} // namespace hw::monitoring
