// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/topology/holding.h"

#include "core/foundation/model/places.h"

#include <algorithm>

namespace hw {

EntityRef heldBy(const Snapshot& s, EntityRef entity, EntityKind kind)
{
    while (entity && entity.kind != kind) entity = holderOf(s, entity);
    return entity && living(s, entity) ? entity : EntityRef{};
}

Maybe<DeviceId> deviceOf(const Snapshot& s, EntityRef entity)
{
    const EntityRef device = heldBy(s, entity, EntityKind::Device);
    return device ? Maybe<DeviceId>(DeviceId(device.id)) : Maybe<DeviceId>();
}

Maybe<CableId> cableOf(const Snapshot& s, EntityRef entity)
{
    if (entity.kind == EntityKind::Cable && living(s, entity)) return CableId(entity.id);
    if (entity.kind == EntityKind::Link && living(s, entity)) return s.links.cable[LinkId(entity.id)];
    return {};
}

namespace {

/// Rows of a table that are held, ascending.
template <class Id, class Table, class Held>
std::vector<Id> rowsWhere(const Table& table, Held&& held)
{
    std::vector<Id> rows;
    table.forEach([&](Id id) {
        if (held(id)) rows.push_back(id);
    });
    return rows;
}

} // namespace

std::vector<DeviceId> devicesIn(const Snapshot& s, const DesignIndex& index, EntityRef place)
{
    const auto all = [&](auto&& held) { return rowsWhere<DeviceId>(s.devices, held); };
    if (!living(s, place)) return {};
    switch (place.kind) {
    case EntityKind::Device: return {DeviceId(place.id)};
    case EntityKind::Rack: {
        const auto inside = index.devicesOfRack[place.id];
        return {inside.begin(), inside.end()};
    }
    case EntityKind::Row: return all([&](DeviceId d) { return rowOf(s, d) == RowId(place.id); });
    case EntityKind::Hall: return all([&](DeviceId d) { return hallOf(s, d) == HallId(place.id); });
    default: return all([&](DeviceId d) { return heldBy(s, ref(d), place.kind) == place; });
    }
}

std::vector<TrayId> traysIn(const Snapshot& s, EntityRef place)
{
    return rowsWhere<TrayId>(s.trays, [&](TrayId t) { return heldBy(s, ref(t), place.kind) == place; });
}

std::vector<LinkId> linksAt(const Snapshot& s, const DesignIndex& index, EntityRef entity)
{
    std::vector<LinkId> links;
    if (!living(s, entity)) return links;
    if (entity.kind == EntityKind::Cable) {
        const CableId cable(entity.id);
        s.links.forEach([&](LinkId id) {
            if (s.links.cable[id] == cable) links.push_back(id);
        });
        s.runs.forEach([&](RunId id) {
            if (s.runs.cable[id] == cable) links.push_back(s.runs.link[id]);
        });
    } else if (entity.kind == EntityKind::Link) {
        links.emplace_back(entity.id);
    } else {
        const auto ofDevice = [&](DeviceId id, auto&& wanted) {
            for (const PortId port : index.portsOfDevice[id.value])
                if (const auto link = index.linkOf(port); link && wanted(port)) links.push_back(*link);
        };
        if (const auto device = deviceOf(s, entity))
            ofDevice(*device, [&](PortId port) { return heldBy(s, ref(port), entity.kind) == entity; });
        else
            for (const DeviceId id : devicesIn(s, index, entity)) ofDevice(id, [](PortId) { return true; });
    }
    std::ranges::sort(links);
    links.erase(std::unique(links.begin(), links.end()), links.end());
    return links;
}

} // namespace hw
