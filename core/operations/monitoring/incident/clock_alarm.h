// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/incident/alarm_book.h"

namespace hw::monitoring {

/// One alarm while clocks of sources are off.
class ClockAlarm {
public:
    void second(std::int64_t t, const ClockShift& clock, AlarmBook& alarms, std::vector<Event>& events);

private:
    std::int64_t m_sinceMs = -1, m_lastMs = -1; ///< a clock is off since; was so last
    ClockShift m_most;                          ///< of these the most
    std::size_t m_told = 0;                     ///< channels
};

} // namespace hw::monitoring
