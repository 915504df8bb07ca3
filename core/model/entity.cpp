// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/entity.h"

#include "core/catalogue/catalogue.h"
#include "core/model/exists.h"
#include "core/model/text_values.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace hw {

namespace {

std::string lower(std::string_view s)
{
    std::string result(s);
    std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return result;
}

/// Calls f(kind's ref, name, key) for every row that has a stored name.
template <class F>
void forEachNamed(const Snapshot& s, F&& f)
{
    s.networks.forEach([&](NetworkId i) { f(ref(i), s.networks.name[i], s.networks.key[i]); });
    s.buildings.forEach([&](BuildingId i) { f(ref(i), s.buildings.name[i], s.buildings.key[i]); });
    s.halls.forEach([&](HallId i) { f(ref(i), s.halls.name[i], s.halls.key[i]); });
    s.rows.forEach([&](RowId i) { f(ref(i), s.rows.name[i], s.rows.key[i]); });
    s.racks.forEach([&](RackId i) { f(ref(i), s.racks.name[i], s.racks.key[i]); });
    s.trays.forEach([&](TrayId i) { f(ref(i), s.trays.name[i], s.trays.key[i]); });
    s.tiers.forEach([&](TierId i) { f(ref(i), s.tiers.name[i], s.tiers.key[i]); });
    s.devices.forEach([&](DeviceId i) { f(ref(i), s.devices.name[i], s.devices.key[i]); });
}

std::optional<PortId> findPort(const Snapshot& s, const ProjectParts& parts, DeviceId device, std::string_view port)
{
    std::optional<PortId> found;
    s.ports.forEach([&](PortId id) {
        if (!found && s.ports.device[id] == device && portName(s, parts, id) == port) found = id;
    });
    return found;
}

std::string cableName(const Snapshot&, CableId id) { return fmt::format("cable-{:06}", id.value + 1); }

} // namespace

bool exists(const Snapshot& s, EntityRef e)
{
    switch (e.kind) {
    case EntityKind::None: return false;
    case EntityKind::Network: return s.networks.contains(NetworkId(e.id));
    case EntityKind::Building: return s.buildings.contains(BuildingId(e.id));
    case EntityKind::Hall: return s.halls.contains(HallId(e.id));
    case EntityKind::Row: return s.rows.contains(RowId(e.id));
    case EntityKind::Rack: return s.racks.contains(RackId(e.id));
    case EntityKind::Tray: return s.trays.contains(TrayId(e.id));
    case EntityKind::Tier: return s.tiers.contains(TierId(e.id));
    case EntityKind::Device: return s.devices.contains(DeviceId(e.id));
    case EntityKind::Cage: return s.cages.contains(CageId(e.id));
    case EntityKind::Port: return s.ports.contains(PortId(e.id));
    case EntityKind::Link: return s.links.contains(LinkId(e.id));
    case EntityKind::Cable: return s.cables.contains(CableId(e.id));
    case EntityKind::PartType: return s.partTypes.contains(PartTypeId(e.id));
    }
    return false;
}

std::string portName(const Snapshot& s, const ProjectParts& parts, PortId port)
{
    const CageId cage = s.ports.cage[port];
    const auto& spec = parts.device(s.devices.type[s.cages.device[cage]]);
    if (s.ports.medium[port] == Medium::Power) {
        const std::size_t at = s.ports.number[port];
        if (s.ports.role[port] == PortRole::Down) return at < spec.outlets.size() ? spec.outlets[at].name : fmt::format("out{}", at + 1);
        return at < spec.inlets.size() ? spec.inlets[at].name : fmt::format("in{}", at + 1);
    }
    const std::size_t number = s.cages.number[cage];
    std::string name = number < spec.interfaces.size() ? spec.interfaces[number].name : fmt::format("if{}", number + 1);
    if (s.cages.split[cage] > 1) name += fmt::format("s{}", s.ports.lane[port] + 1);
    return name;
}

std::string entityName(const Snapshot& s, const ProjectParts& parts, EntityRef e)
{
    const auto portOf = [&](PortId p) { return s.devices.name[s.ports.device[p]] + ":" + portName(s, parts, p); };
    const auto pick = [&](const auto& table, auto id, auto&& name) { return table.contains(id) ? std::string(name(id)) : std::string(); };
    switch (e.kind) {
    case EntityKind::None: return {};
    case EntityKind::Network: return pick(s.networks, NetworkId(e.id), [&](auto i) { return s.networks.name[i]; });
    case EntityKind::Building: return pick(s.buildings, BuildingId(e.id), [&](auto i) { return s.buildings.name[i]; });
    case EntityKind::Hall: return pick(s.halls, HallId(e.id), [&](auto i) { return s.halls.name[i]; });
    case EntityKind::Row: return pick(s.rows, RowId(e.id), [&](auto i) { return s.rows.name[i]; });
    case EntityKind::Rack: return pick(s.racks, RackId(e.id), [&](auto i) { return s.racks.name[i]; });
    case EntityKind::Tray: return pick(s.trays, TrayId(e.id), [&](auto i) { return s.trays.name[i]; });
    case EntityKind::Tier: return pick(s.tiers, TierId(e.id), [&](auto i) { return s.tiers.name[i]; });
    case EntityKind::Device: return pick(s.devices, DeviceId(e.id), [&](auto i) { return s.devices.name[i]; });
    case EntityKind::Cage:
        return pick(s.cages, CageId(e.id), [&](auto i) { return fmt::format("{}:cage{}", s.devices.name[s.cages.device[i]], s.cages.number[i] + 1); });
    case EntityKind::Port: return pick(s.ports, PortId(e.id), portOf);
    case EntityKind::Link:
        return pick(s.links, LinkId(e.id), [&](auto i) { return portOf(s.links.from[i]) + " – " + portOf(s.links.to[i]); });
    case EntityKind::Cable: return pick(s.cables, CableId(e.id), [&](auto i) { return cableName(s, i); });
    case EntityKind::PartType: return pick(s.partTypes, PartTypeId(e.id), [&](auto i) { return s.partTypes.slug[i]; });
    }
    return {};
}

std::vector<EntityRef> ancestry(const Snapshot& s, EntityRef e)
{
    std::vector<EntityRef> chain;
    for (std::optional<EntityRef> at = e; at && *at;) {
        chain.push_back(*at);
        std::optional<EntityRef> up;
        switch (at->kind) {
        case EntityKind::Hall: up = ref(s.halls.building[HallId(at->id)]); break;
        case EntityKind::Row: up = ref(s.rows.hall[RowId(at->id)]); break;
        case EntityKind::Rack: up = ref(s.racks.row[RackId(at->id)]); break;
        case EntityKind::Tray:
            if (const auto row = s.trays.row[TrayId(at->id)]) up = ref(*row);
            else if (const auto hall = s.trays.hall[TrayId(at->id)]) up = ref(*hall);
            break;
        case EntityKind::Device:
            if (const auto rack = s.devices.rack[DeviceId(at->id)]) up = ref(*rack);
            else if (const auto hall = s.devices.hall[DeviceId(at->id)]) up = ref(*hall);
            break;
        case EntityKind::Cage: up = ref(s.cages.device[CageId(at->id)]); break;
        case EntityKind::Port: up = ref(s.ports.cage[PortId(at->id)]); break;
        case EntityKind::Link: up = ref(s.links.from[LinkId(at->id)]); break;
        case EntityKind::Tier:
            if (const auto network = s.tiers.network[TierId(at->id)]) up = ref(*network);
            break;
        case EntityKind::None: case EntityKind::Network: case EntityKind::Building: case EntityKind::Cable: case EntityKind::PartType: break;
        }
        at = up;
    }
    std::reverse(chain.begin(), chain.end());
    return chain;
}

std::optional<EntityRef> findEntity(const Snapshot& s, const ProjectParts& parts, std::string_view name)
{
    std::optional<EntityRef> byName, byKey;
    forEachNamed(s, [&](EntityRef e, const std::string& n, const std::string& key) {
        if (!byName && n == name) byName = e;
        if (!byKey && !key.empty() && key == name) byKey = e;
    });
    if (byName) return byName;
    if (byKey) return byKey;
    if (name.starts_with("cable-")) {
        std::uint32_t number = 0;
        if (text::fromText(name.substr(6), number) && number > 0 && s.cables.alive(number - 1)) return ref(CableId(number - 1));
    }
    if (const auto colon = name.rfind(':'); colon != std::string_view::npos) {
        const auto device = findEntity(s, parts, name.substr(0, colon));
        if (device && device->kind == EntityKind::Device)
            if (const auto port = findPort(s, parts, DeviceId(device->id), name.substr(colon + 1))) return ref(*port);
    }
    return std::nullopt;
}

std::vector<EntityRef> searchEntities(const Snapshot& s, std::string_view words, std::size_t limit)
{
    std::vector<std::string> wanted;
    const std::string all = lower(words);
    for (std::size_t at = 0; at < all.size();) {
        const auto end = std::min(all.find(' ', at), all.size());
        if (end > at) wanted.push_back(all.substr(at, end - at));
        at = end + 1;
    }
    struct Hit { int rank; EntityRef entity; };
    std::vector<Hit> hits;
    forEachNamed(s, [&](EntityRef e, const std::string& n, const std::string& key) {
        const std::string name = lower(n), both = name + ' ' + lower(key);
        for (const auto& word : wanted)
            if (both.find(word) == std::string::npos) return;
        hits.push_back({name == all ? 0 : name.starts_with(all) ? 1 : int(name.size()) + 2, e});
    });
    std::stable_sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.rank < b.rank; });
    std::vector<EntityRef> result;
    for (std::size_t i = 0; i < hits.size() && i < limit; ++i) result.push_back(hits[i].entity);
    return result;
}

} // namespace hw
