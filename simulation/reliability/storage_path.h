// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/snapshot.h"

#include <string>
#include <vector>

namespace hw::sim {
inline namespace reliability {

/// What active servers can write to the storage nodes of a design at once.
struct StoragePath {
    double hostGbps = 0;                 ///< of all active servers' ports in front-end and storage networks together
    double storageGbps = 0;              ///< of the storage nodes' ports
    double gbps = 0;                     ///< maximum flow from servers to storage nodes
    std::vector<std::string> bottleneck; ///< a smallest cut, "lower tier - upper tier: 12,800 Gb/s"
    std::string storageTier;
    std::size_t storageNodes = 0, hosts = 0;
    /// Of all storage nodes together, from the settings `storage.TIER.capacity_tb` and `.media_gbytes_per_s` of one; 0: not stated.
    double capacityTb = 0, mediaGBytesPerS = 0;
    /// What the nodes deliver: their media, or what the links carry.
    [[nodiscard]] double bytesPerS(double linkEfficiency) const;
};

/// Names of the tiers that have storage nodes.
[[nodiscard]] std::vector<std::string> storageTiers(const Snapshot& snapshot);

/// Maximum flow over the graph of tiers, edges as wide as all links between two tiers together (Boost.Graph). Exact where links between
/// two tiers are spread evenly, as the templates do it; else an upper bound. `tier`: name of the storage nodes' tier; empty: that with the most
/// nodes. `gbps` is 0 when there is no way.
[[nodiscard]] StoragePath storagePath(const Snapshot& snapshot, const std::string& tier = {});

} // namespace reliability
} // namespace hw::sim
