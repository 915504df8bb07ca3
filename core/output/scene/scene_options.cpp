// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/scene/scene_options.h"

#include <algorithm>
#include <cctype>

namespace hw::scene {

std::vector<exchange::FormatOption> sceneOptions()
{
    return {{"hall", "NAME", i18n("this hall only; default: the whole design")},
            {"detail", "LEVEL", i18n("low (default): racks as boxes; high: also the devices in them")}};
}

Result<Scope> scopeOf(const Snapshot& s, const exchange::FormatChoices& choices)
{
    Scope scope;
    if (const std::string detail = exchange::choice(choices, "detail"); detail == "high")
        scope.devices = true;
    else if (!detail.empty() && detail != "low")
        return fail(ErrorCode::Usage, "--detail " + detail, i18n("unknown level of detail"), i18n("choose low or high"));
    const std::string wanted = exchange::choice(choices, "hall");
    if (wanted.empty()) return scope;
    std::vector<std::string> names;
    s.halls.forEach([&](HallId id) {
        names.push_back(s.halls.name[id]);
        if (s.halls.name[id] == wanted) scope.hall = id;
    });
    if (scope.hall) return scope;
    const Text todo = names.empty() ? i18n("the design has no halls: omit it") : i18n("choose from {}", listedNames(names));
    return fail(ErrorCode::Refused, "--hall " + wanted, i18n("hall not found"), todo);
}

exchange::FormatOption dateOption()
{
    return {"date", "DATE", i18n("date written to the file, ISO 8601; default: none, so that exports stay comparable")};
}

Result<std::string> dateOf(const exchange::FormatChoices& choices)
{
    std::string date = exchange::choice(choices, "date");
    const auto fits = [&](std::string_view form) {
        return date.size() == form.size() &&
               std::ranges::equal(date, form, [](char c, char f) { return f == 'd' ? std::isdigit(static_cast<unsigned char>(c)) != 0 : c == f; });
    };
    if (date.empty() || fits("dddd-dd-dd") || fits("dddd-dd-ddTdd:dd:dd")) return date;
    return fail(ErrorCode::Usage, "--date " + date, i18n("not an ISO 8601 date"), i18n("specify it as 2026-11-26 or 2026-11-26T12:00:00"));
}

} // namespace hw::scene
