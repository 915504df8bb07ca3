// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/compare.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw::sizing {

namespace {

using Json = nlohmann::ordered_json;

struct Flat {
    std::string key, text;
    std::optional<double> number;
};

using Keys = std::vector<const char*>;

/// What tells list entries apart: "backend", "tor", "server-tor-200", "down-200"; and the keys that it is made of.
std::pair<std::string, Keys> labelOf(const Json& entry)
{
    static const std::vector<Keys> candidates{{"from", "to", "rate_gbps"},
                                              {"from", "to"},
                                              {"role", "rate_gbps"},
                                              {"lower", "upper"},
                                              {"level", "halves"},
                                              {"name"},
                                              {"class"},
                                              {"plane"},
                                              {"kind"},
                                              {"basis"},
                                              {"tier"},
                                              {"rule"}};
    if (!entry.is_object()) return {};
    for (const auto& keys : candidates) {
        std::string text;
        bool all = true;
        for (const char* key : keys) {
            all = all && entry.contains(key);
            if (all) text += (text.empty() ? "" : "-") + (entry[key].is_string() ? entry[key].get<std::string>() : entry[key].dump());
        }
        if (all && !text.empty()) return {text, keys};
    }
    return {};
}

/// `known`: keys that the path tells already.
void flatten(const Json& json, const std::string& path, std::vector<Flat>& out, const Keys& known = {})
{
    if (json.is_object()) {
        for (const auto& [key, value] : json.items())
            if (std::none_of(known.begin(), known.end(), [&](const char* told) { return key == told; }))
                flatten(value, path.empty() ? key : path + "." + key, out);
    } else if (json.is_array() && std::none_of(json.begin(), json.end(), [](const Json& entry) { return entry.is_structured(); })) {
        std::string list; // of texts or numbers: one value
        for (const auto& entry : json) list += (list.empty() ? "" : ", ") + (entry.is_string() ? entry.get<std::string>() : entry.dump());
        if (!list.empty()) out.push_back({path, list, std::nullopt});
    } else if (json.is_array()) {
        std::map<std::string, int> seen;
        for (std::size_t i = 0; i < json.size(); ++i) {
            auto [label, keys] = labelOf(json[i]);
            if (label.empty()) label = std::to_string(i + 1);
            if (const int again = seen[label]++; again > 0) label += fmt::format("#{}", again + 1);
            flatten(json[i], fmt::format("{}[{}]", path, label), out, keys);
        }
    } else if (json.is_number()) {
        out.push_back({path, json.dump(), json.get<double>()});
    } else if (json.is_boolean()) {
        out.push_back({path, json.get<bool>() ? "yes" : "no", std::nullopt});
    } else if (json.is_string()) {
        out.push_back({path, json.get<std::string>(), std::nullopt});
    }
}

std::string_view lastKey(std::string_view key)
{
    const auto dot = key.rfind('.');
    return dot == key.npos ? key : key.substr(dot + 1);
}

/// What tells nothing about a design: how the report was made, colors, and the members of a set whose size is reported.
bool saysNothing(const std::string& key)
{
    return key == "schema" || key == "design.revision" || key == "design.date" || key.find(".proof.method.") != key.npos ||
           key.ends_with("].color") || key.ends_with(".members") || key.ends_with(".examples");
}

std::string unitOf(std::string_view key, const std::string& currency)
{
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 14> units{{{"_gbps", "Gb/s"},
                                                                                          {"_w", "W"},
                                                                                          {"_va", "VA"},
                                                                                          {"_m", "m"},
                                                                                          {"_mm", "mm"},
                                                                                          {"_s", "s"},
                                                                                          {"_c", "C"},
                                                                                          {"_lpm", "L/min"},
                                                                                          {"_m3s", "m3/s"},
                                                                                          {"_k", "K"},
                                                                                          {"_kg", "kg"},
                                                                                          {"_pf", "PFLOPS"},
                                                                                          {"_percent", "%"},
                                                                                          {"_flops", "FLOPS"}}};
    for (const char* sum : {"cost.total", "cost.by_group", "cost.by_system", "cost.priced", "cost.assumed"})
        if (key.starts_with(sum) && key != "cost.assumed_share") return currency;
    if (key.starts_with("phases[") && key.ends_with("].cost")) return currency;
    const auto name = lastKey(key);
    if (key.find("peak_flops.") != key.npos) return "FLOPS";
    if (name.starts_with("oversubscription")) return ": 1";
    for (const auto& [suffix, unit] : units)
        if (name.ends_with(suffix)) return std::string(unit);
    return {};
}

/// Of the proof: more paths and larger cuts are better, what is cut off, uneven or a single point is worse.
Better betterOfProof(std::string_view key)
{
    const auto ends = [&](std::initializer_list<std::string_view> tails) {
        return std::any_of(tails.begin(), tails.end(), [&](std::string_view tail) { return key.ends_with(tail); });
    };
    if (ends({".proof.holds", ".fraction", ".full_bisection", ".sound", ".even", ".reachable", "switch_cut.size", "cable_cut.size",
              "disjoint_paths.min"}))
        return Better::Higher;
    if (key.find(".single_points_of_failure.") != key.npos || key.find(".wiring.") != key.npos || key.find(".cut_off.") != key.npos)
        return key.ends_with(".count") ? Better::Lower : Better::Unknown;
    return Better::Unknown;
}

/// Directions that hold whatever the design is for; everything else is left open.
Better betterOf(std::string_view key)
{
    const auto name = lastKey(key);
    const auto is = [&](std::initializer_list<std::string_view> names) { return std::find(names.begin(), names.end(), name) != names.end(); };
    if (key.starts_with("cost.") && (is({"total", "assumed_share"}) || key.starts_with("cost.by_group"))) return Better::Lower;
    if (is({"oversubscription", "oversubscription_with_backup", "oversubscription_end_to_end", "pue", "per_accelerator_w", "reach_exceeded",
            "without_route", "longest_m"}))
        return Better::Lower;
    if (key.starts_with("power.") && is({"it_w", "facility_w", "core_it_w", "campus_it_w"})) return Better::Lower;
    if (key.starts_with("fibre.") && is({"length_m", "physical_length_m", "cables", "physical_cables"})) return Better::Lower;
    if (is({"switches"}) && key.find(".proof.") == key.npos) return Better::Lower;
    if (key == "accelerators.active" || is({"spare_share", "max_accelerators_at_limit", "fits", "connected"})) return Better::Higher;
    return key.find(".proof.") == key.npos ? Better::Unknown : betterOfProof(key);
}

std::string currencyOf(const Json& report)
{
    return report.contains("cost") && report["cost"].contains("currency") ? report["cost"]["currency"].get<std::string>() : std::string("USD");
}

} // namespace

int ComparedValue::winner() const
{
    if (better == Better::Unknown || same() || !a || !b) return 0;
    double x = 0, y = 0;
    if (numberA && numberB)
        x = *numberA, y = *numberB;
    else if ((*a == "yes" || *a == "no") && (*b == "yes" || *b == "no"))
        x = *a == "yes", y = *b == "yes";
    if (x == y) return 0;
    return (x < y) == (better == Better::Lower) ? -1 : 1;
}

std::optional<double> ComparedValue::difference() const { return numberA && numberB ? std::optional(*numberB - *numberA) : std::nullopt; }

std::optional<double> ComparedValue::ratio() const { return numberA && numberB && *numberA != 0 ? std::optional(*numberB / *numberA) : std::nullopt; }

std::size_t Comparison::differences() const
{
    return std::size_t(std::count_if(values.begin(), values.end(), [](const ComparedValue& v) { return !v.same(); }));
}

Comparison compareReports(const nlohmann::ordered_json& a, const nlohmann::ordered_json& b, std::string nameA, std::string nameB)
{
    Comparison result{std::move(nameA), std::move(nameB), compareHeadline(a, b), {}, {}};
    std::vector<Flat> flatA, flatB;
    flatten(a, "", flatA);
    flatten(b, "", flatB);
    std::map<std::string, std::size_t> place;
    const auto value = [&](const Flat& flat) -> ComparedValue& {
        const auto [known, fresh] = place.try_emplace(flat.key, result.values.size());
        if (fresh) {
            auto& made = result.values.emplace_back();
            made.key = flat.key;
            made.unit = unitOf(flat.key, currencyOf(a));
            made.better = betterOf(flat.key);
        }
        return result.values[known->second];
    };
    for (const auto& flat : flatA) {
        if (saysNothing(flat.key)) continue;
        auto& v = value(flat);
        v.a = flat.text, v.numberA = flat.number;
    }
    for (const auto& flat : flatB) {
        if (saysNothing(flat.key)) continue;
        auto& v = value(flat);
        v.b = flat.text, v.numberB = flat.number;
    }
    return result;
}

} // namespace hw::sizing
