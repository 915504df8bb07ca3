// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/derived/proof/proof.h"

namespace hw {

/// What the generator noted about link rules of a network that could not be dealt evenly (settings `wiring.RULE.uneven`).
[[nodiscard]] std::vector<std::string> unevenWiring(const Snapshot& snapshot, NetworkId network);
/// What the generator did otherwise than it was asked to, and why (settings `note.…`).
[[nodiscard]] std::vector<std::string> designNotes(const Snapshot& snapshot);
/// Name of a tier as a link's end: servers are "server" whatever the template calls them.
[[nodiscard]] std::string tierName(const Snapshot& snapshot, TierId tier);
/// Slug of the device type that most of a tier's devices have; the first by slug among equals.
[[nodiscard]] std::string typeOfTier(const Figures& figures, TierId tier);
/// Switches without uplinks that are joined to each other: a ring, torus, mesh or dragonfly. No ratio of tiers says what is between them.
[[nodiscard]] bool peersAtTop(const FabricFigures::Network& network);
/// "all servers connected", or what is not. `proof` is of that network, or nothing.
[[nodiscard]] Text connectionText(const FabricFigures::Network& network, const NetworkProof* proof);

} // namespace hw
