// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/figures/small_hall.h"

#include <map>

/// A little hall that is sound from the utility to the plug: sides A and B with utility, transformer, generator, board, UPS, busway; one contained
/// row of four racks with two strips each, three hosts and a backup one, a ToR and an aggregation switch for each of two planes.
///
///   rack1: host1 to host3    rack2: tor1    rack3: tor2    rack4: agg1, agg2, backup
struct PowerHall : hw::test::SmallHall {
    using Pair = std::array<hw::DeviceId, 2>; ///< side A, side B
    hw::TierId powerTier;
    hw::RowId row;
    std::array<hw::RackId, 4> racks;
    std::array<hw::TrayId, 2> trays; ///< by plane
    std::array<hw::DeviceId, 3> hosts;
    hw::DeviceId backup;
    Pair utility, transformer, generator, board, ups, busway, tor, agg;
    std::array<Pair, 4> strips;
    std::array<std::array<hw::LinkId, 2>, 4> stripLinks;
    std::array<hw::LinkId, 2> utilityLinks;
    hw::StructureId door, column;

    PowerHall();
    hw::DeviceId add(const std::string& name, hw::TierId tier, const std::string& type);
    /// A power link: `supplier` feeds `consumer`.
    hw::LinkId feed(hw::DeviceId consumer, hw::DeviceId supplier, hw::Medium medium = hw::Medium::Power);
    /// Changes the definition of a part.
    void change(const std::string& slug, const std::string& from, const std::string& to);

private:
    void addParts();
    void addPlant();
    void addRow();
    void addNetwork();
    hw::PortId addSocket(hw::DeviceId device, hw::Medium medium, hw::PortRole role);
    hw::PortId addDataPort(hw::DeviceId device, hw::PortRole role);
    std::map<hw::DeviceId, std::uint16_t> m_used; ///< interfaces that have a port
};
