// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/netbox/inventory/design_writer.h"
#include "importers/netbox/inventory/values.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hw::importers::netbox_in {

bool contains(const std::string& text, std::initializer_list<std::string_view> words)
{
    return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != text.npos; });
}

namespace {

/// What a network is for, by the words of the role of its switches.
std::optional<NetworkKind> networkOf(const std::string& role)
{
    if (contains(role, {"storage", "stor-"})) return NetworkKind::Storage;
    if (contains(role, {"mgmt", "management", "oob", "bmc"})) return NetworkKind::Management;
    if (contains(role, {"frontend", "front-end", "inband", "in-band", "border"}) || role.starts_with("fe-") || role.starts_with("fe_"))
        return NetworkKind::Frontend;
    if (contains(role, {"nvlink", "scale-up", "scaleup", "nvswitch", "ualink"})) return NetworkKind::ScaleUp;
    return std::nullopt;
}

TierKind tierKindOf(Purpose purpose)
{
    switch (purpose) {
    case Purpose::Server: return TierKind::Server;
    case Purpose::Switch: return TierKind::Switch;
    case Purpose::Power: return TierKind::Power;
    case Purpose::Cooling: return TierKind::Cooling;
    case Purpose::Panel:
    case Purpose::Other: break;
    }
    return TierKind::Other;
}

} // namespace

void DesignWriter::findManagement()
{
    for (std::size_t i = 0; i < m.of(PortKind::Interface).size(); ++i) {
        Port& port = m.of(PortKind::Interface)[i];
        const auto part = m_parts.ofDevice(port.ofDevice);
        const auto socket = part && port.implied ? m_parts.socket({PortKind::Interface, i}) : std::nullopt;
        if (socket) port.management = std::get<DeviceSpec>(part->spec).interfaces[socket->cage].management;
    }
}

void DesignWriter::nameDevices()
{
    std::map<std::string, int> uses;
    for (const Device& device : m.devices) ++uses[device.name];
    std::set<std::string> taken;
    std::size_t renamed = 0, unnamed = 0;
    for (const Device& device : m.devices) {
        std::string name = device.name;
        if (name.empty()) {
            name = fmt::format("{}-{}", m.deviceTypes[device.ofType].slug,
                               device.id != 0 ? std::to_string(device.id) : std::to_string(m_names.size() + 1));
            ++unnamed;
        } else if (uses[name] > 1) {
            if (device.inSite != kNone) name = m.sites[device.inSite].name + "-" + name;
            ++renamed;
        }
        const std::string wanted = name;
        for (int n = 2; !taken.insert(name).second; ++n) name = fmt::format("{}-{}", wanted, n);
        m_names.push_back(std::move(name));
    }
    if (unnamed > 0)
        m.facts.push_back(
            i18np(unnamed, "{:L} device without name: named by its type and number", "{:L} devices without names: named by their types and numbers"));
    if (renamed > 0)
        m.facts.push_back(i18np(renamed, "{:L} device with a duplicate name: prefixed with its site",
                                "{:L} devices with duplicate names: prefixed with their sites"));
    m_s.devices.forEach([&](DeviceId id) { m_known.emplace(m_s.devices.name[id], id); });
}

std::size_t DesignWriter::tierOf(const std::string& role, TierKind kind)
{
    const std::string name = slugOf(role.empty() ? std::string(wordOf(kind)) : role);
    for (std::size_t t = 0; t < m_tiers.size(); ++t)
        if (m_tiers[t].name == name && m_tiers[t].kind == kind) return t;
    m_tiers.push_back({name, kind, networkOf(name).value_or(NetworkKind::Backend), {}, 0, 0});
    return m_tiers.size() - 1;
}

void DesignWriter::chooseTiers()
{
    m_written.resize(m.devices.size());
    const auto accelerators = [&](std::size_t i) {
        const auto part = m_parts.ofDevice(i);
        return part ? std::get<DeviceSpec>(part->spec).accelerators : 0;
    };
    bool any = false;
    for (std::size_t i = 0; i < m.devices.size(); ++i) any = any || accelerators(i) > 0;
    for (std::size_t i = 0; i < m.devices.size(); ++i) {
        Written& written = m_written[i];
        written.part = m_parts.ofDevice(i);
        if (!written.part) continue;
        const Device& device = m.devices[i];
        const Purpose purpose = m_parts.purpose(i);
        // beside servers with accelerators, those without are storage and support nodes, as in templates
        const TierKind kind = any && purpose == Purpose::Server && accelerators(i) == 0 ? TierKind::Other : tierKindOf(purpose);
        const std::string role = device.role.slug.empty() ? device.role.name : device.role.slug;
        written.tier = tierOf(purpose == Purpose::Panel && role.empty() ? "patch-panel" : role, kind); // no text: a name
        if (const auto known = m_known.find(m_names[i]); known != m_known.end()) written.id = known->second;
    }
    chooseLevels();
    for (Tier& tier : m_tiers) writeTier(tier);
}

void DesignWriter::chooseLevels()
{
    std::set<std::pair<std::size_t, std::size_t>> cabled;
    for (const WholeLink& link : m_wiring.links) {
        if (link.a.kind != PortKind::Interface || link.b.kind != PortKind::Interface) continue;
        const Port &a = m.of(link.a.kind)[link.a.port], &b = m.of(link.b.kind)[link.b.port];
        if (a.management || b.management || !m_written[a.ofDevice].part || !m_written[b.ofDevice].part) continue;
        const std::size_t x = m_written[a.ofDevice].tier, y = m_written[b.ofDevice].tier;
        if (x != y) cabled.insert({x, y}), cabled.insert({y, x});
    }
    chooseNetworks(cabled);
    std::vector<int> level(m_tiers.size(), -1);
    std::vector<std::size_t> open;
    for (std::size_t t = 0; t < m_tiers.size(); ++t)
        if (m_tiers[t].kind == TierKind::Server) level[t] = 0, open.push_back(t);
    for (std::size_t i = 0; i < open.size(); ++i)
        for (std::size_t t = 0; t < m_tiers.size(); ++t)
            if (level[t] < 0 && m_tiers[t].kind == TierKind::Switch && cabled.contains({open[i], t}))
                level[t] = level[open[i]] + 1, open.push_back(t);
    for (std::size_t t = 0; t < m_tiers.size(); ++t) m_tiers[t].level = level[t] >= 0 ? level[t] : m_tiers[t].kind == TierKind::Switch ? 1 : 0;
}

void DesignWriter::chooseNetworks(const std::set<std::pair<std::size_t, std::size_t>>& cabled)
{
    std::vector<bool> known(m_tiers.size());
    for (std::size_t t = 0; t < m_tiers.size(); ++t) known[t] = networkOf(m_tiers[t].name).has_value();
    for (bool more = true; more;) {
        more = false;
        for (const auto& [from, to] : cabled)
            if (m_tiers[from].kind == TierKind::Switch && m_tiers[to].kind == TierKind::Switch && known[from] && !known[to] &&
                m_tiers[from].network != NetworkKind::Management) // which reaches every switch
                m_tiers[to].network = m_tiers[from].network, known[to] = more = true;
    }
}

NetworkId DesignWriter::networkId(NetworkKind kind)
{
    if (const auto known = m_networks.find(kind); known != m_networks.end()) return known->second;
    std::optional<NetworkId> found;
    m_s.networks.forEach([&](NetworkId id) {
        if (!found && m_s.networks.kind[id] == kind) found = id;
    });
    static constexpr std::uint32_t kColors[] = {0x3b82f6, 0x22c55e, 0xf59e0b, 0x94a3b8, 0xa855f7}; // as of kinds in templates
    if (!found) found = m_build.network({.name = std::string(wordOf(kind)), .color = kColors[std::size_t(kind)], .kind = kind});
    return m_networks.emplace(kind, *found).first->second;
}

void DesignWriter::writeTier(Tier& tier)
{
    std::optional<NetworkId> network;
    if (tier.kind == TierKind::Switch) network = networkId(tier.network);
    m_s.tiers.forEach([&](TierId id) {
        if (m_s.tiers.name[id] == tier.name && m_s.tiers.kind[id] == tier.kind) tier.id = id, tier.level = m_s.tiers.level[id];
    });
    if (tier.id)
        m_s.devices.forEach([&](DeviceId id) {
            if (m_s.devices.tier[id] == *tier.id) tier.next = std::max(tier.next, m_s.devices.index[id] + 1);
        });
    else
        tier.id = m_build.tier({.name = tier.name,
                                .label = tier.name,
                                .kind = tier.kind,
                                .network = network ? Maybe<NetworkId>(*network) : Maybe<NetworkId>(),
                                .level = std::int16_t(tier.level)});
}

} // namespace hw::importers::netbox_in
