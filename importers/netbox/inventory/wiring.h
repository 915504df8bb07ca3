// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/netbox/inventory/inventory.h"

namespace hw::importers::netbox_in {

struct PortAt {
    PortKind kind = PortKind::Unknown;
    std::size_t port = kNone; ///< among those of its kind
    friend auto operator<=>(const PortAt&, const PortAt&) = default;
};
/// A patch panel on the way of a link, by the front port that the link goes through.
struct Crossing {
    std::size_t front = kNone;
    friend auto operator<=>(const Crossing&, const Crossing&) = default;
};
/// A whole way from one device to another: its cables in order, a panel between each two.
struct WholeLink {
    PortAt a, b;
    int laneA = 0, splitA = 1, laneB = 0, splitB = 1; ///< place among the links of the port, and how many these are
    std::vector<std::size_t> cables;
    std::vector<Crossing> panels;
};
struct Wiring {
    std::vector<WholeLink> links;
    std::size_t overPanels = 0, open = 0; ///< open: ports whose cable ends at a panel that leads nowhere
};

/// Follows every cable, over the panels between its ends; circuits are named, not followed. Adds to the remarks what leads nowhere.
[[nodiscard]] Wiring wiringOf(Inventory& inventory);

} // namespace hw::importers::netbox_in
