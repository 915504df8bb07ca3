// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/addressing/address.h"
#include "core/foundation/base/progress.h"
#include "core/foundation/base/result.h"
#include "core/foundation/model/snapshot.h"

#include <vector>

namespace hw {

/// Addresses, AS numbers and breakouts of a design. Not stored: they follow from the design and its
/// settings `addressing.…`, in the order of networks, tiers and devices.
struct AddressPlan {
    struct Switch {
        DeviceId device;
        std::uint32_t asn;
        AddressNumber loopback4, loopback6;
    };
    /// Ports under one access switch, or under several that agree in coordinates. The gateway is the first
    /// usable address; switches that share a subnet share it (anycast).
    struct Subnet {
        NetworkId network;
        std::string name;
        Prefix v4, v6;
        std::uint32_t ports = 0;
        [[nodiscard]] AddressNumber gateway4() const { return v4.first + 1; }
        [[nodiscard]] AddressNumber gateway6() const { return v6.first + 1; }
    };
    struct HostPort {
        LinkId link;
        PortId port, switchPort;
        std::uint32_t subnet;
        AddressNumber v4, v6;
    };
    /// Point to point (RFC 3021, RFC 6164): the upper end has the address after the lower one's.
    struct FabricLink {
        LinkId link;
        NetworkId network;
        PortId lower, upper;
        AddressNumber lower4, lower6;
    };
    struct Management {
        DeviceId device;
        AddressNumber v4, v6;
    };
    struct Breakout {
        CageId cage;
        DeviceId device;
        std::uint8_t split;
        Gbps portRate;
    };

    std::vector<Switch> switches;
    std::vector<Subnet> subnets;
    std::vector<HostPort> hostPorts;
    std::vector<FabricLink> links;
    std::vector<Management> management; ///< by device: that of its port in a management network, else one of its own
    std::vector<Breakout> breakouts;
};

/// Errors: Refused (a pool is malformed, too small, or overlaps another), naming the setting; Canceled.
[[nodiscard]] Result<AddressPlan> planAddresses(const Snapshot& snapshot, const Progress& progress = {});

} // namespace hw
