// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/build/panels.h"
#include "core/design/layout/plant.h"
#include "core/design/layout/room.h"
#include "core/design/layout/supply_trays.h"
#include "core/foundation/model/dangling.h"
#include "core/foundation/model/laid_out.h"
#include "core/foundation/model/places.h"

#include <string>
#include <unordered_set>

#include <fmt/format.h>

namespace hw::layout {

namespace {

/// Whether a table's rows are marked as changed by hand, with bits enough for the mark of a layout.
template <class Table>
concept Marked = requires(Table t, typename Table::IdType id)
{
    t.overridden.set(id, std::uint32_t(0));
}
&&std::is_same_v<typename std::decay_t<decltype(Table::overridden)>::Value, std::uint32_t>;

/// Names that something else had before get a number.
void tellApart(Snapshot& design, const Snapshot& before)
{
    std::unordered_set<std::string> names;
    before.eachTable([&](const auto& table) {
        if constexpr (requires { table.name; }) table.forEach([&](auto id) { names.insert(table.name[id]); });
    });
    design.eachTable([&](auto& table) {
        using TableT = std::decay_t<decltype(table)>;
        using IdT = typename TableT::IdType;
        if constexpr (requires { table.name; })
            for (std::uint32_t i = before.of<TableT>().nextId(); i < table.nextId(); ++i) {
                std::string name = table.name[IdT(i)];
                for (int n = 2; !names.insert(name).second; ++n) name = fmt::format("{}-{}", table.name[IdT(i)], n);
                if (name != table.name[IdT(i)]) table.name.set(IdT(i), name);
            }
    });
}

/// What came after `before` is nobody's template's: it has no key and no rule, and says where it is from.
void mark(Snapshot& design, const Snapshot& before)
{
    design.eachTable([&](auto& table) {
        using TableT = std::decay_t<decltype(table)>;
        using IdT = typename TableT::IdType;
        if constexpr (Marked<TableT>) {
            const std::uint32_t first = before.of<TableT>().nextId();
            for (std::uint32_t i = first; i < table.nextId(); ++i) {
                table.overridden.set(IdT(i), table.overridden[IdT(i)] | overridden::kLaidOut);
                if constexpr (requires { table.key; }) table.key.set(IdT(i), std::string());
            }
        }
    });
    for (std::uint32_t i = before.links.nextId(); i < design.links.nextId(); ++i) {
        design.links.rule.set(LinkId(i), {});
        design.links.overridden.set(LinkId(i), std::uint8_t(overridden::kWiring));
    }
    for (std::uint32_t i = before.linkRules.nextId(); i < design.linkRules.nextId(); ++i) design.linkRules.erase(LinkRuleId(i));
}

/// Where something stands that was not there before.
Scope roomsOf(const Snapshot& design, const Snapshot& before)
{
    Scope scope{std::set<HallId>()};
    for (std::uint32_t i = before.racks.nextId(); i < design.racks.nextId(); ++i) scope.rooms->insert(design.rows.hall[design.racks.row[RackId(i)]]);
    for (std::uint32_t i = before.devices.nextId(); i < design.devices.nextId(); ++i)
        if (const auto hall = hallOf(design, DeviceId(i))) scope.rooms->insert(*hall);
    return scope;
}

void mendDangling(Snapshot& design)
{
    (void)dropBrokenRuns(design);
    dropDangling(design, [](auto&, auto) {});
    eraseLooseCables(design);
}

} // namespace

Result<void> writeRoom(Snapshot& design, Plan plan, const Catalogue& catalogue)
{
    const Snapshot before(design);
    try {
        DesignBuilder builder(design);
        Parts parts(builder, catalogue, plan.options.where);
        writePlaces(builder, plan, parts);
        placeDevices(design, plan);
        for (const auto& rack : plan.racks)
            for (const auto& [device, u] : rack.devices)
                design.devices.overridden.set(device, design.devices.overridden[device] | overridden::kPlace | overridden::kLaidOut);
        writeTrays(builder, plan, parts);
        joinHalls(builder, plan, parts);
        writeEquipment(builder, plan, parts);
        if (plan.options.feed) {
            Scope scope = roomsOf(design, before);
            writePlant(builder, plan.options, parts, scope);
            for (std::uint32_t i = before.halls.nextId(); i < design.halls.nextId(); ++i) scope.rooms->insert(HallId(i));
            writeSupplyTrays(builder, plan.options, parts, scope);
        }
    } catch (const Failure& failure) {
        return tl::unexpected(failure.error);
    }
    mark(design, before);
    tellApart(design, before);
    return {};
}

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
