// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/detectors/link_faults.h"

#include "core/foundation/catalog/entity.h"
#include "core/operations/monitoring/incident/alarm_texts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace hw::monitoring {

using bindings::Measure, bindings::PointNo;

namespace {

constexpr std::int64_t kWaitMs = 30'000;      ///< for what is read of its other links (assumed)
constexpr std::int64_t kOtherEndMs = 90'000;  ///< for what is read of the other end of a link (assumed: in which all ports are read)
constexpr std::int64_t kAfterMs = 150'000;    ///< a counter that is read so soon after counted what was before it was mended (assumed)
constexpr std::int64_t kReroutedMs = 120'000; ///< for what may have gone other ways: a failure shows until all ports were read (assumed)
constexpr float kOfLanes = 0.95f;             ///< of what the lanes that are left carry, a rate counts as theirs

} // namespace

LinkFaults::LinkFaults(const Figures& figures, const bindings::Bound& bound, const Plans& plans, const JobTimeline& job)
    : s(*figures.snapshot), b(bound), m_plans(plans), m_job(job), m_measured(s.devices.nextId()), m_pointsOf(s.devices.nextId())
{
    std::set<std::uint32_t> links;
    for (const Plan& plan : plans.points)
        if (isOfLink(plan.criterion)) links.insert(plan.target);
    for (const std::uint32_t link : links)
        for (const DeviceId d : endsOf(LinkId(link))) ++m_measured[d.value];
    for (PointNo p = 0; p < plans.points.size(); ++p)
        if (isOfLink(plans.points[p].criterion))
            for (const DeviceId d : endsOf(LinkId(plans.points[p].target))) m_pointsOf[d.value].push_back(p);
}

std::array<DeviceId, 2> LinkFaults::endsOf(LinkId link) const { return {s.ports.device[s.links.from[link]], s.ports.device[s.links.to[link]]}; }

LinkFault LinkFaults::worstOf(DeviationKind kind, std::span<const Bad> bad)
{
    LinkFault fault;
    fault.kind = kind, fault.sinceMs = bad.front().condition->sinceMs;
    fault.back = std::ranges::all_of(bad, [](const Bad& one) { return one.condition->backMs >= 0; });
    for (const Bad& one : bad) {
        fault.sinceMs = std::min(fault.sinceMs, one.condition->sinceMs);
        if (fault.point != bindings::kNoPoint && one.condition->beyond <= fault.beyond) continue;
        fault.point = one.point, fault.measured = one.condition->measured, fault.expected = one.condition->expected,
        fault.beyond = one.condition->beyond;
        fault.link = one.link;
    }
    return fault;
}

/// One link by itself: what it loses comes over the link, what a port drops is that port's; a wrong rate at one end alone is that end's.
LinkFault LinkFaults::ofLink(DeviationKind kind, std::span<const Bad> ends) const
{
    LinkFault fault = worstOf(kind, ends);
    fault.at = ref(fault.link);
    std::set<EntityRef> ports;
    bool drops = false;
    for (const Bad& one : ends) {
        if (b.points[one.point].entity.kind == EntityKind::Port) ports.insert(b.points[one.point].entity);
        drops = drops || m_plans.points[one.point].criterion == Criterion::Drops;
    }
    const bool ownEnd = kind == DeviationKind::WrongSetting || (kind == DeviationKind::PacketLoss && drops);
    if (ownEnd && ports.size() == 1) fault.at = *ports.begin();
    return fault;
}

/// Whether enough of its links were not read since the first of them went bad, or may be bad, too, so that it may be the device.
bool LinkFaults::mayBeIt(DeviceId device, const std::set<LinkId>& its, std::span<const Bad> bad, const Seen& seen) const
{
    if (double(its.size()) < seen.limits.deviceLinks) return false;
    std::int64_t since = seen.atMs;
    std::set<Criterion> aims;
    for (const Bad& one : bad)
        if (its.contains(one.link)) since = std::min(since, one.condition->sinceMs), aims.insert(m_plans.points[one.point].criterion);
    if (seen.atMs - since >= kWaitMs) return false;
    std::set<std::uint32_t> sound, open;
    for (const PointNo p : m_pointsOf[device.value])
        if (aims.contains(m_plans.points[p].criterion) && !its.contains(LinkId(m_plans.points[p].target)))
            (seen.readings.arrived[p] >= since && !seen.conditions.contains(p) ? sound : open).insert(m_plans.points[p].target);
    std::erase_if(open, [&](std::uint32_t link) { return sound.contains(link); });
    return !open.empty() && double(its.size() + open.size()) >= seen.limits.device * double(std::max(m_measured[device.value], 1u));
}

void LinkFaults::locateKind(DeviationKind kind, std::vector<Bad> bad, const Seen& seen, std::vector<LinkFault>& out)
{
    std::set<DeviceId> maybe;
    while (!bad.empty()) {
        BadLinks byDevice;
        for (const Bad& one : bad)
            for (const DeviceId d : endsOf(one.link)) byDevice[d].insert(one.link);
        const std::pair<const DeviceId, std::set<LinkId>>* worst = nullptr;
        for (const auto& entry : byDevice) {
            const double share = double(entry.second.size()) / double(std::max(m_measured[entry.first.value], 1u));
            if (double(entry.second.size()) < seen.limits.deviceLinks || share < seen.limits.device) continue;
            if (!worst || entry.second.size() > worst->second.size()) worst = &entry;
        }
        if (!worst) {
            for (const auto& [device, its] : byDevice)
                if (mayBeIt(device, its, bad, seen)) maybe.insert(device);
            break;
        }
        std::vector<Bad> mine;
        for (const Bad& one : bad)
            if (worst->second.contains(one.link)) mine.push_back(one);
        LinkFault fault = worstOf(kind, mine);
        fault.at = ref(worst->first);
        fault.bad = std::uint32_t(worst->second.size()), fault.measuredLinks = m_measured[worst->first.value];
        std::erase_if(bad, [&](const Bad& one) { return worst->second.contains(one.link); });
        out.push_back(fault);
    }
    std::map<LinkId, std::vector<Bad>> byLink;
    for (const Bad& one : bad) byLink[one.link].push_back(one);
    for (const auto& [link, ends] : byLink) {
        const auto devices = endsOf(link);
        if (maybe.contains(devices[0]) || maybe.contains(devices[1]))
            m_waiting = true;
        else
            out.push_back(ofLink(kind, ends));
    }
}

/// A link is up where one end says so after the other said that it was down, and was not asked again.
bool LinkFaults::isOutdated(PointNo point, const Readings& readings) const
{
    const Plan& plan = m_plans.points[point];
    if (plan.criterion != Criterion::LinkUp) return false;
    const DeviceId end = s.ports.device[s.links.from[LinkId(plan.target)]];
    return std::ranges::any_of(m_pointsOf[end.value], [&](PointNo p) {
        return p != point && m_plans.points[p].criterion == Criterion::LinkUp && m_plans.points[p].target == plan.target &&
               readings.values[p] >= 0.5f && readings.arrived[p] > readings.arrived[point];
    });
}

/// Which links have lost lanes, or run at another rate.
void LinkFaults::noteNarrow(const Seen& seen)
{
    std::map<LinkId, Narrow> now;
    for (const auto& [point, c] : seen.conditions) {
        const Plan& plan = m_plans.points[point];
        if (plan.criterion == Criterion::LinkRate && c.stands) now[LinkId(plan.target)].slow = true;
        if (plan.criterion == Criterion::LinkUp && c.measured < 0.5f) now[LinkId(plan.target)].lanes = 0;
        if (plan.criterion != Criterion::LinkLanes) continue;
        Narrow& narrow = now[LinkId(plan.target)];
        narrow.lanes = std::min(narrow.lanes, c.measured / c.expected);
    }
    for (auto& [link, was] : m_narrow) {
        if (now.contains(link)) continue;
        if (was.lastMs < 0) was.lastMs = seen.atMs;
        if (seen.atMs - was.lastMs <= 2 * kAfterMs) now.emplace(link, was);
    }
    m_narrow = std::move(now);
}

/// All links of the job that were read at about the same time carry less: it is saved, starts again or waits. And what a failure elsewhere takes
/// from a link is reported as that.
bool LinkFaults::isOfJob(PointNo point, const Judge::Condition& c, const Seen& seen, const Limits& limits)
{
    if (m_plans.points[point].criterion != Criterion::Traffic) return false;
    if (seen.atMs - c.sinceMs < kReroutedMs) return m_waiting = true;
    return m_job.explains(c.measured / c.expected, seen.readings.arrived[point], limits);
}

/// A link that lost lanes has a lower rate, frames that are damaged, and carries less: that is one fault, told where the lanes are. So are frames
/// that are damaged over a link with a wrong rate, and that one which is down carries nothing.
bool LinkFaults::isSymptom(PointNo point, const Judge::Condition& c, const Seen& seen)
{
    const auto at = m_narrow.find(LinkId(m_plans.points[point].target));
    if (at == m_narrow.end()) return false;
    const Narrow& narrow = at->second;
    const bool lanes = narrow.lanes < 1, over = narrow.lastMs >= 0;
    switch (m_plans.points[point].criterion) {
    case Criterion::LinkRate: {
        const bool theirs = lanes && c.measured >= kOfLanes * narrow.lanes * c.expected;
        if (theirs && over && seen.readings.arrived[point] <= narrow.lastMs) return m_waiting = true; // not read since they are back
        return theirs && !over;
    }
    case Criterion::Errors:
    case Criterion::Traffic:
        if (over && seen.readings.arrived[point] < narrow.lastMs + kAfterMs) return m_waiting = true;
        return !over;
    default: return false;
    }
}

/// Both ends of a link have one rate: what one end says is reported of the link once the other has said it, too.
bool LinkFaults::otherEndMayFollow(PointNo point, const Judge::Condition& c, const Seen& seen) const
{
    const Plan& plan = m_plans.points[point];
    if (plan.criterion != Criterion::LinkRate) return false;
    const bool longAgo = seen.atMs - c.sinceMs >= kOtherEndMs;
    for (const DeviceId end : endsOf(LinkId(plan.target)))
        for (const PointNo p : m_pointsOf[end.value]) {
            const Plan& other = m_plans.points[p];
            if (p == point || other.target != plan.target || other.criterion != Criterion::LinkRate) continue;
            const std::int64_t arrived = seen.readings.arrived[p];
            const auto bad = seen.conditions.find(p);
            if (bad != seen.conditions.end() ? !bad->second.stands : !longAgo && arrived != Readings::kNever && arrived < c.sinceMs) return true;
        }
    return false;
}

std::vector<LinkFault> LinkFaults::locate(const Judge::Conditions& conditions, const Readings& readings, const Limits& limits, std::int64_t atMs)
{
    m_waiting = false;
    const Seen seen{conditions, readings, limits, atMs};
    noteNarrow(seen);
    std::map<DeviationKind, std::vector<Bad>> byKind;
    for (const auto& [point, c] : conditions) {
        if (!c.stands || !isOfLink(m_plans.points[point].criterion) || isOutdated(point, readings) || isSymptom(point, c, seen)) continue;
        if (isOfJob(point, c, seen, limits)) continue;
        if (otherEndMayFollow(point, c, seen)) {
            m_waiting = true;
            continue;
        }
        byKind[c.kind].push_back({point, &c, LinkId(m_plans.points[point].target)});
    }
    std::vector<LinkFault> out;
    for (auto& [kind, bad] : byKind) locateKind(kind, std::move(bad), seen, out);
    std::ranges::stable_sort(out, {}, [](const LinkFault& f) { return std::tuple(f.kind, f.at); });
    return out;
}

Text linkFaultText(const LinkFault& fault, Measure measure, const std::string& link)
{
    const Text said = measure == Measure::LinkLanes ? i18n("runs on {:.0f} of {:.0f} lanes", fault.measured, fault.expected)
                                                    : deviationText(fault.kind, measure, fault.measured, fault.expected);
    if (fault.at.kind == EntityKind::Device)
        return i18n("{0} of its {1} measured links affected: {2} (worst: {3})", fault.bad, fault.measuredLinks, said, link);
    if (fault.kind == DeviationKind::PacketLoss && measure == Measure::Errors) return i18n("{}: CRC/symbol errors on this link", said);
    if (fault.kind == DeviationKind::PacketLoss) return i18n("{}: packet drops, buffer exhausted at this port", said);
    return said;
}

namespace {

/// Symptoms of links are reported where they arise, so that a port, cable or switch comes up once. What a root cause explains is its symptom.
class LinkFaultDetector final : public SystemDetector {
public:
    explicit LinkFaultDetector(const DetectorScene& scene) : m_scene(scene), m_faults(scene.figures, scene.bound, scene.plans, scene.job) {}
    void follow(SystemDetector& before) override { m_reported = std::move(dynamic_cast<LinkFaultDetector&>(before).m_reported); }

    std::optional<Deviations> deviations(const Seen& seen, const Deviations& standing) override
    {
        if (!mayHaveChanged(seen)) return std::nullopt;
        std::map<Place, LinkFault> faults;
        for (const LinkFault& fault : m_faults.locate(seen.judge.conditions(), seen.readings, seen.limits, seen.atMs)) {
            if (fault.kind == DeviationKind::LowLinkLoad && fault.at.kind != EntityKind::Device && isOfSlowNic(fault.link, seen)) continue;
            if (seen.reported.byCause(fault.point) || seen.reported.byPastCause(fault.point, seen.readings.arrived[fault.point])) continue;
            faults.emplace(Place{fault.kind, fault.at}, fault);
        }
        Deviations found;
        std::map<Place, LinkFault> reported;
        for (const auto& [place, deviation] : standing) {
            const auto before = m_reported.find(place);
            if (before == m_reported.end() || (!faults.contains(place) && !narrows(place, before->second, faults, standing))) continue;
            found.emplace(place, deviation), reported.insert(*before);
        }
        for (const auto& [place, fault] : faults) {
            if (fault.back || found.contains(place)) continue;
            Deviation d = deviationOf(fault);
            d.risk = seen.reported.risk(fault.at);
            found.emplace(place, std::move(d)), reported.emplace(place, fault);
        }
        m_reported = std::move(reported);
        return found;
    }

private:
    [[nodiscard]] bool mayHaveChanged(const Seen& seen)
    {
        const auto ofLink = [&](PointNo p) { return LinkFaults::isOfLink(m_scene.plans.points[p].criterion); };
        const bool changed = std::ranges::any_of(seen.judge.began(), ofLink) ||
                             std::ranges::any_of(seen.judge.ended(), [&](const auto& entry) { return ofLink(entry.first); });
        const std::pair others(seen.reported.causes(), seen.reported.slow());
        return std::exchange(m_others, others) != others || changed || m_faults.waiting() || seen.reported.causeEndedLately();
    }
    [[nodiscard]] bool isOfSlowNic(LinkId link, const Seen& seen) const
    {
        const Snapshot& s = *m_scene.figures.snapshot;
        return seen.reported.isSlow(ref(s.links.from[link])) || seen.reported.isSlow(ref(s.links.to[link]));
    }
    /// Of a link whose one end is repaired, and the other was not read since: it stays that of the link.
    [[nodiscard]] static bool narrows(const Place& place, const LinkFault& was, std::map<Place, LinkFault>& faults, const Deviations& standing)
    {
        const auto f = std::ranges::find_if(faults, [&](const auto& entry) {
            return entry.second.kind == std::get<0>(place) && entry.second.link == was.link && !standing.contains(entry.first);
        });
        if (std::get<1>(place).kind != EntityKind::Link || f == faults.end() || f->second.at.kind != EntityKind::Port) return false;
        faults.erase(f);
        return true;
    }
    [[nodiscard]] Deviation deviationOf(const LinkFault& fault) const
    {
        const bindings::Point& point = m_scene.bound.points[fault.point];
        Deviation d;
        d.kind = fault.kind, d.entity = fault.at, d.measure = point.measure;
        d.measured = fault.measured, d.expected = fault.expected, d.sinceMs = fault.sinceMs;
        d.share = fault.expected > 0 ? std::abs(double(fault.measured) - fault.expected) / fault.expected : fault.beyond;
        d.what = linkFaultText(fault, point.measure, entityName(*m_scene.figures.snapshot, *m_scene.figures.parts, ref(fault.link)));
        return d;
    }
    DetectorScene m_scene;
    LinkFaults m_faults;
    std::map<Place, LinkFault> m_reported;
    std::pair<std::size_t, std::size_t> m_others{0, 0}; ///< root causes and slow NICs, when it looked last
};

} // namespace

std::unique_ptr<SystemDetector> makeLinkFaults(const DetectorScene& scene) { return std::make_unique<LinkFaultDetector>(scene); }

} // namespace hw::monitoring
