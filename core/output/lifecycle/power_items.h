// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/bom.h"

namespace hw {

/// What the cost of the power system consists of. Racks: from the tap-off box to the plug.
enum class PowerItem : std::uint8_t {
    Generators,
    Ups,
    Switchboards,
    Switchgear,
    Transformers,
    Busways,
    StaticSwitches,
    Feeders,
    Other,
    Racks,
    Spares
};
HW_WORDS(PowerItem, "generators", "ups", "switchboards", "switchgear", "transformers", "busways", "static-switches", "feeders", "other", "racks",
         "spares")
[[nodiscard]] Text powerItemText(PowerItem item); ///< for people

struct PowerItemCost {
    PowerItem item = PowerItem::Other;
    Money sum; ///< goods, without charges
    /// Published costs reach from the substation to the busway, without spares.
    [[nodiscard]] bool published() const { return item != PowerItem::Racks && item != PowerItem::Spares; }
};
/// Items that cost something, the largest first.
[[nodiscard]] std::vector<PowerItemCost> powerItems(const Figures& figures, const Bom& bom);
/// The share of the power system that published costs contain; 1 where nothing has a price.
[[nodiscard]] double publishedShare(const std::vector<PowerItemCost>& items);

} // namespace hw
