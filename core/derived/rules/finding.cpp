// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/rules/finding.h"

#include "core/foundation/catalog/catalog.h"

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
    if (e.kind == EntityKind::Port) return portSubject(s, parts, PortId(e.id));
    if (e.kind == EntityKind::Link) {
        const LinkId link(e.id);
        return portSubject(s, parts, s.links.from[link]) + '|' + portSubject(s, parts, s.links.to[link]);
    }
    std::string subject;
    visitEntity(s, e, [&](const auto& table, auto id) {
        if constexpr (requires { keyOr(table.key[id], table.name[id]); }) subject = keyOr(table.key[id], table.name[id]);
    });
    return subject.empty() ? entityName(s, parts, e) : subject;
}

} // namespace hw
