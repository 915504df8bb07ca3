// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/link_sides.h"
#include "core/derived/proof/reach.h"
#include "core/derived/rules/functions.h"
#include "core/derived/topology/port_links.h"
#include "core/foundation/base/disjoint_sets.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace hw::rules {

namespace {

constexpr std::size_t kMostNamed = 50; ///< entities of one finding: enough to see where it is

/// By device: whether it belongs to a network, as a server, node or gateway with a port in it, as equipment that is linked to it,
/// or as a switch of its tiers.
std::vector<char> membersOf(const Snapshot& s, NetworkId network)
{
    std::vector<char> member(s.devices.nextId());
    const auto kindOf = [&](DeviceId d) { return s.tiers.kind[s.devices.tier[d]]; };
    s.ports.forEach([&](PortId p) {
        const DeviceId d = s.ports.device[p];
        const bool mustBeLinked = kindOf(d) == TierKind::Server || kindOf(d) == TierKind::Other;
        if (s.ports.network[p] == network && s.ports.medium[p] == Medium::Data && mustBeLinked) member[d.value] = 1;
    });
    eachDataLink(s, network, [&](LinkId, PortId from, PortId to) {
        if (lowerEnd(s, from, to) != LowerEnd::To) member[s.ports.device[from].value] = 1;
        if (lowerEnd(s, from, to) != LowerEnd::From) member[s.ports.device[to].value] = 1;
    });
    s.devices.forEach([&](DeviceId d) {
        if (kindOf(d) == TierKind::Switch && s.tiers.network[s.devices.tier[d]] == network) member[d.value] = 1;
    });
    return member;
}

/// Servers, then switches, that the largest part of a network does not reach. Largest is the part with
/// the most servers, then the most devices, then the one with the lowest id.
struct CutOff {
    std::vector<DeviceId> servers, switches;
    std::size_t parts = 0;
};

CutOff cutOff(const Snapshot& s, NetworkId network)
{
    struct Size {
        std::size_t servers = 0, devices = 0;
        auto operator<=>(const Size&) const = default;
    };
    DisjointSets sets(s.devices.nextId());
    eachDataLink(s, network, [&](LinkId, PortId from, PortId to) { sets.join(s.ports.device[from].value, s.ports.device[to].value); });
    const auto member = membersOf(s, network);
    const auto isServer = [&](DeviceId d) { return !isSwitchTierOf(s, s.devices.tier[d], network); }; // or attached like one
    std::vector<Size> sizes(sets.size());
    s.devices.forEach([&](DeviceId d) {
        if (!member[d.value]) return;
        Size& size = sizes[sets.find(d.value)];
        ++size.devices;
        size.servers += isServer(d);
    });
    CutOff out;
    out.parts = std::size_t(std::ranges::count_if(sizes, [](const Size& size) { return size.devices > 0; }));
    std::optional<std::uint32_t> largest;
    s.devices.forEach([&](DeviceId d) {
        if (!member[d.value]) return;
        if (const auto root = sets.find(d.value); !largest || sizes[root] > sizes[*largest]) largest = root;
    });
    s.devices.forEach([&](DeviceId d) {
        if (member[d.value] && sets.find(d.value) != *largest) (isServer(d) ? out.servers : out.switches).push_back(d);
    });
    return out;
}

std::string markOf(const Snapshot& s, const std::vector<DeviceId>& devices)
{
    std::vector<std::string> keys;
    keys.reserve(devices.size());
    for (const DeviceId d : devices) keys.push_back(keyOrId(s.devices.key[d], d.value));
    return groupMark(std::move(keys));
}

struct Capacity {
    std::int64_t up = 0, down = 0; ///< Gb/s
    auto operator<=>(const Capacity&) const = default;
    [[nodiscard]] Text text() const { return i18n("{:L} Gb/s up and {:L} Gb/s down", up, down); }
};

/// Cabled capacity of every device within a network, by id; links within a level count for neither side.
std::vector<Capacity> capacities(const Snapshot& s, NetworkId network)
{
    std::vector<Capacity> out(s.devices.nextId());
    eachDataLink(s, network, [&](LinkId, PortId from, PortId to) {
        DeviceId low = s.ports.device[from], high = s.ports.device[to];
        const LowerEnd lower = lowerEnd(s, from, to);
        if (lower == LowerEnd::Neither) return;
        if (lower == LowerEnd::To) std::swap(low, high);
        out[low.value].up += s.ports.rate[from].count();
        out[high.value].down += s.ports.rate[from].count();
    });
    return out;
}

/// What most switches have; of equally common ones the most capacity, since links get lost.
Capacity majority(const std::vector<Capacity>& capacity, const std::vector<DeviceId>& switches)
{
    std::map<std::int64_t, std::size_t> up, down;
    for (const DeviceId d : switches) {
        ++up[capacity[d.value].up];
        ++down[capacity[d.value].down];
    }
    const auto commonest = [](const auto& counts) {
        return std::ranges::max_element(counts, {}, [](const auto& entry) { return std::pair(entry.second, entry.first); })->first;
    };
    return {commonest(up), commonest(down)};
}

/// Every two servers meet, but not every two network cards of a rail, or not in every plane: what the proof of the network names.
void nicsApart(const RuleInput& input, const NetworkReach& reach, Finding& f)
{
    const auto& c = reach.connectivity;
    std::vector<Text> parts;
    std::vector<std::string> mark;
    const auto say = [&](const NamedSet& set, Text counted) {
        if (set.empty()) return;
        parts.push_back(i18n("{} (such as {})", std::move(counted), set.names.front()));
        mark.push_back(fmt::format("{}|{}", set.count, words(set.names.front())));
    };
    const auto counted = [](const NamedSet& set) { return i18np(set.count, "{:L} NIC", "{:L} NICs"); };
    say(c.whole.cutOff, i18n("{} cut off from the rest", counted(c.whole.cutOff)));
    say(c.whole.missing, i18n("{} without a cable", counted(c.whole.missing)));
    for (const auto& plane : c.planes) {
        say(plane.cutOff, i18n("{} cut off from the rest of plane {}", counted(plane.cutOff), plane.plane + 1));
        say(plane.missing, i18n("{} without a cable into plane {}", counted(plane.missing), plane.plane + 1));
    }
    if (parts.empty()) parts.push_back(i18n("scale-up domains that are unequal or disconnected"));
    const bool cutOff = !c.whole.cutOff.empty() || std::ranges::any_of(c.planes, [](const auto& plane) { return !plane.cutOff.empty(); });
    f.severity = cutOff || reach.scaleUp ? Severity::Error : Severity::Warning;
    f.message = i18n("{} is not fully connected: {}", input.name(ref(reach.network)), listed(std::move(parts)));
    f.id += groupMark(std::move(mark));
}

} // namespace

std::vector<Finding> connected(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    std::vector<Finding> out;
    const auto& networks = input.figures.fabric->networks();
    for (const NetworkReach& reach : input.figures.get<ReachNode>()) {
        const auto network = std::ranges::find(networks, reach.network, &FabricFigures::Network::id);
        if (network == networks.end() || network->tiers.empty()) continue;
        if (reach.hasCables ? reach.connected() : network->connected) continue;
        const CutOff cut = cutOff(s, reach.network);
        std::vector<DeviceId> devices = cut.servers;
        devices.insert(devices.end(), cut.switches.begin(), cut.switches.end());
        Finding f{.entities = {ref(reach.network)}, .id = findingId("N12", {input.subject(ref(reach.network))})};
        if (reach.needsForwarding()) {
            f.severity = Severity::Warning;
            f.message = i18n("{} connects its servers only if servers forward traffic, as in BCube: not modeled in routes or simulations",
                             input.name(ref(reach.network)));
        } else if (reach.hasCables && (devices.empty() || (reach.connectivity.devicesMeet && reach.connectivity.throughHosts))) {
            nicsApart(input, reach, f);
        } else if (devices.empty()) {
            f.message = i18n("{} connects no servers", input.name(ref(reach.network)));
        } else {
            f.message = i18n("{} is split into {} that cannot reach each other: {} and {} are disconnected from the largest",
                             input.name(ref(reach.network)), i18np(cut.parts, "{:L} part", "{:L} parts"),
                             i18np(cut.servers.size(), "{:L} server", "{:L} servers"), i18np(cut.switches.size(), "{:L} switch", "{:L} switches"));
            f.id += markOf(s, devices);
            for (std::size_t i = 0; i < devices.size() && i < kMostNamed; ++i) f.entities.push_back(ref(devices[i]));
        }
        out.push_back(std::move(f));
    }
    return out;
}

/// One finding per tier. What most of its switches have is taken for the design.
std::vector<Finding> evenCapacity(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    std::vector<std::vector<DeviceId>> members(s.tiers.nextId());
    s.devices.forEach([&](DeviceId d) { members[s.devices.tier[d].value].push_back(d); });
    std::vector<Finding> out;
    for (const auto& network : input.figures.fabric->networks()) {
        if (s.networks.kind[network.id] == NetworkKind::Management) continue; // its switches take what stands around them
        const auto capacity = capacities(s, network.id);
        for (const auto& tier : network.tiers) {
            const auto& switches = members[tier.id.value];
            if (switches.empty() || s.tiers.kind[tier.id] != TierKind::Switch) continue;
            const Capacity design = majority(capacity, switches);
            Finding f{.severity = Severity::Warning};
            std::vector<std::string> keys; // with what is left, so that the loss of another link is news
            for (const DeviceId d : switches) {
                const Capacity& own = capacity[d.value];
                if (own == design) continue;
                f.entities.push_back(ref(d));
                keys.push_back(fmt::format("{}|{}|{}", keyOrId(s.devices.key[d], d.value), own.up, own.down));
            }
            if (keys.empty()) continue;
            const EntityRef first = f.entities.front();
            f.message = i18np(keys.size(), "{:L} of {:L} switches of {} in {} differs in link capacity: {} has {}, most have {}",
                              "{:L} of {:L} switches of {} in {} differ in link capacity: {} has {}, most have {}", switches.size(),
                              input.name(ref(tier.id)), input.name(ref(network.id)), input.name(first), capacity[first.id].text(), design.text());
            f.id = findingId("N13", {input.subject(ref(network.id)), input.subject(ref(tier.id))}) + groupMark(std::move(keys));
            out.push_back(std::move(f));
        }
    }
    return out;
}

} // namespace hw::rules
