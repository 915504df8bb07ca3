// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/cluster/compute_nodes.h"

#include "core/derived/figures/link_sides.h"
#include "core/foundation/base/disjoint_sets.h"
#include "core/foundation/model/find_network.h"
#include "importers/network/wiring.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

namespace hw::importers {

namespace {

/// "-01" … "-15": as many digits as the largest needs, two at least.
std::string counted(std::string_view before, int number, int most)
{
    return fmt::format("{}{:0{}}", before, number, std::max<std::size_t>(2, std::to_string(most).size()));
}

} // namespace

Result<ComputeNodes> ComputeNodes::of(SnapshotPtr snapshot, const std::string& network)
{
    auto parts = ProjectParts::of(snapshot->partTypes);
    if (!parts) return tl::unexpected(parts.error());
    ComputeNodes out;
    out.snapshot = snapshot, out.parts = *parts;
    const Snapshot& s = *snapshot;
    const auto wanted = network.empty() ? std::nullopt : findNetwork(s, network);
    if (!network.empty() && !wanted)
        return fail(ErrorCode::Usage, "--network " + network, i18n("no network with this name"),
                    i18n("choose from {}", listedNames(networkNames(s))));
    s.devices.forEach([&](DeviceId device) {
        if (s.tiers.kind[s.devices.tier[device]] != TierKind::Server) return;
        if (out.parts->device(s.devices.type[device]).accelerators > 0) out.nodes.push_back(device);
    });
    if (out.nodes.empty()) return fail(ErrorCode::Refused, "design", i18n("no compute nodes"), i18n("add servers with accelerators"));
    if (const auto checked = checkHostNames(s, out.nodes); !checked) return tl::unexpected(checked.error());
    out.findLeaves(wanted);
    out.findDomains();
    return out;
}

void ComputeNodes::findLeaves(std::optional<NetworkId> network)
{
    const Snapshot& s = *snapshot;
    std::vector<std::set<DeviceId>> access(s.devices.nextId()); // by node, of the network
    if (std::ranges::any_of(nodes, [&](DeviceId n) { return s.devices.segment[n] < 0; })) {
        std::vector<char> isNode(s.devices.nextId(), 0);
        for (const DeviceId node : nodes) isNode[node.value] = 1;
        s.links.forEach([&](LinkId link) {
            PortId low = s.links.from[link], high = s.links.to[link];
            const auto own = s.ports.network[low];
            if (s.ports.medium[low] != Medium::Data || !own) return;
            if (lowerEnd(s, low, high) == LowerEnd::To) std::swap(low, high);
            if (!isNode[s.ports.device[low].value] || s.networks.kind[*own] == NetworkKind::ScaleUp) return;
            if (!network && s.networks.kind[*own] == NetworkKind::Backend) network = own;
            if (network == own) access[s.ports.device[low].value].insert(s.ports.device[high]);
        });
    }
    using Key = std::tuple<int, int, std::set<DeviceId>>;
    std::map<Key, std::vector<DeviceId>> byKey;
    std::set<int> podNumbers;
    int mostSegment = 0;
    for (const DeviceId node : nodes) {
        const int pod = s.devices.pod[node], segment = s.devices.segment[node];
        podNumbers.insert(pod);
        mostSegment = std::max(mostSegment, segment + 1);
        byKey[{pod, segment, segment < 0 ? access[node.value] : std::set<DeviceId>()}].push_back(node);
    }
    std::map<int, int> podAt;
    if (podNumbers.size() > 1)
        for (const int pod : podNumbers) {
            podAt[pod] = int(pods.size());
            pods.push_back(pod < 0 ? std::string("pod-none") : counted("pod", pod + 1, *podNumbers.rbegin() + 1));
        }
    std::set<std::string> taken;
    for (auto& [key, members] : byKey) {
        const auto& [pod, segment, switches] = key;
        Leaf leaf;
        const auto found = podAt.find(pod);
        if (found != podAt.end()) leaf.pod = found->second;
        const std::string before = leaf.pod >= 0 ? pods[std::size_t(leaf.pod)] + "-" : std::string();
        if (segment >= 0)
            leaf.name = counted(before + "seg", segment + 1, mostSegment);
        else
            leaf.name =
                switches.size() == 1 ? s.devices.name[*switches.begin()] : counted(before + "leaf", int(leaves.size()) + 1, int(byKey.size()));
        if (!taken.insert(leaf.name).second) leaf.name = counted(before + "leaf", int(leaves.size()) + 1, int(byKey.size()));
        leaf.nodes = std::move(members);
        leaves.push_back(std::move(leaf));
    }
}

void ComputeNodes::findDomains()
{
    const Snapshot& s = *snapshot;
    DisjointSets joined(s.devices.nextId());
    s.links.forEach([&](LinkId link) {
        const auto own = s.ports.network[s.links.from[link]];
        if (own && s.networks.kind[*own] == NetworkKind::ScaleUp)
            joined.join(s.ports.device[s.links.from[link]].value, s.ports.device[s.links.to[link]].value);
    });
    std::map<std::uint32_t, std::vector<DeviceId>> sets;
    for (const DeviceId node : nodes) sets[joined.find(node.value)].push_back(node);
    std::erase_if(sets, [](const auto& entry) { return entry.second.size() < 2; });
    std::set<std::string> taken;
    for (auto& [root, members] : sets) {
        std::set<std::string> racks;
        for (const DeviceId node : members) racks.insert(rackPlace(s, node).rack);
        Domain domain{racks.size() == 1 && !racks.begin()->empty() ? *racks.begin() : std::string(), std::move(members)};
        if (domain.name.empty() || !taken.insert(domain.name).second) domain.name = counted("domain", int(domains.size()) + 1, int(sets.size()));
        domains.push_back(std::move(domain));
    }
}

std::vector<std::string> ComputeNodes::above(const Leaf& leaf) const
{
    std::vector<std::string> names;
    const auto siblings = std::ranges::count(leaves, leaf.pod, &Leaf::pod);
    if (leaf.pod >= 0) names.push_back(pods[std::size_t(leaf.pod)]);
    if (leaf.pod >= 0 || siblings > 1) names.push_back(top);
    return names;
}

} // namespace hw::importers
