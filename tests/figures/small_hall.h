// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"

namespace hw::test {

/// Builds little designs by hand: a building of 60 × 40 m with one hall inside it, and whatever a test
/// puts there. Part types come from the shipped catalog.
class SmallHall {
public:
    SmallHall();

    Snapshot s;
    BuildingId building;
    HallId hall;
    NetworkId network;
    TierId serverTier, torTier, aggTier;

    [[nodiscard]] PartTypeId part(const std::string& slug); ///< copies it from the catalog when first named
    BuildingId addBuilding(std::int32_t x, std::int32_t y, std::int32_t sizeX, std::int32_t sizeY);
    HallId addHall(BuildingId building, std::int32_t x, std::int32_t y, std::int32_t sizeX, std::int32_t sizeY);
    RowId addRow(std::int32_t x, std::int32_t y, int angle = 0); ///< in `hall`
    RackId addRack(RowId row, std::int32_t along, std::int32_t across = 0);
    TrayId addRowTray(RowId row, std::int32_t length, std::int32_t z = 3300, int plane = -1);
    TrayId addSpine(HallId hall, Point a, Point b, int plane = -1);
    TrayId addDuct(Point a, Point b);
    DeviceId addServer(RackId rack, int u, DeviceRole role = DeviceRole::Active);
    DeviceId addSwitch(TierId tier, RackId rack, int u, int plane = -1);
    /// A port in a cage of its own; `split` ports when the cage is broken out (the first one is returned,
    /// the others follow it).
    PortId addPort(DeviceId device, PortRole role, int rateGbps, int split = 1);
    CableId addCable(Medium medium = Medium::Data);
    LinkId connect(PortId from, PortId to, CableId cable, LinkRole role = LinkRole::Active);
    /// A 400G cable between two switches, with ports of its own.
    CableId join(DeviceId lower, DeviceId upper);

    [[nodiscard]] SnapshotPtr snapshot() const { return std::make_shared<const Snapshot>(s); }
    [[nodiscard]] FiguresPtr figures() const;

private:
    std::vector<std::uint16_t> m_cages; ///< used cages by device
};

/// A random hall: rows in all directions, spines of two planes, racks of switches joined at random.
[[nodiscard]] SmallHall randomHall(unsigned seed);
/// Changes something at random: moves, turns, rewires, renames, retypes, sets lengths …
void editAtRandom(Snapshot& s, unsigned& state);
[[nodiscard]] inline unsigned nextRandom(unsigned& state)
{
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

} // namespace hw::test
