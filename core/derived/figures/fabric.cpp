// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/fabric.h"

#include "core/derived/figures/link_sides.h"
#include "core/foundation/base/disjoint_sets.h"
#include "core/foundation/base/shared_group.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace hw {

namespace {

/// Counters of one network while the tables are walked once.
struct Tally {
    using LinkKey = std::tuple<std::uint32_t, std::uint32_t, std::int32_t, bool>; ///< lower tier, upper tier, rate, neither is lower
    using PortKey = std::tuple<std::uint32_t, PortRole, std::int32_t>;            ///< tier, role, rate
    struct Links {
        std::int64_t active = 0, backup = 0;
    };
    struct Ports {
        std::int64_t total = 0, used = 0;
    };
    std::map<LinkKey, Links> links;
    std::map<PortKey, Ports> ports;
    std::pair<const LinkKey, Links>* lastLinks = nullptr; ///< neighbors in a table mostly belong together
    std::pair<const PortKey, Ports>* lastPorts = nullptr;
    DisjointSets components;    ///< of what forwards; with all that is attached once these were asked for
    std::vector<char> attached; ///< by device: must be reached, not a switch of this network; does not forward
    struct Attachment {
        std::uint32_t device = 0, to = 0;
        bool peers = false;
        bool operator==(const Attachment&) const = default;
    };
    std::set<NetworkId> carriers;        ///< networks whose switches forward for this one, as a front end's core for storage
    std::vector<Attachment> attachments; ///< attached devices and what they are linked to; peers: both ends are, by peer ports
};

template <class Map>
typename Map::mapped_type& slot(Map& map, typename Map::value_type*& last, const typename Map::key_type& key)
{
    if (!last || last->first != key) last = &*map.try_emplace(key).first;
    return last->second;
}

class FabricCounter {
public:
    explicit FabricCounter(const Snapshot& snapshot) : m_s(snapshot), m_tallies(snapshot.networks.nextId())
    {
        m_tierOf.resize(m_s.devices.nextId());
        m_s.devices.forEach([&](DeviceId id) { m_tierOf[id.value] = m_s.devices.tier[id]; });
        m_linked.assign(m_s.ports.nextId(), 0);
        m_s.networks.forEach([&](NetworkId id) {
            m_tallies[id.value].components.reset(m_tierOf.size());
            m_tallies[id.value].attached.assign(m_tierOf.size(), 0);
        });
    }

    std::vector<FabricFigures::Network> run()
    {
        countLinks();
        countPorts();
        joinSwitches();
        joinCarriers();
        std::vector<FabricFigures::Network> result;
        m_s.networks.forEach([&](NetworkId id) { result.push_back(makeNetwork(id)); });
        return result;
    }

private:
    std::int16_t level(std::uint32_t tier) const { return m_s.tiers.level[TierId(tier)]; }
    bool isServer(TierId tier) const { return m_s.tiers.kind[tier] == TierKind::Server; }
    /// Servers, storage nodes, gateways: every port of theirs in a network is there to be reached. Other
    /// equipment has management ports that may stay free.
    bool mustBeLinked(TierId tier) const { return isServer(tier) || m_s.tiers.kind[tier] == TierKind::Other; }

    void countLinks()
    {
        const auto& ports = m_s.ports;
        m_s.links.forEach([&](LinkId id) {
            const PortId a = m_s.links.from[id], b = m_s.links.to[id];
            m_linked[a.value] = m_linked[b.value] = 1;
            const auto network = ports.network[a];
            if (!network || ports.medium[a] != Medium::Data) return;
            Tally& tally = m_tallies[(*network).value];
            const LowerEnd lower = lowerEnd(m_s, a, b);
            const DeviceId low = ports.device[lower == LowerEnd::To ? b : a], high = ports.device[lower == LowerEnd::To ? a : b];
            const Tally::LinkKey key{m_tierOf[low.value].value, m_tierOf[high.value].value, ports.rate[a].count(), lower == LowerEnd::Neither};
            auto& count = slot(tally.links, tally.lastLinks, key);
            ++(m_s.links.role[id] == LinkRole::Backup ? count.backup : count.active);
            for (const DeviceId end : {low, high})
                if (!isSwitchTierOf(m_s, m_tierOf[end.value], *network) && (end == low || m_s.tiers.kind[m_tierOf[end.value]] != TierKind::Switch))
                    tally.attached[end.value] = 1;
        });
    }

    void countPorts()
    {
        const auto& ports = m_s.ports;
        ports.forEach([&](PortId id) {
            const auto network = ports.network[id];
            if (!network || ports.medium[id] != Medium::Data) return;
            Tally& tally = m_tallies[(*network).value];
            const DeviceId device = ports.device[id];
            const TierId tier = m_tierOf[device.value];
            if (mustBeLinked(tier)) tally.attached[device.value] = 1;
            if (isServer(tier)) return;
            auto& count = slot(tally.ports, tally.lastPorts, {tier.value, ports.role[id], ports.rate[id].count()});
            ++count.total;
            count.used += m_linked[id.value];
        });
    }

    /// Once it is known what is attached: the others forward.
    void joinSwitches()
    {
        const auto& ports = m_s.ports;
        m_s.links.forEach([&](LinkId id) {
            const PortId a = m_s.links.from[id], b = m_s.links.to[id];
            const auto network = ports.network[a];
            if (!network || ports.medium[a] != Medium::Data) return;
            Tally& tally = m_tallies[(*network).value];
            const DeviceId from = ports.device[a], to = ports.device[b];
            const bool fromEnds = tally.attached[from.value], toEnds = tally.attached[to.value];
            if (!fromEnds) noteCarrier(tally, *network, a);
            if (!toEnds) noteCarrier(tally, *network, b);
            if (!fromEnds && !toEnds) {
                tally.components.join(from.value, to.value);
                return;
            }
            const bool peers = fromEnds && toEnds && ports.role[a] == PortRole::Peer && ports.role[b] == PortRole::Peer;
            const auto attach = [&](DeviceId device, DeviceId other) {
                const Tally::Attachment entry{device.value, other.value, peers};
                if (tally.attachments.empty() || tally.attachments.back() != entry) tally.attachments.push_back(entry);
            };
            if (fromEnds) attach(from, to);
            if (toEnds) attach(to, from);
        });
    }

    /// A switch of another network that looks down or sideways in this one forwards for it, and so do the switches of its own network.
    void noteCarrier(Tally& tally, NetworkId network, PortId port) const
    {
        const TierId tier = m_tierOf[m_s.ports.device[port].value];
        const auto own = m_s.tiers.network[tier];
        const auto role = m_s.ports.role[port];
        if (own && !(own == network) && role != PortRole::Host && role != PortRole::Up) tally.carriers.insert(*own);
    }

    /// Before anything attached is joined: what carriers' switches hang together by.
    void joinCarriers()
    {
        for (auto& tally : m_tallies) {
            std::vector<NetworkId> carriers(tally.carriers.begin(), tally.carriers.end());
            for (std::size_t i = 0; i < carriers.size(); ++i) {
                Tally& carrier = m_tallies[carriers[i].value];
                for (std::uint32_t d = 0; d < m_tierOf.size(); ++d)
                    if (const auto root = carrier.components.find(d); root != d) tally.components.join(d, root);
                for (const auto more : carrier.carriers)
                    if (std::ranges::find(carriers, more) == carriers.end()) carriers.push_back(more);
            }
        }
    }

    /// Every two attached devices are linked to switches that hang together, or to each other. A link between two of them joins these
    /// two alone: a group of its own.
    static bool meet(Tally& tally)
    {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> groups;
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> direct;
        const auto devices = std::uint32_t(tally.attached.size());
        const auto groupOf = [&](const Tally::Attachment& a) {
            if (!tally.attached[a.to] || tally.components.find(a.device) == tally.components.find(a.to)) return tally.components.find(a.to);
            return direct.try_emplace(std::minmax(a.device, a.to), devices + std::uint32_t(direct.size())).first->second;
        };
        for (const auto& a : tally.attachments)
            if (const std::pair entry(a.device, groupOf(a)); groups.empty() || groups.back() != entry) groups.push_back(entry);
        return everyTwoShareAGroup(std::move(groups));
    }

    /// The same where servers that are joined to each other by peer ports pass traffic on.
    static bool meetThroughPeers(Tally& tally)
    {
        std::vector<char> forwards(tally.attached.size(), 0);
        for (const auto& a : tally.attachments) forwards[a.device] |= a.peers;
        for (const auto& a : tally.attachments)
            if (forwards[a.device]) tally.components.join(a.device, a.to);
        return meet(tally);
    }

    void connect(Tally& tally, FabricFigures::Network& network) const
    {
        const bool alone = meet(tally);
        const bool declared = alone || (std::ranges::any_of(tally.attachments, &Tally::Attachment::peers) && meetThroughPeers(tally));
        joinAll(tally);
        const bool together = connected(tally);
        network.connected = together && declared;
        network.throughServers = together && !alone;
    }

    static void joinAll(Tally& tally)
    {
        for (const auto& a : tally.attachments) tally.components.join(a.device, a.to);
    }

    FabricFigures::Network makeNetwork(NetworkId id)
    {
        FabricFigures::Network network;
        network.id = id;
        network.planes = std::max<int>(m_s.networks.planes[id], 1);
        network.rails = std::max<int>(m_s.networks.rails[id], 1);
        // A scale-up domain inside a server has no cables of ours; one of a rack is whole by itself and joined to no other.
        const bool scaleUp = m_s.networks.kind[id] == NetworkKind::ScaleUp;
        if (Tally& tally = m_tallies[id.value]; scaleUp) {
            joinAll(tally);
            network.connected = tally.links.empty() || equalDomains(tally);
        } else {
            connect(tally, network);
        }
        makeTiers(id, network);
        countCapacity(m_tallies[id.value], network);
        countPods(id, network);
        return network;
    }

    /// Every component has as many devices as the others, and more than one.
    static bool equalDomains(Tally& tally)
    {
        std::map<std::uint32_t, std::size_t> devices;
        for (std::uint32_t d = 0; d < tally.attached.size(); ++d)
            if (tally.attached[d]) ++devices[tally.components.find(d)];
        return !devices.empty() && devices.begin()->second > 1 &&
               std::ranges::all_of(devices, [&](const auto& domain) { return domain.second == devices.begin()->second; });
    }

    static bool connected(Tally& tally)
    {
        std::optional<std::uint32_t> component;
        for (std::uint32_t d = 0; d < tally.attached.size(); ++d) {
            if (!tally.attached[d]) continue;
            const std::uint32_t own = tally.components.find(d);
            if (component && *component != own) return false;
            component = own;
        }
        return component.has_value();
    }

    void makeTiers(NetworkId id, FabricFigures::Network& network) const
    {
        std::vector<TierId> ids;
        m_s.tiers.forEach([&](TierId t) {
            if (isSwitchTierOf(m_s, t, id)) ids.push_back(t);
        });
        std::stable_sort(ids.begin(), ids.end(), [&](TierId a, TierId b) { return m_s.tiers.level[a] < m_s.tiers.level[b]; });
        std::vector<std::int64_t> members(m_s.tiers.nextId(), 0);
        m_s.devices.forEach([&](DeviceId d) { ++members[m_tierOf[d.value].value]; });
        for (const TierId t : ids) {
            FabricFigures::Tier tier;
            tier.id = t;
            tier.switches = members[t.value];
            for (const auto& [key, count] : m_tallies[id.value].ports)
                if (std::get<0>(key) == t.value) tier.ports.push_back({Gbps(std::get<2>(key)), std::get<1>(key), count.total, count.used});
            network.tiers.push_back(std::move(tier));
        }
    }

    /// Capacity of a link counts upwards for the lower tier and downwards for the other; links without a
    /// lower end count for neither. End to end: access capacity of the active servers (of whatever is
    /// attached where a network has no servers) over the capacity of the narrowest level above them.
    void countCapacity(const Tally& tally, FabricFigures::Network& network) const
    {
        std::int64_t ofServers = 0, ofOthers = 0;
        std::map<std::int16_t, std::int64_t> upOfLevel;
        const auto tierOf = [&](std::uint32_t t) {
            return std::find_if(network.tiers.begin(), network.tiers.end(), [&](const auto& tier) { return tier.id.value == t; });
        };
        for (const auto& [key, count] : tally.links) {
            const auto [low, high, rate, flat] = key;
            network.links.push_back({TierId(low), TierId(high), Gbps(rate), count.active, count.backup});
            if (flat) continue;
            const std::int64_t active = count.active * rate, backup = count.backup * rate;
            if (const auto above = tierOf(high); above != network.tiers.end()) {
                above->downGbps += active;
                above->backupGbps += backup;
            }
            if (const auto below = tierOf(low); below != network.tiers.end()) {
                below->upGbps += active;
                upOfLevel[level(low)] += active;
            } else {
                (isServer(TierId(low)) ? ofServers : ofOthers) += active;
            }
        }
        const std::int64_t access = ofServers > 0 ? ofServers : ofOthers;
        std::int64_t narrowest = access;
        bool first = true;
        for (const auto& [_, capacity] : upOfLevel) {
            narrowest = first ? capacity : std::min(narrowest, capacity);
            first = false;
        }
        network.oversubscriptionEndToEnd = narrowest > 0 ? double(access) / double(narrowest) : 1.0;
        std::stable_sort(network.links.begin(), network.links.end(), [&](const auto& a, const auto& b) {
            return std::tuple(level(a.from.value), level(a.to.value)) < std::tuple(level(b.from.value), level(b.to.value));
        });
    }

    void countPods(NetworkId id, FabricFigures::Network& network) const
    {
        std::map<std::int16_t, std::set<std::int16_t>> segments; // by pod
        std::int16_t lastPod = -2, lastSegment = -2;
        const auto& d = m_s.devices;
        d.forEach([&](DeviceId device) {
            if (!(m_s.tiers.network[m_tierOf[device.value]] == id) || (d.pod[device] < 0 && d.segment[device] < 0)) return;
            if (d.pod[device] == lastPod && d.segment[device] == lastSegment) return;
            lastPod = d.pod[device];
            lastSegment = d.segment[device];
            auto& ofPod = segments[lastPod];
            if (lastSegment >= 0) ofPod.insert(lastSegment);
        });
        network.pods = int(segments.size());
        for (const auto& [pod, set] : segments) network.segments = std::max(network.segments, int(set.size()));
        if (network.tiers.empty()) return;
        network.pods = std::max(network.pods, 1);
        network.segments = std::max(network.segments, 1);
    }

    const Snapshot& m_s;
    std::vector<Tally> m_tallies; ///< by network
    std::vector<TierId> m_tierOf; ///< by device
    std::vector<char> m_linked;   ///< by port
};

} // namespace

std::shared_ptr<const FabricFigures> FabricFigures::compute(const Snapshot& snapshot, const ProjectParts&)
{
    auto result = std::make_shared<FabricFigures>();
    result->m_networks = FabricCounter(snapshot).run();
    return result;
}

} // namespace hw
