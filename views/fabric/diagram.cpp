// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/fabric/diagram.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace hw::views {

namespace {

using Key = std::tuple<int, int, int>; ///< pod, segment, plane

/// Groups the devices of one tier, dropping the segment and then the pod where there would be too many blocks.
class Grouping {
public:
    Grouping(const Snapshot& s, const std::vector<DeviceId>& devices)
    {
        for (m_detail = 2; m_detail > 0; --m_detail) {
            std::set<Key> keys;
            for (const auto id : devices) keys.insert(keyOf(s, id));
            if (keys.size() <= kReadableBlocks) return;
        }
    }
    [[nodiscard]] Key keyOf(const Snapshot& s, DeviceId id) const
    {
        const auto& d = s.devices;
        return {m_detail >= 1 ? d.pod[id] : -1, m_detail >= 2 ? d.segment[id] : -1, d.plane[id]};
    }

private:
    int m_detail = 2;
};

} // namespace

FabricDiagram fabricDiagram(const Figures& figures, const FabricFigures::Network& network)
{
    const Snapshot& s = *figures.snapshot;
    FabricDiagram out;
    out.label = s.networks.label[network.id];
    out.endToEnd = network.oversubscriptionEndToEnd;
    out.planes = network.planes;

    // Tiers by level: every server tier that is cabled into the network, then the network's switches.
    std::map<std::uint32_t, int> layerOfTier;
    std::set<std::uint32_t> serverTiers;
    for (const auto& links : network.links)
        for (const auto tier : {links.from, links.to})
            if (s.tiers.kind[tier] == TierKind::Server) serverTiers.insert(tier.value);
    const auto addLayer = [&](TierId tier, double ratio) {
        layerOfTier[tier.value] = int(out.layers.size());
        out.layers.push_back({s.tiers.name[tier], s.tiers.label[tier], s.tiers.kind[tier] == TierKind::Server, 0, ratio, {}});
    };
    for (const auto tier : serverTiers) addLayer(TierId(tier), 1.0);
    for (const auto& tier : network.tiers)
        if (!layerOfTier.contains(tier.id.value)) addLayer(tier.id, tier.oversubscription());

    std::vector<std::vector<DeviceId>> members(out.layers.size());
    s.devices.forEach([&](DeviceId id) {
        if (const auto layer = layerOfTier.find(s.devices.tier[id].value); layer != layerOfTier.end()) members[std::size_t(layer->second)].push_back(id);
    });
    std::vector<std::uint32_t> blockOf(s.devices.nextId(), UINT32_MAX);
    for (std::size_t layer = 0; layer < members.size(); ++layer) {
        const Grouping grouping(s, members[layer]);
        std::map<Key, std::size_t> blocks;
        for (const auto id : members[layer]) blocks.emplace(grouping.keyOf(s, id), 0);
        for (auto& [key, index] : blocks) {
            index = out.blocks.size();
            out.layers[layer].blocks.push_back(index);
            out.blocks.push_back({int(layer), std::get<0>(key), std::get<1>(key), std::get<2>(key), 0, 0, 0, 0});
        }
        for (const auto id : members[layer]) {
            const auto index = blocks.at(grouping.keyOf(s, id));
            blockOf[id.value] = std::uint32_t(index);
            ++(s.devices.role[id] == DeviceRole::Backup ? out.blocks[index].backup : out.blocks[index].devices);
        }
        out.layers[layer].devices = std::int64_t(members[layer].size());
    }

    s.ports.forEach([&](PortId id) {
        const auto block = blockOf[s.ports.device[id].value];
        if (block != UINT32_MAX && s.ports.network[id] == network.id) ++out.blocks[block].ports;
    });
    std::map<std::pair<std::size_t, std::size_t>, FabricDiagram::Bundle> bundles;
    out.between.resize(out.layers.empty() ? 0 : out.layers.size() - 1);
    s.links.forEach([&](LinkId id) {
        const PortId from = s.links.from[id], to = s.links.to[id];
        if (s.ports.medium[from] != Medium::Data || !(s.ports.network[from] == network.id)) return;
        std::size_t a = blockOf[s.ports.device[from].value], b = blockOf[s.ports.device[to].value];
        if (a == UINT32_MAX || b == UINT32_MAX) return;
        ++out.blocks[a].portsUsed, ++out.blocks[b].portsUsed;
        if (out.blocks[a].layer > out.blocks[b].layer) std::swap(a, b);
        auto& bundle = bundles[{a, b}];
        bundle.from = a, bundle.to = b;
        ++bundle.links;
        bundle.gbps += s.ports.rate[from].count();
        if (out.blocks[b].layer == out.blocks[a].layer + 1) {
            auto& between = out.between[std::size_t(out.blocks[a].layer)];
            ++between.links;
            between.rate = s.ports.rate[from];
        }
    });
    for (const auto& [ends, bundle] : bundles) out.bundles.push_back(bundle);
    return out;
}

} // namespace hw::views
