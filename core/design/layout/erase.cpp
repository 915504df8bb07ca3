// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/layout/erase.h"

#include "core/design/build/panels.h"
#include "core/foundation/catalog/catalog.h"
#include "core/foundation/model/dangling.h"
#include "core/foundation/model/laid_out.h"
#include "core/foundation/model/places.h"

namespace hw::layout {

namespace {

void mendDangling(Snapshot& design)
{
    (void)dropBrokenRuns(design);
    dropDangling(design, [](auto&, auto) {});
    eraseLooseCables(design);
}

} // namespace

void eraseLaidOut(Snapshot& s)
{
    const auto laidOut = [](const auto& table, auto id) { return (table.overridden[id] & overridden::kLaidOut) != 0; };
    const auto stays = [&](RackId rack) { return s.racks.contains(rack); };
    for (const RowId id : s.rows.ids())
        if (laidOut(s.rows, id)) s.rows.erase(id); // a row that somebody moved stays, with what stands in it and hangs over it
    for (const RackId id : s.racks.ids())
        if (laidOut(s.racks, id) && !s.rows.contains(s.racks.row[id])) s.racks.erase(id);
    for (const TrayId id : s.trays.ids())
        if (laidOut(s.trays, id) && !(s.trays.row[id] && s.rows.contains(*s.trays.row[id]))) s.trays.erase(id);
    for (const DeviceId id : s.devices.ids()) {
        const auto rack = s.devices.rack[id];
        if (!laidOut(s.devices, id) || (rack && stays(*rack)) || (s.devices.row[id] && s.rows.contains(*s.devices.row[id]))) continue;
        if (s.devices.key[id].empty()) {
            s.devices.erase(id);
            continue;
        }
        s.devices.rack.set(id, {});
        s.devices.u.set(id, 0);
        s.devices.overridden.set(id, s.devices.overridden[id] & ~(overridden::kPlace | overridden::kLaidOut));
    }
    std::vector<char> used(s.tiers.nextId(), 0);
    s.devices.forEach([&](DeviceId id) { used[s.devices.tier[id].value] = 1; });
    for (const TierId id : s.tiers.ids())
        if (laidOut(s.tiers, id) && !used[id.value]) s.tiers.erase(id);
    for (const HallId id : s.halls.ids())
        if (laidOut(s.halls, id)) s.halls.erase(id);
    for (const BuildingId id : s.buildings.ids())
        if (laidOut(s.buildings, id)) s.buildings.erase(id);
    mendDangling(s);
}

Result<void> erasePlaces(Snapshot& s)
{
    const auto parts = ProjectParts::of(s.partTypes);
    if (!parts) return tl::unexpected(parts.error());
    const auto clear = [](auto&... tables) {
        const auto one = [](auto& table) {
            for (const auto id : table.ids()) table.erase(id);
        };
        (one(tables), ...);
    };
    clear(s.buildings, s.halls, s.corners, s.structures, s.underlays, s.rows, s.racks, s.trays, s.sites);
    std::vector<char> kept(s.tiers.nextId(), 0);
    for (const DeviceId id : s.devices.ids()) {
        const TierId tier = s.devices.tier[id];
        const bool plant = s.tiers.kind[tier] == TierKind::Power || s.tiers.kind[tier] == TierKind::Cooling;
        if (plant && (*parts)->device(s.devices.type[id]).halfUnits == 0) {
            s.devices.erase(id);
            continue;
        }
        kept[tier.value] = 1;
        s.devices.x.set(id, {}), s.devices.y.set(id, {}), s.devices.z.set(id, {}), s.devices.u.set(id, 0);
    }
    for (const TierId id : s.tiers.ids())
        if (!kept[id.value] && (s.tiers.kind[id] == TierKind::Power || s.tiers.kind[id] == TierKind::Cooling)) s.tiers.erase(id);
    mendDangling(s);
    return {};
}

} // namespace hw::layout
