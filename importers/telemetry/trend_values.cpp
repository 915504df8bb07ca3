// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/telemetry/trend_values.h"

#include "core/foundation/base/trim.h"
#include "core/operations/bindings/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace hw::telemetry {

namespace {

using bindings::Measure;
using bindings::UnitReading;

std::string smallLetters(std::string_view text)
{
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
    return out;
}

bool isDigits(std::string_view text) { return !text.empty() && text.find_first_not_of("0123456789") == text.npos; }

/// "1.234,5" or "1,234.5": groups of three before the decimal sign. Nothing: no number, or one that could be either.
std::optional<double> groupedNumber(std::string_view text, bool comma)
{
    const char decimal = comma ? ',' : '.', group = comma ? '.' : ',';
    std::string plain;
    std::string_view rest = text;
    if (rest.starts_with('-') || rest.starts_with('+')) {
        if (rest.front() == '-') plain = "-";
        rest.remove_prefix(1);
    }
    const auto point = rest.find(decimal);
    const std::string_view whole = rest.substr(0, point), part = point == rest.npos ? std::string_view() : rest.substr(point + 1);
    if (whole.find(group) == whole.npos) return std::nullopt;
    for (std::size_t at = 0; at <= whole.size();) {
        const auto end = std::min(whole.find(group, at), whole.size());
        const auto digits = whole.substr(at, end - at);
        if (!isDigits(digits) || (at == 0 ? digits.size() > 3 : digits.size() != 3)) return std::nullopt;
        plain += digits;
        at = end + 1;
    }
    if (!part.empty() && !isDigits(part)) return std::nullopt;
    if (point == rest.npos && !comma && std::ranges::count(whole, group) == 1) return std::nullopt; // 1,234 may be 1.234
    if (!part.empty()) plain += "." + std::string(part);
    double value = 0;
    const auto read = std::from_chars(plain.data(), plain.data() + plain.size(), value);
    return read.ec == std::errc() && read.ptr == plain.data() + plain.size() ? std::optional(value) : std::nullopt;
}

std::optional<double> numberOf(std::string_view text, bool comma)
{
    if (const auto grouped = groupedNumber(text, comma)) return grouped;
    std::string plain(text);
    if (plain.starts_with('+')) plain.erase(0, 1);
    if (comma) {
        if (plain.find('.') != plain.npos) return std::nullopt;
        std::ranges::replace(plain, ',', '.');
    }
    double value = 0;
    const auto read = std::from_chars(plain.data(), plain.data() + plain.size(), value);
    return read.ec == std::errc() && read.ptr == plain.data() + plain.size() ? std::optional(value) : std::nullopt;
}

/// "ºC" with the sign of ordinals, as some stations write.
std::string plainUnit(std::string_view text)
{
    std::string out(trimmed(text));
    for (auto at = out.find("\xC2\xBA"); at != out.npos; at = out.find("\xC2\xBA")) out.replace(at, 2, "°");
    return out;
}

/// Calls f for each measure that the unit fits.
void eachReading(const std::string& unit, const auto& f)
{
    for (std::size_t i = 0; i < kWords<Measure>.size(); ++i)
        if (const auto read = bindings::readUnit(unit, Measure(i)); read.kind == UnitReading::Kind::Converted && !read.conversion.counter)
            if (!bindings::infoOf(Measure(i)).state && f(Measure(i), read.conversion)) return;
}

} // namespace

bool isUnitText(const std::string& text)
{
    bool any = false;
    if (!text.empty()) eachReading(plainUnit(text), [&](Measure, const bindings::Conversion&) { return any = true; });
    return any;
}

std::optional<double> inUnit(double value, const std::string& from, const std::string& to)
{
    const std::string a = plainUnit(from), b = plainUnit(to);
    if (a == b) return value;
    std::optional<double> out;
    eachReading(a, [&](Measure measure, const bindings::Conversion& first) {
        const auto second = bindings::readUnit(b, measure);
        if (second.kind != UnitReading::Kind::Converted || second.conversion.counter || second.conversion.factor == 0) return false;
        out = (first(value) - second.conversion.offset) / second.conversion.factor;
        return true;
    });
    return out;
}

bool hasDecimalComma(std::string_view text)
{
    text = trimmed(text);
    const auto comma = text.find(',');
    if (comma == text.npos || comma == 0 || text.find(',', comma + 1) != text.npos) return false;
    const auto behind = text.substr(comma + 1), digits = behind.substr(0, behind.find_first_not_of("0123456789"));
    const std::string_view before = text.substr(text.front() == '-' ? 1 : 0, comma - (text.front() == '-' ? 1 : 0));
    return !digits.empty() && !before.empty() && before.find_first_not_of("0123456789.") == before.npos && (digits.size() != 3 || before == "0");
}

TrendStatus readTrendStatus(std::string_view text)
{
    const std::string small = smallLetters(text);
    constexpr std::array<std::string_view, 9> kBad = {"fault", "down", "stale", "disabled", "unreliable", "bad", "comm", "offline", "uncertain"};
    if (small.find("null") != small.npos) return TrendStatus::Null;
    return std::ranges::any_of(kBad, [&](std::string_view word) { return small.find(word) != small.npos; }) ? TrendStatus::Bad : TrendStatus::Good;
}

std::optional<TrendCell> readTrendCell(std::string_view text, bool comma)
{
    TrendCell out;
    text = trimmed(text);
    if (const auto brace = text.find('{'); brace != text.npos && text.ends_with('}')) {
        const auto status = readTrendStatus(text.substr(brace));
        out.good = status == TrendStatus::Good;
        text = trimmed(text.substr(0, brace));
        if (status == TrendStatus::Null || text.empty()) return out.value = std::numeric_limits<double>::quiet_NaN(), out.good = true, out;
    }
    std::string small = smallLetters(text);
    std::erase(small, ' ');
    for (const std::string_view none : {"", "null", "nan", "n/a", "nodata", "-", "--", "---", "?", "undefined"})
        if (small == none) return out.value = std::numeric_limits<double>::quiet_NaN(), out;
    for (const auto& [word, value] : {std::pair("true", 1.), std::pair("false", 0.), std::pair("on", 1.), std::pair("off", 0.)})
        if (small == word) return out.value = value, out;
    if (const auto number = numberOf(text, comma)) return out.value = *number, out;
    const auto end = text.find_first_not_of("0123456789.,+-");
    if (end == text.npos || end == 0) return std::nullopt;
    const auto number = numberOf(trimmed(text.substr(0, end)), comma);
    const std::string unit = plainUnit(text.substr(end));
    if (!number || !isUnitText(unit)) return std::nullopt;
    out.value = *number, out.unit = unit;
    return out;
}

} // namespace hw::telemetry
