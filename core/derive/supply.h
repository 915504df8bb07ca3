// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derive/power.h"
#include "core/topology/medium_graph.h"

namespace hw {

/// What one piece of power equipment carries: normally, and with the one other element of its tier lost that adds most.
struct SupplyLoad {
    Milliwatts load, failover;
    friend bool operator==(const SupplyLoad&, const SupplyLoad&) = default;
};

/// What all power equipment carries, followed along the power links from the racks' PDUs up. A rack's feeds share its load evenly,
/// by their number; of a device with several suppliers the first one counts.
struct SupplyLoads {
    std::vector<SupplyLoad> ofDevice; ///< by id; nothing for what is not in a tier of power equipment
    [[nodiscard]] static std::shared_ptr<const SupplyLoads> compute(const Snapshot&, const MediumGraph& power, const PowerFigures&, PowerBasis);
    [[nodiscard]] const SupplyLoad& operator[](DeviceId id) const { return ofDevice[id.value]; }
    friend bool operator==(const SupplyLoads&, const SupplyLoads&) = default;
};

/// Racks with power strips none of which gets anything any more once a device is lost, in the order of ids.
[[nodiscard]] std::vector<RackId> racksDarkWithout(const Snapshot& snapshot, const MediumGraph& power, DeviceId lost);

} // namespace hw
