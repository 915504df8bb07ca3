// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/edits.h"

#include "core/catalogue/sockets.h"

#include <algorithm>

namespace hw::edit {

namespace {

constexpr std::int64_t kLongestCable_mm = 100'000'000; ///< 100 km

std::optional<LinkId> linkOf(const Snapshot& s, PortId port)
{
    std::optional<LinkId> found;
    s.links.forEach([&](LinkId id) {
        if (s.links.from[id] == port || s.links.to[id] == port) found = id;
    });
    return found;
}

std::string number(Gbps rate) { return std::to_string(rate.count()) + " Gb/s"; }

std::string networkName(const Snapshot& s, PortId port)
{
    const std::optional<NetworkId> network = s.ports.network[port];
    return network ? s.networks.name[*network] : "no network";
}

Result<void> checkPair(const Snapshot& s, const ProjectParts& parts, PortId a, PortId b)
{
    const std::string where = entityName(s, parts, ref(a)) + " – " + entityName(s, parts, ref(b));
    if (s.ports.device[a] == s.ports.device[b])
        return fail(ErrorCode::Refused, where, "both ports are of one device", "choose a port of another device");
    if (s.ports.rate[a] != s.ports.rate[b])
        return fail(ErrorCode::Refused, where, "rates differ: " + number(s.ports.rate[a]) + " and " + number(s.ports.rate[b]),
                    "choose ports of one rate");
    if (s.ports.network[a] != s.ports.network[b] || s.ports.medium[a] != s.ports.medium[b])
        return fail(ErrorCode::Refused, where, "networks differ: " + networkName(s, a) + " and " + networkName(s, b), "choose ports of one network");
    for (const PortId port : {a, b})
        if (linkOf(s, port)) return fail(ErrorCode::Refused, entityName(s, parts, ref(port)), "the port is in use", "disconnect it first");
    return {};
}

/// The cable of another link that ends in the same connector of a split cage: one breakout serves all its ports.
std::optional<CableId> breakoutOf(const Snapshot& s, const ProjectParts& parts, PortId port, PortId peer)
{
    const CageId cage = s.ports.cage[port];
    const int split = s.cages.split[cage];
    std::optional<CableId> found;
    if (split <= 1) return found;
    bool first = true; // what the cage's first link goes to says how many connectors it has
    s.links.forEach([&](LinkId id) {
        const bool lower = s.ports.cage[s.links.from[id]] == cage;
        if (first && (lower || s.ports.cage[s.links.to[id]] == cage)) peer = lower ? s.links.to[id] : s.links.from[id], first = false;
    });
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
    s.links.forEach([&](LinkId id) {
        if (!shares(s.links.from[id]) && !shares(s.links.to[id])) return;
        if (const std::optional<CableId> cable = s.links.cable[id]) found = cable;
    });
    return found;
}

CableId newCable(Snapshot& s, Medium medium)
{
    const CableId cable = s.cables.insert();
    s.cables.medium.set(cable, medium);
    return cable;
}

/// Sets or clears a bit of `overridden` in every link of a cable.
void markLinks(Snapshot& s, CableId cable, std::uint32_t bit, bool on)
{
    for (const LinkId id : s.links.ids()) {
        if (!(s.links.cable[id] == cable)) continue;
        const auto flags = std::uint8_t(on ? s.links.overridden[id] | bit : s.links.overridden[id] & ~bit);
        if (flags != s.links.overridden[id]) s.links.overridden.set(id, flags);
    }
}

} // namespace

std::optional<LinkId> linkBetween(const Snapshot& s, PortId a, PortId b)
{
    const auto link = linkOf(s, a);
    return link && (s.links.from[*link] == b || s.links.to[*link] == b) ? link : std::nullopt;
}

Result<LinkId> connect(Transaction& transaction, const ProjectParts& parts, PortId a, PortId b)
{
    Snapshot& s = *transaction;
    if (auto fine = checkPair(s, parts, a, b); !fine) return tl::unexpected(fine.error());
    const auto level = [&](PortId port) { return s.tiers.level[s.devices.tier[s.ports.device[port]]]; };
    if (level(b) < level(a)) std::swap(a, b);
    auto cable = breakoutOf(s, parts, b, a);
    if (!cable) cable = breakoutOf(s, parts, a, b);
    const bool backup = s.ports.role[a] == PortRole::Backup || s.ports.role[b] == PortRole::Backup ||
                        s.devices.role[s.ports.device[a]] == DeviceRole::Backup || s.devices.role[s.ports.device[b]] == DeviceRole::Backup;
    const LinkId link = s.links.insert();
    s.links.from.set(link, a);
    s.links.to.set(link, b);
    s.links.cable.set(link, cable ? *cable : newCable(s, s.ports.medium[a]));
    s.links.role.set(link, backup ? LinkRole::Backup : LinkRole::Active);
    s.links.overridden.set(link, std::uint8_t(overridden::kWiring));
    return link;
}

Result<void> disconnect(Transaction& transaction, LinkId link)
{
    Snapshot& s = *transaction;
    if (!s.links.contains(link)) return fail(ErrorCode::Refused, "disconnect", "there is no such link", "name its two ports");
    const std::optional<CableId> cable = s.links.cable[link];
    s.links.erase(link);
    bool shared = false;
    if (cable) s.links.forEach([&](LinkId id) { shared = shared || s.links.cable[id] == *cable; });
    if (cable && !shared) s.cables.erase(*cable);
    return {};
}

Result<void> setCableLength(Transaction& transaction, CableId cable, std::int64_t length_mm)
{
    Snapshot& s = *transaction;
    if (!s.cables.contains(cable)) return fail(ErrorCode::Refused, "cable", "there is no such cable", "name one of `cables`");
    if (length_mm < 0 || length_mm > kLongestCable_mm)
        return fail(ErrorCode::Refused, "length_mm", std::to_string(length_mm) + " is not between 0 and 100,000,000",
                    "give a length in mm, 0 = from the route");
    s.cables.length.set(cable, Millimetres(std::int32_t(length_mm)));
    markLinks(s, cable, overridden::kLength, length_mm != 0);
    return {};
}

Result<void> setCableType(Transaction& transaction, CableId cable, std::optional<PartTypeId> type)
{
    Snapshot& s = *transaction;
    if (!s.cables.contains(cable)) return fail(ErrorCode::Refused, "cable", "there is no such cable", "name one of `cables`");
    if (type && (!s.partTypes.contains(*type) || s.partTypes.kind[*type] != PartKind::Cable))
        return fail(ErrorCode::Refused, "type", "is not a cable type of the project", "name a cable type");
    s.cables.type.set(cable, type);
    markLinks(s, cable, overridden::kMedium, type.has_value());
    return {};
}

} // namespace hw::edit
