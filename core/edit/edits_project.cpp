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
    if (blank(finding)) return fail(ErrorCode::Refused, "finding", "is empty", "give a finding's id as `check --json` shows it");
    if (blank(reason)) return fail(ErrorCode::Refused, "reason", "is empty", "say why the finding is accepted");
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
    if (!id) return fail(ErrorCode::Refused, std::string(finding), "is not waived", "`check --json` shows which findings are");
    transaction->waivers.erase(*id);
    return {};
}

Result<void> setSetting(Transaction& transaction, std::string_view key, std::string_view value)
{
    const bool wellFormed = !key.empty() && std::all_of(key.begin(), key.end(), [](unsigned char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
    });
    if (!wellFormed || key.find('.') == std::string_view::npos)
        return fail(ErrorCode::Refused, std::string(key), "is not the key of a setting", "keys look like site.power_basis");
    if (key.starts_with("template.") || key.starts_with("parameter."))
        return fail(ErrorCode::Refused, std::string(key), "belongs to the template", "use set-parameter");
    if (auto fine = checkSetting(*transaction, key, value); !fine) return fine;
    transaction->putSetting(key, value);
    return {};
}

} // namespace hw::edit
