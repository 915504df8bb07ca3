// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/money/sundry.h"

#include <algorithm>
#include <array>

namespace hw {

bool isSundry(std::string_view slug)
{
    constexpr std::array kWhole{sundry::kRailKit, sundry::kBlankingPanel, sundry::kContainment, sundry::kContainmentDoor,
                                sundry::kChimney, sundry::kBattery,       sundry::kLabel};
    constexpr std::array kStems{sundry::kBreaker, sundry::kCoupling, sundry::kCoolant, sundry::kSection, sundry::kFeedUnit, sundry::kEndCap};
    return std::ranges::find(kWhole, slug) != kWhole.end() ||
           std::ranges::any_of(kStems, [&](std::string_view stem) { return slug.size() > stem.size() && slug.starts_with(stem); });
}

} // namespace hw
