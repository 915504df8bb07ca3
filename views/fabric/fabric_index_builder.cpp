// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a FabricIndex: tiers that the network touches, their devices in order, links by pair of groups.
#include "core/derived/figures/link_sides.h"
#include "core/derived/topology/port_links.h"
#include "views/fabric/fabric_columns.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace hw::views {

class FabricIndexBuilder {
public:
    FabricIndexBuilder(SnapshotPtr snapshot, NetworkId network, std::shared_ptr<const DesignIndex> plugged)
        : m_s(*snapshot), m_out(std::make_shared<FabricIndex>())
    {
        m_out->m_plugged = plugged ? std::move(plugged) : DesignIndex::compute(*snapshot);
        m_out->m_snapshot = std::move(snapshot);
        m_out->m_network = network;
    }

    FabricIndexPtr run()
    {
        findLinks();
        findLayers();
        findLanes();
        sortMembers();
        makeGroups();
        sortLinks();
        countPorts();
        countCapacity();
        return m_out;
    }

private:
    static constexpr std::uint32_t kNone = FabricIndex::kNone;

    void findLinks()
    {
        m_wired.assign(m_s.tiers.nextId(), 0);
        eachDataLink(m_s, m_out->m_network, [&](LinkId id, PortId from, PortId to) {
            m_linkIds.push_back(id);
            noteTiers(from, to);
        });
        m_hasPort.assign(m_s.devices.nextId(), 0);
        m_s.ports.forEach([&](PortId id) {
            if (!(m_s.ports.network[id] == m_out->m_network) || m_s.ports.medium[id] != Medium::Data) return;
            m_portIds.push_back(id);
            m_hasPort[m_s.ports.device[id].value] = 1;
        });
    }

    void noteTiers(PortId from, PortId to)
    {
        const std::uint32_t a = m_s.devices.tier[m_s.ports.device[from]].value, b = m_s.devices.tier[m_s.ports.device[to]].value;
        m_wired[a] = m_wired[b] = 1;
        if (a == b) return;
        const LowerEnd lower = lowerEnd(m_s, from, to);
        if (const std::tuple now{a, b, lower}; std::exchange(m_lastStep, now) == now) return; // neighbors in the table mostly are alike
        if (lower == LowerEnd::Neither)
            m_peers.emplace(std::min(a, b), std::max(a, b));
        else
            m_steps.emplace(lower == LowerEnd::From ? a : b, lower == LowerEnd::From ? b : a);
    }

    bool attached(TierId tier) const { return !isSwitchTierOf(m_s, tier, m_out->m_network); }

    /// A tier stands above all that it links down to; peers stand together. Wiring in circles is cut off.
    void findLayers()
    {
        std::vector<TierId> tiers;
        m_s.tiers.forEach([&](TierId id) {
            if (m_wired[id.value] || !attached(id)) tiers.push_back(id);
        });
        std::vector<int> row(m_s.tiers.nextId(), 0);
        for (const TierId id : tiers) row[id.value] = attached(id) ? 0 : 1;
        for (std::size_t round = 0; round < tiers.size(); ++round) {
            for (const auto& [low, high] : m_steps) row[high] = std::max(row[high], row[low] + 1);
            for (const auto& [one, other] : m_peers) row[one] = row[other] = std::max(row[one], row[other]);
        }
        std::set<int> used;
        for (const TierId id : tiers) used.insert(row[id.value] = std::min(row[id.value], int(tiers.size())));
        std::ranges::stable_sort(tiers, {}, [&](TierId id) { return row[id.value]; });
        for (const TierId id : tiers) m_out->m_layers.push_back({id, int(std::distance(used.begin(), used.find(row[id.value]))), attached(id), 0, 0});
        m_out->m_rows = int(used.size());
    }

    void findLanes()
    {
        const int planes = m_s.networks.planes[m_out->m_network], rails = m_s.networks.rails[m_out->m_network];
        m_out->m_lanesArePlanes = planes > 1 || rails <= 1;
        m_out->m_lanes = std::max(1, m_out->m_lanesArePlanes ? planes : rails);
    }

    int laneOf(DeviceId id) const
    {
        if (m_out->m_lanes <= 1) return -1;
        return m_out->m_lanesArePlanes ? m_s.devices.plane[id] : m_s.devices.rail[id];
    }

    void sortMembers()
    {
        std::vector<int> layerOfTier(m_s.tiers.nextId(), -1);
        for (std::size_t i = 0; i < m_out->m_layers.size(); ++i) layerOfTier[m_out->m_layers[i].tier.value] = int(i);
        std::set<FabricColumns::Place> places;
        m_s.devices.forEach([&](DeviceId id) {
            const int layer = layerOfTier[m_s.devices.tier[id].value];
            if (layer < 0 || (m_out->m_layers[std::size_t(layer)].attached && !m_hasPort[id.value])) return;
            m_members.push_back({layer, 0, laneOf(id), m_s.devices.index[id], id});
            places.insert(placeOf(id));
        });
        FabricColumns columns = FabricColumns::make(places);
        for (Member& m : m_members) m.column = columns.own.at(placeOf(m.id));
        m_out->m_columns = std::move(columns.columns);
        std::ranges::sort(m_members, {}, [](const Member& m) { return std::tuple(m.layer, m.column, m.lane, m.index, m.id); });
        m_out->m_memberOf.assign(m_s.devices.nextId(), kNone);
        for (const Member& m : m_members) {
            m_out->m_memberOf[m.id.value] = std::uint32_t(m_out->m_devices.size());
            m_out->m_devices.push_back(m.id);
        }
    }

    FabricColumns::Place placeOf(DeviceId id) const { return {std::max<int>(-1, m_s.devices.pod[id]), std::max<int>(-1, m_s.devices.segment[id])}; }

    /// Columns are numbered depth first, so that sorting by number is sorting by order.
    void makeGroups()
    {
        m_out->m_groupOf.resize(m_members.size());
        for (std::uint32_t i = 0; i < m_members.size(); ++i) {
            const Member& m = m_members[i];
            auto& groups = m_out->m_groups;
            if (groups.empty() ||
                std::tuple(groups.back().layer, groups.back().column, groups.back().lane) != std::tuple(m.layer, m.column, m.lane)) {
                if (groups.empty() || groups.back().layer != m.layer) m_out->m_layers[std::size_t(m.layer)].first = i;
                groups.push_back({m.layer, m.column, m.lane, i, i});
            }
            groups.back().last = m_out->m_layers[std::size_t(m.layer)].last = i + 1;
            m_out->m_groupOf[i] = std::uint32_t(groups.size() - 1);
        }
    }

    int rowOf(std::uint32_t group) const { return m_out->m_layers[std::size_t(m_out->m_groups[group].layer)].row; }

    FabricIndex::Link linkOf(LinkId id) const
    {
        const PortId from = m_s.links.from[id], to = m_s.links.to[id];
        FabricIndex::Link link{m_out->memberOf(m_s.ports.device[from]),
                               m_out->memberOf(m_s.ports.device[to]),
                               id,
                               m_s.links.role[id] == LinkRole::Backup,
                               false,
                               0,
                               m_s.ports.rate[from].count()};
        const LowerEnd lower = lowerEnd(m_s, from, to);
        link.lower = lower == LowerEnd::From ? 1 : lower == LowerEnd::To ? -1 : 0;
        const auto order = [&](std::uint32_t member) { return std::pair(rowOf(m_out->m_groupOf[member]), m_out->m_groupOf[member]); };
        if (order(link.a) > order(link.b)) {
            std::swap(link.a, link.b);
            link.flipped = true;
            link.lower = std::int8_t(-link.lower);
        }
        return link;
    }

    void sortLinks()
    {
        std::unordered_map<std::uint64_t, std::uint32_t> places; // only looked up: its order decides nothing
        std::vector<std::uint32_t> pairOf;
        std::vector<FabricIndex::Link> links;
        links.reserve(m_linkIds.size());
        pairOf.reserve(m_linkIds.size());
        std::uint64_t lastKey = ~0ull;
        std::uint32_t lastPair = 0;
        for (const LinkId id : m_linkIds) {
            const FabricIndex::Link link = linkOf(id);
            const std::uint32_t a = m_out->m_groupOf[link.a], b = m_out->m_groupOf[link.b];
            const std::uint64_t key = std::uint64_t(a) << 32 | b;
            if (key != lastKey) {
                lastKey = key;
                lastPair = places.try_emplace(key, std::uint32_t(m_out->m_pairs.size())).first->second;
                if (lastPair == m_out->m_pairs.size()) m_out->m_pairs.push_back({a, b, 0, 0, 0, 0});
            }
            ++m_out->m_pairs[lastPair].last; // counts, for now
            links.push_back(link);
            pairOf.push_back(lastPair);
        }
        placeLinks(links, pairOf);
    }

    void placeLinks(const std::vector<FabricIndex::Link>& links, const std::vector<std::uint32_t>& pairOf)
    {
        auto& pairs = m_out->m_pairs;
        std::vector<std::uint32_t> order(pairs.size()), next(pairs.size());
        for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
        std::ranges::sort(order, {}, [&](std::uint32_t i) { return std::pair(pairs[i].a, pairs[i].b); });
        std::uint32_t at = 0;
        for (const std::uint32_t i : order) {
            next[i] = pairs[i].first = at;
            at += pairs[i].last;
            pairs[i].last = at;
        }
        m_out->m_links.resize(links.size());
        for (std::size_t i = 0; i < links.size(); ++i) {
            m_out->m_links[next[pairOf[i]]++] = links[i];
            auto& pair = pairs[pairOf[i]];
            pair.backup += links[i].backup;
            pair.gbps += links[i].gbps;
        }
        std::ranges::sort(pairs, {}, [](const auto& p) { return std::pair(p.a, p.b); });
    }

    /// Which classes of ports there are, and how many of each a device has.
    void countPorts()
    {
        std::vector<std::tuple<std::uint32_t, FabricIndex::PortClass, bool>> found;
        std::set<FabricIndex::PortClass> classes;
        const FabricIndex::PortClass* last = nullptr;
        for (const PortId id : m_portIds) {
            const std::uint32_t member = m_out->memberOf(m_s.ports.device[id]);
            if (member == kNone) continue;
            const FabricIndex::PortClass what{m_s.ports.role[id], m_s.ports.rate[id]};
            if (!last || *last != what) last = &*classes.insert(what).first;
            found.emplace_back(member, what, bool(m_out->linkOfPort(id)));
        }
        m_out->m_classes.assign(classes.begin(), classes.end());
        m_out->m_portsTo.assign(classes.size(), std::vector<std::uint32_t>(m_members.size() + 1, 0));
        m_out->m_usedTo = m_out->m_portsTo;
        for (const auto& [member, what, used] : found) {
            const auto c = std::size_t(std::ranges::lower_bound(m_out->m_classes, what) - m_out->m_classes.begin());
            ++m_out->m_portsTo[c][member + 1];
            m_out->m_usedTo[c][member + 1] += used;
        }
        for (auto* table : {&m_out->m_portsTo, &m_out->m_usedTo})
            for (auto& column : *table) accumulate(column);
    }

    template <class T>
    static void accumulate(std::vector<T>& values)
    {
        for (std::size_t i = 1; i < values.size(); ++i) values[i] += values[i - 1];
    }

    void countCapacity()
    {
        const std::size_t size = m_members.size() + 1;
        m_out->m_backupTo.assign(size, 0);
        for (auto* column : {&m_out->m_upTo, &m_out->m_downTo, &m_out->m_backupGbpsTo, &m_out->m_peerTo}) column->assign(size, 0);
        for (std::uint32_t i = 0; i < m_members.size(); ++i) m_out->m_backupTo[i + 1] = m_s.devices.role[m_members[i].id] == DeviceRole::Backup;
        for (const auto& link : m_out->m_links) {
            if (link.lower == 0) {
                m_out->m_peerTo[link.a + 1] += link.gbps;
                m_out->m_peerTo[link.b + 1] += link.gbps;
                continue;
            }
            const auto [low, high] = link.lower > 0 ? std::pair(link.a, link.b) : std::pair(link.b, link.a);
            if (!link.backup) m_out->m_upTo[low + 1] += link.gbps;
            (link.backup ? m_out->m_backupGbpsTo : m_out->m_downTo)[high + 1] += link.gbps;
        }
        countBetween();
        accumulate(m_out->m_backupTo);
        for (auto* column : {&m_out->m_upTo, &m_out->m_downTo, &m_out->m_backupGbpsTo, &m_out->m_peerTo}) accumulate(*column);
    }

    void countBetween()
    {
        std::map<std::tuple<int, int, std::int32_t>, std::int64_t> sums;
        for (const auto& pair : m_out->m_pairs) {
            std::pair<const std::tuple<int, int, std::int32_t>, std::int64_t>* sum = nullptr;
            for (std::uint32_t i = pair.first; i < pair.last; ++i) {
                const std::tuple<int, int, std::int32_t> key{rowOf(pair.a), rowOf(pair.b), m_out->m_links[i].gbps};
                if (!sum || sum->first != key) sum = &*sums.try_emplace(key, 0).first;
                ++sum->second;
            }
        }
        for (const auto& [key, links] : sums) m_out->m_between.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), links});
    }

    struct Member {
        int layer = 0, column = 0, lane = -1;
        std::int32_t index = 0;
        DeviceId id;
    };
    const Snapshot& m_s;
    std::shared_ptr<FabricIndex> m_out;
    std::vector<LinkId> m_linkIds;
    std::vector<char> m_wired, m_hasPort; ///< by tier; by device
    std::vector<PortId> m_portIds;
    std::tuple<std::uint32_t, std::uint32_t, LowerEnd> m_lastStep{kNone, kNone, LowerEnd::Neither};
    std::set<std::pair<std::uint32_t, std::uint32_t>> m_steps, m_peers; ///< tiers: lower and upper; alike
    std::vector<Member> m_members;
};

FabricIndexPtr FabricIndex::make(SnapshotPtr snapshot, NetworkId network, std::shared_ptr<const DesignIndex> plugged)
{
    return FabricIndexBuilder(std::move(snapshot), network, std::move(plugged)).run();
}

} // namespace hw::views
