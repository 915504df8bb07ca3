// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/asbuilt/name_rules.h"

#include "core/operations/asbuilt/sighting.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace hw::asbuilt {

namespace {

using FieldValues = std::map<std::string, std::string, std::less<>>;

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Backtracks over how much a field takes; patterns are short.
bool matches(std::string_view pattern, std::string_view name, bool digitsOnly, FieldValues& values)
{
    if (pattern.empty()) return name.empty();
    if (pattern[0] != '{') return !name.empty() && pattern[0] == name[0] && matches(pattern.substr(1), name.substr(1), digitsOnly, values);
    const auto close = pattern.find('}');
    const std::string field(pattern.substr(1, close - 1));
    for (std::size_t length = name.size(); length > 0; --length) {
        const auto taken = name.substr(0, length);
        if (digitsOnly && !std::ranges::all_of(taken, isDigit)) continue;
        FieldValues tried = values;
        if (const auto [at, fresh] = tried.emplace(field, taken); !fresh && at->second != taken) continue;
        if (!matches(pattern.substr(close + 1), name.substr(length), digitsOnly, tried)) continue;
        values = std::move(tried);
        return true;
    }
    return false;
}

std::optional<std::int64_t> number(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// "n/2+1" with what the fields hold. A field by itself stays the text that it is, leading zeros included: only arithmetic makes a number of it.
std::optional<std::string> evaluate(std::string_view expression, const FieldValues& values)
{
    const auto end = std::min(expression.find_first_of("+-*/%"), expression.size());
    const auto found = values.find(expression.substr(0, end));
    if (found == values.end()) return std::nullopt;
    if (end == expression.size()) return found->second;
    auto value = number(found->second);
    for (std::size_t at = end; value && at < expression.size();) {
        const char sign = expression[at];
        const auto next = std::min(expression.find_first_of("+-*/%", at + 1), expression.size());
        const auto by = number(expression.substr(at + 1, next - at - 1));
        if (!by || ((sign == '/' || sign == '%') && *by == 0) || *by > 1'000'000) return std::nullopt;
        *value = sign == '+' ? *value + *by : sign == '-' ? *value - *by : sign == '*' ? *value * *by : sign == '/' ? *value / *by : *value % *by;
        at = next;
    }
    if (!value || *value < 0) return std::nullopt;
    return std::to_string(*value);
}

/// Every field of the right side is one of the left, and what is done with it can be done.
bool fits(const NameRule& rule)
{
    FieldValues values;
    for (std::size_t at = 0; (at = rule.from.find('{', at)) != rule.from.npos;) {
        const auto close = rule.from.find('}', at);
        if (close == rule.from.npos || close == at + 1) return false;
        values.emplace(rule.from.substr(at + 1, close - at - 1), "1000");
        at = close;
    }
    for (std::size_t at = 0; (at = rule.to.find('{', at)) != rule.to.npos;) {
        const auto close = rule.to.find('}', at);
        if (close == rule.to.npos || !evaluate(std::string_view(rule.to).substr(at + 1, close - at - 1), values)) return false;
        at = close;
    }
    return true;
}

std::string trimmedRule(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t\r");
    return first == text.npos ? std::string() : std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

} // namespace

std::optional<std::string> NameRule::apply(std::string_view name, bool digitsOnly) const
{
    FieldValues values;
    if (!matches(lowerCase(from), lowerCase(name), digitsOnly, values)) return std::nullopt;
    if (drops()) return to;
    std::string out;
    for (std::size_t at = 0; at < to.size();) {
        const auto open = std::min(to.find('{', at), to.size());
        out += to.substr(at, open - at);
        if (open == to.size()) break;
        const auto close = to.find('}', open);
        const auto value = evaluate(lowerCase(std::string_view(to).substr(open + 1, close - open - 1)), values);
        if (!value) return std::nullopt;
        out += *value;
        at = close + 1;
    }
    return out;
}

Result<std::vector<NameRule>> readNameRules(std::string_view text, const std::string& where)
{
    std::vector<NameRule> rules;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find_first_of(";\n", at), text.size());
        const std::string one = trimmedRule(text.substr(at, end - at));
        at = end + 1;
        if (one.empty()) continue;
        const auto equals = one.find('=');
        NameRule rule{trimmedRule(std::string_view(one).substr(0, equals)),
                      equals == one.npos ? std::string() : trimmedRule(std::string_view(one).substr(equals + 1))};
        if (rule.from.empty() || rule.to.empty() || !fits(rule))
            return fail(ErrorCode::Refused, where, i18n("'{}' is not a valid name rule", one),
                        i18n("use CAPTURED=DESIGN, for example swp{{n}}s{{m}}=port{{n}}s{{m+1}}, or eth0=- to ignore it"));
        rules.push_back(std::move(rule));
    }
    return rules;
}

const std::vector<NameRule>& builtInPortRules()
{
    static const std::vector<NameRule> rules = {
        {"swp{n}", "port{n}"},           // Cumulus: the number on the front panel
        {"swp{n}s{m}", "port{n}s{m+1}"}, // its sub-ports count from 0
        {"etp{n}", "port{n}"},           // SONiC's alias, sub-ports by letters
        {"etp{n}a", "port{n}s1"},
        {"etp{n}b", "port{n}s2"},
        {"etp{n}c", "port{n}s3"},
        {"etp{n}d", "port{n}s4"},
        {"mlx5_{n}", "nic{n+1}"},           // adapters with one port, in the order of the NICs
        {"mlx5_{n}", "nic{n/2+1}p{n%2+1}"}, // a device for each port of adapters with two
        {"mlx5_{n}/1", "nic{n+1}"},         // with the port of the adapter, as ibnetdiscover tells it
        {"mlx5_{n}/{p}", "nic{n+1}p{p}"},
        {"hca-{n}/1", "nic{n}"}, // as OFED describes adapters of a host that were not renamed
        {"hca-{n}/{p}", "nic{n}p{p}"},
    };
    return rules;
}

} // namespace hw::asbuilt
