// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/catalog/catalog.h"

#include <span>

namespace hw {

/// One socket of a device type with the one port that it has unless it is split.
struct DeviceSocket {
    std::uint16_t cage = 0;   ///< number of its cage: interfaces first, then power inlets, outlets, coolant connections
    std::uint16_t number = 0; ///< running number of its port within (device, role, network)
    Gbps rate{};
    PortRole role = PortRole::Host;
    Maybe<NetworkId> network{};
    Medium medium = Medium::Data;
    std::string name{}; ///< as people know it: swp1, psu2, outlet-07, coolant-1
};

/// Every socket of a device type: data interfaces that take a cable (host ports of servers, down ports of switches; management interfaces
/// belong to no network), power inlets (up) and outlets (down), coolant connections (up where it takes, down where it feeds). What states
/// none but is cooled by liquid has one (up), or pumps it (down).
[[nodiscard]] std::vector<DeviceSocket> socketsOf(const DeviceSpec& spec, TierKind tier, Maybe<NetworkId> network);

} // namespace hw
