// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/detectors/slow_hosts.h"

#include "core/operations/monitoring/incident/alarm_texts.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace hw::monitoring {

using bindings::PointNo;

namespace {

constexpr std::size_t kLeastHosts = 4; ///< to say what is usual
constexpr float kNearly = 0.1f;        ///< of what is usual, above the threshold, to count as back (assumed)
constexpr float kBusy = 0.4f;          ///< minimum for a draw to be significant
constexpr float kNewest = 0.3f;        ///< of a mean, the share of the newest reading: an iteration has full and empty moments
constexpr int kLeastReadings = 4, kIdleInARow = 3;

float mean(float was, float now) { return std::isnan(was) ? now : was + kNewest * (now - was); }

} // namespace

SlowHosts::SlowHosts(const bindings::Bound& bound, const Plans& plans, const Limits& limits)
    : m_plans(plans), m_farOff(float(limits.throttled)), m_inARow(int(limits.throttledReadings))
{
    for (PointNo p = 0; p < bound.points.size(); ++p)
        if (plans.points[p].criterion == Criterion::HostPower && plans.points[p].other != kNobody && plans.points[p].planned > 0)
            m_hosts.emplace(p, Host());
}

/// What its GPUs say of their utilization, 0 to 1; NaN: most say nothing.
float SlowHosts::busyOf(const Plan& plan, const Readings& readings) const
{
    const PointRun& gpus = m_plans.working[plan.other];
    float sum = 0, known = 0;
    for (PointNo p = gpus.first; p < gpus.first + gpus.count; ++p)
        if (!std::isnan(readings.values[p]) && readings.good[p]) sum += readings.values[p], ++known;
    return 2 * known > float(gpus.count) ? sum / known / 100 : kUnknown;
}

float SlowHosts::usual() const
{
    std::vector<float> efforts;
    for (const auto& [p, host] : m_hosts)
        if (host.readings >= kLeastReadings) efforts.push_back(host.effort);
    if (efforts.size() < kLeastHosts) return kUnknown;
    const auto middle = efforts.begin() + std::ptrdiff_t(efforts.size() / 2);
    std::ranges::nth_element(efforts, middle);
    return *middle;
}

void SlowHosts::judge(PointNo p, Host& host, float others, std::int64_t atMs)
{
    if (host.readings < kLeastReadings || std::isnan(others)) return;
    const bool stands = m_slow.contains(p);
    if (host.effort < (stands ? m_farOff + kNearly : m_farOff) * others) {
        if (host.bad == 0) host.sinceMs = atMs;
        host.bad = std::min(host.bad + 1, m_inARow);
    } else {
        host.bad = 0;
    }
    const float design = m_plans.points[p].planned * host.busy;
    if (host.bad >= m_inARow)
        m_slow[p] = {host.effort * design, others * design, host.sinceMs};
    else if (host.bad == 0)
        m_slow.erase(p);
}

void SlowHosts::second(std::int64_t atMs, std::span<const PointNo> dirty, const Readings& readings)
{
    if (m_hosts.size() < kLeastHosts) return;
    std::optional<float> others;
    for (const PointNo p : dirty) {
        if (m_plans.points[p].criterion != Criterion::HostPower || std::isnan(readings.values[p]) || !readings.good[p]) continue;
        const auto at = m_hosts.find(p);
        if (at == m_hosts.end()) continue;
        Host& host = at->second;
        const float busy = busyOf(m_plans.points[p], readings);
        if (!(busy >= kBusy)) {
            if (++host.idle >= kIdleInARow) host = {}, m_slow.erase(p); // what it does later is another job
            continue;
        }
        host.idle = 0;
        host.busy = mean(host.busy, busy);
        host.effort = mean(host.effort, readings.values[p] / (m_plans.points[p].planned * busy));
        ++host.readings;
        if (!others) others = usual();
        judge(p, host, *others, atMs);
    }
}

namespace {

/// Servers that are busy and draw little. One that a root cause explains has its reason; most of a rack are one line, and waited for: what they
/// have in common is the reason.
class SlowHostDetector final : public SystemDetector {
public:
    explicit SlowHostDetector(const DetectorScene& scene) : m_scene(scene), m_hosts(scene.bound, scene.plans, Limits::of(*scene.figures.snapshot)) {}
    void second(const Seen& seen) override { m_hosts.second(seen.atMs, seen.dirty, seen.readings); }
    [[nodiscard]] bool reportsInstead(PointNo p) const override { return m_hosts.slow().contains(p); }

    std::optional<Deviations> deviations(const Seen& seen, const Deviations& standing) override
    {
        if (m_hosts.slow().empty() && standing.empty()) return std::nullopt;
        const auto excused = [&](PointNo p) { return seen.reported.byCause(p) || seen.reported.deviates(p); };
        Deviations found;
        std::map<EntityRef, Rack> racks;
        m_hosts.each([&](PointNo p, bool doubtful) {
            const EntityRef entity = rackOf(p);
            if (!entity) return;
            Rack& rack = racks[entity];
            ++rack.hosts, rack.doubtful += doubtful;
            const auto slow = m_hosts.slow().find(p);
            rack.undecided += doubtful && slow == m_hosts.slow().end();
            if (slow == m_hosts.slow().end() || excused(p)) return;
            rack.sinceMs = rack.slow++ == 0 ? slow->second.sinceMs : std::min(rack.sinceMs, slow->second.sinceMs);
            rack.measured += slow->second.measured, rack.others += slow->second.others;
        });
        for (const auto& [entity, rack] : racks)
            if (rack.most(rack.slow, standing.contains({DeviationKind::LowPerformance, entity}))) addRack(found, entity, rack, seen, standing);
        for (const auto& [p, one] : m_hosts.slow()) {
            const auto rack = racks.find(rackOf(p));
            const bool ofRack = rack != racks.end() && (found.contains({DeviationKind::LowPerformance, rack->first}) || rack->second.undecided >= 2 ||
                                                        rack->second.most(rack->second.doubtful, false));
            if (ofRack || excused(p)) continue;
            Deviation d = slowDeviation(m_scene.bound.points[p], one.measured, one.others, one.sinceMs);
            d.what = i18n("draws {} while servers with equally busy GPUs draw {}: throttled by temperature, a power cap or its power supply",
                          valueText(d.measure, d.measured), valueText(d.measure, d.expected));
            d.risk = seen.reported.risk(d.entity);
            keepReported(found, std::move(d), standing);
        }
        return found;
    }

private:
    struct Rack {
        std::size_t hosts = 0, slow = 0, doubtful = 0, undecided = 0; ///< undecided: doubtful, and not slow yet
        float measured = 0, others = 0;
        std::int64_t sinceMs = 0;
        [[nodiscard]] bool most(std::size_t of, bool stands) const { return of >= 3 && 10 * of >= (stands ? 3 : 6) * hosts; }
    };
    [[nodiscard]] EntityRef rackOf(PointNo p) const
    {
        const auto rack = m_scene.figures.snapshot->devices.rack[DeviceId(m_scene.bound.points[p].entity.id)];
        return rack ? ref(*rack) : EntityRef{};
    }
    static void addRack(Deviations& found, EntityRef entity, const Rack& rack, const Seen& seen, const Deviations& standing)
    {
        Deviation d = slowDeviation({entity, bindings::Measure::ActivePower, ""}, rack.measured, rack.others, rack.sinceMs);
        d.what = i18np(
            std::int64_t(rack.slow),
            "{0} of its servers draws {1} while servers with equally busy GPUs draw {2}: throttled by temperature, a power cap or its power supply",
            "{0} of its servers draw {1} while servers with equally busy GPUs draw {2}: throttled by temperature, a power cap or its power supply",
            valueText(d.measure, d.measured), valueText(d.measure, d.expected));
        d.risk = seen.reported.risk(entity);
        keepReported(found, std::move(d), standing);
    }
    DetectorScene m_scene;
    SlowHosts m_hosts;
};

} // namespace

std::unique_ptr<SystemDetector> makeSlowHosts(const DetectorScene& scene) { return std::make_unique<SlowHostDetector>(scene); }

} // namespace hw::monitoring
