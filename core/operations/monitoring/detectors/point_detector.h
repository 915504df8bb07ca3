// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/detectors/phase_loads.h"
#include "core/operations/monitoring/evidence/readings.h"
#include "core/operations/monitoring/incident/findings.h"

#include <map>

/// Point detectors: each compares one point with its plan or its peers. `Judge` applies hold times and hysteresis.
/// A new one is a function and a row in `registry.cpp`.
namespace hw::monitoring {

/// A point with a new value, and what it is compared with.
struct PointScene {
    bindings::PointNo point = bindings::kNoPoint;
    float value = 0;
    const Plan& plan; ///< of the point
    const Readings& readings;
    const LoadFactors& factors;
    const Plans& plans;
    const Limits& limits;
    std::int64_t atMs = 0;
    PhaseLoads& phases;                        ///< of groups of phases, as they were so far
    std::map<bindings::PointNo, float>& lanes; ///< of links: the maximum observed; the design does not specify it
};

struct Verdict {
    DeviationKind kind = DeviationKind::OverBudget;
    float measured = kUnknown, expected = kUnknown, beyond = kUnknown; ///< beyond: of the threshold, 0.1 = a tenth over it; NaN: not evaluated
    bindings::PointNo fullest = bindings::kNoPoint;                    ///< of a group of phases
};
using PointDetector = Verdict (*)(const PointScene& at);

[[nodiscard]] Verdict overBudget(const PointScene& at); ///< a rack or feed
[[nodiscard]] Verdict idleHost(const PointScene& at);
[[nodiscard]] Verdict phaseImbalance(const PointScene& at);
[[nodiscard]] Verdict lowFlow(const PointScene& at);     ///< of what depends on a loop
[[nodiscard]] Verdict lowUnitFlow(const PointScene& at); ///< of what feeds one
[[nodiscard]] Verdict highSupply(const PointScene& at);  ///< of coolant or air
[[nodiscard]] Verdict linkDown(const PointScene& at);
[[nodiscard]] Verdict wrongRate(const PointScene& at);
[[nodiscard]] Verdict lostLanes(const PointScene& at);
[[nodiscard]] Verdict lowLinkLoad(const PointScene& at);
[[nodiscard]] Verdict packetLoss(const PointScene& at);

} // namespace hw::monitoring
