// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/telemetry/iso_time.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace hw::telemetry {

namespace {

/// "Z", "+02:00", "+0200", "+02"; empty: UTC.
std::optional<int> zoneMinutes(std::string_view text)
{
    if (text.empty() || text == "Z" || text == "z") return 0;
    std::string digits(text.substr(1));
    std::erase(digits, ':');
    const bool right = (text.front() == '+' || text.front() == '-') && (digits.size() == 2 || digits.size() == 4) &&
                       digits.find_first_not_of("0123456789") == digits.npos;
    if (!right) return std::nullopt;
    const int number = std::stoi(digits), minutes = digits.size() == 2 ? 60 * number : 60 * (number / 100) + number % 100;
    return text.front() == '-' ? -minutes : minutes;
}

} // namespace

std::optional<std::int64_t> isoTime(const std::string& text)
{
    int year = 0, month = 0, day = 0, hour = 0, minute = 0, length = 0;
    double second = 0;
    char between = 0;
    if (std::sscanf(text.c_str(), "%4d-%2d-%2d%c%2d:%2d%n", &year, &month, &day, &between, &hour, &minute, &length) != 6) return std::nullopt;
    std::string_view rest = std::string_view(text).substr(std::size_t(length));
    if (rest.starts_with(':')) {
        const auto end = std::min(rest.find_first_not_of("0123456789.,", 1), rest.size());
        std::string digits(rest.substr(1, end - 1));
        std::ranges::replace(digits, ',', '.');
        const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), second);
        if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) return std::nullopt;
        rest.remove_prefix(end);
    }
    const auto zone = zoneMinutes(rest);
    if (!zone) return std::nullopt;
    const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(unsigned(month)), std::chrono::day(unsigned(day))};
    if (!date.ok() || (between != 'T' && between != ' ') || hour > 24 || minute > 59 || second >= 61) return std::nullopt;
    const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
    return ((days * 24 + hour) * 60 + minute - *zone) * 60'000 + std::llround(second * 1000);
}

} // namespace hw::telemetry
