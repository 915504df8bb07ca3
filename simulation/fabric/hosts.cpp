// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/fabric/hosts.h"

#include "core/foundation/catalog/catalog.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace hw::sim {
inline namespace fabric {

Result<HostLayout> hostLayout(const Snapshot& s, NetworkId network, const std::vector<DeviceId>& servers)
{
    const auto refuse = [](Text what, Text todo) { return fail(ErrorCode::Refused, "network", std::move(what), std::move(todo)); };
    if (servers.empty()) return refuse(i18n("no active servers found"), i18n("choose other servers"));
    std::vector<int> ports(s.devices.nextId(), 0);
    s.ports.forEach([&](PortId p) {
        if (s.ports.role[p] == PortRole::Host && s.ports.network[p] == network) ++ports[s.ports.device[p].value];
    });
    const auto parts = ProjectParts::of(s.partTypes);
    if (!parts) return tl::unexpected(parts.error());
    const int gpus = std::max(1, (*parts)->device(s.devices.type[servers.front()]).accelerators), count = ports[servers.front().value];
    if (std::any_of(servers.begin(), servers.end(), [&](DeviceId id) { return ports[id.value] != count; }))
        return refuse(i18n("the selected servers differ in their number of ports"), i18n("choose segments with a single server type"));
    if (count > 0 && count < gpus) return HostLayout{gpus, 1, count};
    if (count == 0 || count % gpus != 0)
        return refuse(i18n("servers have {} ports for {} accelerators in this network", count, gpus), i18n("choose another network"));
    return HostLayout{gpus, gpus, count / gpus};
}

std::vector<DeviceId> activeServers(const Snapshot& s)
{
    std::vector<DeviceId> servers;
    s.devices.forEach([&](DeviceId id) {
        if (s.tiers.kind[s.devices.tier[id]] == TierKind::Server && s.devices.role[id] == DeviceRole::Active) servers.push_back(id);
    });
    const auto order = [&](DeviceId id) { return std::tuple(s.devices.pod[id], s.devices.segment[id], s.devices.index[id]); };
    std::stable_sort(servers.begin(), servers.end(), [&](DeviceId a, DeviceId b) { return order(a) < order(b); });
    return servers;
}

} // namespace fabric
} // namespace hw::sim
