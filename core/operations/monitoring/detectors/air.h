// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/detectors/detector.h"

namespace hw::monitoring {

/// Fans that move less air than they usually do at their speed: a filter, a damper.
[[nodiscard]] std::unique_ptr<Detector> makeLowAirFlow(const DetectorScene& scene);
/// Racks of one row that breathe warm air.
[[nodiscard]] std::unique_ptr<Detector> makeWarmAisle(const DetectorScene& scene);

} // namespace hw::monitoring
