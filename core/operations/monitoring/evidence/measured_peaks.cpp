// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/evidence/measured_peaks.h"

#include <algorithm>
#include <cmath>

namespace hw::monitoring {

using bindings::PointNo;

bool MeasuredPeaks::counts(const Plan& plan)
{
    const bool flows = plan.signal == Signal::Flow && !std::isnan(plan.planned); // no pressure
    const bool kept = plan.signal == Signal::Power || plan.signal == Signal::RackPower || plan.signal == Signal::Heat || flows;
    return kept && plan.criterion != Criterion::Phase;
}

void MeasuredPeaks::design(const Plans& plans)
{
    m_slot.assign(plans.points.size(), kNobody), m_seen.clear();
    for (PointNo p = 0; p < plans.points.size(); ++p) {
        if (!counts(plans.points[p])) continue;
        m_slot[p] = std::uint32_t(m_seen.size());
        m_seen.push_back({p, plans.points[p].planned > 0 ? plans.points[p].planned : 0});
    }
}

void MeasuredPeaks::renumber(const std::vector<PointNo>& now, const Plans& plans)
{
    const auto was = std::move(m_seen);
    design(plans);
    for (const Seen& seen : was) {
        const PointNo p = now[seen.point];
        if (p == bindings::kNoPoint || m_slot[p] == kNobody || seen.samples == 0) continue;
        m_seen[m_slot[p]] = seen;
        m_seen[m_slot[p]].point = p;
    }
}

void MeasuredPeaks::second(std::span<const PointNo> dirty, const Readings& readings)
{
    static const double kStep = std::log(1.1);
    for (const PointNo p : dirty) {
        const float value = readings.values[p];
        if (m_slot[p] == kNobody || !(value > 0) || !readings.good[p] || readings.disputed.contains(p)) continue;
        Seen& seen = m_seen[m_slot[p]];
        if (seen.reference <= 0) seen.reference = value;
        seen.peak = std::max(seen.peak, value);
        seen.sum += value, ++seen.samples;
        const double step = std::log(double(value) / seen.reference * 100) / kStep;
        ++seen.steps[std::size_t(std::clamp(step, 0.0, double(kSteps - 1)))];
    }
}

std::shared_ptr<const std::vector<Life>> MeasuredPeaks::life() const
{
    auto out = std::make_shared<std::vector<Life>>();
    for (const Seen& seen : m_seen) {
        if (seen.samples == 0) continue;
        std::uint64_t left = seen.samples / 100; // these may be above
        std::size_t step = kSteps;
        while (step > 0 && seen.steps[step - 1] <= left) left -= seen.steps[--step];
        const double top = seen.reference / 100 * std::pow(1.1, double(step));
        out->push_back({seen.point, seen.samples, float(seen.sum / seen.samples), seen.peak, std::min(seen.peak, float(top))});
    }
    return out;
}

} // namespace hw::monitoring
