// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/telemetry/time_zone.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

namespace hw::telemetry {

namespace {

/// "+01:00", "-0530", "+02"
std::optional<std::int64_t> fixedOffset(const std::string& text)
{
    if (text.size() < 3 || (text[0] != '+' && text[0] != '-')) return std::nullopt;
    std::string digits = text.substr(1);
    std::erase(digits, ':');
    if ((digits.size() != 2 && digits.size() != 4) || digits.find_first_not_of("0123456789") != digits.npos) return std::nullopt;
    const int number = std::stoi(digits), minutes = digits.size() == 2 ? 60 * number : 60 * (number / 100) + number % 100;
    if (minutes > 14 * 60) return std::nullopt;
    return (text[0] == '-' ? -1 : 1) * std::int64_t(minutes) * 60'000;
}

/// Numbers of a file, the largest byte first (RFC 8536).
class Bytes {
public:
    explicit Bytes(std::string text) : m_text(std::move(text)) {}
    std::int64_t number(int bytes)
    {
        std::uint64_t out = 0;
        for (int i = 0; i < bytes; ++i) out = out << 8 | (m_at < m_text.size() ? static_cast<unsigned char>(m_text[m_at]) : 0), ++m_at;
        if (bytes < 8 && bytes > 1 && (out >> (8 * bytes - 1)) != 0) return std::int64_t(out) - (std::int64_t(1) << (8 * bytes));
        return std::int64_t(out);
    }
    void skip(std::int64_t bytes) { m_at += std::size_t(std::max<std::int64_t>(bytes, 0)); }
    [[nodiscard]] bool starts(const char* sign) const { return m_at <= m_text.size() && m_text.compare(m_at, 4, sign) == 0; }
    [[nodiscard]] bool over() const { return m_at > m_text.size(); }
    [[nodiscard]] std::string rest() const { return m_at < m_text.size() ? m_text.substr(m_at) : std::string(); }

private:
    std::string m_text;
    std::size_t m_at = 0;
};

struct Counts {
    std::int64_t isUt = 0, isStd = 0, leap = 0, times = 0, types = 0, letters = 0;
    static Counts of(Bytes& bytes)
    {
        bytes.skip(4 + 1 + 15); // sign, version, reserved
        Counts c;
        for (auto* one : {&c.isUt, &c.isStd, &c.leap, &c.times, &c.types, &c.letters}) *one = bytes.number(4);
        return c;
    }
    [[nodiscard]] bool sound() const { return times >= 0 && times < 100'000 && types > 0 && types < 256 && letters >= 0 && leap >= 0; }
};

} // namespace

Result<TimeZone> TimeZone::of(const std::string& text, const std::string& where)
{
    TimeZone zone;
    if (text == "UTC" || text == "Z") return zone;
    if (const auto fixed = fixedOffset(text)) return zone.m_firstMs = *fixed, zone;
    const auto unknown = [&] {
        return fail(ErrorCode::Refused, where + " " + text, i18n("unknown time zone"),
                    i18n("use a name such as {} or an offset such as {}", "Europe/Berlin", "+01:00"));
    };
    const bool name = !text.empty() && text.find("..") == text.npos && text.front() != '/' &&
                      text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-/") == text.npos;
    std::ifstream in(name ? "/usr/share/zoneinfo/" + text : std::string(), std::ios::binary);
    std::ostringstream whole;
    if (in) whole << in.rdbuf();
    Bytes bytes(whole.str());
    if (!bytes.starts("TZif")) return unknown();
    const Counts old = Counts::of(bytes);
    bytes.skip(old.times * 4 + old.times + old.types * 6 + old.letters + old.leap * 8 + old.isStd + old.isUt);
    if (!bytes.starts("TZif")) return unknown(); // version 1 alone: of last century
    const Counts counts = Counts::of(bytes);
    if (!counts.sound()) return unknown();
    std::vector<std::int64_t> times, types, offsets;
    for (std::int64_t i = 0; i < counts.times; ++i) times.push_back(bytes.number(8));
    for (std::int64_t i = 0; i < counts.times; ++i) types.push_back(bytes.number(1));
    for (std::int64_t i = 0; i < counts.types; ++i) offsets.push_back(bytes.number(4)), bytes.skip(2);
    bytes.skip(counts.letters + counts.leap * 12 + counts.isStd + counts.isUt);
    if (bytes.over()) return unknown();
    zone.m_firstMs = offsets.front() * 1000;
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (types[i] < 0 || std::size_t(types[i]) >= offsets.size()) return unknown();
        zone.m_changes.push_back({times[i] * 1000, offsets[std::size_t(types[i])] * 1000});
    }
    if (bytes.rest().find(',') != std::string::npos && !zone.m_changes.empty()) zone.m_untilMs = zone.m_changes.back().atMs;
    return zone;
}

std::vector<std::int64_t> TimeZone::utcOf(std::int64_t localMs) const
{
    constexpr std::int64_t kDay = 86'400'000;
    std::vector<std::int64_t> out;
    const auto inSpan = [&](std::int64_t offset, std::int64_t from, std::int64_t to) {
        const std::int64_t at = localMs - offset;
        if (at >= from && at < to) out.push_back(at);
    };
    // Changes near it alone: offsets are less than a day.
    auto next = std::ranges::lower_bound(m_changes, localMs - 2 * kDay, {}, &Change::atMs);
    std::int64_t offset = next == m_changes.begin() ? m_firstMs : std::prev(next)->offsetMs, from = INT64_MIN;
    for (; next != m_changes.end() && next->atMs < localMs + 2 * kDay; ++next) {
        inSpan(offset, from, next->atMs);
        offset = next->offsetMs, from = next->atMs;
    }
    inSpan(offset, from, INT64_MAX);
    std::ranges::sort(out);
    return out;
}

} // namespace hw::telemetry
