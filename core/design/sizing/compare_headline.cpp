// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/compare.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include <nlohmann/json.hpp>

namespace hw::sizing {

namespace {

using Json = nlohmann::ordered_json;
using Number = std::optional<double>;

Number at(const Json& json, std::initializer_list<const char*> path)
{
    const Json* here = &json;
    for (const char* key : path) {
        if (!here->is_object() || !here->contains(key)) return std::nullopt;
        here = &(*here)[key];
    }
    return here->is_number() ? std::optional(here->get<double>()) : std::nullopt;
}

Number over(const Number& sum, const Number& count) { return sum && count && *count > 0 ? std::optional(*sum / *count) : std::nullopt; }

/// The first network that servers are on: a back end where there is one.
const Json* mainNetwork(const Json& report)
{
    if (!report.contains("networks") || report["networks"].empty()) return nullptr;
    for (const auto& network : report["networks"])
        if (network.value("kind", std::string()) == "backend" || network.value("name", std::string()) == "backend") return &network;
    return &report["networks"].front();
}

Number switches(const Json& report)
{
    const Json* network = mainNetwork(report);
    if (!network || !network->contains("tiers")) return std::nullopt;
    double sum = 0;
    for (const auto& tier : (*network)["tiers"]) sum += tier.value("switches", 0.0);
    return sum;
}

Number modules(const Json& report)
{
    if (!report.contains("fibre") || !report["fibre"].contains("transceivers")) return std::nullopt;
    double sum = 0;
    for (const auto& [slug, n] : report["fibre"]["transceivers"].items()) sum += n.get<double>();
    return sum;
}

Number oversubscription(const Json& report)
{
    const Json* network = mainNetwork(report);
    return network ? at(*network, {"oversubscription_end_to_end"}) : std::nullopt;
}

struct Row {
    const char* key;
    TextId label;
    const char* unit;
    Better better;
    std::function<Number(const Json&)> of;
};

std::vector<Row> rowsOf(const std::string& currency)
{
    const auto active = [](const Json& r) { return at(r, {"accelerators", "active"}); };
    return {
        {"accelerators", TextId("Accelerators"), "", Better::Higher, active},
        {"cost", TextId("Cost"), currency.c_str(), Better::Lower,
         [](const Json& r) {
             return at(r, {"cost", "total"});
         }},
        {"cost_per_accelerator", TextId("Cost per accelerator"), currency.c_str(), Better::Lower,
         [active](const Json& r) {
             return over(at(r, {"cost", "total"}), active(r));
         }},
        {"it_power", TextId("IT power"), "W", Better::Lower,
         [](const Json& r) {
             return at(r, {"power", "it_w"});
         }},
        {"power_per_accelerator", TextId("Power per accelerator"), "W", Better::Lower,
         [](const Json& r) {
             return at(r, {"power", "per_accelerator_w"});
         }},
        {"switches", TextId("Backend switches"), "", Better::Lower, switches},
        {"oversubscription", TextId("End-to-end oversubscription"), ": 1", Better::Lower, oversubscription},
        {"racks", TextId("Racks"), "", Better::Lower,
         [](const Json& r) {
             return at(r, {"racks", "total"});
         }},
        {"cable_length", TextId("Total cable length"), "m", Better::Lower,
         [](const Json& r) {
             return at(r, {"fibre", "physical_length_m"});
         }},
        {"transceivers", TextId("Transceivers"), "", Better::Lower, modules},
    };
}

} // namespace

ComparedValue::Shown ComparedValue::shown() const
{
    const double most = std::max(std::abs(numberA.value_or(0)), std::abs(numberB.value_or(0)));
    static constexpr std::array<std::pair<double, const char*>, 6> prefixes{
        {{1e18, "E"}, {1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}}};
    if (unit == "W" || unit == "VA" || unit == "FLOPS") {
        for (const auto& [factor, prefix] : prefixes)
            if (most >= factor) return {prefix + unit, factor};
    } else if (unit == "m" && most >= 10'000) {
        return {"km", 1e3};
    } else if (unit == "Gb/s" && most >= 10'000) {
        return {"Tb/s", 1e3};
    }
    return {unit, 1};
}

Text comparedNumber(double value)
{
    const double whole = std::nearbyint(value);
    if ((std::abs(value) < 10'000 && value != std::floor(value)) || std::abs(whole) >= 1e15) return i18n("{:.4g}", value);
    return i18n("{:L}", std::int64_t(whole));
}

std::vector<ComparedValue> compareHeadline(const nlohmann::ordered_json& a, const nlohmann::ordered_json& b)
{
    const auto currencyOf = [](const Json& r) { return r.contains("cost") ? r["cost"].value("currency", std::string("USD")) : std::string("USD"); };
    const std::string currency = currencyOf(a);
    std::vector<ComparedValue> values;
    for (const auto& row : rowsOf(currency)) {
        ComparedValue value;
        value.key = row.key, value.label = row.label, value.unit = row.unit, value.better = row.better;
        value.numberA = row.of(a), value.numberB = row.of(b);
        if (value.unit == currency && currencyOf(b) != currency) value.better = Better::Unknown;
        const auto text = [](const Number& n) { return n ? std::optional(Json(*n).dump()) : std::nullopt; };
        value.a = text(value.numberA), value.b = text(value.numberB);
        values.push_back(std::move(value));
    }
    return values;
}

} // namespace hw::sizing
