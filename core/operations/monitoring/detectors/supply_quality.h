// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/detectors/detector.h"

namespace hw::monitoring {

// What is wrong with a supply shows at everything behind it. Each of these is reported where it arises: at the elements that show it and whose
// own suppliers do not.

/// Frequency outside 50 or 60 Hz ± 1 % (EN 50160, 4.2.1).
[[nodiscard]] std::unique_ptr<Detector> makeFrequency(const DetectorScene& scene);
/// Voltage outside its usual value ± 10 % (EN 50160, 4.2.2), but not dead.
[[nodiscard]] std::unique_ptr<Detector> makeVoltage(const DetectorScene& scene);
/// One phase of three carries nothing any more while the others do.
[[nodiscard]] std::unique_ptr<Detector> makePhaseLoss(const DetectorScene& scene);

} // namespace hw::monitoring
