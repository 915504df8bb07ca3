// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/detectors/detector.h"

namespace hw::monitoring {

/// A unit that moves coolant or air and takes no heat out of it any more: its facility water is shut.
[[nodiscard]] std::unique_ptr<Detector> makeNoCooling(const DetectorScene& scene);

} // namespace hw::monitoring
