// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/evidence/readings.h"

#include <algorithm>
#include <cmath>

namespace hw::monitoring {

using bindings::PointNo;

namespace {

constexpr float kMostOfPlan = 2; ///< of what is planned of one, that counts for its class

} // namespace

void Readings::resize(std::size_t points)
{
    values.assign(points, kUnknown);
    times.assign(points, 0);
    arrived.assign(points, kNever);
    good.assign(points, 1);
    repeats.assign(points, 0);
    gaps.assign(points, -1);
    everyMs.assign(points, 0);
    swing.assign(points, 0);
    steady.assign(points, kUnknown);
}

void LoadFactors::update(PointNo point, const Plan& plan, float value)
{
    if (!plan.counted || !(plan.planned > 0)) return;
    const auto milli = [](double x) { return std::int64_t(std::llround(x * 1000)); };
    float& was = counted[point];
    if (!std::isnan(was)) measured[plan.scale] -= milli(was), planned[plan.scale] -= milli(plan.planned);
    if (!std::isnan(value)) value = std::clamp(value, 0.0f, kMostOfPlan * plan.planned);
    if (!std::isnan(value)) measured[plan.scale] += milli(value), planned[plan.scale] += milli(plan.planned);
    was = value;
}

double LoadFactors::of(std::uint8_t scale) const { return planned[scale] > 0 ? double(measured[scale]) / double(planned[scale]) : 1; }

} // namespace hw::monitoring
