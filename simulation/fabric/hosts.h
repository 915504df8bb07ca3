// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "core/foundation/model/snapshot.h"

#include <optional>
#include <string_view>
#include <vector>

namespace hw::sim {
inline namespace fabric {

/// How the ports of like servers make NICs in one network.
struct HostLayout {
    int accelerators = 0;
    int nics = 0; ///< one per accelerator, or a single one where there are fewer ports than accelerators
    int portsPerNic = 0;
};

/// Refused, naming `network`, when the servers differ, have no ports there, or have ports that accelerators cannot share out.
[[nodiscard]] Result<HostLayout> hostLayout(const Snapshot& snapshot, NetworkId network, const std::vector<DeviceId>& servers);
/// Active servers in the order of pod, segment and index.
[[nodiscard]] std::vector<DeviceId> activeServers(const Snapshot& snapshot);

} // namespace fabric
} // namespace hw::sim
