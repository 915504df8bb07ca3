// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/rack_kind.h"

#include <algorithm>
#include <array>

namespace hw {

TextId rackKindText(RackKind kind)
{
    switch (kind) {
    case RackKind::Server: return TextId("servers");
    case RackKind::Backup: return TextId("backup servers");
    case RackKind::Access: return TextId("access switches");
    case RackKind::Fabric: return TextId("aggregation and core");
    case RackKind::Support: return TextId("storage, frontend, management");
    case RackKind::Facility: return TextId("power and cooling");
    case RackKind::Empty: return TextId("empty");
    }
    return {};
}

NetworkId mainNetwork(const Snapshot& s)
{
    std::vector<std::uint32_t> switches(s.networks.nextId() + 1, 0);
    s.devices.forEach([&](DeviceId id) {
        const TierId tier = s.devices.tier[id];
        if (s.tiers.kind[tier] == TierKind::Switch && s.tiers.network[tier]) ++switches[(*s.tiers.network[tier]).value];
    });
    std::vector<std::uint32_t> backends(switches.size(), 0);
    s.networks.forEach([&](NetworkId id) {
        if (s.networks.kind[id] == NetworkKind::Backend) backends[id.value] = switches[id.value];
    });
    if (std::ranges::any_of(backends, [](std::uint32_t count) { return count > 0; })) switches = backends;
    return NetworkId(std::uint32_t(std::ranges::max_element(switches) - switches.begin()));
}

RackKind kindOfDevice(const Snapshot& s, DeviceId id, NetworkId main)
{
    const TierId tier = s.devices.tier[id];
    switch (s.tiers.kind[tier]) {
    case TierKind::Server:
        switch (s.devices.role[id]) {
        case DeviceRole::Active: return RackKind::Server;
        case DeviceRole::Backup: return RackKind::Backup;
        case DeviceRole::Support: return RackKind::Support;
        }
        return RackKind::Server;
    case TierKind::Switch:
        if (s.tiers.network[tier] && *s.tiers.network[tier] != main) return RackKind::Support;
        return s.tiers.level[tier] <= 1 ? RackKind::Access : RackKind::Fabric;
    case TierKind::Power:
    case TierKind::Cooling: return RackKind::Facility;
    case TierKind::Other: return RackKind::Support;
    }
    return RackKind::Support;
}

RackKinds RackKinds::of(const Snapshot& s)
{
    RackKinds result;
    result.main = mainNetwork(s);
    std::vector<std::array<std::uint32_t, kRackKinds>> votes(s.racks.nextId());
    s.devices.forEach([&](DeviceId id) {
        if (const auto rack = s.devices.rack[id])
            ++votes[(*rack).value][std::size_t(kindOfDevice(s, id, result.main))];
        else if (s.devices.row[id] || s.devices.hall[id])
            result.freeStanding.push_back(id);
    });
    result.ofRack.assign(votes.size(), RackKind::Empty);
    for (std::size_t i = 0; i < votes.size(); ++i) {
        auto& vote = votes[i];
        const bool equipment = vote[std::size_t(RackKind::Facility)] > 0;
        vote[std::size_t(RackKind::Facility)] = 0;
        const auto most = std::ranges::max_element(vote);
        result.ofRack[i] = *most > 0 ? RackKind(most - vote.begin()) : equipment ? RackKind::Facility : RackKind::Empty;
    }
    return result;
}

} // namespace hw
