// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/weather/calendar.h"

#include <fmt/format.h>

namespace hw::weather {

std::string Moment::text() const { return fmt::format("{:02}-{:02} {:02}:00", month, day, hour); }

Moment momentOf(std::size_t hour, int firstWeekday)
{
    const auto dayOfYear = int(hour / 24);
    Moment out{1, dayOfYear + 1, int(hour % 24), (firstWeekday + dayOfYear) % 7};
    while (out.month < 12 && out.day > kMonthDays[std::size_t(out.month - 1)]) out.day -= kMonthDays[std::size_t(out.month++ - 1)];
    return out;
}

std::size_t hourOf(int month, int day)
{
    int days = day - 1;
    for (int m = 1; m < month; ++m) days += kMonthDays[std::size_t(m - 1)];
    return std::size_t(days) * 24;
}

} // namespace hw::weather
