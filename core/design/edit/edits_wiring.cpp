// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/edits.h"

#include "core/design/build/design_builder.h"
#include "core/design/build/panels.h"
#include "core/design/edit/lookup.h"
#include "core/foundation/catalog/sockets.h"

#include <algorithm>

namespace hw::edit {

namespace {

constexpr std::int64_t kLongestCable_mm = 100'000'000; ///< 100 km

/// The lookup of a script, or one of its own for an edit by itself.
class Looking {
public:
    Looking(const Snapshot& s, Lookup* given)
        : m_own(given ? Lookup() : Lookup(std::make_shared<const Snapshot>(s))), m_lookup(given ? *given : m_own)
    {
    }
    operator Lookup&() { return m_lookup; }

private:
    Lookup m_own;
    Lookup& m_lookup;
};

std::string number(Gbps rate) { return std::to_string(rate.count()) + " Gb/s"; }

Text networkName(const Snapshot& s, PortId port)
{
    const std::optional<NetworkId> network = s.ports.network[port];
    return network ? verbatim(s.networks.name[*network]) : i18n("no network");
}

Text mediumText(Medium medium)
{
    switch (medium) {
    case Medium::Data: return i18n("data");
    case Medium::Power: return i18n("power");
    case Medium::Coolant: return i18n("coolant");
    }
    return {};
}

Result<void> checkPair(const Snapshot& s, const ProjectParts& parts, PortId a, PortId b, Lookup& lookup)
{
    const std::string where = entityName(s, parts, ref(a)) + " – " + entityName(s, parts, ref(b));
    if (s.ports.device[a] == s.ports.device[b])
        return fail(ErrorCode::Refused, where, i18n("both ports belong to the same device"), i18n("choose a port of another device"));
    const Medium medium = s.ports.medium[a];
    if (medium != s.ports.medium[b])
        return fail(ErrorCode::Refused, where, i18n("one port carries {}, the other {}", mediumText(medium), mediumText(s.ports.medium[b])),
                    i18n("choose ports of the same medium"));
    if (medium != Medium::Data && (s.ports.role[a] == PortRole::Up) == (s.ports.role[b] == PortRole::Up))
        return fail(ErrorCode::Refused, where, s.ports.role[a] == PortRole::Up ? i18n("both ports are inlets") : i18n("both ports are outlets"),
                    i18n("connect an outlet to an inlet"));
    if (s.ports.rate[a] != s.ports.rate[b])
        return fail(ErrorCode::Refused, where, i18n("rates differ: {} and {}", number(s.ports.rate[a]), number(s.ports.rate[b])),
                    i18n("choose ports with the same rate"));
    if (s.ports.network[a] && s.ports.network[b] && s.ports.network[a] != s.ports.network[b])
        return fail(ErrorCode::Refused, where, i18n("networks differ: {} and {}", networkName(s, a), networkName(s, b)),
                    i18n("choose ports of the same network"));
    for (const PortId port : {a, b})
        if (lookup.linkOf(port))
            return fail(ErrorCode::Refused, entityName(s, parts, ref(port)), i18n("port is in use"), i18n("disconnect it first"));
    return {};
}

/// The links that end at a cage, in the order of ids.
std::vector<LinkId> linksAt(CageId cage, Lookup& lookup)
{
    std::vector<LinkId> result;
    lookup.referring(&Ports::cage, cage.value, [&](std::uint32_t port) {
        if (const auto link = lookup.linkOf(PortId(port))) result.push_back(*link);
    });
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

/// The cable of another link that ends in the same connector of a split cage: one breakout serves all its ports.
std::optional<CableId> breakoutOf(const Snapshot& s, const ProjectParts& parts, PortId port, PortId peer, Lookup& lookup)
{
    const CageId cage = s.ports.cage[port];
    const int split = s.cages.split[cage];
    std::optional<CableId> found;
    if (split <= 1) return found;
    const auto links = linksAt(cage, lookup);
    if (!links.empty()) // what the cage's first link goes to says how many connectors it has
        peer = s.ports.cage[s.links.from[links.front()]] == cage ? s.links.to[links.front()] : s.links.from[links.front()];
    const auto interfaceOf = [&](CageId of) -> const Interface* {
        const auto& interfaces = parts.device(s.devices.type[s.cages.device[of]]).interfaces;
        return s.cages.number[of] < interfaces.size() ? &interfaces[s.cages.number[of]] : nullptr;
    };
    const CageId far = s.ports.cage[peer];
    const Interface *own = interfaceOf(cage), *other = interfaceOf(far);
    const int connectors =
        own && other ? SocketRules::of(s.partTypes, parts).connectors(*own, split, *other, std::max<int>(1, s.cages.split[far])) : 1;
    const auto connectorOf = [&](PortId p) { return s.ports.lane[p] * connectors / split; };
    const auto shares = [&](PortId p) { return s.ports.cage[p] == cage && connectorOf(p) == connectorOf(port); };
    for (const LinkId id : links) {
        if (!shares(s.links.from[id]) && !shares(s.links.to[id])) continue;
        if (const std::optional<CableId> cable = s.links.cable[id]) found = cable;
    }
    return found;
}

std::vector<LinkId> linksOf(CableId cable, Lookup& lookup)
{
    std::vector<LinkId> result;
    lookup.referring(&Links::cable, cable.value, [&](std::uint32_t row) { result.push_back(LinkId(row)); });
    return result;
}

/// Sets or clears a bit of `overridden` in every link of a cable.
void markLinks(Snapshot& s, CableId cable, std::uint32_t bit, bool on, Lookup& lookup)
{
    for (const LinkId id : linksOf(cable, lookup)) {
        const auto flags = std::uint8_t(on ? s.links.overridden[id] | bit : s.links.overridden[id] & ~bit);
        if (flags != s.links.overridden[id]) s.links.overridden.set(id, flags);
    }
}

} // namespace

Result<LinkId> connect(Transaction& transaction, const ProjectParts& parts, PortId a, PortId b, Lookup* given)
{
    Snapshot& s = *transaction;
    Looking lookup(s, given);
    if (auto fine = checkPair(s, parts, a, b, lookup); !fine) return tl::unexpected(fine.error());
    const auto level = [&](PortId port) { return s.tiers.level[s.devices.tier[s.ports.device[port]]]; };
    const bool data = s.ports.medium[a] == Medium::Data; // power and coolant: from what takes it
    if (data ? level(b) < level(a) : s.ports.role[a] != PortRole::Up) std::swap(a, b);
    auto cable = breakoutOf(s, parts, b, a, lookup);
    if (!cable) cable = breakoutOf(s, parts, a, b, lookup);
    const bool backup = s.ports.role[a] == PortRole::Backup || s.ports.role[b] == PortRole::Backup ||
                        s.devices.role[s.ports.device[a]] == DeviceRole::Backup || s.devices.role[s.ports.device[b]] == DeviceRole::Backup;
    for (const auto& [own, other] : {std::pair(a, b), std::pair(b, a)}) // a port of none, such as that of equipment, joins its network
        if (!s.ports.network[own] && s.ports.network[other]) s.ports.network.set(own, s.ports.network[other]);
    const LinkId link = s.links.insert();
    s.links.from.set(link, a);
    s.links.to.set(link, b);
    if (!cable) cable = DesignBuilder(s).cable(s.ports.medium[a]);
    s.links.cable.set(link, *cable);
    s.links.role.set(link, backup ? LinkRole::Backup : LinkRole::Active);
    s.links.overridden.set(link, std::uint8_t(overridden::kWiring));
    return link;
}

Result<void> disconnect(Transaction& transaction, LinkId link, Lookup* given)
{
    Snapshot& s = *transaction;
    Looking lookup(s, given);
    if (!s.links.contains(link)) return fail(ErrorCode::Refused, "disconnect", i18n("link not found"), i18n("specify its two ports"));
    const std::optional<CableId> cable = s.links.cable[link];
    const bool last = cable && linksOf(*cable, lookup).size() == 1;
    (void)dropRunsOf(s, link);
    s.links.erase(link);
    if (!last) return {};
    for (const WaypointId point : s.waypoints.ids())
        if (s.waypoints.cable[point] == *cable) s.waypoints.erase(point);
    s.cables.erase(*cable);
    return {};
}

Result<void> setCableLength(Transaction& transaction, CableId cable, std::int64_t length_mm, Lookup* given)
{
    Snapshot& s = *transaction;
    Looking lookup(s, given);
    if (!s.cables.contains(cable)) return fail(ErrorCode::Refused, "cable", i18n("cable not found"), i18n("specify a cable listed by `cables`"));
    if (length_mm < 0 || length_mm > kLongestCable_mm)
        return fail(ErrorCode::Refused, "length_mm", i18n("{} is not between 0 and 100,000,000", length_mm),
                    i18n("specify a length in mm, 0 = from the route"));
    s.cables.length.set(cable, Millimeters(std::int32_t(length_mm)));
    markLinks(s, cable, overridden::kLength, length_mm != 0, lookup);
    return {};
}

Result<void> setCableType(Transaction& transaction, CableId cable, std::optional<PartTypeId> type, Lookup* given)
{
    Snapshot& s = *transaction;
    Looking lookup(s, given);
    if (!s.cables.contains(cable)) return fail(ErrorCode::Refused, "cable", i18n("cable not found"), i18n("specify a cable listed by `cables`"));
    if (type && (!s.partTypes.contains(*type) || s.partTypes.kind[*type] != PartKind::Cable))
        return fail(ErrorCode::Refused, "type", i18n("not a cable type of the project"), i18n("specify a cable type"));
    s.cables.type.set(cable, type);
    markLinks(s, cable, overridden::kMedium, type.has_value(), lookup);
    return {};
}

} // namespace hw::edit
