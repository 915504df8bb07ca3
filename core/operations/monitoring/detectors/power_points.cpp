// SPDX-License-Identifier: GPL-3.0-or-later
// Loads compared with plan and limit, servers with their peers, phases with each other.
#include "core/operations/monitoring/detectors/point_detector.h"

#include <cmath>

namespace hw::monitoring {

using bindings::PointNo;

namespace {
constexpr float kBusyPercent = 10; ///< utilization from which a GPU has work (assumed)
}

Verdict overBudget(const PointScene& at)
{
    Verdict v{DeviationKind::OverBudget, at.value};
    const float most = at.plan.limit > 0 ? float(at.plan.limit * (at.plan.criterion == Criterion::FeedPower ? at.limits.capacity : 1)) : kUnknown;
    const float planned = at.plan.planned > 0 && (at.plan.criterion == Criterion::RackPower || std::isnan(most))
                              ? float(at.plan.planned * (1 + at.limits.overPlan))
                              : kUnknown;
    const bool byLimit = !std::isnan(most) && (std::isnan(planned) || at.value > most || most < planned);
    v.expected = byLimit ? at.plan.limit : at.plan.planned;
    v.beyond = at.value / (byLimit ? most : planned) - 1; // NaN where neither is known
    return v;
}

/// Idle: its GPUs report load while it draws little, for example waiting for hosts that have failed. A server without a job is not idle.
Verdict idleHost(const PointScene& at)
{
    Verdict v{DeviationKind::Idle, at.value};
    const double factor = at.factors.of(at.plan.scale);
    if (!(at.plan.planned > 0) || factor < at.limits.idleHall) return v;
    v.expected = float(at.plan.planned * factor);
    v.beyond = float(1 - at.value / (v.expected * at.limits.idle));
    if (at.plan.other == kNobody) return v;
    const PointRun& gpus = at.plans.working[at.plan.other];
    double busy = 0;
    std::uint32_t known = 0, heard = 0;
    for (PointNo p = gpus.first; p < gpus.first + gpus.count; ++p) {
        heard += at.readings.arrived[p] != Readings::kNever;
        if (!std::isnan(at.readings.values[p])) busy += double(at.readings.values[p]), ++known;
    }
    if (2 * known < heard) v.beyond = kUnknown; // most have no value now
    if (known > 0 && busy < kBusyPercent * known) v.beyond = -1;
    return v;
}

Verdict phaseImbalance(const PointScene& at)
{
    Verdict v{DeviationKind::PhaseImbalance};
    if (at.plan.other == kNobody) return v;
    const PhaseGroup& group = at.plans.phases[at.plan.other];
    for (const PointNo p : group.point)
        if (std::isnan(at.readings.values[p]) || at.readings.bad.contains(p)) return v;
    const PhaseLoads::Uneven uneven = at.phases.look(at.plan.other, at.atMs, at.readings, at.plans);
    v.measured = uneven.carries, v.expected = uneven.mean, v.fullest = group.point[std::size_t(uneven.fullest)];
    if (!uneven.known || v.expected <= 0 || v.expected < float(at.limits.phaseLoad) * group.rating) return v;
    v.beyond = float(uneven.without / (v.expected * uneven.explained * (1 + at.limits.imbalance)) - 1);
    const bool was = at.phases.isReported(at.plan.other);
    at.phases.reported(at.plan.other, v.beyond > (was ? float(-at.limits.hysteresis) : 0));
    return v;
}

} // namespace hw::monitoring
