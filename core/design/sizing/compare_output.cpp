// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/compare.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw::sizing {

namespace {

using Json = nlohmann::ordered_json;

Json valueJson(const std::optional<std::string>& text, const std::optional<double>& number)
{
    if (number) return Json::parse(*text);
    return text ? Json(*text) : Json(nullptr);
}

std::string cell(const ComparedValue& v, bool first)
{
    const auto& number = first ? v.numberA : v.numberB;
    const auto& text = first ? v.a : v.b;
    if (number) return words(comparedNumber(*number / v.shown().divisor));
    if (text == "yes" || text == "no") return words(text == "yes" ? i18n("yes") : i18n("no"));
    return text ? *text : std::string("-");
}

/// Cuts in the middle, so that both the section and the name stay readable.
std::string fitted(const std::string& text, std::size_t width)
{
    if (text.size() <= width) return text;
    const std::size_t tail = (width - 2) * 2 / 3, head = width - 2 - tail;
    return text.substr(0, head) + ".." + text.substr(text.size() - tail);
}

Text changeText(const ComparedValue& v)
{
    if (v.same()) return verbatim("=");
    const auto ratio = v.ratio();
    if (!ratio) return v.a && v.b ? i18n("differs") : v.a ? i18n("only A") : i18n("only B");
    if (*ratio >= 2 || *ratio <= 0.5) return i18n("x {:.3g}", *ratio);
    return i18n("{:+.1f} %", 100 * (*ratio - 1));
}

constexpr const char* kDirections[] = {"unknown", "lower", "higher"};

Json rowJson(const ComparedValue& v)
{
    Json row{{"key", v.key}};
    if (!v.label.empty()) row["label"] = v.label;
    row["unit"] = v.unit;
    row["a"] = valueJson(v.a, v.numberA), row["b"] = valueJson(v.b, v.numberB);
    row["same"] = v.same();
    row["difference"] = v.difference() ? Json(*v.difference()) : Json(nullptr);
    row["ratio"] = v.ratio() ? Json(*v.ratio()) : Json(nullptr);
    row["better_is"] = kDirections[std::size_t(v.better)];
    row["better"] = v.winner() == 0 ? Json(nullptr) : Json(v.winner() < 0 ? "a" : "b");
    return row;
}

std::string rowText(const ComparedValue& v, const std::string& name)
{
    std::string line =
        fmt::format("  {:<43} {:>15} {:>15} {:>9} {:>4} {}", fitted(name, 43), fitted(cell(v, true), 15), fitted(cell(v, false), 15), changeText(v),
                    v.winner() == 0  ? ""
                    : v.winner() < 0 ? "A"
                                     : "B",
                    v.shown().unit);
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
}

} // namespace

nlohmann::ordered_json compareJson(const Comparison& comparison, bool onlyDifferences)
{
    Json rows = Json::array(), headline = Json::array(), servers = Json::array();
    for (const auto& v : comparison.servers) servers.push_back(rowJson(v));
    for (const auto& v : comparison.headline) headline.push_back(rowJson(v));
    std::size_t different = 0, onlyA = 0, onlyB = 0;
    for (const auto& v : comparison.values) {
        different += !v.same();
        onlyA += v.a && !v.b;
        onlyB += v.b && !v.a;
        if (!onlyDifferences || !v.same()) rows.push_back(rowJson(v));
    }
    return {{"schema", "hallwright.compare/1"},
            {"a", comparison.nameA},
            {"b", comparison.nameB},
            {"same_servers", comparison.servers.empty()},
            {"servers", servers},
            {"headline", headline},
            {"values", comparison.values.size()},
            {"different", different},
            {"only_a", onlyA},
            {"only_b", onlyB},
            {"rows", rows}};
}

std::string compareText(const Comparison& comparison, bool onlyDifferences)
{
    std::string out = fmt::format("A  {}\nB  {}\n\n", comparison.nameA, comparison.nameB);
    out += fmt::format("{:<45} {:>15} {:>15} {:>9} {:>4} {}\n", "", "A", "B", i18n("B vs A"), i18n("best"), i18n("unit"));
    if (!comparison.servers.empty()) {
        out += words(i18n("Different servers: power, cost and compute per accelerator therefore also differ")) + "\n";
        for (const auto& v : comparison.servers) out += rowText(v, words(v.label));
        out += "\n";
    }
    for (const auto& v : comparison.headline) out += rowText(v, words(v.label));
    out += fmt::format("\n{}\n", i18n("All report values"));
    std::string section;
    for (const auto& v : comparison.values) {
        if (onlyDifferences && v.same()) continue;
        const auto bracket = v.key.rfind(']');
        const std::size_t end = bracket == v.key.npos ? std::min(v.key.find('.'), v.key.size()) : bracket + 1;
        if (const auto own = v.key.substr(0, end); own != section) {
            section = own;
            out += fitted(section, 100) + "\n";
        }
        out += rowText(v, end < v.key.size() ? v.key.substr(end + (v.key[end] == '.')) : std::string());
    }
    out += fmt::format("\n{}\n", i18n("{} of {} values differ", comparison.differences(), comparison.values.size()));
    return out;
}

} // namespace hw::sizing
