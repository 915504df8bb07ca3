// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/evidence/recent_values.h"

namespace hw::monitoring {

using bindings::PointNo;

/// Which points the last minutes are kept of; what is known of those that stay goes over.
void RecentValues::design(const Plans& plans, const bindings::Bound& bound, const std::vector<PointNo>* nowOf)
{
    auto next = std::make_shared<Recent>();
    std::vector<std::uint32_t> placeOf(bound.points.size(), kNobody);
    for (PointNo p = 0; p < plans.points.size(); ++p) {
        const Signal signal = plans.points[p].signal;
        const bool load = (signal == Signal::Power || signal == Signal::RackPower) && bound.points[p].measure == bindings::Measure::ActivePower;
        if (bound.points[p].measure == bindings::Measure::DifferentialPressure) continue;
        if ((!load && signal != Signal::Flow && signal != Signal::Temperature) || plans.points[p].criterion == Criterion::Phase) continue;
        placeOf[p] = std::uint32_t(next->points.size());
        next->points.push_back(p);
    }
    if (m_recent && nowOf) {
        next->timesMs = m_recent->timesMs;
        for (const auto& values : m_recent->values) {
            auto moved = std::make_shared<std::vector<float>>(next->points.size(), kUnknown);
            for (std::size_t i = 0; i < m_recent->points.size(); ++i) {
                const PointNo p = (*nowOf)[m_recent->points[i]];
                if (p != bindings::kNoPoint && placeOf[p] != kNobody) (*moved)[placeOf[p]] = (*values)[i];
            }
            next->values.push_back(std::move(moved));
        }
    }
    m_recent = std::move(next);
}

void RecentValues::second(std::int64_t t, const Readings& readings, const Silence& silence)
{
    if (t % Recent::kStepMs != 0) return;
    auto next = std::make_shared<Recent>(*m_recent); // pointers to the moments
    auto values = std::make_shared<std::vector<float>>();
    values->reserve(next->points.size());
    for (const PointNo p : next->points) values->push_back(silence.isSilent(p) ? kUnknown : readings.values[p]);
    next->timesMs.push_back(t), next->values.push_back(std::move(values));
    if (next->timesMs.size() > Recent::kMost) next->timesMs.erase(next->timesMs.begin()), next->values.erase(next->values.begin());
    m_recent = std::move(next);
}

} // namespace hw::monitoring
