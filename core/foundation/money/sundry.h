// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace hw {

/// What is bought with a design and is no part of its project: it follows from what stands there. Slugs as bills and price lists name them.
namespace sundry {
inline constexpr std::string_view kRailKit = "rail-kit", kBlankingPanel = "blanking-panel-1u", kContainment = "aisle-containment",
                                  kContainmentDoor = "containment-door", kChimney = "rack-chimney", kBattery = "battery-cabinet-34kwh",
                                  kLabel = "label";
/// Before a rating in A, a connector, a fluid; before the slug of a busway.
inline constexpr std::string_view kBreaker = "breaker-", kCoupling = "coupling-", kCoolant = "coolant-", kSection = "section-",
                                  kFeedUnit = "feed-unit-", kEndCap = "end-cap-";
} // namespace sundry

[[nodiscard]] bool isSundry(std::string_view slug);

} // namespace hw
