// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/snapshot.h"

#include <random>

/// Makes one network switch by switch, without places or a template. Hosts have the interfaces of the
/// shipped hpn-host-8gpu: cages 2n and 2n + 1 are the two ports of NIC n.
class FabricBuilder {
public:
    struct Place {
        int pod = -1, segment = -1, rail = -1, plane = -1;
    };

    FabricBuilder(int planes, int rails);

    hw::TierId tier(const std::string& name, hw::TierKind kind, int level);
    hw::DeviceId device(hw::TierId tier, const std::string& key, Place place);
    /// A cable from a NIC's port (0 or 1) to a switch.
    hw::LinkId access(hw::DeviceId host, int nic, int port, hw::DeviceId tor, int gbps = 200);
    /// A cable from a switch to a higher one.
    hw::LinkId up(hw::DeviceId low, hw::DeviceId high, int gbps = 400);
    /// A cable between two devices that both forward.
    hw::LinkId peer(hw::DeviceId a, hw::DeviceId b, int gbps = 400);
    void remove(hw::LinkId link);
    /// Links that touch the device.
    [[nodiscard]] std::vector<hw::LinkId> linksOf(hw::DeviceId device) const;

    hw::Snapshot s;
    hw::NetworkId network;

private:
    hw::PortId port(hw::DeviceId device, int cage, int gbps, hw::PortRole role);
    hw::LinkId link(hw::PortId from, hw::PortId to);
    std::vector<int> m_nextCage; ///< by device
    hw::PartTypeId m_host, m_switch;
};

/// A fabric of tor, agg and core with everything that a template may vary, then damaged.
struct FabricShape {
    int pods = 1, segments = 1, hosts = 1, nics = 1, planes = 1;
    bool railSwitches = false;  ///< a ToR per rail (NIC), else all NICs of a host share them
    bool railOnly = false;      ///< aggregation switches of their own for every rail
    int aggs = 1, parallel = 1; ///< per plane and pod; cables between a ToR and an aggregation switch
    int cores = 0;              ///< per plane
    int backupHosts = 0;        ///< a segment
};
[[nodiscard]] FabricBuilder makeFabric(const FabricShape& shape);
/// Up to three tiers cabled without any plan.
[[nodiscard]] FabricBuilder makeTangle(std::mt19937& random);
