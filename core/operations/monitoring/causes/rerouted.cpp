// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/causes/rerouted.h"

#include "core/foundation/base/fence.h"
#include "core/foundation/base/log.h"

#include <algorithm>

namespace hw::monitoring {

using bindings::PointNo;

namespace {

constexpr std::int64_t kStableMs = 3000;  ///< nothing more is lost for so long, before it is simulated (assumed)
constexpr std::int64_t kRunMs = 15'000;   ///< after which a simulation counts; judging waits for one that takes longer
constexpr std::int64_t kMixedMs = 60'000; ///< rates read so soon are of before, too (Prometheus' are over a minute)
constexpr std::uint8_t kClean = 2;        ///< readings: the first is over an interval in which it changed

} // namespace

void Rerouted::simulated(std::vector<float> whole, impact::LoadsAfter after, Plans& plans)
{
    m_run.reset();
    m_whole = m_loads = std::move(whole), m_after = std::move(after);
    m_lost = {}, m_wanted = {}, m_changedMs = -1;
    plans.simulated(m_loads);
}

void Rerouted::design(Plans& plans)
{
    m_read.assign(plans.points.size(), 0);
    plans.simulated(m_changedMs < 0 ? std::span<const float>(m_loads) : std::span<const float>());
}

void Rerouted::begin(std::int64_t atMs)
{
    if (m_wanted.none()) {
        m_loads = m_whole, m_lost = m_wanted;
    } else if (atMs - m_changedMs >= kStableMs) {
        m_run.emplace(Run{m_wanted, atMs + kRunMs, std::async(std::launch::async, m_after, m_wanted)});
    }
}

void Rerouted::second(std::int64_t atMs, const impact::NetworkLoss& lost, std::span<const PointNo> dirty, Plans& plans, Judge& judge)
{
    if (!m_after) return;
    if (lost != m_wanted) {
        m_wanted = lost, m_changedMs = atMs;
        m_read.assign(plans.points.size(), 0);
        plans.simulated({});
        judge.forget(DeviationKind::LowLinkLoad);
    } else if (m_changedMs >= 0) {
        for (const PointNo p : dirty) m_read[p] = std::min<std::uint8_t>(kClean, m_read[p] + 1);
    }
    if (m_run && atMs >= m_run->countsMs) {
        std::vector<float> loads; // a simulation that fails says nothing: links of which nothing is known are not judged
        if (const auto fault = faultIn([&] { loads = m_run->loads.get(); }))
            logging::error(logging::Id::JudgeFault, "simulating what links carry after a loss: {}", *fault);
        m_loads = std::move(loads), m_lost = std::move(m_run->lost);
        m_run.reset();
    }
    if (!m_run && m_lost != m_wanted) begin(atMs);
    if (m_changedMs < 0 || m_lost != m_wanted || atMs - m_changedMs < kMixedMs) return;
    for (const PointNo p : dirty) {
        Plan& plan = plans.points[p];
        if (plan.criterion == Criterion::Traffic && m_read[p] >= kClean)
            plan.planned = plan.other < m_loads.size() ? m_loads[plan.other] * 1e9f : kUnknown;
    }
}

} // namespace hw::monitoring
