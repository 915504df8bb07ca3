// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/bindings/names.h"

#include "core/derived/figures/nodes.h"
#include "core/derived/topology/design_index.h"
#include "core/foundation/catalog/entity.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace hw::bindings {

namespace {

constexpr std::array<std::pair<EntityKind, std::string_view>, 4> kPrefixes{
    {{EntityKind::Device, "hw:device:"}, {EntityKind::Rack, "hw:rack:"}, {EntityKind::Row, "hw:row:"}, {EntityKind::Hall, "hw:hall:"}}};

std::string lower(std::string_view text)
{
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
    return out;
}

/// Same rows with the same values: a column's chunks are shared until one changes.
template <class ColumnT>
bool sameColumn(const ColumnT& a, const ColumnT& b)
{
    if (a.chunkCount() != b.chunkCount()) return false;
    for (std::uint32_t i = 0; i < a.chunkCount(); ++i)
        if (a.chunkIdentity(i) != b.chunkIdentity(i)) return false;
    return true;
}

/// As devices and topics write an interface: "et6-13", "Eth6/13" and "Ethernet6/13" are et6/13; Linux's eth1 stays what it is.
std::string interfaceKey(std::string_view name)
{
    std::string key = lower(name);
    const auto digit = key.find_first_of("0123456789");
    if (digit == key.npos || key.find_first_of("/-", digit) == key.npos) return key;
    const std::string_view kind = std::string_view(key).substr(0, digit);
    if (kind == "eth" || kind == "ethernet") key.replace(0, digit, "et");
    std::ranges::replace(key, '-', '/');
    return key;
}

} // namespace

std::string objectIdOf(EntityRef entity)
{
    for (const auto& [kind, prefix] : kPrefixes)
        if (kind == entity.kind) return std::string(prefix) + std::to_string(entity.id + 1);
    return {};
}

Names::Names(FiguresPtr figures) : m_figures(std::move(figures))
{
    const Snapshot& s = *m_figures->snapshot;
    m_names.reserve(s.devices.size() + s.racks.size() + s.rows.size() + s.halls.size());
    s.eachTable([&](const auto& table) {
        if constexpr (requires {
                          table.name[table.ids().front()].size();
                          table.overridden;
                      })
            table.forEach([&](auto id) { put(m_names, table.name[id], ref(id)); });
    });
    s.devices.forEach([&](DeviceId id) { put(m_ids, s.devices.serial[id], ref(id)); });
    s.racks.forEach([&](RackId id) { put(m_ids, s.racks.serial[id], ref(id)); });
    s.hardwareIds.forEach([&](HardwareIdId id) { put(m_ids, s.hardwareIds.value[id], ref(s.hardwareIds.device[id])); });
    auto rules = asbuilt::NameRules::of(s).value_or(asbuilt::NameRules());
    m_rules = std::move(rules.devices);
    m_ports.resize(s.devices.nextId(), nullptr);
    m_portNames.emplace(s, *m_figures->parts, std::move(rules.ports));
}

void Names::put(Index& index, std::string_view name, EntityRef entity)
{
    if (name.empty()) return;
    const auto [at, fresh] = index.try_emplace(name, Entry{entity, false});
    if (!fresh && !(at->second.entity == entity)) at->second.several = true;
}

bool Names::holdsFor(const Snapshot& now) const
{
    const Snapshot& s = *m_figures->snapshot;
    bool same = true;
    s.eachTable([&](const auto& table) {
        using T = std::decay_t<decltype(table)>;
        if constexpr (requires {
                          table.name[table.ids().front()].size();
                          table.overridden;
                      })
            same = same && sameColumn(table.name, now.of<T>().name) && sameColumn(table.aliveFlags, now.of<T>().aliveFlags);
    });
    same = same && s.setting("asbuilt.devices") == now.setting("asbuilt.devices") && s.setting("asbuilt.ports") == now.setting("asbuilt.ports");
    return same && sameColumn(s.devices.serial, now.devices.serial) && sameColumn(s.racks.serial, now.racks.serial) &&
           sameColumn(s.devices.type, now.devices.type) && sameColumn(s.partTypes.definition, now.partTypes.definition) &&
           sameColumn(s.hardwareIds.value, now.hardwareIds.value) && sameColumn(s.hardwareIds.device, now.hardwareIds.device) &&
           sameColumn(s.ports.number, now.ports.number) && sameColumn(s.ports.cage, now.ports.cage) && sameColumn(s.ports.role, now.ports.role) &&
           sameColumn(s.ports.aliveFlags, now.ports.aliveFlags) && sameColumn(s.cages.split, now.cages.split);
}

Names::Found Names::byName(std::string_view name) const
{
    const auto found = m_names.find(name);
    if (found == m_names.end()) return {};
    const Entry& entry = found->second;
    if (entry.several) return {Found::Kind::Several, {}};
    switch (entry.entity.kind) {
    case EntityKind::Device:
    case EntityKind::Rack:
    case EntityKind::Row:
    case EntityKind::Hall: return {Found::Kind::One, entry.entity};
    default: return {Found::Kind::Other, {}};
    }
}

Names::Found Names::byId(std::string_view name) const
{
    for (const auto& [kind, prefix] : kPrefixes)
        if (name.starts_with(prefix)) {
            std::uint32_t number = 0;
            const auto rest = name.substr(prefix.size());
            const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), number);
            if (read.ec != std::errc() || read.ptr != rest.data() + rest.size() || number == 0) return {};
            const EntityRef entity{kind, number - 1};
            return living(*m_figures->snapshot, entity) ? Found{Found::Kind::One, entity} : Found{};
        }
    if (m_ids.empty()) return {};
    auto found = m_ids.find(name);
    if (found == m_ids.end()) found = m_ids.find(lower(name));
    if (found == m_ids.end()) return {};
    return found->second.several ? Found{Found::Kind::Several, {}} : Found{Found::Kind::One, found->second.entity};
}

Names::Found Names::deviceOf(std::string_view name) const
{
    Found found = byName(name);
    for (const auto& rule : m_rules) {
        if (found.kind != Found::Kind::Nothing) break;
        if (const auto said = rule.apply(name, false); said && !rule.drops()) found = byName(*said);
    }
    return found;
}

Names::Found Names::capturedPort(DeviceId device, std::string_view name)
{
    const auto [known, fresh] = m_captured.try_emplace(std::to_string(device.value) + ':' + std::string(name));
    Text why;
    if (fresh) known->second = m_portNames->find(device, std::string(name), why);
    return known->second ? Found{Found::Kind::One, ref(*known->second)} : Found{};
}

/// By what the names of its ports depend on: its type, and where each port is.
const Names::PortPlaces& Names::placesOf(DeviceId device)
{
    const PortPlaces*& known = m_ports[device.value];
    if (known) return *known;
    const Snapshot& s = *m_figures->snapshot;
    const auto ports = m_figures->get<IndexNode>().portsOfDevice[device.value];
    std::string key;
    key.reserve((ports.size() + 1) * 5 * sizeof(std::uint32_t));
    const auto put = [&key](std::uint32_t number) { key.append(reinterpret_cast<const char*>(&number), sizeof number); };
    put(s.devices.type[device].value);
    for (const PortId port : ports) {
        const CageId cage = s.ports.cage[port];
        put(std::uint32_t(s.ports.medium[port]) << 8 | std::uint32_t(s.ports.role[port]));
        put(s.ports.number[port]), put(s.ports.lane[port]), put(s.cages.number[cage]), put(s.cages.split[cage]);
    }
    const auto [at, fresh] = m_places.try_emplace(std::move(key));
    known = &at->second;
    if (!fresh) return *known;
    std::set<std::string> several;
    std::uint32_t place = 0;
    for (const PortId port : ports) {
        const std::string own = portName(s, *m_figures->parts, port);
        at->second.own.try_emplace(own, place);
        if (!at->second.written.try_emplace(interfaceKey(own), place++).second) several.insert(interfaceKey(own));
    }
    for (const std::string& text : several) at->second.written.erase(text);
    return *known;
}

Names::Found Names::portOf(std::string_view name)
{
    const auto colon = name.find(':');
    if (colon == name.npos) return {};
    const Found found = deviceOf(name.substr(0, colon));
    if (found.kind != Found::Kind::One || found.entity.kind != EntityKind::Device) return {};
    const DeviceId device(found.entity.id);
    const std::string_view said = name.substr(colon + 1);
    const PortPlaces& places = placesOf(device);
    const auto ports = m_figures->get<IndexNode>().portsOfDevice[device.value];
    if (const auto at = places.own.find(said); at != places.own.end()) return {Found::Kind::One, ref(ports[at->second])};
    if (const auto at = places.written.find(interfaceKey(said)); at != places.written.end()) return {Found::Kind::One, ref(ports[at->second])};
    return capturedPort(device, said);
}

/// Channels of one thing often follow each other. Ports under their own names are found as fast as they would be remembered.
Names::Found Names::find(std::string_view name)
{
    constexpr std::size_t kMost = 2'000'000;
    if (name == m_last && !name.empty()) return m_lastFound;
    m_last = name;
    if (const auto known = m_known.find(name); known != m_known.end()) return m_lastFound = known->second;
    m_lastFound = search(name);
    const bool port = m_lastFound.kind == Found::Kind::One && m_lastFound.entity.kind == EntityKind::Port && m_rules.empty();
    if (!port && m_known.size() < kMost) m_known.emplace(name, m_lastFound);
    return m_lastFound;
}

Names::Found Names::search(std::string_view name)
{
    const Found id = byId(name);
    Found found = deviceOf(name);
    if (found.kind == Found::Kind::Nothing) found = portOf(name);
    if (id.kind == Found::Kind::Nothing || id.kind == Found::Kind::Several) return found.kind == Found::Kind::Nothing ? id : found;
    if (found.kind == Found::Kind::Nothing || found.kind == Found::Kind::Other || found.entity == id.entity) return id;
    return {Found::Kind::Several, {}};
}

} // namespace hw::bindings
