// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/detectors/detector.h"

namespace hw::monitoring {

/// Two of a kind that say what the other one does: each is held against what is measured of it elsewhere. A rack's meter against its strips, its
/// flow meter against its heat, what a host says that it sends against what arrives at the other ends of its links.
[[nodiscard]] std::unique_ptr<Detector> makeExchanged(const DetectorScene& scene);

} // namespace hw::monitoring
