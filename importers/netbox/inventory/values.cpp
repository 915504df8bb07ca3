// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/netbox/inventory/values.h"

#include "core/foundation/base/trim.h"
#include "core/foundation/catalog/slugs.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace hw::importers::netbox_in {

namespace {

constexpr double kLargestNumber = 1e15; ///< beyond it nothing of a data center is

bool isDigit(char c) { return c >= '0' && c <= '9'; }

std::optional<double> bounded(double value)
{
    return std::isfinite(value) && std::abs(value) <= kLargestNumber ? std::optional(value) : std::nullopt;
}

} // namespace

const Json& member(const Json& object, const char* key)
{
    static const Json kNull;
    if (!object.is_object()) return kNull;
    const auto found = object.find(key);
    return found == object.end() ? kNull : *found;
}

std::string textOf(const Json& value)
{
    if (value.is_string()) return std::string(trimmed(value.get_ref<const std::string&>()));
    if (value.is_number_integer()) return std::to_string(value.get<std::int64_t>());
    if (value.is_number_float()) return fmt::format("{}", value.get<double>());
    if (value.is_object())
        for (const char* key : {"value", "name", "slug", "model", "display", "label"})
            if (const Json& inner = member(value, key); inner.is_string() || inner.is_number()) return textOf(inner);
    return {};
}

std::optional<double> numberOf(const Json& value)
{
    if (value.is_number()) return bounded(value.get<double>());
    if (value.is_object()) return numberOf(member(value, "value"));
    if (!value.is_string()) return std::nullopt;
    const auto text = trimmed(value.get_ref<const std::string&>());
    double number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    return read.ec == std::errc() ? bounded(number) : std::nullopt;
}

std::int64_t wholeOf(const Json& value, std::int64_t fallback)
{
    const auto number = numberOf(value);
    return number ? std::int64_t(std::llround(*number)) : fallback;
}

bool flagOf(const Json& value, bool fallback)
{
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_number()) return wholeOf(value) != 0;
    const std::string word = lower(textOf(value));
    if (word == "true" || word == "yes" || word == "1" || word == "✔") return true;
    if (word == "false" || word == "no" || word == "0" || word == "✘") return false;
    return fallback;
}

Ref refOf(const Json& value)
{
    if (value.is_number_integer()) return {wholeOf(value), {}, {}};
    if (value.is_string()) {
        std::string name = textOf(value);
        return {0, name, name};
    }
    if (!value.is_object()) return {};
    Ref ref{wholeOf(member(value, "id")), {}, textOf(member(value, "slug"))};
    for (const char* key : {"name", "model", "display"})
        if (ref.name.empty()) ref.name = textOf(member(value, key));
    return ref;
}

std::string choiceOf(const Json& value) { return lower(textOf(value)); }

std::string lower(std::string_view text)
{
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
    return out;
}

std::string bare(std::string_view text)
{
    std::string out;
    for (const char c : lower(text))
        if ((c >= 'a' && c <= 'z') || isDigit(c) || (c & 0x80)) out += c;
    return out;
}

std::string slugOf(std::string_view text)
{
    std::string out;
    for (const char c : lower(text)) {
        const bool good = (c >= 'a' && c <= 'z') || isDigit(c) || c == '_';
        if (good)
            out += c;
        else if (!out.empty() && out.back() != '-')
            out += '-';
    }
    while (!out.empty() && out.back() == '-') out.pop_back();
    return out.empty() ? "unnamed" : out;
}

bool naturalLess(std::string_view a, std::string_view b)
{
    std::size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (isDigit(a[i]) && isDigit(b[j])) {
            const auto run = [](std::string_view text, std::size_t& at) {
                while (at < text.size() && text[at] == '0') ++at;
                const auto first = at;
                while (at < text.size() && isDigit(text[at])) ++at;
                return text.substr(first, at - first);
            };
            const auto x = run(a, i), y = run(b, j);
            if (x.size() != y.size()) return x.size() < y.size();
            if (x != y) return x < y;
            continue;
        }
        if (a[i] != b[j]) return a[i] < b[j];
        ++i, ++j;
    }
    if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
    return a < b; // 01 before 1, so that the order is whole
}

std::string interfaceSlug(const std::string& shown)
{
    const std::string word = lower(shown);
    if (word.empty() || catalog::isInterfaceSlug(word)) return word;
    const auto open = word.find(" (");
    if (open == word.npos || !word.ends_with(')')) return word;
    const std::string form = word.substr(0, open), rate = word.substr(open + 2, word.size() - open - 3);
    if (catalog::isInterfaceSlug(form)) return form;                                                // "1000BASE-T (1GE)"
    if (const std::string slug = "infiniband-" + form; catalog::isInterfaceSlug(slug)) return slug; // "NDR (400 Gbps)"
    std::string shape;
    for (const char c : form)
        if (c == '+')
            shape += 'p';
        else if (c != ' ' && (c != '-' || form.find("rhs") != form.npos))
            shape += c;
    const auto end = rate.find("ge");
    for (const std::string& speed : {rate.substr(0, end), rate.substr(0, end) + "g"})
        for (const char* middle : {"gbase-x-", "base-x-"})
            if (const std::string slug = speed + middle + shape; catalog::isInterfaceSlug(slug)) return slug;
    return word;
}

std::optional<double> metersOf(double length, std::string_view unit)
{
    struct Unit {
        std::string_view name;
        double meters;
    };
    static constexpr Unit kUnits[] = {{"m", 1},       {"meters", 1},         {"km", 1000},     {"kilometers", 1000},
                                      {"cm", 0.01},   {"centimeters", 0.01}, {"mi", 1609.344}, {"miles", 1609.344},
                                      {"ft", 0.3048}, {"feet", 0.3048},      {"in", 0.0254},   {"inches", 0.0254}};
    for (const auto& [name, meters] : kUnits)
        if (name == unit) return length * meters;
    return std::nullopt;
}

std::vector<std::string> namesIn(const std::string& cell)
{
    std::vector<std::string> names;
    for (std::size_t at = 0; at <= cell.size();) {
        const auto end = std::min(cell.find_first_of(",\n", at), cell.size());
        auto first = cell.find_first_not_of(' ', at), last = end;
        if (first == cell.npos || first > end) first = end;
        while (last > first && cell[last - 1] == ' ') --last;
        names.push_back(cell.substr(first, last - first));
        at = end + 1;
    }
    return names;
}

} // namespace hw::importers::netbox_in
