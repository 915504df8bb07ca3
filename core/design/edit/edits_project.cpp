// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/edits.h"

#include "core/design/edit/settings_check.h"
#include "core/foundation/base/spelling.h"
#include "core/foundation/model/setting_values.h"
#include "core/foundation/settings/registry.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw::edit {

namespace {

std::optional<WaiverId> waiverOf(const Snapshot& s, std::string_view finding)
{
    std::optional<WaiverId> found;
    s.waivers.forEach([&](WaiverId id) {
        if (s.waivers.finding[id] == finding) found = id;
    });
    return found;
}

bool blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

} // namespace

Result<void> waive(Transaction& transaction, std::string_view finding, std::string_view reason, std::string_view author, std::string_view date)
{
    Snapshot& s = *transaction;
    if (blank(finding)) return fail(ErrorCode::Refused, "finding", i18n("empty"), i18n("specify a finding ID as shown by `check --json`"));
    if (blank(reason)) return fail(ErrorCode::Refused, "reason", i18n("empty"), i18n("specify why the finding is waived"));
    auto id = waiverOf(s, finding);
    if (!id) {
        id = s.waivers.insert();
        s.waivers.finding.set(*id, std::string(finding));
    }
    s.waivers.reason.set(*id, std::string(reason));
    s.waivers.author.set(*id, std::string(author));
    s.waivers.date.set(*id, std::string(date));
    return {};
}

Result<void> unwaive(Transaction& transaction, std::string_view finding)
{
    const auto id = waiverOf(*transaction, finding);
    if (!id) return fail(ErrorCode::Refused, std::string(finding), i18n("not waived"), i18n("`check --json` lists the waived findings"));
    transaction->waivers.erase(*id);
    return {};
}

namespace {

Result<void> checkKey(std::string_view key)
{
    const bool capitals = key.starts_with("currency."); // has the code of one
    const bool wellFormed = !key.empty() && std::all_of(key.begin(), key.end(), [&](unsigned char c) {
        return (c >= 'a' && c <= 'z') || (capitals && c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
    });
    if (!wellFormed || key.find('.') == std::string_view::npos)
        return fail(ErrorCode::Refused, std::string(key), i18n("not a setting key"), i18n("keys look like site.power_basis"));
    if (key.starts_with("template.") || key.starts_with("parameter."))
        return fail(ErrorCode::Refused, std::string(key), i18n("key belongs to the template"), i18n("use set-parameter"));
    return {};
}

} // namespace

namespace {

/// Rates say what a currency is worth in the project's: they go along when that becomes another. The rate between the two is the one that was set for
/// the old one in advance, or that of the new one turned round; without either prices of the catalog and offers would count no longer.
Result<void> changeCurrency(Transaction& transaction, std::string_view to)
{
    Snapshot& s = *transaction;
    const std::string from = settingOf(s, "project.currency"), rate = ".rate";
    if (from == to || (s.partTypes.size() == 0 && s.prices.size() == 0)) return {};
    const std::string own = "currency." + from, other = "currency." + std::string(to);
    double worth = numberSetting(s, own + rate, 0); // of one of the old currency in the new one
    const bool inAdvance = worth > 0;
    if (const double turned = numberSetting(s, other + rate, 0); !inAdvance && turned > 0) worth = 1 / turned;
    if (worth <= 0)
        return fail(ErrorCode::Refused, "project.currency", i18n("prices are in {}; the exchange rate from {} to {} is not set", from, from, to),
                    i18n("set {}.rate ({} for one {}), {}.date and {}.source first", own, to, from, own, own));
    std::vector<std::pair<std::string, std::string>> changed;
    s.settings.forEach([&](SettingId id) {
        const std::string& key = s.settings.key[id];
        if (!key.starts_with("currency.") || !key.ends_with(rate) || key == own + rate || key == other + rate) return;
        if (const double old = numberSetting(s, key, 0); old > 0) changed.emplace_back(key, fmt::format("{:.9g}", old * worth));
    });
    if (!inAdvance) {
        changed.emplace_back(own + rate, fmt::format("{:.9g}", worth));
        for (const char* end : {".date", ".source"}) changed.emplace_back(own + end, s.setting(other + end));
    }
    for (const auto& [key, value] : changed) s.putSetting(key, value);
    std::vector<SettingId> stale; // what the new currency was worth
    s.settings.forEach([&](SettingId id) {
        if (s.settings.key[id].starts_with(other + ".")) stale.push_back(id);
    });
    for (const SettingId id : stale) s.settings.erase(id);
    return {};
}

} // namespace

Result<void> setSetting(Transaction& transaction, std::string_view key, std::string_view value)
{
    if (auto fine = checkKey(key); !fine) return fine;
    if (auto fine = checkSetting(*transaction, key, value); !fine) return fine;
    if (key == "project.currency")
        if (auto fine = changeCurrency(transaction, value); !fine) return fine;
    transaction->putSetting(key, value);
    return {};
}

Result<void> resetSetting(Transaction& transaction, std::string_view key)
{
    if (auto fine = checkKey(key); !fine) return fine;
    Snapshot& s = *transaction;
    std::optional<SettingId> set;
    s.settings.forEach([&](SettingId id) {
        if (sameName(s.settings.key[id], key)) set = id;
    });
    if (key == "project.currency" && set)
        if (auto fine = changeCurrency(transaction, defaultOf(key)); !fine) return fine;
    if (set)
        s.settings.erase(*set);
    else if (auto known = checkSetting(s, key, ""); !known && known.error().code == ErrorCode::Usage)
        return known;
    return {};
}

Result<void> setPowerLimit(Transaction& transaction, EntityRef e, std::int64_t limit_w)
{
    Snapshot& s = *transaction;
    constexpr std::int64_t kMost_w = 1'000'000'000'000; // 1 TW
    if (limit_w < 0 || limit_w > kMost_w)
        return fail(ErrorCode::Refused, "limit", i18n("{} W is out of range", limit_w), i18n("specify 0 to 1,000,000,000,000 W"));
    const auto set = [&](auto& table, auto& column, auto id) {
        if (column[id] == watts(limit_w)) return;
        column.set(id, watts(limit_w));
        table.overridden.set(id, table.overridden[id] | overridden::kLimit);
    };
    if (e.kind == EntityKind::Building && living(s, e))
        set(s.buildings, s.buildings.itLimit, BuildingId(e.id));
    else if (e.kind == EntityKind::Rack && living(s, e))
        set(s.racks, s.racks.powerLimit, RackId(e.id));
    else
        return fail(ErrorCode::Refused, "limit", i18n("this object has no power limit"), i18n("supported: buildings and racks"));
    return {};
}

} // namespace hw::edit
