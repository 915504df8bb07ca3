// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/demand.h"

#include <charconv>

#include <fmt/format.h>

namespace hw::sizing {

namespace {

int daysOf(int year, int month)
{
    constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

std::optional<int> number(std::string_view text)
{
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

} // namespace

std::optional<QuarterTime> quarterTime(const std::string& date)
{
    if (date.size() < 7 || (date[4] != '-' && date[4] != ' ')) return std::nullopt;
    const auto year = number(std::string_view(date).substr(0, 4));
    if (!year || *year < 1900 || *year > 9999) return std::nullopt;
    if (date[5] == 'Q' && date.size() == 7) {
        const auto quarter = number(std::string_view(date).substr(6));
        return quarter && *quarter >= 1 && *quarter <= 4 ? std::optional(4.0 * *year + *quarter - 1) : std::nullopt;
    }
    const auto month = number(std::string_view(date).substr(5, 2));
    if (date[4] != '-' || !month || *month < 1 || *month > 12) return std::nullopt;
    int day = 1;
    if (date.size() == 10 && date[7] == '-') {
        const auto given = number(std::string_view(date).substr(8));
        if (!given || *given < 1 || *given > daysOf(*year, *month)) return std::nullopt;
        day = *given;
    } else if (date.size() != 7) {
        return std::nullopt;
    }
    // Counted in days of the quarter's months, so that a quarter's first day is exactly its beginning.
    return 4.0 * *year + (*month - 1) / 3 + ((*month - 1) % 3 + double(day - 1) / daysOf(*year, *month)) / 3.0;
}

std::string quarterName(std::int64_t quarter) { return fmt::format("{} Q{}", quarter / 4, quarter % 4 + 1); }

} // namespace hw::sizing
