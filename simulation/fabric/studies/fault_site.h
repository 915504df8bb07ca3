// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/catalog/entity.h"
#include "simulation/fabric/studies/study.h"

#include <optional>
#include <span>

namespace hw::sim {
inline namespace fabric {

/// Where a fault sits in a network, from the host's side: the NIC that feels it first and which of its ports, and the switch where it is one.
struct FaultSite {
    std::optional<DeviceId> host; ///< none: a switch that no host is cabled to
    int nic = 0, port = 0;        ///< of the host; the port within the NIC
    std::uint32_t vertex = FabricGraph::kNone;
};

/// The place of a server, a port of one, or a switch. Of the hosts at an access switch it is the first. Refused, naming `device`, for what
/// carries no traffic of this network.
[[nodiscard]] Result<FaultSite> faultSite(const Snapshot& snapshot, const StudyFabric& fabric, EntityRef what);

/// The place of links that fail together, from below the first of them: its host, or the lower switch, and of the hosts at that the first.
/// Refused, naming `link`, where one of them carries nothing in this network.
[[nodiscard]] Result<FaultSite> linkSite(const Snapshot& snapshot, const StudyFabric& fabric, std::span<const LinkId> links);

} // namespace fabric
} // namespace hw::sim
