// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/card_links.h"

#include "core/topology/nic_ports.h"

#include <algorithm>

namespace hw::rules {

std::vector<CardLink> cardLinks(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    std::vector<std::optional<Cards>> cards(input.parts().size());
    std::vector<CardLink> out;
    s.links.forEach([&](LinkId link) {
        PortId low = s.links.from[link], high = s.links.to[link];
        if (s.ports.medium[low] != Medium::Data) return;
        const auto network = s.ports.network[low];
        if (!network || s.networks.kind[*network] == NetworkKind::ScaleUp || s.networks.kind[*network] == NetworkKind::Management) return;
        const auto kind = [&](PortId port) { return s.tiers.kind[s.devices.tier[s.ports.device[port]]]; };
        if (kind(high) == TierKind::Server) std::swap(low, high);
        if (kind(low) != TierKind::Server || kind(high) != TierKind::Switch) return;
        const DeviceId host = s.ports.device[low];
        auto& own = cards[s.devices.type[host].value];
        if (!own) own = Cards::of(input.parts().device(s.devices.type[host]));
        const std::size_t number = s.cages.number[s.ports.cage[low]];
        if (number < own->ofInterface.size()) out.push_back({std::uint64_t(host.value) << 16 | own->ofInterface[number], s.ports.device[high], link});
    });
    std::ranges::stable_sort(out, {}, [](const CardLink& l) { return std::pair(l.card, l.upper); });
    return out;
}

} // namespace hw::rules
