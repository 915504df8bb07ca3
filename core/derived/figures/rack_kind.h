// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/text.h"
#include "core/foundation/model/snapshot.h"

#include <string_view>
#include <vector>

namespace hw {

/// What a rack is for, from its devices: what a planner tells apart at first sight. One answer for every drawing.
enum class RackKind : std::uint8_t { Server, Backup, Access, Fabric, Support, Facility, Empty };
inline constexpr std::size_t kRackKinds = 7;
[[nodiscard]] TextId rackKindText(RackKind kind); ///< "servers", "access switches" …

/// The network that the design is about: the back end with the most switches, or without one the network with the most.
/// Switches of other networks count as support.
[[nodiscard]] NetworkId mainNetwork(const Snapshot& snapshot);
[[nodiscard]] RackKind kindOfDevice(const Snapshot& snapshot, DeviceId device, NetworkId mainNetwork);

/// Of all racks, and what stands beside them.
struct RackKinds {
    NetworkId main;                     ///< the main network
    std::vector<RackKind> ofRack;       ///< by id: the kind that most devices in it have; power strips say nothing beside anything else
    std::vector<DeviceId> freeStanding; ///< devices without a rack: transformers, fan walls …
    [[nodiscard]] static RackKinds of(const Snapshot& snapshot);
    friend bool operator==(const RackKinds&, const RackKinds&) = default;
};

} // namespace hw
