// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/catalog/part.h"

#include <span>

namespace hw {

/// Share of its capacity and COP of a heat rejector at an outdoor and a supply temperature, linear between its points, which ascend
/// by outdoor, then supply temperature. Nothing is left (share 0) outdoors hotter than the last point and at supplies colder than the first; a
/// warmer supply than the last and colder air than the first change nothing. Without points: share 1, COP 0.
[[nodiscard]] RejectionPoint rejectionAt(std::span<const RejectionPoint> points, double ambientC, double supplyC);
inline constexpr double kColdestWaterC = 5; ///< of loops that may be as cold as they get

/// The coldest supply, in steps of half a kelvin from `fromC` up, at which all of the capacity, or this share of it, is there; `fromC` where none up
/// to 60 °C is, or nothing is stated.
[[nodiscard]] double leastSupplyC(std::span<const RejectionPoint> points, double ambientC, double fromC, double share = 1);

} // namespace hw
