// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plan/rack_facts.h"

#include "views/style/kind_color.h"

#include <algorithm>
#include <utility>

namespace hw::views {
bool updateKinds(RackFacts& facts, const Figures& figures)
{
    auto kinds = figures.share<RackKindsNode>();
    return std::exchange(facts.kinds, kinds) != kinds;
}

Milliwatts rackLimit(const Figures& figures, RackId rack) { return rackPowerLimit(*figures.snapshot, *figures.parts, rack); }

Grams rackWeight(const Figures& figures, RackId rack)
{
    const Snapshot& s = *figures.snapshot;
    std::int64_t grams = figures.parts->rack(s.racks.type[rack]).weight.value.count();
    for (const DeviceId device : figures.get<IndexNode>().devicesOfRack[rack.value])
        grams += figures.parts->device(s.devices.type[device]).weight.value.count();
    return Grams(grams);
}

void updateNetworks(RackFacts& facts, const Figures& figures)
{
    const Snapshot& s = *figures.snapshot;
    facts.networks.assign(s.racks.nextId(), 0);
    s.devices.forEach([&](DeviceId id) {
        const auto network = s.tiers.network[s.devices.tier[id]];
        if (const auto rack = s.devices.rack[id]; rack && network && (*network).value < 64)
            facts.networks[(*rack).value] |= std::uint64_t(1) << (*network).value;
    });
    const std::size_t networks = s.networks.nextId();
    std::vector<std::uint32_t> ofPair(figures.routing->pairs().size() * networks, 0);
    std::vector<char> seen(s.cables.nextId(), 0);
    s.links.forEach([&](LinkId id) {
        const auto network = s.ports.network[s.links.from[id]];
        const std::uint32_t pair = figures.routing->pairOfLink(id);
        const auto cable = s.links.cable[id];
        if (!network || pair == Routing::kNoPair || (cable && std::exchange(seen[(*cable).value], 1))) return;
        ++ofPair[pair * networks + (*network).value];
    });
    s.runs.forEach([&](RunId id) { // cables behind panels
        const auto network = s.ports.network[s.links.from[s.runs.link[id]]];
        const std::uint32_t pair = figures.routing->pairOfRun(id);
        if (network && pair != Routing::kNoPair && !std::exchange(seen[s.runs.cable[id].value], 1)) ++ofPair[pair * networks + (*network).value];
    });
    facts.trayCables.assign(s.trays.nextId(), std::vector<std::uint32_t>(networks, 0));
    for (std::uint32_t pair = 0; pair < figures.routing->pairs().size(); ++pair)
        for (const std::uint32_t section : figures.routing->sectionsOf(pair))
            if (const auto tray = figures.routing->sections()[section].tray; tray && s.trays.contains(*tray)) // routes are those of all phases
                for (std::size_t n = 0; n < networks; ++n) facts.trayCables[(*tray).value][n] += ofPair[pair * networks + n];
}

bool hiddenRack(const RackFacts& facts, RackId rack)
{
    const std::uint64_t own = rack.value < facts.networks.size() ? facts.networks[rack.value] : 0;
    std::uint64_t hidden = 0;
    for (const std::uint32_t network : facts.hiddenNetworks)
        if (network < 64) hidden |= std::uint64_t(1) << network;
    return own != 0 && (own & ~hidden) == 0;
}

std::optional<NetworkId> shownNetwork(const RackFacts& facts, TrayId tray)
{
    if (facts.hiddenNetworks.empty() || tray.value >= facts.trayCables.size()) return std::nullopt;
    std::optional<NetworkId> found;
    std::uint32_t most = 0;
    for (std::uint32_t n = 0; n < facts.trayCables[tray.value].size(); ++n)
        if (!facts.hiddenNetworks.contains(n) && facts.trayCables[tray.value][n] > most) most = facts.trayCables[tray.value][n], found = NetworkId(n);
    return found;
}

QColor kindColor(RackKind kind) { return kindColor(theme(), kind); }

QColor deviceColor(const Snapshot& snapshot, DeviceId device, NetworkId main) { return kindColor(kindOfDevice(snapshot, device, main)); }

} // namespace hw::views
