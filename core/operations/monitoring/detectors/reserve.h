// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/detectors/detector.h"

namespace hw::monitoring {

/// UPS whose battery discharges: the charge falls and does not recover. Remaining autonomy is extrapolated from the measured charge.
[[nodiscard]] std::unique_ptr<Detector> makeOnBattery(const DetectorScene& scene);
/// Transformers and UPS that carry nothing any more, though live, while what they feed carries load over another path: a breaker is open.
[[nodiscard]] std::unique_ptr<Detector> makeOpenPath(const DetectorScene& scene);
/// Generator sets that carry load.
[[nodiscard]] std::unique_ptr<Detector> makeOnGenerator(const DetectorScene& scene);

} // namespace hw::monitoring
