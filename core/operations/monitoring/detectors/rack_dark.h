// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/detectors/detector.h"

namespace hw::monitoring {

/// A rack whose strips have voltage and carry nothing any more: its own breaker or main switch, and not what feeds or cools it.
[[nodiscard]] std::unique_ptr<Detector> makeRackDark(const DetectorScene& scene);

} // namespace hw::monitoring
