// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/edits_cabling.h"

#include "core/derived/topology/cable_runs.h"
#include "core/design/edit/lookup.h"

#include <algorithm>
#include <set>

namespace hw::edit {

namespace {

Result<std::optional<LinkRuleId>> ruleOf(const Snapshot& s, const std::string& key)
{
    std::optional<LinkRuleId> found;
    if (key.empty()) return found;
    std::vector<std::string> known;
    s.linkRules.forEach([&](LinkRuleId id) {
        if (s.linkRules.key[id] == key) found = id;
        if (s.linkRules.medium[id] == Medium::Data) known.push_back(s.linkRules.key[id]);
    });
    if (!found) return fail(ErrorCode::Refused, key, i18n("not a link rule of the design"), i18n("choose from {}", listedNames(known)));
    return found;
}

Result<void> checkPlace(const Snapshot& s, const std::optional<EntityRef>& place)
{
    if (!place || place->kind == EntityKind::Rack || place->kind == EntityKind::Row) return {};
    return fail(ErrorCode::Refused, entityName(s, ProjectParts(), *place), i18n("neither a rack nor a row"), i18n("specify a rack or a row"));
}

bool standsIn(const Snapshot& s, PortId port, const std::optional<EntityRef>& place)
{
    if (!place) return true;
    const auto rack = s.devices.rack[s.ports.device[port]];
    return rack && (place->kind == EntityKind::Rack ? ref(*rack) : ref(s.racks.row[*rack])) == *place;
}

} // namespace

Result<std::size_t> connectDirectly(Transaction& transaction, const std::string& rule)
{
    Snapshot& s = *transaction;
    const auto known = ruleOf(s, rule);
    if (!known) return tl::unexpected(known.error());
    std::set<LinkId> led;
    s.runs.forEach([&](RunId run) {
        if (const LinkId link = s.runs.link[run]; *known && s.links.rule[link] == **known) led.insert(link);
    });
    if (led.empty()) return fail(ErrorCode::Refused, rule, i18n("not routed over a panel"), i18n("remove this edit"));
    for (const LinkId link : led) (void)dropRunsOf(s, link);
    return led.size();
}

Result<RoutedOverPanels> leadOver(Transaction& transaction, Lookup& lookup, const PartSource& source, const PanelEdit& edit)
{
    Snapshot& s = *transaction;
    const auto rule = ruleOf(s, edit.rule);
    if (!rule) return tl::unexpected(rule.error());
    for (const auto& place : {edit.from, edit.to})
        if (auto fine = checkPlace(s, place); !fine) return tl::unexpected(fine.error());
    PanelRouting what;
    s.links.forEach([&](LinkId link) {
        const PortId from = s.links.from[link], to = s.links.to[link];
        if (s.ports.medium[from] != Medium::Data || (*rule && !(s.links.rule[link] == **rule))) return;
        if (standsIn(s, from, edit.from) && standsIn(s, to, edit.to)) what.links.push_back(link);
    });
    if (what.links.empty())
        return fail(ErrorCode::Refused, "panel", i18n("link not found"), i18n("specify the rule and the positions of its lower and upper ends"));
    const auto panel = usePartType(transaction, lookup, source, edit.panel, PartKind::Device);
    if (!panel) return tl::unexpected(panel.error());
    what.panel = *panel;
    if (!edit.trunk.empty()) {
        const auto trunk = usePartType(transaction, lookup, source, edit.trunk, PartKind::Cable);
        if (!trunk) return tl::unexpected(trunk.error());
        what.trunk = *trunk;
    }
    if (!edit.cord.empty())
        if (const auto cord = usePartType(transaction, lookup, source, edit.cord, PartKind::Cable); !cord) return tl::unexpected(cord.error());
    what.lowerRack = edit.fromRack, what.upperRack = edit.toRack;
    what.byRow = !edit.byRack;
    auto parts = ProjectParts::of(s.partTypes);
    if (!parts) return tl::unexpected(parts.error());
    auto led = leadOverPanels(s, **parts, what);
    if (led && led->links == 0)
        return fail(ErrorCode::Refused, "panel", i18n("none of the {:L} links can be routed over a panel", led->left),
                    i18n("only straight cords between two cages in racks can be routed, not breakouts or shuffles"));
    return led;
}

Result<std::size_t> leadThrough(Transaction& transaction, CableId cable, std::span<const TrayId> trays, bool together)
{
    Snapshot& s = *transaction;
    if (!s.cables.contains(cable)) return fail(ErrorCode::Refused, "cable", i18n("cable not found"), i18n("specify a cable listed by `cables`"));
    if (trays.size() > 100)
        return fail(ErrorCode::Refused, "trays", i18n("{} trays exceed the maximum for one cable", trays.size()), i18n("specify up to 100"));
    const CableRuns runs(s);
    using Ends = std::pair<std::uint32_t, std::uint32_t>; // racks, from the lower end up
    const auto rackOf = [&](DeviceId device) { return s.devices.rack[device] ? (*s.devices.rack[device]).value : 0xFFFFFFFFu; };
    std::vector<std::pair<CableId, Ends>> ends;
    s.links.forEach([&](LinkId link) {
        if (s.ports.medium[s.links.from[link]] != Medium::Data) return;
        if (const auto first = s.links.cable[link])
            ends.push_back({*first, {rackOf(s.ports.device[s.links.from[link]]), rackOf(runs.firstEnd(s, link))}});
        for (const RunId run : runs.of(link)) ends.push_back({s.runs.cable[run], {rackOf(s.runs.panel[run]), rackOf(runs.endOf(s, run))}});
    });
    const auto own = std::find_if(ends.begin(), ends.end(), [&](const auto& e) { return e.first == cable; });
    if (own == ends.end() || own->second.first == own->second.second || own->second.first == 0xFFFFFFFFu || own->second.second == 0xFFFFFFFFu)
        return fail(ErrorCode::Refused, "cable", i18n("does not run between two racks"), i18n("specify a data cable with both ends in racks"));
    const Ends wanted = own->second;
    std::set<CableId> forward{cable}, backward;
    if (together)
        for (const auto& [id, e] : ends) {
            if (e == wanted) forward.insert(id);
            if (e.first == wanted.second && e.second == wanted.first) backward.insert(id);
        }
    for (const WaypointId point : s.waypoints.ids())
        if (forward.contains(s.waypoints.cable[point]) || backward.contains(s.waypoints.cable[point])) s.waypoints.erase(point);
    const auto put = [&](CableId id, bool reversed) {
        for (std::size_t i = 0; i < trays.size(); ++i) {
            const WaypointId point = s.waypoints.insert();
            s.waypoints.cable.set(point, id);
            s.waypoints.number.set(point, std::int32_t(i + 1));
            s.waypoints.tray.set(point, trays[reversed ? trays.size() - 1 - i : i]);
        }
    };
    for (const CableId id : forward) put(id, false);
    for (const CableId id : backward)
        if (!forward.contains(id)) put(id, true);
    return forward.size() + backward.size();
}

} // namespace hw::edit
