// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/impact/model.h"
#include "core/foundation/base/disjoint_sets.h"

#include "core/derived/figures/link_sides.h"
#include "core/derived/topology/nic_ports.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace hw::impact {

/// Cards of everything that is attached to networks, by their linked data ports.
void Model::readNics()
{
    nicOfPort.assign(s->ports.nextId(), kNone);
    firstNic.assign(s->devices.nextId() + 1, 0);
    backendNics.assign(s->devices.nextId(), 0);
    CardsOfTypes cards(*parts);
    struct Plugged {
        NetworkId network;
        std::uint16_t card = 0;
        PortId port;
    };
    std::vector<Plugged> plugged;
    for (std::uint32_t d = 0; d < s->devices.nextId(); ++d) {
        const DeviceId id(d);
        firstNic[d] = std::uint32_t(nics.size());
        if (!s->devices.contains(id)) continue;
        const TierKind kind = s->tiers.kind[s->devices.tier[id]];
        if (kind != TierKind::Server && kind != TierKind::Other) continue;
        plugged.clear();
        for (const PortId port : index->portsOfDevice[d]) {
            const auto network = s->ports.network[port];
            if (!network || s->ports.medium[port] != Medium::Data || !index->linkOf(port)) continue;
            plugged.push_back({*network, cards.orOwn(*s, port), port});
        }
        std::ranges::stable_sort(plugged, {}, [](const Plugged& p) { return std::pair(p.network, p.card); });
        for (std::size_t i = 0; i < plugged.size(); ++i) {
            const Plugged& p = plugged[i];
            const bool newNetwork = i == 0 || plugged[i - 1].network != p.network;
            if (newNetwork || plugged[i - 1].card != p.card) {
                const bool backend = kind == TierKind::Server && isBackend(p.network);
                nics.push_back({id, p.network, 0, newNetwork ? std::uint16_t(0) : std::uint16_t(nics.back().ordinal + 1), backend});
                backendNics[d] = std::uint16_t(backendNics[d] + backend);
            }
            ++nics.back().links;
            nicOfPort[p.port.value] = std::uint32_t(nics.size() - 1);
        }
    }
    firstNic.back() = std::uint32_t(nics.size());
}

std::uint16_t Model::levelAt(NetworkId network, std::int16_t level, bool flat)
{
    const auto found = std::ranges::find_if(levels, [&](const Level& l) { return l.network == network && l.level == level && l.flat == flat; });
    if (found != levels.end()) return std::uint16_t(found - levels.begin());
    levels.push_back({network, level, flat, true, 0});
    return std::uint16_t(levels.size() - 1);
}

void Model::readLinks()
{
    levelOfLink.assign(s->links.nextId(), 0xFFFF);
    segmentOfLink.assign(s->links.nextId(), kNone);
    accessLink.assign(s->links.nextId(), 0);
    lowerOfLink.assign(s->links.nextId(), kNone);
    uplinks.assign(s->devices.nextId(), 0);
    std::map<std::pair<std::int16_t, std::int16_t>, std::uint32_t> segmentAt;
    std::map<NetworkId, std::int16_t> firstTier; // lowest switches
    s->tiers.forEach([&](TierId id) {
        const auto network = s->tiers.network[id];
        if (!network || s->tiers.kind[id] != TierKind::Switch) return;
        const auto [level, fresh] = firstTier.try_emplace(*network, s->tiers.level[id]);
        level->second = std::min(level->second, s->tiers.level[id]);
    });
    const auto place = [&](DeviceId id) { return std::pair(s->devices.pod[id], s->devices.segment[id]); };
    std::vector<LinkId> fromFirst; // uplinks of the lowest switches: their segments are known once all hosts are
    std::map<std::tuple<NetworkId, std::int16_t, bool>, std::uint16_t> levelNumbers;
    s->links.forEach([&](LinkId id) {
        const PortId a = s->links.from[id], b = s->links.to[id];
        const auto network = s->ports.network[a];
        if (!network || s->ports.medium[a] != Medium::Data) return;
        const LowerEnd lower = lowerEnd(*s, a, b);
        const DeviceId low = s->ports.device[lower == LowerEnd::To ? b : a];
        const TierId tier = s->devices.tier[low];
        const bool isSwitch = s->tiers.kind[tier] == TierKind::Switch, flat = lower == LowerEnd::Neither;
        if (isSwitch && !flat) lowerOfLink[id.value] = low.value, ++uplinks[low.value];
        if (!isBackend(*network) || s->links.role[id] == LinkRole::Backup) return;
        const bool access = !isSwitchTierOf(*s, tier, *network);
        const std::int16_t level = access ? std::int16_t(-1) : s->tiers.level[tier];
        const auto [number, fresh] = levelNumbers.try_emplace({*network, level, flat}, std::uint16_t(0));
        if (fresh) number->second = levelAt(*network, level, flat);
        levelOfLink[id.value] = number->second;
        levels[number->second].gbps += s->ports.rate[a].count();
        if (flat) return;
        if (access) {
            const auto [segment, isNew] = segmentAt.try_emplace(place(low), std::uint32_t(segments.size()));
            if (isNew) segments.push_back({segment->first.first, segment->first.second, 0, 0});
            segmentOfLink[id.value] = segment->second;
            accessLink[id.value] = 1;
            segments[segment->second].accessGbps += s->ports.rate[a].count();
        } else if (level == firstTier[*network]) {
            fromFirst.push_back(id);
        }
    });
    for (const LinkId id : fromFirst) {
        const auto segment = segmentAt.find(place(DeviceId(lowerOfLink[id.value])));
        if (segment == segmentAt.end()) continue;
        segmentOfLink[id.value] = segment->second;
        segments[segment->second].upGbps += s->ports.rate[s->links.from[id]].count();
    }
}

/// From the hosts up until all of them hang together; hosts join their own cards.
void Model::findNeeded()
{
    std::vector<std::uint16_t> order(levels.size());
    std::iota(order.begin(), order.end(), std::uint16_t(0));
    std::ranges::stable_sort(order, {}, [&](std::uint16_t l) { return std::tuple(levels[l].network, levels[l].level, !levels[l].flat); });
    std::vector<std::vector<LinkId>> links(levels.size());
    s->links.forEach([&](LinkId id) {
        if (levelOfLink[id.value] != 0xFFFF) links[levelOfLink[id.value]].push_back(id);
    });
    DisjointSets joined;
    std::uint32_t apart = 0; // groups of attached devices
    std::vector<char> attached;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Level& level = levels[order[i]];
        if (i == 0 || levels[order[i - 1]].network != level.network) {
            joined.reset(s->devices.nextId());
            attached.assign(joined.size(), 0);
            apart = 0;
        }
        levels[order[i]].needed = level.level < 0 || apart > 1;
        for (const LinkId id : links[order[i]]) {
            std::uint32_t ends[2] = {s->ports.device[s->links.from[id]].value, s->ports.device[s->links.to[id]].value};
            for (const std::uint32_t end : ends)
                if (host[end] && !attached[joined.find(end)]) attached[joined.find(end)] = 1, ++apart;
            const bool a = attached[joined.find(ends[0])], b = attached[joined.find(ends[1])];
            if (!joined.join(ends[0], ends[1])) continue;
            if (a && b) --apart;
            attached[joined.find(ends[0])] = a || b;
        }
    }
}

} // namespace hw::impact
