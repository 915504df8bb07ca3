// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/fabric/studies/failover_study.h"
#include "simulation/playback.h"

#include <memory>
#include <string>

namespace hw::sim {
inline namespace fabric {

/// The time line of a failure for the window: loads, the job's progress as bars, what all NICs deliver as a curve.
[[nodiscard]] std::shared_ptr<const Playback> failoverPlayback(const Snapshot& snapshot, const FailoverResult& result, const std::string& network,
                                                               Text title);

} // namespace fabric
} // namespace hw::sim
