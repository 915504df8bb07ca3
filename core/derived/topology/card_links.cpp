// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/topology/card_links.h"

#include "core/derived/topology/nic_ports.h"

#include <algorithm>
#include <tuple>

namespace hw {

std::vector<CardLink> cardLinks(const Snapshot& s, const ProjectParts& parts)
{
    CardsOfTypes cards(parts);
    std::vector<CardLink> out;
    const auto kind = [&](PortId port) { return s.tiers.kind[s.devices.tier[s.ports.device[port]]]; };
    s.links.forEach([&](LinkId link) {
        PortId low = s.links.from[link], high = s.links.to[link];
        if (s.ports.medium[low] != Medium::Data) return;
        if (const auto network = s.ports.network[low]; network && s.networks.kind[*network] == NetworkKind::ScaleUp) return;
        if (kind(high) == TierKind::Server) std::swap(low, high);
        if (kind(low) != TierKind::Server || kind(high) != TierKind::Switch) return;
        if (const auto card = cards.of(s, low)) out.push_back({std::uint64_t(s.ports.device[low].value) << 16 | *card, s.ports.device[high], link});
    });
    std::ranges::sort(out, {}, [](const CardLink& l) { return std::tuple(l.card, l.upper, l.link); });
    return out;
}

} // namespace hw
