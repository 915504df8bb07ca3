// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/script_cabling.h"

#include "core/edit/kinds.h"

namespace hw::edit {

Result<void> leadOver(CablingScript& script)
{
    PanelEdit edit;
    edit.rule = script.text("rule"), edit.panel = script.text("panel"), edit.trunk = script.text("trunk"), edit.cord = script.text("cord");
    edit.byRack = script.text("by") == "rack";
    script.title = edit.rule.empty() ? i18n("Lead links over panels") : i18n("Lead {} over panels", edit.rule);
    const auto place = [&](const char* key) -> Result<std::optional<EntityRef>> {
        if (!script.edit.contains(key)) return std::optional<EntityRef>();
        return script.find(script.text(key)).transform([](EntityRef found) { return std::optional(found); });
    };
    for (const auto& [key, target] : {std::pair("from", &edit.from), std::pair("to", &edit.to)}) {
        const auto found = place(key);
        if (!found) return tl::unexpected(found.error());
        *target = *found;
    }
    for (const auto& [key, rack] : {std::pair("from_rack", &edit.fromRack), std::pair("to_rack", &edit.toRack)}) {
        const auto found = place(key);
        if (!found) return tl::unexpected(found.error());
        if (!*found) continue;
        if ((*found)->kind != EntityKind::Rack)
            return fail(ErrorCode::Refused, script.text(key), i18n("is not a {}", kindText(EntityKind::Rack)),
                        i18n("name a {}", kindText(EntityKind::Rack)));
        *rack = RackId((*found)->id);
    }
    const auto led = leadOver(script.transaction, script.lookup, script.catalogue, edit);
    if (!led) return tl::unexpected(led.error());
    script.note = i18n("{:L} links over {:L} panels and {:L} trunks; {:L} connectors of trunks are spare, {:L} links stay as they are", led->links,
                       led->panels, led->trunks, led->spare, led->left);
    return {};
}

Result<void> unpanel(CablingScript& script, LinkId link)
{
    script.title = i18n("Connect {} without panels", script.text("from"));
    if (dropRunsOf(*script.transaction, link).runs > 0) return {};
    return fail(ErrorCode::Refused, script.text("from"), i18n("goes over no panel"), i18n("remove this edit"));
}

Result<void> unpanelRule(CablingScript& script)
{
    script.title = i18n("Connect {} without panels", script.text("rule"));
    const auto links = connectDirectly(script.transaction, script.text("rule"));
    if (!links) return tl::unexpected(links.error());
    script.note = i18np(*links, "{:L} link is direct", "{:L} links are direct");
    return {};
}

Result<void> leadThrough(CablingScript& script, CableId cable)
{
    const Text which = script.edit.contains("entity") ? verbatim(script.text("entity")) : i18n("the cable of {}", script.text("from"));
    std::vector<TrayId> trays;
    for (const auto& written : script.edit["trays"]) {
        const auto name = written.get<std::string>();
        const auto found = script.find(name);
        if (!found) return tl::unexpected(found.error());
        if (found->kind != EntityKind::Tray)
            return fail(ErrorCode::Refused, name, i18n("is not a {}", kindText(EntityKind::Tray)), i18n("name a {}", kindText(EntityKind::Tray)));
        trays.emplace_back(found->id);
    }
    script.title = trays.empty() ? i18n("Let {} take its own way", which) : i18n("Lead {} through trays", which);
    const auto led = leadThrough(script.transaction, cable, trays, script.edit.value("together", false));
    if (!led) return tl::unexpected(led.error());
    script.note = i18np(*led, "{:L} cable led", "{:L} cables led");
    return {};
}

} // namespace hw::edit
