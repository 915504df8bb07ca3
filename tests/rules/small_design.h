// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"

/// The smallest dual-plane rail fabric: 2 hosts with 2 NICs of 2 × 200G, 4 ToRs (2 rails × 2 planes), 2
/// aggregation switches (one a plane), in three racks of two rows under trays. No rule has anything to say
/// about it, so that a test breaks one thing and sees one rule speak.
///
///   row1: rack1 (host1 U1, host2 U3)  rack2 (four ToRs U1–U4)      row2: rack3 (agg1 U1, agg2 U2)
struct SmallDesign {
    hw::Snapshot s;
    hw::NetworkId network;
    hw::BuildingId building;
    hw::HallId hall;
    std::array<hw::RowId, 2> rows;
    std::array<hw::RackId, 3> racks;
    std::array<hw::TrayId, 3> trays; ///< over row 1, over row 2, across
    std::array<hw::DeviceId, 2> hosts, aggs;
    hw::DeviceId tors[2][2]; ///< [rail][plane]
    hw::TierId serverTier, torTier, aggTier;
    hw::LinkId access[2][2][2]; ///< [host][rail][plane]
    hw::LinkId uplinks[2][2];   ///< [rail][plane]

    SmallDesign();
    [[nodiscard]] hw::PartTypeId part(const std::string& slug) const;
    hw::DeviceId addDevice(const std::string& name, hw::TierId tier, const std::string& type, hw::RackId rack, int u);
    hw::PortId addPort(hw::DeviceId device, int number, int split, int lane, int gbps, hw::PortRole role);
    hw::LinkId addLink(hw::PortId from, hw::PortId to, hw::LinkRuleId rule, hw::CableId cable);
    /// Exchanges the upper ends of two links.
    void swapUpper(hw::LinkId a, hw::LinkId b);
    [[nodiscard]] hw::FiguresPtr figures() const;

private:
    void addPlaces();
    void addDevices();
    void addWiring();
};
