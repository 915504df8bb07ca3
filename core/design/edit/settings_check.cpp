// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/settings_check.h"

#include "core/derived/cabling/cable_label.h"
#include "core/derived/rules/air_rules.h"
#include "core/derived/rules/rule.h"
#include "core/design/addressing/address_rules.h"
#include "core/design/edit/near_names.h"
#include "core/design/edit/places.h"
#include "core/foundation/model/setting_values.h"
#include "core/foundation/money/price_book.h"
#include "core/operations/bindings/rules.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

namespace hw::edit {

namespace {

using Kind = SettingKind;

std::string shown(double number)
{
    char buffer[32];
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, number).ptr};
}

void addThresholds(std::vector<Setting>& known, std::span<const Rule> rules)
{
    for (const Rule& rule : rules)
        for (const Threshold& t : rule.thresholds) {
            if (std::ranges::find(known, t.setting, &Setting::key) != known.end()) continue; // rules may share one
            known.push_back({.key = std::string(t.setting),
                             .group = TextId("Rules"),
                             .label = i18n("{} {}", rule.id, t.label),
                             .unit = words(t.unit),
                             .fallback = shown(t.value),
                             .help = together({i18n("{}.", rule.title), t.source})});
        }
}

/// Settings of a tier of a network, for every one that the design has.
void addPattern(const Snapshot& s, const Setting& pattern, std::vector<Setting>& known)
{
    const bool anyTier = pattern.key.find(".hash.") == std::string::npos; // a target may be told for a tier that another network brings
    s.networks.forEach([&](NetworkId network) {
        s.tiers.forEach([&](TierId tier) {
            const auto &of = s.networks.key[network], &to = s.tiers.key[tier];
            const TierKind kind = s.tiers.kind[tier];
            if (of.empty() || to.empty() || kind == TierKind::Power || kind == TierKind::Cooling) return;
            if (!anyTier && (s.tiers.network[tier] != network || kind != TierKind::Switch)) return;
            Setting setting = pattern;
            setting.key = writtenOut(pattern.key, {of, to});
            setting.label = listedNames(std::vector{s.networks.name[network], s.tiers.name[tier]});
            known.push_back(std::move(setting));
        });
    });
}

/// Of every tier of storage nodes, and of those that a template specifies for networks that were left out.
void addStorage(const Snapshot& s, const Setting& pattern, std::vector<Setting>& known)
{
    const std::string ending = pattern.key.substr(pattern.key.rfind('.'));
    const std::size_t before = known.size();
    s.tiers.forEach([&](TierId tier) {
        const auto network = s.tiers.network[tier];
        if (s.tiers.key[tier].empty() || !network || s.networks.kind[*network] != NetworkKind::Storage || s.tiers.kind[tier] == TierKind::Switch)
            return;
        Setting setting = pattern;
        setting.key = writtenOut(pattern.key, {s.tiers.key[tier]});
        setting.label = i18n("{}: {}", s.tiers.name[tier], setting.label);
        known.push_back(std::move(setting));
    });
    const std::size_t listed = known.size();
    s.settings.forEach([&](SettingId id) {
        const auto& key = s.settings.key[id];
        if (!key.starts_with("storage.") || !key.ends_with(ending)) return;
        if (std::any_of(known.begin() + std::ptrdiff_t(before), known.begin() + std::ptrdiff_t(listed),
                        [&](const Setting& k) { return k.key == key; }))
            return;
        Setting setting = pattern;
        setting.key = key;
        known.push_back(std::move(setting));
    });
}

void addAddresses(const Snapshot& s, std::vector<Setting>& known)
{
    const auto add = [&](const std::string& key, Text label) {
        known.push_back({.key = key, .kind = Kind::Address, .group = TextId("Addressing"), .label = std::move(label)});
    };
    for (const auto& key : addressKeys()) {
        add("addressing." + key, verbatim(key));
        s.networks.forEach([&](NetworkId network) {
            add("addressing.network." + s.networks.key[network] + "." + key, listedNames(std::vector{s.networks.name[network], key}));
        });
        s.tiers.forEach([&](TierId tier) {
            if (s.tiers.kind[tier] == TierKind::Switch)
                add("addressing.tier." + s.tiers.key[tier] + "." + key, listedNames(std::vector{s.tiers.name[tier], key}));
        });
    }
}

Setting ofCurrency(const Setting& pattern, const std::string& code)
{
    Setting setting = pattern;
    setting.key = writtenOut(pattern.key, {code});
    setting.label = i18n("{}: {}", code, setting.help);
    return setting;
}

/// Of every currency that a price or a setting of the project names.
void addCurrencies(const Snapshot& s, const Setting& pattern, std::vector<Setting>& known)
{
    std::set<std::string> codes;
    s.prices.forEach([&](PriceId id) { codes.insert(s.prices.currency[id]); });
    s.settings.forEach([&](SettingId id) {
        if (const auto& key = s.settings.key[id]; key.starts_with("currency.")) codes.insert(key.substr(9, 3));
    });
    codes.erase(settingOf(s, "project.currency"));
    for (const auto& code : codes) {
        if (isCurrency(code)) known.push_back(ofCurrency(pattern, code));
    }
}

/// Those of the offers that the project has; a price import writes them.
void addOffers(const Snapshot& s, const Setting& pattern, std::vector<Setting>& known)
{
    const std::string ending = pattern.key.substr(pattern.key.rfind('.'));
    s.settings.forEach([&](SettingId id) {
        const auto& key = s.settings.key[id];
        if (!key.starts_with("offer.") || !key.ends_with(ending) || s.settings.value[id].empty()) return;
        Setting setting = pattern;
        setting.key = key;
        setting.label = verbatim(key.substr(6, key.size() - 6 - ending.size()));
        known.push_back(std::move(setting));
    });
}

/// "currency.EUR.rate" of any currency, also of one that nothing names yet; null for other keys.
const Setting* currencySetting(std::string_view key)
{
    if (!key.starts_with("currency.") || !isCurrency(key.substr(9, 3)) || key.substr(12, 1) != ".") return nullptr;
    return findSetting(key);
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
    if (!names.empty()) return fail(ErrorCode::Usage, std::string(key), i18n("unknown setting"), i18n("nearest: {}", listedNames(names)));
    for (const auto& setting : known)
        if (setting.group.id() != "Addresses") names.push_back(setting.key);
    return fail(ErrorCode::Usage, std::string(key), i18n("unknown setting"), i18n("choose from {}", listedNames(names)));
}

Result<void> checkNumber(const Setting& setting, std::string_view text)
{
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = error == std::errc() && end == text.data() + text.size() && std::isfinite(number);
    const bool count = setting.kind == Kind::Count;
    const std::string most = shown(setting.most) + (setting.unit.empty() ? "" : " " + setting.unit);
    const Text wanted = count ? i18n("specify an integer from {} to {}", shown(setting.least), most)
                              : i18n("specify a number from {} to {}", shown(setting.least), most);
    if (!whole || (count && number != std::floor(number)))
        return fail(ErrorCode::Refused, setting.key, count ? i18n("'{}' is not an integer", text) : i18n("'{}' is not a number", text), wanted);
    if (number < setting.least || number > setting.most) return fail(ErrorCode::Refused, setting.key, i18n("{} is out of range", text), wanted);
    return {};
}

/// One setting of every design, known by its key alone.
bool standsAlone(const Setting& setting)
{
    return setting.writer == SettingWriter::User && !isPattern(setting.key) && !setting.key.starts_with("addressing.") &&
           !setting.key.starts_with("currency.");
}

Result<void> checkValue(const Setting& setting, std::string_view key, std::string_view value)
{
    if (key.starts_with("currency.") && key.ends_with(".date") && !isDate(value))
        return fail(ErrorCode::Refused, std::string(key), i18n("'{}' is not a valid date", value), i18n("use the form 2026-11-23"));
    switch (setting.kind) {
    case Kind::Text:
        if (const Text wrong = key == "cabling.label" ? CableLabels::fault(value) : Text(); !wrong.empty())
            return fail(ErrorCode::Refused, setting.key, wrong,
                        i18n("use {{device}}, {{rack}}, {{row}}, {{hall}}, {{u}} and {{port}}, each also with the prefix far_, and {{cable}}"));
        if (key == "telemetry.rule_sets")
            if (const auto sets = bindings::ruleSetsNamed(value); !sets) return tl::unexpected(sets.error());
        return checkPlainText(setting.key, value);
    case Kind::Currency:
        if (value.size() == 3 && std::all_of(value.begin(), value.end(), [](char c) { return c >= 'A' && c <= 'Z'; })) return {};
        return fail(ErrorCode::Refused, setting.key, i18n("'{}' is not a currency", value), i18n("use three capital letters, for example USD"));
    case Kind::Choice:
        if (std::find(setting.choices.begin(), setting.choices.end(), value) != setting.choices.end()) return {};
        return fail(ErrorCode::Refused, setting.key, i18n("'{}' is not a valid value", value), i18n("choose from {}", listedNames(setting.choices)));
    case Kind::Number:
    case Kind::Count: return checkNumber(setting, value);
    case Kind::Address: return checkAddressValue(setting.key.substr(setting.key.rfind('.') + 1), std::string(value), setting.key);
    }
    return {};
}

} // namespace

std::vector<Setting> currencySettings(const std::string& code)
{
    std::vector<Setting> out;
    if (isCurrency(code))
        for (const Setting& setting : settingsRegistry())
            if (setting.key.starts_with("currency.")) out.push_back(ofCurrency(setting, code));
    return out;
}

std::vector<Setting> knownSettings(const Snapshot& s)
{
    std::vector<Setting> known;
    for (const Setting& setting : settingsRegistry()) {
        if (standsAlone(setting))
            known.push_back(setting);
        else if (setting.key.starts_with("currency."))
            addCurrencies(s, setting, known);
        else if (setting.key.starts_with("storage."))
            addStorage(s, setting, known);
        else if (setting.key.starts_with("offer."))
            addOffers(s, setting, known);
        else if (setting.writer == SettingWriter::User && !setting.key.starts_with("addressing."))
            addPattern(s, setting, known);
    }
    addThresholds(known, allRules());
    addThresholds(known, airRules());
    addAddresses(s, known);
    std::map<std::string, std::size_t> order; // groups where their first setting is
    for (const Setting& setting : known) order.try_emplace(std::string(setting.group.id()), order.size());
    std::ranges::stable_sort(known, {}, [&](const Setting& setting) { return order[std::string(setting.group.id())]; });
    return known;
}

Result<void> checkSetting(const Snapshot& snapshot, std::string_view key, std::string_view value)
{
    if (const Setting* one = findSetting(key); one && standsAlone(*one)) return checkValue(*one, key, value);
    const auto known = knownSettings(snapshot);
    const auto found = std::ranges::find(known, key, &Setting::key);
    const Setting* setting = found == known.end() ? currencySetting(key) : &*found;
    if (!setting) return unknownKey(known, key);
    return checkValue(*setting, key, value);
}

} // namespace hw::edit
