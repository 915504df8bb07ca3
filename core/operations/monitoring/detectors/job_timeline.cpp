// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/detectors/job_timeline.h"

#include <algorithm>
#include <cmath>

namespace hw::monitoring {

using bindings::PointNo;

namespace {

constexpr std::size_t kLeastRead = 8;     ///< to say how all of them are
constexpr std::int64_t kAtOnceMs = 1000;  ///< from one reading to those beside it (assumed)
constexpr std::int64_t kKeptMs = 300'000; ///< longer than between two readings of a port (assumed)

} // namespace

void JobTimeline::second(std::int64_t atMs, std::span<const PointNo> dirty, const Readings& readings, const Limits& limits)
{
    for (const PointNo p : dirty) {
        const Plan& plan = m_plans.points[p];
        if (plan.criterion == Criterion::Traffic && plan.planned > 0 && !std::isnan(readings.values[p]) && readings.good[p])
            m_read.push_back({atMs, p, readings.values[p] / plan.planned});
    }
    while (!m_read.empty() && m_read.front().ms <= atMs - kAroundMs) m_read.pop_front();
    while (!m_medians.empty() && m_medians.front().ms < atMs - kKeptMs) m_medians.pop_front();
    if (m_read.size() < kLeastRead) return;
    const auto ofNow = std::size_t(std::ranges::count(m_read, atMs, &Read::ms));
    m_medians.push_back({atMs, medianOf(m_read.size()), medianOf(std::max(ofNow, kLeastRead))});
    judge(atMs, m_medians.back().around, readings, limits);
}

float JobTimeline::medianOf(std::size_t newest)
{
    m_shares.clear();
    for (auto at = m_read.end() - std::ptrdiff_t(newest); at != m_read.end(); ++at) m_shares.push_back(at->share);
    const auto middle = m_shares.begin() + std::ptrdiff_t(m_shares.size() / 2);
    std::ranges::nth_element(m_shares, middle);
    return *middle;
}

void JobTimeline::judge(std::int64_t atMs, float share, const Readings& readings, const Limits& limits)
{
    const bool low = share < limits.link, back = share >= limits.link * (1 + limits.hysteresis);
    if (!low && !m_slow) m_lowMs = -1;
    if (low && m_lowMs < 0) m_lowMs = atMs;
    if (!back) m_backMs = -1;
    if (back && m_backMs < 0) m_backMs = atMs;
    if (m_slow && back && atMs - m_backMs >= limits.holdMs) m_slow.reset(), m_lowMs = -1;
    if (!m_slow && (m_lowMs < 0 || atMs - m_lowMs < limits.jobMs)) return;
    if (!m_slow) m_slow = Slow{m_read.front().point, 0, 0, m_lowMs};
    m_slow->measuredBps = m_slow->simulatedBps = 0;
    for (const Read& one : m_read)
        m_slow->measuredBps += double(readings.values[one.point]), m_slow->simulatedBps += double(m_plans.points[one.point].planned);
}

bool JobTimeline::explains(float share, std::int64_t atMs, const Limits& limits) const
{
    float around = 1, now = 1;
    for (const Median& one : m_medians) {
        if (one.ms < atMs || one.ms > atMs + kAroundMs) continue;
        around = std::min(around, one.around);
        if (one.ms <= atMs + kAtOnceMs) now = std::min(now, one.now);
    }
    // Those of one switch are read at once: alone they say nothing of the job.
    return around < limits.link && share >= limits.link * double(now);
}

namespace {

/// The job that was simulated goes on slower, or not at all; while a root cause stands, that is why.
class SlowJobDetector final : public SystemDetector {
public:
    explicit SlowJobDetector(const DetectorScene& scene) : m_scene(scene) {}

    std::optional<Deviations> deviations(const Seen& seen, const Deviations& standing) override
    {
        const auto& slow = m_scene.job.slow();
        if (!slow && standing.empty()) return std::nullopt;
        Deviations found;
        if (!slow || seen.reported.causes() > 0) return found;
        const Snapshot& s = *m_scene.figures.snapshot;
        const auto network = s.ports.network[s.links.from[LinkId(m_scene.plans.points[slow->point].target)]];
        Deviation d;
        d.kind = DeviationKind::LowLinkLoad, d.entity = network ? ref(*network) : m_scene.bound.points[slow->point].entity,
        d.measure = bindings::Measure::Transmit;
        d.measured = slow->measuredBps, d.expected = slow->simulatedBps, d.sinceMs = slow->sinceMs;
        d.share = 1 - d.measured / d.expected;
        d.what = i18n("all its links carry {:.0f} % of the simulated load: the job is slow or stalled", 100 * d.measured / d.expected);
        found.emplace(Place{d.kind, d.entity}, std::move(d));
        return found;
    }

private:
    DetectorScene m_scene;
};

} // namespace

std::unique_ptr<SystemDetector> makeSlowJob(const DetectorScene& scene) { return std::make_unique<SlowJobDetector>(scene); }

} // namespace hw::monitoring
