// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/script_cabling.h"

#include "core/design/edit/kinds.h"

namespace hw::edit {

Result<void> leadOver(CablingScript& script)
{
    PanelEdit edit;
    edit.rule = script.text("rule"), edit.panel = script.text("panel"), edit.trunk = script.text("trunk"), edit.cord = script.text("cord");
    edit.byRack = script.text("by") == "rack";
    script.title = edit.rule.empty() ? i18n("Route links over panels") : i18n("Route {} over panels", edit.rule);
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
            return fail(ErrorCode::Refused, script.text(key), i18n("not a {}", kindText(EntityKind::Rack)),
                        i18n("specify a {}", kindText(EntityKind::Rack)));
        *rack = RackId((*found)->id);
    }
    const auto led = leadOver(script.transaction, script.lookup, script.catalog, edit);
    if (!led) return tl::unexpected(led.error());
    script.note = i18n("{:L} links over {:L} panels and {:L} trunks; {:L} spare trunk connectors, {:L} links unchanged", led->links, led->panels,
                       led->trunks, led->spare, led->left);
    return {};
}

Result<void> unpanel(CablingScript& script, LinkId link)
{
    script.title = i18n("Connect {} without panels", script.text("from"));
    if (dropRunsOf(*script.transaction, link).runs > 0) return {};
    return fail(ErrorCode::Refused, script.text("from"), i18n("not routed over a panel"), i18n("remove this edit"));
}

Result<void> unpanelRule(CablingScript& script)
{
    script.title = i18n("Connect {} without panels", script.text("rule"));
    const auto links = connectDirectly(script.transaction, script.text("rule"));
    if (!links) return tl::unexpected(links.error());
    script.note = i18np(*links, "{:L} link connected directly", "{:L} links connected directly");
    return {};
}

Result<void> leadThrough(CablingScript& script, CableId cable)
{
    const Text which = script.edit.contains("entity") ? verbatim(script.text("entity")) : i18n("cable of {}", script.text("from"));
    std::vector<TrayId> trays;
    for (const auto& written : script.edit["trays"]) {
        const auto name = written.get<std::string>();
        const auto found = script.find(name);
        if (!found) return tl::unexpected(found.error());
        if (found->kind != EntityKind::Tray)
            return fail(ErrorCode::Refused, name, i18n("not a {}", kindText(EntityKind::Tray)), i18n("specify a {}", kindText(EntityKind::Tray)));
        trays.emplace_back(found->id);
    }
    script.title = trays.empty() ? i18n("Route {} automatically", which) : i18n("Route {} through trays", which);
    const auto led = leadThrough(script.transaction, cable, trays, script.edit.value("together", false));
    if (!led) return tl::unexpected(led.error());
    script.note = i18np(*led, "{:L} cable routed", "{:L} cables routed");
    return {};
}

} // namespace hw::edit
