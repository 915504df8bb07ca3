// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/catalog/entity.h"

#include "core/foundation/catalog/link_ends.h"
#include "core/foundation/catalog/sockets.h"
#include "core/foundation/model/references.h"
#include "core/foundation/model/text_values.h"

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

/// Calls f(ref, name, key) for every row that has a stored name.
template <class F>
void forEachNamed(const Snapshot& s, F&& f)
{
    s.eachTable([&](const auto& table) {
        if constexpr (requires {
                          table.name[table.ids().front()];
                          table.key;
                      })
            table.forEach([&](auto id) { f(ref(id), table.name[id], table.key[id]); });
    });
}

std::optional<PortId> findPort(const Snapshot& s, const ProjectParts& parts, DeviceId device, std::string_view port)
{
    std::optional<PortId> found;
    s.ports.forEach([&](PortId id) {
        if (!found && s.ports.device[id] == device && portName(s, parts, id) == port) found = id;
    });
    return found;
}

} // namespace

std::string portName(const Snapshot& s, const ProjectParts& parts, PortId port)
{
    const CageId cage = s.ports.cage[port];
    const auto& spec = parts.device(s.devices.type[s.cages.device[cage]]);
    if (s.ports.medium[port] == Medium::Power) {
        const std::size_t at = s.ports.number[port];
        if (s.ports.role[port] == PortRole::Down) return at < spec.outlets.size() ? spec.outlets[at].name : fmt::format("out{}", at + 1);
        return at < spec.inlets.size() ? spec.inlets[at].name : fmt::format("in{}", at + 1);
    }
    if (s.ports.medium[port] == Medium::Coolant) return coolantPortName(spec, s.ports.role[port] == PortRole::Down, s.ports.number[port]);
    const std::size_t number = s.cages.number[cage];
    std::string name = number < spec.interfaces.size() ? spec.interfaces[number].name : fmt::format("if{}", number + 1);
    if (s.cages.split[cage] > 1) name += fmt::format("s{}", s.ports.lane[port] + 1);
    return name;
}

namespace {

/// Names of what has no stored one, and of what has.
struct Namer {
    const Snapshot& s;
    const ProjectParts& parts;
    std::string of(const Cages& cages, CageId i) const { return fmt::format("{}:cage{}", s.devices.name[cages.device[i]], cages.number[i] + 1); }
    std::string of(const Ports& ports, PortId i) const { return s.devices.name[ports.device[i]] + ":" + portName(s, parts, i); }
    std::string of(const Links& links, LinkId i) const { return of(s.ports, links.from[i]) + " – " + of(s.ports, links.to[i]); }
    std::string of(const Cables&, CableId i) const { return fmt::format("cable-{:06}", i.value + 1); }
    std::string of(const PartTypes& types, PartTypeId i) const { return types.slug[i]; }
    template <class T>
    std::string of(const T& table, Id<T> i) const
    {
        return table.name[i];
    }
};

} // namespace

std::string entityName(const Snapshot& s, const ProjectParts& parts, EntityRef e)
{
    std::string name;
    visitEntity(s, e, [&](const auto& table, auto id) { name = Namer{s, parts}.of(table, id); });
    return name;
}

EntityRef holderOf(const Snapshot& s, EntityRef e)
{
    EntityRef holder;
    visitEntity(s, e, [&](const auto& table, auto id) { holder = parentOf(table.columnList(), id.value); });
    return holder;
}

std::vector<EntityRef> ancestry(const Snapshot& s, EntityRef e)
{
    std::vector<EntityRef> chain;
    for (EntityRef at = e; at; at = holderOf(s, at)) chain.push_back(at);
    std::reverse(chain.begin(), chain.end());
    return chain;
}

namespace {

/// By name or key; ports and cables, but no links.
std::optional<EntityRef> findNamed(const Snapshot& s, const ProjectParts& parts, std::string_view name)
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
        const auto device = findNamed(s, parts, name.substr(0, colon));
        if (device && device->kind == EntityKind::Device)
            if (const auto port = findPort(s, parts, DeviceId(device->id), name.substr(colon + 1))) return ref(*port);
    }
    return std::nullopt;
}

} // namespace

std::vector<std::pair<std::string_view, std::string_view>> endsInName(std::string_view name)
{
    std::vector<std::pair<std::string_view, std::string_view>> out;
    for (const std::string_view dash : {" – ", " - ", " > "})
        for (auto at = name.find(dash); at != std::string_view::npos; at = name.find(dash, at + 1))
            out.emplace_back(name.substr(0, at), name.substr(at + dash.size()));
    return out;
}

std::optional<EntityRef> findEntity(const Snapshot& s, const ProjectParts& parts, std::string_view name)
{
    if (const auto found = findNamed(s, parts, name)) return found;
    for (const auto& [first, second] : endsInName(name)) {
        const auto a = findNamed(s, parts, first), b = a ? findNamed(s, parts, second) : std::nullopt;
        if (!a || !b || a->kind != EntityKind::Port || b->kind != EntityKind::Port) continue;
        std::optional<EntityRef> found;
        s.links.forEach([&](LinkId link) {
            const EntityRef from = ref(s.links.from[link]), to = ref(s.links.to[link]);
            if ((from == *a && to == *b) || (from == *b && to == *a)) found = ref(link);
        });
        if (found) return found;
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
    struct Hit {
        int rank;
        EntityRef entity;
    };
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
