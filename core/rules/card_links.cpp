// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/card_links.h"

#include "core/topology/nic_ports.h"

#include <algorithm>

namespace hw::rules {

std::vector<CardLink> cardLinks(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    CardsOfTypes cards(input.parts());
    std::vector<CardLink> out;
    s.links.forEach([&](LinkId link) {
        PortId low = s.links.from[link], high = s.links.to[link];
        if (s.ports.medium[low] != Medium::Data) return;
        const auto network = s.ports.network[low];
        if (!network || s.networks.kind[*network] == NetworkKind::ScaleUp || s.networks.kind[*network] == NetworkKind::Management) return;
        const auto kind = [&](PortId port) { return s.tiers.kind[s.devices.tier[s.ports.device[port]]]; };
        if (kind(high) == TierKind::Server) std::swap(low, high);
        if (kind(low) != TierKind::Server || kind(high) != TierKind::Switch) return;
        if (const auto card = cards.of(s, low)) out.push_back({std::uint64_t(s.ports.device[low].value) << 16 | *card, s.ports.device[high], link});
    });
    std::ranges::stable_sort(out, {}, [](const CardLink& l) { return std::pair(l.card, l.upper); });
    return out;
}

} // namespace hw::rules
