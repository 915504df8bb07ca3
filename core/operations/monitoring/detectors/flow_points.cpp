// SPDX-License-Identifier: GPL-3.0-or-later
// Flows compared with the flow that the heat requires, temperatures with their allowable limits.
#include "core/operations/monitoring/detectors/judge.h"

#include <algorithm>
#include <cmath>

namespace hw::monitoring {

using bindings::PointNo;

Verdict lowFlow(const PointScene& at)
{
    Verdict v{DeviationKind::LowFlow, at.value, Judge::neededOf(at.point, at.readings, at.plans)};
    if (std::isnan(v.expected) || v.expected < Judge::kHardlyAny * at.plan.planned) return v;
    v.beyond = float(1 - at.value / (v.expected * at.limits.flow));
    return v;
}

/// Of a unit that supplies a loop: its share of the loop flow by design; more where the loads of the loop require more.
Verdict lowUnitFlow(const PointScene& at)
{
    Verdict v{DeviationKind::LowFlow, at.value};
    if (!(at.plan.planned > 0) || at.plan.other == kNobody || at.value < Judge::kStands * at.plan.planned) return v;
    const LoopFlows& flows = at.plans.loops[at.plan.other];
    double moved = 0, planned = 0;
    std::size_t work = 0;
    for (const PointNo p : flows.units) {
        const float flow = at.readings.values[p], most = at.plans.points[p].planned;
        if (std::isnan(flow) || at.readings.bad.contains(p) || at.readings.disputed.contains(p) || flow < Judge::kStands * most) continue;
        moved += double(std::min(flow, Judge::kMostMoved * most)), planned += double(most), ++work;
    }
    const double supplied = std::max(Judge::suppliedOf(flows, at.readings, at.plans), double(Judge::kStands));
    if (work == 0 || (work < 2 && supplied >= 1)) return v;
    v.expected = float(double(at.plan.planned) * moved / planned / std::min(1.0, supplied));
    v.beyond = float(1 - at.value / (v.expected * at.limits.flow));
    return v;
}

/// Supply temperature: compared with the class of the cooled equipment or, for a loop, with its plan.
Verdict highSupply(const PointScene& at)
{
    const bool loop = at.plan.criterion == Criterion::LoopSupply;
    const float most = loop ? at.plan.planned : at.plan.limit;
    Verdict v{DeviationKind::HighSupply, at.value, most};
    if (most > 0) v.beyond = loop ? float(at.value / (most + at.limits.supplyMarginK) - 1) : at.value / most - 1;
    return v;
}

} // namespace hw::monitoring
