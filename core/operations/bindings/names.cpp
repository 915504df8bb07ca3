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

Names::Found Names::portOf(std::string_view name)
{
    const auto colon = name.find(':');
    if (colon == name.npos) return {};
    const Found device = deviceOf(name.substr(0, colon));
    if (device.kind != Found::Kind::One || device.entity.kind != EntityKind::Device) return {};
    auto [ports, fresh] = m_ports.try_emplace(device.entity.id);
    if (fresh) {
        std::map<std::string, PortId> written; // otherwise, where that is only one
        std::set<std::string> several;
        for (const PortId port : m_figures->get<IndexNode>().portsOfDevice[device.entity.id]) {
            const std::string own = portName(*m_figures->snapshot, *m_figures->parts, port);
            ports->second.try_emplace(own, port);
            if (!written.try_emplace(interfaceKey(own), port).second) several.insert(interfaceKey(own));
        }
        for (const auto& [key, port] : written)
            if (!several.contains(key)) ports->second.try_emplace(key, port);
    }
    const std::string_view said = name.substr(colon + 1);
    auto found = ports->second.find(said);
    if (found == ports->second.end()) found = ports->second.find(interfaceKey(said));
    if (found != ports->second.end()) return {Found::Kind::One, ref(found->second)};
    return capturedPort(DeviceId(device.entity.id), name.substr(colon + 1));
}

Names::Found Names::find(std::string_view name)
{
    constexpr std::size_t kMost = 2'000'000;
    if (const auto known = m_known.find(name); known != m_known.end()) return known->second;
    const Found found = search(name);
    if (m_known.size() < kMost) m_known.emplace(name, found);
    return found;
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
