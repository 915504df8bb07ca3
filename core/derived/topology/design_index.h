// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/topology/child_lists.h"
#include "core/foundation/model/snapshot.h"

namespace hw {

/// What stands in what, and what is plugged where, for look-ups that the tables answer only the other
/// way round. Made from a snapshot (about 12 ms for 122,880 GPUs); immutable.
struct DesignIndex {
    ChildLists<RackId> racksOfRow;
    ChildLists<DeviceId> devicesOfRack;
    ChildLists<PortId> portsOfDevice;
    std::vector<std::uint32_t> linkOfPort; ///< by port id; kNone where nothing is plugged. Of several links the last
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

    [[nodiscard]] static std::shared_ptr<const DesignIndex> compute(const Snapshot& snapshot);

    /// The link that is plugged into a port.
    [[nodiscard]] Maybe<LinkId> linkOf(PortId port) const;
    /// The port at the other end of a port's link.
    [[nodiscard]] Maybe<PortId> peerOf(const Snapshot& snapshot, PortId port) const;
    /// Ports of a device and how many of them are plugged.
    struct PortUse {
        int total = 0, used = 0;
    };
    [[nodiscard]] PortUse portUse(DeviceId device) const;
    friend bool operator==(const DesignIndex&, const DesignIndex&) = default;
};

} // namespace hw
