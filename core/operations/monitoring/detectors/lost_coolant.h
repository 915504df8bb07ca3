// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/detectors/detector.h"

namespace hw::monitoring {

/// More coolant leaves the units of a loop than arrives where it is used: a leak between them, or a bypass. No meter of them is bad by itself.
[[nodiscard]] std::unique_ptr<Detector> makeLostCoolant(const DetectorScene& scene);

} // namespace hw::monitoring
