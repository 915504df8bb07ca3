// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/finding.h"

#include "core/catalogue/catalogue.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw {

namespace {

std::string keyOr(const std::string& key, const std::string& name) { return key.empty() ? name : key; }

std::string portSubject(const Snapshot& s, const ProjectParts& parts, PortId port)
{
    return subjectOf(s, parts, ref(s.ports.device[port])) + ':' + portName(s, parts, port);
}

} // namespace

std::string_view severityName(Severity severity)
{
    switch (severity) {
    case Severity::Error: return "error";
    case Severity::Warning: return "warning";
    case Severity::Info: return "info";
    }
    return {};
}

std::string findingId(std::string_view rule, std::initializer_list<std::string_view> subjects)
{
    std::string id(rule);
    char separator = '@';
    for (const auto subject : subjects) {
        id += separator;
        id += subject;
        separator = '|';
    }
    for (char& c : id)
        if (c == ' ' || c == '\t' || c == '\n') c = '_';
    return id;
}

/// FNV-1a, 64 bit, folded to 24: the same on every machine, which std::hash does not promise.
std::string groupMark(std::vector<std::string> keys)
{
    std::ranges::sort(keys);
    std::uint64_t hash = 0xCBF29CE484222325u;
    const auto mix = [&](unsigned char c) { hash = (hash ^ c) * 0x100000001B3u; };
    for (const auto& key : keys) {
        for (const char c : key) mix(static_cast<unsigned char>(c));
        mix('\n');
    }
    return fmt::format("#{:06x}", (hash ^ hash >> 24 ^ hash >> 48) & 0xFFFFFFu);
}

std::string keyOrId(const std::string& key, std::uint32_t id) { return key.empty() ? fmt::format("#{}", id) : key; }

std::string subjectOf(const Snapshot& s, const ProjectParts& parts, EntityRef e)
{
    switch (e.kind) {
    case EntityKind::Network: return keyOr(s.networks.key[NetworkId(e.id)], s.networks.name[NetworkId(e.id)]);
    case EntityKind::Site: return keyOr(s.sites.key[SiteId(e.id)], s.sites.name[SiteId(e.id)]);
    case EntityKind::Structure: return keyOr(s.structures.key[StructureId(e.id)], s.structures.name[StructureId(e.id)]);
    case EntityKind::Underlay: return keyOr(s.underlays.key[UnderlayId(e.id)], s.underlays.name[UnderlayId(e.id)]);
    case EntityKind::Phase: return keyOr(s.phases.key[PhaseId(e.id)], s.phases.name[PhaseId(e.id)]);
    case EntityKind::BindingRule: return keyOr(s.bindingRules.key[BindingRuleId(e.id)], s.bindingRules.name[BindingRuleId(e.id)]);
    case EntityKind::Price: return keyOr(s.prices.key[PriceId(e.id)], s.prices.name[PriceId(e.id)]);
    case EntityKind::Building: return keyOr(s.buildings.key[BuildingId(e.id)], s.buildings.name[BuildingId(e.id)]);
    case EntityKind::Hall: return keyOr(s.halls.key[HallId(e.id)], s.halls.name[HallId(e.id)]);
    case EntityKind::Row: return keyOr(s.rows.key[RowId(e.id)], s.rows.name[RowId(e.id)]);
    case EntityKind::Rack: return keyOr(s.racks.key[RackId(e.id)], s.racks.name[RackId(e.id)]);
    case EntityKind::Tray: return keyOr(s.trays.key[TrayId(e.id)], s.trays.name[TrayId(e.id)]);
    case EntityKind::Tier: return keyOr(s.tiers.key[TierId(e.id)], s.tiers.name[TierId(e.id)]);
    case EntityKind::Device: return keyOr(s.devices.key[DeviceId(e.id)], s.devices.name[DeviceId(e.id)]);
    case EntityKind::Port: return portSubject(s, parts, PortId(e.id));
    case EntityKind::Link: {
        const LinkId link(e.id);
        return portSubject(s, parts, s.links.from[link]) + '|' + portSubject(s, parts, s.links.to[link]);
    }
    case EntityKind::Cage:
    case EntityKind::Cable:
    case EntityKind::PartType:
    case EntityKind::None: break;
    }
    return entityName(s, parts, e);
}

} // namespace hw
