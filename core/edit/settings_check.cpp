// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/settings_check.h"

#include "core/addressing/address_rules.h"
#include "core/edit/near_names.h"
#include "core/rules/rule.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace hw::edit {

namespace {

using Kind = SettingKind;

std::string shown(double number)
{
    char buffer[32];
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, number).ptr};
}

const std::vector<Setting>& siteSettings()
{
    static const std::vector<Setting> all = {
        {"project.name", Kind::Text, 0, 0, {}, "Project", "Name", "", "", "stands in reports and file names"},
        {"project.currency", Kind::Currency, 0, 0, {}, "Project", "Currency", "", "USD", "three letters; prices are not converted"},
        {"site.power_basis",
         Kind::Choice,
         0,
         0,
         {"design", "typical", "nameplate"},
         "Site power",
         "Limits are compared with",
         "",
         "design",
         "power of every device: typical, design or nameplate"},
        {"site.limit_basis",
         Kind::Choice,
         0,
         0,
         {"it", "facility"},
         "Site power",
         "A limit counts",
         "",
         "it",
         "IT power alone, or with cooling and losses (times PUE)"},
        {"site.pue", Kind::Number, 1, 3, {}, "Site power", "PUE", "", "1.2", "facility power over IT power (ISO/IEC 30134-2)"},
        {"site.pue_source", Kind::Text, 0, 0, {}, "Site power", "Where the PUE comes from", "", "", "left empty, reports call it assumed"},
        {"site.substations", Kind::Count, 0, 1000, {}, "Substations", "Substations", "", "0", "0: none stated"},
        {"site.substation_transformers", Kind::Count, 0, 1000, {}, "Substations", "Transformers of each", "", "2", ""},
        {"site.substation_mva", Kind::Number, 0, 10'000, {}, "Substations", "Rating of a transformer", "MVA", "63", ""},
        {"site.substation_spare", Kind::Count, 0, 1000, {}, "Substations", "Of these may be out", "", "1", "1: N-1"},
        {"site.power_factor", Kind::Number, 0.1, 1, {}, "Substations", "Power factor", "", "0.95", ""},
        {"cooling.coolant", Kind::Choice, 0, 0, {"pg25", "water"}, "Cooling", "Coolant", "", "pg25", "25 % propylene glycol, or water"},
        {"cooling.coolant_delta_k", Kind::Number, 1, 60, {}, "Cooling", "Coolant warms up by", "K", "12", ""},
        {"cooling.air_delta_k", Kind::Number, 1, 60, {}, "Cooling", "Air warms up by", "K", "15", ""},
        {"cabling.slack_percent", Kind::Number, 0, 100, {}, "Cabling", "Slack on every cable", "%", "5", "added to the length of the route"},
    };
    return all;
}

void addThresholds(std::vector<Setting>& known)
{
    for (const Rule& rule : allRules())
        for (const Threshold& t : rule.thresholds) {
            std::string label(t.setting.substr(t.setting.rfind('.') + 1));
            std::ranges::replace(label, '_', ' ');
            known.push_back({.key = std::string(t.setting),
                             .group = "Rules",
                             .label = std::string(rule.id) + " " + label,
                             .unit = std::string(t.unit),
                             .fallback = shown(t.value),
                             .help = std::string(rule.title) + ". " + std::string(t.source)});
        }
}

void addTargets(const Snapshot& s, std::vector<Setting>& known)
{
    s.networks.forEach([&](NetworkId network) {
        s.tiers.forEach([&](TierId tier) {
            const auto &of = s.networks.key[network], &to = s.tiers.key[tier];
            if (of.empty() || to.empty()) return;
            Setting setting{"network." + of + ".target_oversubscription." + to, Kind::Number, 0.001, 1e6};
            setting.group = "Oversubscription wanted", setting.label = s.networks.name[network] + ", " + s.tiers.name[tier], setting.unit = ":1";
            setting.help = "rule N10 compares with it";
            known.push_back(std::move(setting));
        });
    });
}

/// How the switches of a tier choose among equal ways (simulation/engine/routing_options.h).
void addHashes(const Snapshot& s, std::vector<Setting>& known)
{
    s.networks.forEach([&](NetworkId network) {
        s.tiers.forEach([&](TierId tier) {
            if (!(s.tiers.network[tier] == network) || s.tiers.kind[tier] != TierKind::Switch) return;
            known.push_back({.key = "network." + s.networks.key[network] + ".hash." + s.tiers.key[tier],
                             .kind = Kind::Choice,
                             .choices = {"five-tuple", "source-port"},
                             .group = "Hashing",
                             .label = s.networks.name[network] + ", " + s.tiers.name[tier],
                             .fallback = "five-tuple",
                             .help = "what a switch looks at to choose among equal ways"});
        });
    });
}

void addAddresses(const Snapshot& s, std::vector<Setting>& known)
{
    const auto add = [&](const std::string& key, const std::string& label) {
        known.push_back({.key = key, .kind = Kind::Address, .group = "Addresses", .label = label});
    };
    for (const auto& key : addressKeys()) {
        add("addressing." + key, key);
        s.networks.forEach(
            [&](NetworkId network) { add("addressing.network." + s.networks.key[network] + "." + key, s.networks.name[network] + ", " + key); });
        s.tiers.forEach([&](TierId tier) {
            if (s.tiers.kind[tier] == TierKind::Switch) add("addressing.tier." + s.tiers.key[tier] + "." + key, s.tiers.name[tier] + ", " + key);
        });
    }
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
    for (const auto& setting : known)
        if (setting.group != "Addresses") names.push_back(setting.key);
    return fail(ErrorCode::Usage, std::string(key), "there is no such setting", "choose from " + listed(names));
}

Result<void> checkNumber(const Setting& setting, std::string_view text)
{
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = error == std::errc() && end == text.data() + text.size() && std::isfinite(number);
    const std::string wanted =
        std::string("give a ") + (setting.kind == Kind::Count ? "whole " : "") + "number from " + shown(setting.least) + " to " + shown(setting.most);
    if (!whole || (setting.kind == Kind::Count && number != std::floor(number)))
        return fail(ErrorCode::Refused, setting.key,
                    "'" + std::string(text) + "' is not a " + (setting.kind == Kind::Count ? "whole " : "") + "number", wanted);
    if (number < setting.least || number > setting.most) return fail(ErrorCode::Refused, setting.key, std::string(text) + " is out of range", wanted);
    return {};
}

Result<void> checkText(const Setting& setting, std::string_view text)
{
    const bool control = std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
    if (control || text.size() > 200)
        return fail(ErrorCode::Refused, setting.key, "is longer than 200 bytes or has control characters", "choose another text");
    return {};
}

} // namespace

std::vector<Setting> knownSettings(const Snapshot& s)
{
    std::vector<Setting> known = siteSettings();
    addTargets(s, known);
    addHashes(s, known);
    addThresholds(known);
    addAddresses(s, known);
    return known;
}

Result<void> checkSetting(const Snapshot& snapshot, std::string_view key, std::string_view value)
{
    const auto known = knownSettings(snapshot);
    const auto setting = std::ranges::find(known, key, &Setting::key);
    if (setting == known.end()) return unknownKey(known, key);
    switch (setting->kind) {
    case Kind::Text: return checkText(*setting, value);
    case Kind::Currency:
        if (value.size() == 3 && std::all_of(value.begin(), value.end(), [](char c) { return c >= 'A' && c <= 'Z'; })) return {};
        return fail(ErrorCode::Refused, setting->key, "'" + std::string(value) + "' is not a currency",
                    "give three capital letters, for example USD");
    case Kind::Choice:
        if (std::find(setting->choices.begin(), setting->choices.end(), value) != setting->choices.end()) return {};
        return fail(ErrorCode::Refused, setting->key, "'" + std::string(value) + "' is not one of its values",
                    "choose from " + listed(setting->choices));
    case Kind::Number:
    case Kind::Count: return checkNumber(*setting, value);
    case Kind::Address: return checkAddressValue(setting->key.substr(setting->key.rfind('.') + 1), std::string(value), setting->key);
    }
    return {};
}

} // namespace hw::edit
