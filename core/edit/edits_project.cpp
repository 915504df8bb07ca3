// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/edits.h"

#include "core/edit/settings_check.h"

#include <algorithm>

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
    if (blank(finding)) return fail(ErrorCode::Refused, "finding", i18n("is empty"), i18n("give a finding's id as `check --json` shows it"));
    if (blank(reason)) return fail(ErrorCode::Refused, "reason", i18n("is empty"), i18n("say why the finding is accepted"));
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
    if (!id) return fail(ErrorCode::Refused, std::string(finding), i18n("is not waived"), i18n("`check --json` shows which findings are"));
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
        return fail(ErrorCode::Refused, std::string(key), i18n("is not the key of a setting"), i18n("keys look like site.power_basis"));
    if (key.starts_with("template.") || key.starts_with("parameter."))
        return fail(ErrorCode::Refused, std::string(key), i18n("belongs to the template"), i18n("use set-parameter"));
    return {};
}

} // namespace

Result<void> setSetting(Transaction& transaction, std::string_view key, std::string_view value)
{
    if (auto fine = checkKey(key); !fine) return fine;
    if (auto fine = checkSetting(*transaction, key, value); !fine) return fine;
    transaction->putSetting(key, value);
    return {};
}

Result<void> resetSetting(Transaction& transaction, std::string_view key)
{
    if (auto fine = checkKey(key); !fine) return fine;
    Snapshot& s = *transaction;
    std::optional<SettingId> set;
    s.settings.forEach([&](SettingId id) {
        if (s.settings.key[id] == key) set = id;
    });
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
        return fail(ErrorCode::Refused, "limit", i18n("{} W is out of range", limit_w), i18n("give 0 to 1,000,000,000,000 W"));
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
        return fail(ErrorCode::Refused, "limit", i18n("this has no power limit of its own"), i18n("buildings and racks have"));
    return {};
}

} // namespace hw::edit
