// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/telemetry/local_time.h"

#include "core/foundation/base/trim.h"

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <vector>

namespace hw::telemetry {

namespace {

std::optional<int> whole(std::string_view text)
{
    int value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    return read.ec == std::errc() && read.ptr == text.data() + text.size() && value >= 0 ? std::optional(value) : std::nullopt;
}

int monthOf(std::string_view word)
{
    constexpr std::array<std::string_view, 12> kMonths = {"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"};
    std::string small;
    for (const char c : word.substr(0, 3)) small += char(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    for (std::size_t i = 0; i < kMonths.size(); ++i)
        if (small == kMonths[i]) return int(i) + 1;
    return 0;
}

std::vector<std::string_view> split(std::string_view text, char at)
{
    std::vector<std::string_view> out;
    for (;;) {
        const auto end = text.find(at);
        out.push_back(text.substr(0, end));
        if (end == text.npos) return out;
        text.remove_prefix(end + 1);
    }
}

int fullYear(int year, std::size_t digits) { return digits <= 2 ? 2000 + year : year; }

/// Days since 1970.
std::optional<std::int64_t> dateOf(std::string_view text, DateOrder order, LocalTime& out)
{
    int year = 0, month = 0, day = 0;
    for (const char sign : {'-', '/', '.'}) {
        const auto parts = split(text, sign);
        if (parts.size() != 3) continue;
        const auto a = whole(parts[0]), b = whole(parts[1]), c = whole(parts[2]);
        if (!a || !c) return std::nullopt;
        if (parts[0].size() == 4) {
            if (!b) return std::nullopt;
            year = *a, month = *b, day = *c;
        } else if (!b) {
            day = *a, month = monthOf(parts[1]), year = fullYear(*c, parts[2].size());
        } else {
            out.slashes = sign != '.';
            out.first = *a, out.second = *b;
            const bool monthFirst = out.slashes && (order == DateOrder::MonthFirst || (order == DateOrder::Unknown && *b > 12));
            day = monthFirst ? *b : *a, month = monthFirst ? *a : *b;
            year = fullYear(*c, parts[2].size());
        }
        const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(unsigned(month)), std::chrono::day(unsigned(day))};
        if (!date.ok() || year < 1970 || year > 2200) return std::nullopt;
        return std::chrono::sys_days(date).time_since_epoch().count();
    }
    return std::nullopt;
}

/// "9:00", "09:00:12.250"; milliseconds.
std::optional<std::int64_t> clockOf(std::string_view text)
{
    const auto parts = split(text, ':');
    if (parts.size() < 2 || parts.size() > 3) return std::nullopt;
    const auto hour = whole(parts[0]), minute = whole(parts[1]);
    double second = 0;
    if (parts.size() == 3) {
        std::string digits(parts[2]);
        for (char& c : digits)
            if (c == ',') c = '.';
        const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), second);
        if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) return std::nullopt;
    }
    if (!hour || !minute || *hour > 24 || *minute > 59 || !(second >= 0 && second < 61)) return std::nullopt;
    return (std::int64_t(*hour) * 60 + *minute) * 60'000 + std::llround(second * 1000);
}

std::optional<int> offsetOf(std::string_view text)
{
    if (text == "Z" || text == "UTC" || text == "GMT") return 0;
    if (text.size() < 3 || (text.front() != '+' && text.front() != '-')) return std::nullopt;
    std::string digits;
    for (const char c : text.substr(1))
        if (c != ':') digits += c;
    const auto number = whole(digits);
    if (!number || (digits.size() != 2 && digits.size() != 4)) return std::nullopt;
    const int minutes = digits.size() == 2 ? 60 * *number : 60 * (*number / 100) + *number % 100;
    return text.front() == '-' ? -minutes : minutes;
}

} // namespace

std::optional<LocalTime> readLocalTime(const std::string& text, DateOrder order)
{
    LocalTime out;
    std::vector<std::string_view> words;
    std::string spaced(trimmed(text));
    if (const auto t = spaced.find('T'); t != spaced.npos && t >= 8 && t + 1 < spaced.size() && spaced[t + 1] >= '0' && spaced[t + 1] <= '9')
        spaced[t] = ' ';
    for (const auto word : split(spaced, ' '))
        if (!word.empty()) words.push_back(word);
    if (words.empty()) return std::nullopt;
    const auto days = dateOf(words[0], order, out);
    if (!days) return std::nullopt;
    std::size_t at = 1;
    std::int64_t clock = 0;
    if (at < words.size()) {
        std::string_view word = words[at];
        const auto end = word.find_first_not_of("0123456789:.,");
        std::string_view tail = end == word.npos ? std::string_view() : word.substr(end);
        const auto read = clockOf(word.substr(0, end));
        if (!read) return std::nullopt;
        clock = *read, ++at;
        if (tail.empty() && at < words.size()) tail = words[at++];
        for (const bool pm : {false, true})
            if (tail == (pm ? "PM" : "AM") || tail == (pm ? "pm" : "am")) {
                const std::int64_t hour = clock / 3'600'000;
                if (hour < 1 || hour > 12) return std::nullopt;
                clock += ((hour == 12 ? 0 : hour) + (pm ? 12 : 0) - hour) * 3'600'000;
                tail = at < words.size() ? words[at++] : std::string_view();
                break;
            }
        if (!tail.empty()) {
            out.offsetMinutes = offsetOf(tail);
            if (!out.offsetMinutes) out.zone = tail;
        }
    }
    if (at < words.size()) return std::nullopt;
    for (const char c : out.zone)
        if (!((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'))) return std::nullopt;
    out.ms = *days * 86'400'000 + clock;
    return out;
}

} // namespace hw::telemetry
