// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/similar.h"

#include <algorithm>
#include <array>
#include <set>

namespace hw::edit {

namespace {

/// What has to be equal, by kind; -1: not stated.
using Likeness = std::array<std::int64_t, 4>;

template <class T>
std::int64_t numberOf(const T& value)
{
    if constexpr (std::is_enum_v<T>)
        return std::int64_t(value);
    else if constexpr (requires { value.count(); })
        return std::int64_t(value.count());
    else if constexpr (requires { value.value; })
        return std::int64_t(value.value);
    else
        return value ? std::int64_t((*value).value) : -1;
}

template <class Table, class IdT>
Likeness likenessOf(const Snapshot&, const Table& table, IdT id)
{
    if constexpr (requires { table.type[id]; })
        return {numberOf(table.type[id])};
    else if constexpr (requires { table.kind[id]; })
        return {numberOf(table.kind[id])};
    else
        return {};
}
Likeness likenessOf(const Snapshot&, const Devices& devices, DeviceId id) { return {numberOf(devices.type[id]), numberOf(devices.tier[id])}; }
Likeness likenessOf(const Snapshot&, const Ports& ports, PortId id)
{
    return {numberOf(ports.network[id]), numberOf(ports.medium[id]), numberOf(ports.rate[id])};
}
Likeness likenessOf(const Snapshot& s, const Links& links, LinkId id)
{
    const PortId from = links.from[id], to = links.to[id];
    Likeness out = likenessOf(s, s.ports, from); // its medium comes with its network and tiers
    out[1] = numberOf(s.devices.tier[s.ports.device[from]]), out[3] = numberOf(s.devices.tier[s.ports.device[to]]);
    return out;
}

} // namespace

std::vector<EntityRef> similarTo(const Snapshot& s, std::span<const EntityRef> entities)
{
    std::set<std::pair<EntityKind, Likeness>> wanted;
    const auto each = [&](const auto& call) {
        s.eachTable([&](const auto& table) {
            using T = std::decay_t<decltype(table)>;
            if constexpr (kKindOf<T> != EntityKind::None) table.forEach([&](auto id) { call(ref(id), [&] { return likenessOf(s, table, id); }); });
        });
    };
    const std::set<EntityRef> given(entities.begin(), entities.end());
    std::set<EntityKind> kinds;
    for (const EntityRef e : given) kinds.insert(e.kind);
    each([&](EntityRef e, const auto& likeness) {
        if (given.contains(e)) wanted.emplace(e.kind, likeness());
    });
    std::vector<EntityRef> out;
    each([&](EntityRef e, const auto& likeness) {
        if (kinds.contains(e.kind) && wanted.contains({e.kind, likeness()})) out.push_back(e);
    });
    std::ranges::sort(out);
    return out;
}

} // namespace hw::edit
