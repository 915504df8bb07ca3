// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/telemetry/iso_time.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace hw::telemetry {

std::optional<std::int64_t> isoTime(const std::string& text)
{
    int year = 0, month = 0, day = 0, hour = 0, minute = 0, length = 0;
    double second = 0;
    char between = 0;
    if (std::sscanf(text.c_str(), "%4d-%2d-%2d%c%2d:%2d%n", &year, &month, &day, &between, &hour, &minute, &length) != 6) return std::nullopt;
    std::string_view rest = std::string_view(text).substr(std::size_t(length));
    if (rest.starts_with(':')) {
        const auto end = std::min(rest.find_first_not_of("0123456789.", 1), rest.size());
        const auto read = std::from_chars(rest.data() + 1, rest.data() + end, second);
        if (read.ec != std::errc() || read.ptr != rest.data() + end) return std::nullopt;
        rest.remove_prefix(end);
    }
    int zone = 0;
    if (!rest.empty() && rest != "Z") {
        int hours = 0, minutes = 0;
        if ((rest.front() != '+' && rest.front() != '-') || std::sscanf(std::string(rest.substr(1)).c_str(), "%2d:%2d", &hours, &minutes) != 2)
            return std::nullopt;
        zone = (hours * 60 + minutes) * (rest.front() == '-' ? -1 : 1);
    }
    const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(unsigned(month)), std::chrono::day(unsigned(day))};
    if (!date.ok() || (between != 'T' && between != ' ') || hour > 24 || minute > 59 || second >= 61) return std::nullopt;
    const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
    return ((days * 24 + hour) * 60 + minute - zone) * 60'000 + std::llround(second * 1000);
}

} // namespace hw::telemetry
