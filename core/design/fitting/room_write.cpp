// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/build/panels.h"
#include "core/design/fitting/room.h"
#include "core/design/layout/plant.h"
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

} // namespace

Result<void> writeRoom(Snapshot& design, Plan plan, const Catalog& catalog)
{
    const Snapshot before(design);
    try {
        DesignBuilder builder(design);
        Parts parts(builder, catalog, plan.options.where);
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

} // namespace hw::layout
