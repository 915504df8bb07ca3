// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/cooling/cooling_hall.h"

#include <map>

/// The hall of the cooling tests with GPUs in its cabinets and the cooling equipment on power: a utility, a generator beside it, a board, and a
/// UPS with a battery of 500 kWh. Chillers depend on the board, all else of the cooling on the UPS; cabinets state no feed and always live.
struct HeatHall : CoolingHall {
    hw::TierId powerTier;
    hw::DeviceId utility, generator, board, ups;
    std::map<hw::DeviceId, hw::DeviceId> feedOf; ///< of cooling equipment

    HeatHall() : HeatHall(Size{}) {}
    explicit HeatHall(const Size& size, bool pumpsOnUps = true);
    void feed(hw::DeviceId consumer, hw::DeviceId supplier);
    /// The limit of a loop of the chain as it stands, s: what it takes up over a heat.
    [[nodiscard]] const hw::CoolingLoop& loop(const std::string& name) { return loopOf(chain(), name); }
    [[nodiscard]] static const hw::CoolingLoop& loopOf(const hw::CoolingChain& chain, const std::string& name);

private:
    hw::DeviceId equipment(const std::string& name, const std::string& own);
    int m_port = 200;
};
