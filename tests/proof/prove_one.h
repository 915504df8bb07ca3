// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/proof/proof.h"
#include "core/foundation/catalog/catalog.h"

#include <algorithm>

namespace hw::test {

/// The proof of one network among those of all.
inline Result<NetworkProof> proveNetwork(const Snapshot& snapshot, NetworkId network, const Progress& progress = {})
{
    const auto parts = ProjectParts::of(snapshot.partTypes);
    if (!parts) return tl::unexpected(parts.error());
    const auto all = proveNetworks(snapshot, **parts, progress);
    if (!all) return tl::unexpected(all.error());
    return *std::ranges::find(*all, network, &NetworkProof::network);
}

} // namespace hw::test
