// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/settings_check.h"

#include "core/addressing/address_rules.h"
#include "core/edit/near_names.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <tuple>

namespace hw::edit {

namespace {

enum class Kind { Text, Currency, Choice, Number, Count, Address };

/// A setting that the report, the rules or the cabling read: `choices` of a Choice, else the range.
struct Setting {
    std::string key;
    Kind kind = Kind::Number;
    double least = 0, most = 1e6;
    std::vector<std::string> choices{};
};

const std::vector<Setting>& projectSettings()
{
    static const std::vector<Setting> all = {
        {"project.name", Kind::Text},
        {"project.currency", Kind::Currency},
        {"site.power_basis", Kind::Choice, 0, 0, {"design", "typical", "nameplate"}},
        {"site.limit_basis", Kind::Choice, 0, 0, {"it", "facility"}},
        {"site.pue", Kind::Number, 1, 3},
        {"site.pue_source", Kind::Text},
        {"site.substations", Kind::Count, 0, 1000},
        {"site.substation_transformers", Kind::Count, 0, 1000},
        {"site.substation_mva", Kind::Number, 0, 10'000},
        {"site.substation_spare", Kind::Count, 0, 1000},
        {"site.power_factor", Kind::Number, 0.1, 1},
        {"cooling.coolant", Kind::Choice, 0, 0, {"pg25", "water"}},
        {"cooling.coolant_delta_k", Kind::Number, 1, 60},
        {"cooling.air_delta_k", Kind::Number, 1, 60},
        {"cabling.slack_percent", Kind::Number, 0, 50},
        {"rule.n10.target"}, {"rule.n11.spare_percent"}, {"rule.k1.planned_percent"}, {"rule.k1.full_percent"}, {"rule.s2.warn_percent"},
        {"rule.s4.racks_per_row"}, {"rule.s9.clearance_mm"}, {"rule.d3.close_percent"},
    };
    return all;
}

std::vector<Setting> knownSettings(const Snapshot& s)
{
    std::vector<Setting> known = projectSettings();
    s.networks.forEach([&](NetworkId network) {
        s.tiers.forEach([&](TierId tier) {
            const auto& to = s.tiers.key[tier];
            if (s.networks.key[network].empty() || to.empty()) return;
            known.push_back({"network." + s.networks.key[network] + ".target_oversubscription." + to, Kind::Number, 0.001, 1e6});
        });
    });
    for (const auto& key : addressKeys()) {
        known.push_back({"addressing." + key, Kind::Address});
        s.networks.forEach([&](NetworkId network) { known.push_back({"addressing.network." + s.networks.key[network] + "." + key, Kind::Address}); });
        s.tiers.forEach([&](TierId tier) {
            if (s.tiers.kind[tier] == TierKind::Switch) known.push_back({"addressing.tier." + s.tiers.key[tier] + "." + key, Kind::Address});
        });
    }
    return known;
}

tl::unexpected<Error> unknownKey(const std::vector<Setting>& known, std::string_view key)
{
    const std::size_t limit = std::max<std::size_t>(3, key.size() / 3);
    std::vector<std::pair<std::size_t, std::string>> near;
    for (const auto& setting : known)
        if (const auto d = editDistance(key, setting.key, limit); d <= limit) near.emplace_back(d, setting.key);
    std::sort(near.begin(), near.end());
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min<std::size_t>(near.size(), 3); ++i) names.push_back(near[i].second);
    if (!names.empty()) return fail(ErrorCode::Usage, std::string(key), "there is no such setting", "nearest: " + listed(names));
    for (const auto& setting : projectSettings()) names.push_back(setting.key);
    return fail(ErrorCode::Usage, std::string(key), "there is no such setting", "choose from " + listed(names));
}

std::string shown(double number)
{
    char buffer[32];
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, number).ptr};
}

Result<void> checkNumber(const Setting& setting, std::string_view text)
{
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = error == std::errc() && end == text.data() + text.size() && std::isfinite(number);
    const std::string wanted = std::string("give a ") + (setting.kind == Kind::Count ? "whole " : "") + "number from " + shown(setting.least) + " to " + shown(setting.most);
    if (!whole || (setting.kind == Kind::Count && number != std::floor(number)))
        return fail(ErrorCode::Refused, setting.key, "'" + std::string(text) + "' is not a " + (setting.kind == Kind::Count ? "whole " : "") + "number", wanted);
    if (number < setting.least || number > setting.most) return fail(ErrorCode::Refused, setting.key, std::string(text) + " is out of range", wanted);
    return {};
}

Result<void> checkText(const Setting& setting, std::string_view text)
{
    const bool control = std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
    if (control || text.size() > 200) return fail(ErrorCode::Refused, setting.key, "is longer than 200 bytes or has control characters", "choose another text");
    return {};
}

} // namespace

Result<void> checkSetting(const Snapshot& snapshot, std::string_view key, std::string_view value)
{
    const auto known = knownSettings(snapshot);
    const auto setting = std::find_if(known.begin(), known.end(), [&](const Setting& s) { return s.key == key; });
    if (setting == known.end()) return unknownKey(known, key);
    switch (setting->kind) {
    case Kind::Text: return checkText(*setting, value);
    case Kind::Currency:
        if (value.size() == 3 && std::all_of(value.begin(), value.end(), [](char c) { return c >= 'A' && c <= 'Z'; })) return {};
        return fail(ErrorCode::Refused, setting->key, "'" + std::string(value) + "' is not a currency", "give three capital letters, for example USD");
    case Kind::Choice:
        if (std::find(setting->choices.begin(), setting->choices.end(), value) != setting->choices.end()) return {};
        return fail(ErrorCode::Refused, setting->key, "'" + std::string(value) + "' is not one of its values", "choose from " + listed(setting->choices));
    case Kind::Number: case Kind::Count: return checkNumber(*setting, value);
    case Kind::Address: return checkAddressValue(setting->key.substr(setting->key.rfind('.') + 1), std::string(value), setting->key);
    }
    return {};
}

} // namespace hw::edit
