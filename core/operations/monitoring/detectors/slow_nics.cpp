// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/detectors/slow_nics.h"

#include "core/operations/monitoring/detectors/link_faults.h"
#include "core/operations/monitoring/incident/alarm_texts.h"

#include <algorithm>
#include <cmath>

namespace hw::monitoring {

using bindings::Measure, bindings::PointNo;

namespace {

constexpr std::size_t kLeastCards = 3; ///< of a host, to compare one with the others
constexpr float kWorks = 0.1f;         ///< of their rate, that the others send at least (assumed)

} // namespace

SlowNics::SlowNics(const Figures& figures, const bindings::Bound& bound, const Plans& plans, const Limits& limits)
    : m_plans(plans), m_far(float(limits.nic)), m_inARow(int(limits.nicReadings))
{
    const Snapshot& s = *figures.snapshot;
    std::map<std::tuple<DeviceId, std::uint32_t, std::int64_t>, std::vector<PointNo>> groups;
    for (PointNo p = 0; p < plans.points.size(); ++p) {
        const bindings::Point& point = bound.points[p];
        if (plans.points[p].criterion != Criterion::Traffic || point.measure != Measure::Transmit || point.entity.kind != EntityKind::Port) continue;
        const PortId port(point.entity.id);
        const DeviceId device = s.ports.device[port];
        const auto network = s.ports.network[port];
        if (s.tiers.kind[s.devices.tier[device]] != TierKind::Server || !network) continue;
        groups[{device, (*network).value, s.ports.rate[port].count()}].push_back(p);
    }
    for (auto& [key, points] : groups) {
        if (points.size() < kLeastCards) continue;
        for (const PointNo p : points) m_cards[p].group = std::uint32_t(m_groups.size());
        m_rates.push_back(float(double(std::get<2>(key)) * 1e9));
        m_groups.push_back(std::move(points));
    }
}

/// The median of what its fellows send; NaN where too few are known.
float SlowNics::othersOf(PointNo card, const Readings& readings) const
{
    const auto known = m_cards.find(card);
    if (known == m_cards.end() || known->second.group >= m_groups.size()) return kUnknown;
    std::vector<float> others;
    for (const PointNo p : m_groups[known->second.group])
        if (p != card && !std::isnan(readings.values[p]) && readings.good[p]) others.push_back(readings.values[p]);
    if (others.size() + 1 < kLeastCards) return kUnknown;
    const auto middle = others.begin() + std::ptrdiff_t(others.size() / 2);
    std::ranges::nth_element(others, middle);
    return *middle;
}

void SlowNics::second(std::int64_t atMs, std::span<const PointNo> dirty, const Readings& readings, const std::set<std::uint32_t>& excused)
{
    if (m_cards.empty()) return;
    for (const PointNo p : dirty) {
        if (m_plans.points[p].criterion != Criterion::Traffic || std::isnan(readings.values[p]) || !readings.good[p]) continue;
        const auto at = m_cards.find(p);
        if (at == m_cards.end()) continue;
        Card& card = at->second;
        if (excused.contains(m_plans.points[p].target)) {
            card.bad = card.good = 0;
            continue;
        }
        const float others = othersOf(p, readings), value = readings.values[p];
        if (!(others > kWorks * m_rates[card.group])) continue; // nothing to compare with
        if (value < m_far * others) {
            if (card.bad == 0) card.sinceMs = atMs;
            card.good = 0, card.bad = std::min(card.bad + 1, m_inARow);
        } else {
            card.bad = 0, card.good = std::min(card.good + 1, m_inARow);
        }
        if (card.bad >= m_inARow)
            m_slow[p] = {value, others, card.sinceMs};
        else if (card.good >= 2)
            m_slow.erase(p);
    }
}

namespace {

class SlowNicDetector final : public SystemDetector {
public:
    explicit SlowNicDetector(const DetectorScene& scene)
        : m_scene(scene), m_nics(scene.figures, scene.bound, scene.plans, Limits::of(*scene.figures.snapshot))
    {
    }
    void second(const Seen& seen) override { m_nics.second(seen.atMs, seen.dirty, seen.readings, linksWithSymptoms(seen)); }

    /// NICs that are slow by themselves: nothing of their link, or of the port at its other end, says why, nor has a simulation less for them to do.
    std::optional<Deviations> deviations(const Seen& seen, const Deviations& standing) override
    {
        if (m_nics.slow().empty() && standing.empty()) return std::nullopt;
        const std::set<std::uint32_t> links = linksWithSymptoms(seen);
        Deviations found;
        for (const auto& [p, one] : m_nics.slow()) {
            const Plan& plan = m_scene.plans.points[p];
            const bool less = !seen.simulated || double(seen.readings.values[p]) < double(plan.planned) * seen.limits.link;
            if (!less || links.contains(plan.target)) continue;
            Deviation d = slowDeviation(m_scene.bound.points[p], one.measured, one.others, one.sinceMs);
            d.what = i18n("sends {} while the other NICs of its host send {}; its link, rate, lanes and frames are normal: check its PCIe link",
                          valueText(d.measure, d.measured), valueText(d.measure, d.expected));
            keepReported(found, std::move(d), standing);
        }
        return found;
    }

private:
    /// Links with another fault than a low load, or that a root cause brings down.
    [[nodiscard]] std::set<std::uint32_t> linksWithSymptoms(const Seen& seen) const
    {
        std::set<std::uint32_t> links;
        for (const auto& [p, c] : seen.judge.conditions())
            if (LinkFaults::isOfLink(m_scene.plans.points[p].criterion) && c.kind != DeviationKind::LowLinkLoad)
                links.insert(m_scene.plans.points[p].target);
        seen.reported.addLinksDown(links);
        return links;
    }
    DetectorScene m_scene;
    SlowNics m_nics;
};

} // namespace

std::unique_ptr<SystemDetector> makeSlowNics(const DetectorScene& scene) { return std::make_unique<SlowNicDetector>(scene); }

} // namespace hw::monitoring
