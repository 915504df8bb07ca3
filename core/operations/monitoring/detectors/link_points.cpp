// SPDX-License-Identifier: GPL-3.0-or-later
// Links compared with their plan and their simulated load.
#include "core/operations/monitoring/detectors/point_detector.h"

#include <algorithm>

namespace hw::monitoring {

namespace {

/// Of what comes in steps: it is there, or it is not.
float shortOf(float value, float whole) { return value < 0.99f * whole ? 1 - value / whole : -1.0f; }

} // namespace

Verdict linkDown(const PointScene& at) { return {DeviationKind::NoConnection, at.value, 1, at.value < 0.5f ? 1.0f : -1.0f}; }

Verdict wrongRate(const PointScene& at)
{
    Verdict v{DeviationKind::WrongSetting, at.value, at.plan.planned};
    if (at.value > 0 && at.plan.planned > 0) v.beyond = shortOf(at.value, at.plan.planned);
    return v;
}

/// A link has as many lanes as it once used.
Verdict lostLanes(const PointScene& at)
{
    Verdict v{DeviationKind::LowPerformance, at.value};
    float& most = at.lanes.try_emplace(at.point, at.value).first->second;
    v.expected = most = std::max(most, at.value);
    if (at.value > 0) v.beyond = shortOf(at.value, most);
    return v;
}

Verdict lowLinkLoad(const PointScene& at)
{
    Verdict v{DeviationKind::LowLinkLoad, at.value, at.plan.planned};
    if (at.plan.planned > 0) v.beyond = float(1 - at.value / (at.plan.planned * at.limits.link));
    return v;
}

Verdict packetLoss(const PointScene& at)
{
    const double most = at.plan.criterion == Criterion::Errors ? at.limits.errors : at.limits.drops;
    return {DeviationKind::PacketLoss, at.value, 0, float(at.value / std::max(most, 1e-9) - 1)};
}

} // namespace hw::monitoring
