// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/base/quantity.h"

#include "core/foundation/base/trim.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace hw {
namespace {

constexpr double kFoot = 304.8, kInch = 25.4, kBtuPerHour = 293.07107, kTon = 12'000 * kBtuPerHour, kDegreeF = 5.0 / 9;

constexpr WrittenUnit kLengths[] = {{"mm"},
                                    {"cm", 10, 0, true},
                                    {"m", 1000},
                                    {"km", 1e6},
                                    {"in", kInch, 0, true},
                                    {"\"", kInch, 0, true},
                                    {"ft", kFoot, 0, true},
                                    {"'", kFoot, 0, true}};
constexpr WrittenUnit kPowers[] = {{"mW"},
                                   {"W", 1e3},
                                   {"kW", 1e6},
                                   {"MW", 1e9},
                                   {"GW", 1e12},
                                   {"BTU/h", kBtuPerHour, 0, true},
                                   {"BTU/hr", kBtuPerHour, 0, true},
                                   {"tons", kTon, 0, true}};
constexpr WrittenUnit kRates[] = {{"Gb/s"}, {"Gbps"}, {"G"}, {"Tb/s", 1000}, {"T", 1000}};
constexpr WrittenUnit kAngles[] = {{"°"}, {"deg"}};
constexpr WrittenUnit kFloorLoads[] = {{"kg/m²"},         {"kg/m2"},         {"t/m²", 1000},  {"t/m2", 1000},
                                       {"kN/m²", 101.97}, {"kN/m2", 101.97}, {"kPa", 101.97}, {"psf", 4.88243, 0, true}};
constexpr WrittenUnit kTemperatures[] = {{"°C"}, {"C"}, {"°F", kDegreeF, -32 * kDegreeF, true}, {"F", kDegreeF, -32 * kDegreeF, true}};

const std::array<std::span<const WrittenUnit>, 6> kUnitLists{kLengths, kPowers, kRates, kAngles, kFloorLoads, kTemperatures};

const WrittenUnit* unitOf(std::span<const WrittenUnit> measure, std::string_view name)
{
    const auto found = std::ranges::find(measure, name, &WrittenUnit::name);
    return found == measure.end() ? nullptr : &*found;
}

/// The number at the front of a text, which is taken off it.
std::optional<double> takeNumber(std::string_view& text)
{
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || !std::isfinite(number)) return std::nullopt;
    text = trimmed(text.substr(std::size_t(end - text.data())));
    return number;
}

/// "ft 6 in", "' 6\"" behind a number of feet: inches; nothing for anything else.
std::optional<double> inchesBehind(std::string_view tail)
{
    if (tail.starts_with("ft"))
        tail.remove_prefix(2);
    else if (tail.starts_with("'"))
        tail.remove_prefix(1);
    else
        return std::nullopt;
    tail = trimmed(tail);
    const auto inches = takeNumber(tail);
    return inches && *inches >= 0 && *inches < 12 && (tail == "in" || tail == "\"") ? inches : std::nullopt;
}

} // namespace

std::span<const WrittenUnit> writtenUnits(std::string_view unit)
{
    for (const auto measure : kUnitLists)
        if (unitOf(measure, unit)) return measure;
    return {};
}

std::optional<double> converted(double value, std::string_view from, std::string_view to)
{
    const auto measure = writtenUnits(from);
    const WrittenUnit *a = unitOf(measure, from), *b = unitOf(measure, to);
    return a && b ? std::optional((value * a->size + a->zero - b->zero) / b->size) : std::nullopt;
}

std::string ungrouped(std::string_view text)
{
    const auto digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
    std::string plain;
    std::size_t i = 0, first = 0;
    while (i < text.size() && (text[i] == ' ' || text[i] == '-')) plain += text[i++];
    for (first = i; digit(i) && i - first < 3;) plain += text[i++];
    if (i == first || i >= text.size() || text[i] != ',') return std::string(text);
    while (i < text.size() && text[i] == ',') {
        if (!digit(i + 1) || !digit(i + 2) || !digit(i + 3)) return std::string(text);
        plain += text.substr(i + 1, 3);
        i += 4;
    }
    return digit(i) ? std::string(text) : plain + std::string(text.substr(i));
}

Result<double> readInUnit(std::string_view given, std::string_view unit)
{
    const std::string plain = ungrouped(trimmed(given));
    std::string_view tail = plain;
    const auto number = takeNumber(tail);
    if (!number) return fail(ErrorCode::Refused, std::string(given), i18n("'{}' is not a number", given), {});
    if (tail.empty() || tail == unit) return *number;
    const auto measure = writtenUnits(unit);
    if (const auto inches = unitOf(measure, "ft") ? inchesBehind(tail) : std::nullopt)
        return *converted(*number + std::copysign(*inches / 12, *number), "ft", unit);
    if (const auto value = converted(*number, tail, unit)) return *value;
    std::string known;
    for (const WrittenUnit& u : measure) known += (known.empty() ? "" : ", ") + std::string(u.name);
    return fail(ErrorCode::Refused, std::string(given), i18n("'{}' has an unknown unit", given),
                known.empty() ? i18n("specify a number without a unit") : i18n("units: {}", known));
}

std::string preferredUnit(std::string_view unit, const UnitPreference& preference)
{
    if (preference.feet && unit == "m") return "ft";
    if (preference.feet && unit == "mm") return "in";
    if (preference.fahrenheit && unit == "°C") return "°F";
    return std::string(unit);
}

std::string feetText(double mm)
{
    const auto rounded = [](double value) { return std::round(value * 100) / 100; };
    if (mm != 0 && std::abs(mm) < kFoot) return fmt::format("{:.10g} in", rounded(mm / kInch));
    return fmt::format("{:.10g} ft", rounded(mm / kFoot));
}

} // namespace hw
