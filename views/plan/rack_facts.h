// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/rack_kind.h"
#include "views/bridge/document_bridge.h"

#include <QColor>

#include <set>

namespace hw::views {

/// What the drawings need to know of every rack, by rack id, besides the values that color it (see OverlaySource).
struct RackFacts {
    std::shared_ptr<const RackKinds> kinds = std::make_shared<const RackKinds>();
    std::vector<std::uint64_t> networks;                ///< by rack: a bit per network that has switches in it
    std::vector<std::vector<std::uint32_t>> trayCables; ///< by tray, then network: cables through it
    std::set<std::uint32_t> hiddenNetworks;
};

/// True when what the racks are for may have changed.
bool updateKinds(RackFacts& facts, const Figures& figures);
/// What networks have in racks and trays, for the filter of networks.
void updateNetworks(RackFacts& facts, const Figures& figures);
/// Nothing in the rack belongs to a network that is shown.
[[nodiscard]] bool hiddenRack(const RackFacts& facts, RackId rack);
/// The network with most cables in the tray among those shown; nothing where none is filtered or runs there.
[[nodiscard]] std::optional<NetworkId> shownNetwork(const RackFacts& facts, TrayId tray);

/// Power limit of a rack: its own, else that of its type; zero when neither says.
[[nodiscard]] Milliwatts rackLimit(const Figures& figures, RackId rack);
/// Of a rack with all that is mounted in and beside it.
[[nodiscard]] Grams rackWeight(const Figures& figures, RackId rack);
[[nodiscard]] QColor kindColor(RackKind kind);
[[nodiscard]] QColor deviceColor(const Snapshot& snapshot, DeviceId device, NetworkId mainNetwork);

} // namespace hw::views
