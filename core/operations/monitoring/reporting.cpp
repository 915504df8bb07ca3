// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/catalog/entity.h"
#include "core/operations/monitoring/conductor.h"
#include "core/operations/monitoring/incident/alarm_texts.h"
#include "core/operations/monitoring/incident/event_output.h"

#include <algorithm>
#include <cmath>

namespace hw::monitoring {

// What a watch tells: deviations, symptoms of links, causes and alarms, each when it begins and when it ends.

using bindings::PointNo;

namespace {
constexpr std::int64_t kSensorClearMs = 60'000; ///< that nothing speaks against a bad sensor any more, before it counts as right (assumed)
}

std::string Monitor::State::nameOf(EntityRef entity) const { return entityName(*figures->snapshot, *figures->parts, entity); }

std::string Monitor::State::aboutOf(const char* kind, PointNo p) const
{
    const bindings::Point& point = bound->points[p];
    std::string about = std::string(kind) + ':' + nameOf(point.entity) + ':' + std::string(wordOf(point.measure)); // no text: a key
    if (!point.element.empty()) about += ':' + point.element;
    return about;
}

/// A sensor that cannot be right says nothing of causes and limits; one that is in question begins no deviation.
void Monitor::State::judgeSensors(std::int64_t t)
{
    std::map<PointNo, bindings::ImplausibleSensor> doubts;
    for (bindings::ImplausibleSensor& doubt : m_plausibility->judge(t)) {
        const bool contradicts = doubt.kind == bindings::ImplausibleSensor::Kind::Meter || doubt.kind == bindings::ImplausibleSensor::Kind::Heat;
        if (contradicts && m_causes && m_causes->explains(doubt.point)) continue; // batteries feed, heat stays: balances do not hold meanwhile
        if (m_detectedPoints.contains(doubt.point)) continue;
        doubts.emplace(doubt.point, std::move(doubt));
    }
    for (auto at = m_badSensors.begin(); at != m_badSensors.end();) {
        if (doubts.contains(at->first)) m_doubted[at->first] = t;
        if (t - m_doubted[at->first] < kSensorClearMs) {
            ++at;
            continue;
        }
        m_doubted.erase(at->first);
        m_readings.good[at->first] = 1, m_readings.bad.erase(at->first);
        tell(Event::Kind::DeviationEnds, at->second, t);
        at = m_badSensors.erase(at);
    }
    for (const auto& [p, doubt] : doubts) {
        m_readings.good[p] = 0;
        if (!m_readings.bad.insert(p).second) continue;
        m_evidence.forget(p, t);
        m_factors.update(p, m_plans.points[p], kUnknown);
        const bindings::Point& point = bound->points[p];
        Deviation d;
        d.kind = DeviationKind::BadSensor, d.entity = point.entity, d.element = point.element, d.measure = point.measure;
        d.measured = doubt.measured, d.expected = doubt.expected, d.sinceMs = doubt.sinceMs, d.what = doubt.what;
        d.share = doubt.expected != 0 ? std::abs(doubt.measured - doubt.expected) / std::abs(doubt.expected) : 1;
        tell(Event::Kind::Deviation, d, t);
        m_badSensors.emplace(p, std::move(d)), m_doubted[p] = t;
    }
    m_readings.disputed = m_plausibility->disputed();
}

/// Racks whose coolant takes another share of their power than the design assumes.
void Monitor::State::tellShares(std::int64_t t)
{
    std::map<EntityRef, Deviation> now;
    for (const bindings::LiquidShare& share : m_plausibility->shares()) {
        Deviation d;
        d.kind = DeviationKind::WrongSetting, d.entity = share.entity, d.measure = bindings::Measure::Heat;
        d.measured = share.measuredW, d.expected = share.assumedW, d.share = std::abs(share.measured / share.assumed - 1), d.sinceMs = t;
        d.what = i18np(std::int64_t(share.places),
                       "liquid cooling removes {1:.0f} % of the power of {0} rack; the design assumes {2:.0f} %: check "
                       "liquid_share of its servers",
                       "liquid cooling removes {1:.0f} % of the power of {0} racks; the design assumes {2:.0f} %: check "
                       "liquid_share of their servers",
                       100 * share.measured, 100 * share.assumed);
        now.emplace(share.entity, std::move(d));
    }
    for (auto at = m_shares.begin(); at != m_shares.end();) {
        if (const auto still = now.find(at->first); still != now.end()) {
            still->second.sinceMs = at->second.sinceMs;
            at->second = still->second;
            ++at;
        } else {
            tell(Event::Kind::DeviationEnds, at->second, t);
            at = m_shares.erase(at);
        }
    }
    for (auto& [entity, d] : now)
        if (const auto [at, fresh] = m_shares.try_emplace(entity, d); fresh) tell(Event::Kind::Deviation, d, t);
}

void Monitor::State::tellCauses(std::int64_t t)
{
    if (!m_causes) {
        if (m_evidence.sights().empty()) return;
        m_causes.emplace(figures, bound, m_plans);
    }
    const auto hot = [&](PointNo p) { return m_flowFaults->shutsDown(p); };
    m_causes->second(t, m_evidence, m_silence, m_readings, m_limits, flappingLinks(), hot, alarms, events);
}

std::set<std::uint32_t> Monitor::State::flappingLinks() const
{
    std::set<std::uint32_t> flapping;
    for (const auto& [p, flap] : m_trends.flapping())
        if (m_plans.points[p].criterion == Criterion::LinkUp || m_plans.points[p].criterion == Criterion::LinkChanges)
            flapping.insert(m_plans.points[p].target);
    return flapping;
}

/// What the network has lost changes what its links should carry.
void Monitor::State::reroute(std::int64_t t)
{
    if (!m_rerouted.follows()) return;
    const std::set<std::uint32_t> flapping = flappingLinks();
    const LostNetwork::Seen seen{m_judge.conditions(), m_readings, m_evidence, flapping, m_rerouted.whole()};
    m_rerouted.second(t, m_lost.second(t, m_causes ? &*m_causes : nullptr, seen), m_dirty, m_plans, m_judge);
}

void Monitor::State::tell(Event::Kind kind, const Deviation& deviation, std::int64_t t)
{
    Event event;
    event.kind = kind, event.atMs = t, event.deviation = deviation;
    events.push_back(std::move(event));
}

Deviation Monitor::State::deviationOf(PointNo p, const Judge::Condition& c) const
{
    const PointNo at = c.fullest == bindings::kNoPoint ? p : c.fullest;
    const bindings::Point& point = bound->points[at];
    Deviation d;
    d.kind = c.kind, d.entity = point.entity, d.element = point.element, d.measure = point.measure;
    d.measured = c.measured, d.expected = c.expected, d.sinceMs = c.sinceMs;
    d.share = c.expected != 0 ? std::abs(double(c.measured) - c.expected) / std::abs(double(c.expected)) : c.beyond;
    d.what = deviationText(c.kind, point.measure, c.measured, c.expected);
    return d;
}

Text Monitor::State::riskOf(EntityRef entity)
{
    if (!impact::canFail(entity.kind)) return {};
    const auto [at, isNew] = m_risks.try_emplace(entity);
    if (isNew) {
        if (!m_causes) m_causes.emplace(figures, bound, m_plans);
        at->second = lossText(m_causes->study().lose({entity}));
    }
    return at->second;
}

void Monitor::State::tellConditions(std::int64_t t)
{
    for (const auto& [p, c] : m_judge.ended()) {
        const auto told = m_deviations.find(p);
        if (told == m_deviations.end()) continue;
        tell(Event::Kind::DeviationEnds, told->second, t);
        m_deviations.erase(told);
    }
    for (const PointNo p : m_judge.began())
        if (!LinkFaults::isOfLink(m_plans.points[p].criterion)) m_symptoms.insert(p);
    groupConditions(t);
}

/// Whether a condition is of something that is reported, or about to be.
bool Monitor::State::isSymptom(PointNo p, std::int64_t sinceMs, bool alarm) const
{
    return (m_causes && (m_causes->explains(p) || m_causes->left(p, sinceMs))) || m_flowFaults->explains(p, alarm) || m_detectedPoints.contains(p);
}

/// One alarm of each loop with too little flow.
void Monitor::State::tellFlowFaults(std::int64_t t)
{
    constexpr std::int64_t kSettledMs = 10'000; // between two words of one loop
    const auto excused = [&](PointNo p) {
        return m_causes && (m_causes->explains(p) || m_causes->left(p, Judge::of(m_judge.conditions(), p).sinceMs));
    };
    const auto failed = [&](DeviceId id) { return m_causes && m_causes->names(ref(id)); };
    m_flowFaults->second(t, m_judge.conditions(), m_readings, m_limits, excused, failed);
    const auto standing = m_flowFaults->standing();
    std::set<std::string> abouts;
    for (const auto& [loop, fault] : standing) {
        const std::string about = "flow:" + m_flowFaults->nameOf(loop); // no text: a key
        abouts.insert(about);
        ReportedFlow now{fault.units, fault.whole, fault.takers.size(), fault.warm.size(), t};
        std::ranges::sort(now.units);
        const auto at = m_flowsTold.find(about);
        const bool isNew = at == m_flowsTold.end();
        if (!isNew && (fault.back || t - at->second.atMs < kSettledMs)) continue;
        const auto grew = [&](const ReportedFlow& was) {
            return !std::ranges::includes(was.units, now.units) || now.whole != was.whole || now.racks > was.racks || now.warm > was.warm;
        };
        if (!isNew && !grew(at->second)) continue;
        if (!m_causes) m_causes.emplace(figures, bound, m_plans);
        const Alarm alarm = m_flowFaults->alarmOf(loop, fault, m_judge.conditions(), m_readings, m_causes->study());
        isNew ? alarms.raise(about, alarm, t, events) : alarms.change(about, alarm, t, events);
        m_flowsTold.insert_or_assign(about, std::move(now));
    }
    constexpr std::int64_t kFirstWaitMs = 60'000, kLongestWaitMs = 960'000, kForgetMs = 3'600'000; // a slow leak, a pump that hunts (assumed)
    std::erase_if(m_flowsEnded, [&](const auto& entry) { return t - entry.second.endedMs > kForgetMs && !m_flowsTold.contains(entry.first); });
    for (auto& [about, told] : m_flowsTold)
        if (abouts.contains(about))
            told.goneMs = -1;
        else if (told.goneMs < 0)
            told.goneMs = t;
    std::erase_if(m_flowsTold, [&](const auto& entry) {
        const ReportedFlow& told = entry.second;
        if (told.goneMs < 0) return false;
        const auto ended = m_flowsEnded.find(entry.first);
        const int times = ended == m_flowsEnded.end() ? 0 : ended->second.times;
        if (times > 0 && t - told.goneMs < std::min(kLongestWaitMs, kFirstWaitMs << std::min(times - 1, 8))) return false;
        alarms.end(entry.first, t, events);
        m_flowsEnded[entry.first] = {times + 1, t};
        return true;
    });
}

/// One alarm of each condition that a detector finds. While detectors begin again (other bindings), what they told before goes on.
void Monitor::State::tellDetections(std::int64_t t)
{
    constexpr std::int64_t kSettledMs = 30'000; // between two words of one condition
    constexpr std::int64_t kBeginMs = 30'000;   // in which a detector finds again what it had found
    if (m_detectingSinceMs < 0) m_detectingSinceMs = t;
    std::set<std::string> abouts;
    m_detectedPoints.clear();
    for (const auto& [info, detector] : m_detectors)
        for (auto& [key, found] : detector->second(t, m_readings)) {
            const std::string about = std::string(info->id) + ':' + key; // no text: a key
            const auto told = [&](PointNo p) { return (m_causes && m_causes->explains(p)) || m_flowFaults->explains(p); };
            if (info->yields && std::ranges::any_of(found.covers, told)) continue;
            const auto hot = [&](PointNo p) { return m_flowFaults->shutsDown(p); };
            if (found.settles && !m_detected.contains(about) && std::ranges::any_of(found.covers, hot)) continue; // it shut down by itself
            abouts.insert(about);
            m_detectedPoints.insert(found.covers.begin(), found.covers.end());
            if (found.settles)
                for (const PointNo p : found.covers) m_evidence.forget(p, t);
            const auto [at, isNew] = m_detected.try_emplace(about);
            const bool known = (found.endsMs >= 0) == (at->second.endsMs >= 0);
            const bool sooner =
                !known || (found.endsMs >= 0 && std::abs(found.endsMs - at->second.endsMs) > std::max(kSettledMs, (found.endsMs - t) / 5));
            if (!isNew && (t - at->second.atMs < kSettledMs || (found.symptoms.size() == at->second.symptoms && !sooner))) continue;
            at->second = {found.symptoms.size(), t, found.endsMs};
            Alarm alarm;
            alarm.kind = AlarmKind::Condition, alarm.cause = found.entity, alarm.element = found.element;
            alarm.alike = std::move(found.alike);
            alarm.symptoms = found.symptoms.empty() ? std::vector{found.entity} : std::move(found.symptoms);
            alarm.sinceMs = found.sinceMs, alarm.what = std::move(found.what);
            if (found.endsMs >= 0) alarm.rideThroughEndsMs = found.endsMs, alarm.rideThroughS = double(found.endsMs - t) / 1000;
            isNew ? alarms.raise(about, std::move(alarm), t, events) : alarms.change(about, alarm, t, events);
        }
    std::erase_if(m_detected, [&](const auto& entry) {
        if (abouts.contains(entry.first) || t - m_detectingSinceMs < kBeginMs) return false;
        alarms.end(entry.first, t, events);
        return true;
    });
}

/// What a cause that was named tells of is its symptom, and no deviation of its own; what none tells of is.
void Monitor::State::groupConditions(std::int64_t t)
{
    if ((m_causes && m_causes->standing() > 0) || !m_flowsTold.empty() || !m_detectedPoints.empty())
        for (auto at = m_deviations.begin(); at != m_deviations.end();) {
            if (!(m_causes && m_causes->explains(at->first, true)) && !m_flowFaults->explains(at->first) && !m_detectedPoints.contains(at->first)) {
                ++at;
                continue;
            }
            tell(Event::Kind::DeviationEnds, at->second, t);
            events.back().explained = true;
            m_symptoms.insert(at->first);
            at = m_deviations.erase(at);
        }
    for (auto at = m_symptoms.begin(); at != m_symptoms.end();) {
        const PointNo p = *at;
        const auto c = m_judge.conditions().find(p);
        const bool stands = c != m_judge.conditions().end() && c->second.stands;
        if (stands && isSymptom(p, c->second.sinceMs, false)) {
            ++at;
            continue;
        }
        at = m_symptoms.erase(at);
        if (!stands) continue;
        if (c->second.kind == DeviationKind::Idle && m_slowHosts->slow().contains(p)) continue; // told as slow
        Deviation d = deviationOf(p, c->second);
        d.risk = riskOf(d.entity);
        tell(Event::Kind::Deviation, d, t);
        m_deviations.insert_or_assign(p, std::move(d));
    }
}

Deviation Monitor::State::deviationOf(const LinkFault& fault) const
{
    const bindings::Point& point = bound->points[fault.point];
    Deviation d;
    d.kind = fault.kind, d.entity = fault.at, d.measure = point.measure;
    d.measured = fault.measured, d.expected = fault.expected, d.sinceMs = fault.sinceMs;
    d.share = fault.expected > 0 ? std::abs(double(fault.measured) - fault.expected) / fault.expected : fault.beyond;
    d.what = linkFaultText(fault, point.measure, nameOf(ref(fault.link)));
    return d;
}

/// Symptoms of links are reported where they arise, so that a port, cable or switch comes up once. What a cause explains is its symptom.
void Monitor::State::tellLinkFaults(std::int64_t t)
{
    const auto ofLink = [&](PointNo p) { return LinkFaults::isOfLink(m_plans.points[p].criterion); };
    const bool changed =
        std::ranges::any_of(m_judge.began(), ofLink) || std::ranges::any_of(m_judge.ended(), [&](const auto& entry) { return ofLink(entry.first); });
    const std::size_t causes = m_causes ? m_causes->standing() : 0;
    if (!changed && causes == m_causesSeen && m_cards.size() == m_cardsSeen && !m_linkFaults->waiting() && !(m_causes && m_causes->endedLately()))
        return;
    m_causesSeen = causes, m_cardsSeen = m_cards.size();
    std::set<std::uint32_t> slow; // links whose card is reported
    for (const auto& [p, told] : m_cards) slow.insert(m_plans.points[p].target);
    std::map<Place, LinkFault> faults;
    for (const LinkFault& fault : m_linkFaults->locate(m_judge.conditions(), m_readings, m_limits, t)) {
        if (fault.kind == DeviationKind::LowLinkLoad && fault.at.kind != EntityKind::Device && slow.contains(fault.link.value)) continue;
        if (m_causes && (m_causes->explains(fault.point) || m_causes->explained(fault.point, m_readings.arrived[fault.point]))) continue;
        faults.emplace(Place{fault.kind, fault.at}, fault);
    }
    const auto narrowed = [&](const Place& place, const ReportedFault& told) { // of a link whose one end is mended, and the other was not read since
        const auto f = std::ranges::find_if(faults, [&](const auto& entry) {
            return entry.second.kind == std::get<0>(place) && entry.second.link == told.fault.link && !m_faults.contains(entry.first);
        });
        if (std::get<1>(place).kind != EntityKind::Link || f == faults.end() || f->second.at.kind != EntityKind::Port) return false;
        faults.erase(f);
        return true;
    };
    for (auto at = m_faults.begin(); at != m_faults.end();) {
        if (!faults.contains(at->first) && !narrowed(at->first, at->second)) {
            tell(Event::Kind::DeviationEnds, at->second.deviation, t);
            at = m_faults.erase(at);
        } else {
            ++at;
        }
    }
    for (const auto& [place, fault] : faults) {
        if (fault.back && !m_faults.contains(place)) continue;
        const auto [at, isNew] = m_faults.try_emplace(place, ReportedFault{deviationOf(fault), fault});
        if (!isNew) continue;
        at->second.deviation.risk = riskOf(fault.at);
        tell(Event::Kind::Deviation, at->second.deviation, t);
    }
}

/// Deviations of what is slow beside its like: those that `tells` no longer says end, new ones begin with the words and risk of `say`.
template <class Slow, class Tells, class Say>
void Monitor::State::tellSlow(std::map<PointNo, Deviation>& told, const std::map<PointNo, Slow>& slow, Tells&& tells, Say&& say, std::int64_t t)
{
    for (auto at = told.begin(); at != told.end();) {
        if (slow.contains(at->first) && tells(at->first)) {
            ++at;
            continue;
        }
        tell(Event::Kind::DeviationEnds, at->second, t);
        at = told.erase(at);
    }
    for (const auto& [p, one] : slow) {
        if (!tells(p) || told.contains(p)) continue;
        Deviation d;
        d.kind = DeviationKind::LowPerformance, d.entity = bound->points[p].entity, d.measure = bound->points[p].measure;
        d.measured = one.measured, d.expected = one.others, d.sinceMs = one.sinceMs;
        d.share = double(1 - one.measured / one.others);
        say(d);
        tell(Event::Kind::Deviation, d, t);
        told.emplace(p, std::move(d));
    }
}

/// Links that something else is wrong with than that they carry little, or that a cause brings down.
std::set<std::uint32_t> Monitor::State::linksWithSymptoms() const
{
    std::set<std::uint32_t> links;
    for (const auto& [p, c] : m_judge.conditions())
        if (LinkFaults::isOfLink(m_plans.points[p].criterion) && c.kind != DeviationKind::LowLinkLoad) links.insert(m_plans.points[p].target);
    if (m_causes) m_causes->addLinksDown(links);
    return links;
}

/// Cards that are slow by themselves: nothing of their link, or of the port at its other end, says why, nor has a simulation less for them to do.
void Monitor::State::tellSlowCards(std::int64_t t)
{
    const std::set<std::uint32_t> links = linksWithSymptoms();
    const auto say = [](Deviation& d) {
        d.what = i18n("sends {} while the other NICs of its host send {}; its link, rate, lanes and frames are normal: check its PCIe link",
                      valueText(d.measure, d.measured), valueText(d.measure, d.expected));
    };
    const auto tells = [&](PointNo p) {
        const bool less = m_rerouted.whole().empty() || double(m_readings.values[p]) < double(m_plans.points[p].planned) * m_limits.link;
        return less && !links.contains(m_plans.points[p].target);
    };
    tellSlow(m_cards, m_slowCards->slow(), tells, say, t);
}

/// The job that was simulated goes on slower, or not at all; while a cause stands, that is why.
void Monitor::State::tellSlowJob(std::int64_t t)
{
    const auto& slow = m_job->slow();
    const bool tells = slow && !(m_causes && m_causes->standing() > 0);
    if (m_slowJob && !tells) {
        tell(Event::Kind::DeviationEnds, *m_slowJob, t);
        m_slowJob.reset();
    }
    if (!tells) return;
    const bool isNew = !m_slowJob;
    if (isNew) m_slowJob.emplace();
    Deviation& d = *m_slowJob;
    const Snapshot& s = *figures->snapshot;
    const auto network = s.ports.network[s.links.from[LinkId(m_plans.points[slow->point].target)]];
    d.kind = DeviationKind::LowLinkLoad, d.entity = network ? ref(*network) : bound->points[slow->point].entity,
    d.measure = bindings::Measure::Transmit;
    d.measured = slow->measuredBps, d.expected = slow->simulatedBps, d.sinceMs = slow->sinceMs;
    d.share = 1 - d.measured / d.expected;
    d.what = i18n("all its links carry {:.0f} % of the simulated load: the job is slow or stalled", 100 * d.measured / d.expected);
    if (isNew) tell(Event::Kind::Deviation, d, t);
}

/// Racks most of whose servers are slow: what they have in common is the reason.
void Monitor::State::tellSlowRacks(const std::map<EntityRef, SlowRack>& racks, std::int64_t t)
{
    for (auto at = m_slowRacks.begin(); at != m_slowRacks.end();) {
        const auto rack = racks.find(at->first);
        if (rack != racks.end() && rack->second.most(rack->second.slow, true)) {
            ++at;
            continue;
        }
        tell(Event::Kind::DeviationEnds, at->second, t);
        at = m_slowRacks.erase(at);
    }
    for (const auto& [entity, rack] : racks) {
        if (!rack.most(rack.slow, false) || m_slowRacks.contains(entity)) continue;
        Deviation d;
        d.kind = DeviationKind::LowPerformance, d.entity = entity, d.measure = bindings::Measure::ActivePower;
        d.measured = rack.measured, d.expected = rack.others, d.sinceMs = rack.sinceMs, d.share = double(1 - rack.measured / rack.others);
        d.what = i18np(
            std::int64_t(rack.slow),
            "{0} of its servers draws {1} while servers with equally busy GPUs draw {2}: throttled by temperature, a power cap or its power supply",
            "{0} of its servers draw {1} while servers with equally busy GPUs draw {2}: throttled by temperature, a power cap or its power supply",
            valueText(d.measure, d.measured), valueText(d.measure, d.expected));
        d.risk = riskOf(entity);
        tell(Event::Kind::Deviation, d, t);
        m_slowRacks.emplace(entity, std::move(d));
    }
}

/// Servers that are busy and draw little. One that a cause tells of has its reason; most of a rack are one line, and waited for.
void Monitor::State::tellSlowHosts(std::int64_t t)
{
    const auto excused = [this](PointNo p) {
        return (m_causes && m_causes->explains(p)) || m_deviations.contains(p) || m_detectedPoints.contains(p);
    };
    const auto rackOf = [this](PointNo p) {
        const auto rack = figures->snapshot->devices.rack[DeviceId(bound->points[p].entity.id)];
        return rack ? ref(*rack) : EntityRef{};
    };
    std::map<EntityRef, SlowRack> racks;
    if (!m_slowHosts->slow().empty() || !m_slowRacks.empty())
        m_slowHosts->each([&](PointNo p, bool doubtful) {
            const EntityRef entity = rackOf(p);
            if (!entity) return;
            SlowRack& rack = racks[entity];
            ++rack.hosts, rack.doubtful += doubtful;
            const auto slow = m_slowHosts->slow().find(p);
            rack.undecided += doubtful && slow == m_slowHosts->slow().end();
            if (slow == m_slowHosts->slow().end() || excused(p)) return;
            rack.sinceMs = rack.slow++ == 0 ? slow->second.sinceMs : std::min(rack.sinceMs, slow->second.sinceMs);
            rack.measured += slow->second.measured, rack.others += slow->second.others;
        });
    tellSlowRacks(racks, t);
    const auto say = [this](Deviation& d) {
        d.what = i18n("draws {} while servers with equally busy GPUs draw {}: throttled by temperature, a power cap or its power supply",
                      valueText(d.measure, d.measured), valueText(d.measure, d.expected));
        d.risk = riskOf(d.entity);
    };
    const auto tells = [&](PointNo p) {
        const auto rack = racks.find(rackOf(p));
        const bool ofRack = rack != racks.end() &&
                            (m_slowRacks.contains(rack->first) || rack->second.undecided >= 2 || rack->second.most(rack->second.doubtful, false));
        return !ofRack && !excused(p);
    };
    tellSlow(m_hosts, m_slowHosts->slow(), tells, say, t);
}

void Monitor::State::raise(const std::string& about, AlarmKind kind, PointNo p, std::int64_t since, Text what, std::int64_t t)
{
    if (alarms.stands(about)) return;
    Alarm alarm;
    alarm.kind = kind, alarm.sinceMs = since, alarm.what = std::move(what);
    alarm.symptoms = {bound->points[p].entity}, alarm.element = bound->points[p].element;
    alarms.raise(about, std::move(alarm), t, events);
}

/// A link flaps, whichever port shows it.
std::string Monitor::State::flappingName(PointNo p) const
{
    const Plan& plan = m_plans.points[p];
    return nameOf(plan.criterion == Criterion::LinkUp || plan.criterion == Criterion::LinkChanges ? ref(LinkId(plan.target))
                                                                                                  : bound->points[p].entity);
}

/// Adds what rises fast to what is due; racks of one row whose inlets rise are one line.
std::map<std::string, Monitor::State::RisingRow> Monitor::State::risingRows(std::map<std::string, PointNo>& due) const
{
    constexpr std::size_t kLeastRacks = 2;
    const Snapshot& s = *figures->snapshot;
    const auto rowOf = [&](PointNo p) {
        const bindings::Point& point = bound->points[p];
        const bool inlet = point.measure == bindings::Measure::AirInlet && point.entity.kind == EntityKind::Rack;
        return inlet && s.racks.contains(RackId(point.entity.id)) ? ref(s.racks.row[RackId(point.entity.id)]) : EntityRef{};
    };
    std::map<EntityRef, RisingRow> all;
    std::vector<PointNo> told;
    for (const auto& [p, rising] : m_trends.rising()) {
        if ((m_causes && m_causes->explains(p)) || m_flowFaults->explains(p) || m_detectedPoints.contains(p)) continue;
        told.push_back(p);
        const EntityRef entity = rowOf(p);
        if (!entity) continue;
        RisingRow& row = all[entity];
        row.row = entity, row.sinceMs = row.racks.empty() ? rising.sinceMs : std::min(row.sinceMs, rising.sinceMs);
        row.racks.insert(bound->points[p].entity), row.kelvinPerMinute = std::max(row.kelvinPerMinute, rising.kelvinPerMinute);
    }
    std::map<std::string, RisingRow> rows;
    for (const PointNo p : told) {
        const auto row = all.find(rowOf(p));
        const bool together = row != all.end() && row->second.racks.size() >= kLeastRacks;
        const std::string about = together ? "rate:" + nameOf(row->first) + ":air-inlet" : aboutOf("rate", p); // no text: a key
        due.emplace(about, p);
        if (together) rows.emplace(about, row->second);
    }
    return rows;
}

void Monitor::State::raiseRow(const std::string& about, const RisingRow& row, std::int64_t t)
{
    Alarm alarm;
    alarm.kind = AlarmKind::RateOfChange, alarm.sinceMs = row.sinceMs;
    alarm.symptoms.assign(row.racks.begin(), row.racks.end());
    alarm.what = i18np(std::int64_t(row.racks.size()), "{1}: inlet air temperature of {0:L} rack rising at up to {2:.1f} K/min",
                       "{1}: inlet air temperature of {0:L} racks rising at up to {2:.1f} K/min", nameOf(row.row), row.kelvinPerMinute);
    alarms.raise(about, std::move(alarm), t, events);
}

/// What is beyond a limit of the equipment, not of the plan alone. What a cause explains is its symptom, and no alarm of its own.
void Monitor::State::thresholdAlarms(std::int64_t t)
{
    std::map<std::string, PointNo> due;
    for (const auto& [p, c] : m_judge.conditions()) {
        const Plan& plan = m_plans.points[p];
        const bool limits = plan.criterion == Criterion::FeedPower || plan.criterion == Criterion::Supply ||
                            plan.criterion == Criterion::LoopSupply || plan.criterion == Criterion::Air || plan.criterion == Criterion::Flow ||
                            plan.criterion == Criterion::UnitFlow || (plan.criterion == Criterion::RackPower && c.expected == plan.limit);
        if (c.stands && limits && !isSymptom(p, c.sinceMs, true)) due.emplace(aboutOf("threshold", p), p); // no text: a key
    }
    const std::map<std::string, RisingRow> rows = risingRows(due);
    for (const auto& [p, flapping] : m_trends.flapping()) due.emplace(aboutOf("flapping", p), p); // no text: a key
    for (const auto& about : m_raised)
        if (!due.contains(about)) alarms.end(about, t, events);
    std::erase_if(m_raised, [&](const std::string& about) { return !due.contains(about); });
    for (const auto& [about, p] : due) {
        if (!m_raised.insert(about).second) continue;
        const std::string name = nameOf(bound->points[p].entity);
        const auto rising = m_trends.rising().find(p);
        const auto flapping = m_trends.flapping().find(p);
        if (const auto row = rows.find(about); row != rows.end())
            raiseRow(about, row->second, t);
        else if (about.starts_with("rate") && rising != m_trends.rising().end()) // no text: a key
            raise(about, AlarmKind::RateOfChange, p, rising->second.sinceMs,
                  i18n("{}: {} rising at {:.1f} K/min", name, bindings::infoOf(bound->points[p].measure).title, rising->second.kelvinPerMinute), t);
        else if (about.starts_with("flapping") && flapping != m_trends.flapping().end()) // no text: a key
            raise(about, AlarmKind::Flapping, p, flapping->second.sinceMs,
                  i18np(std::int64_t(flapping->second.changes), "{1} flapping: {0} state change in {2:.0f} s",
                        "{1} flapping: {0} state changes in {2:.0f} s", flappingName(p), double(m_limits.flapMs) / 1000),
                  t);
        else {
            const Judge::Condition& c = Judge::of(m_judge.conditions(), p);
            raise(about, AlarmKind::Threshold, p, c.sinceMs, i18n("{}: {}", name, deviationOf(p, c).what), t);
        }
    }
}

/// What a GPU reports of its hardware; what it reports of the program that it runs is no alarm, and one that fell off the bus is a cause.
void Monitor::State::gpuAlarm(PointNo p, std::int64_t t)
{
    if (!m_readings.good[p]) return;
    const double code = double(m_readings.values[p]);
    const std::string about = aboutOf("xid", p); // no text: a key
    const Text meaning = xidText(code);
    if (meaning.empty()) return alarms.end(about, t, events); // most of all
    const bindings::Point& point = bound->points[p];
    const Text what = i18n("{} {}: XID {:.0f}, {}", nameOf(point.entity), point.element, code, meaning);
    if (const Alarm* stands = alarms.find(about); stands && !(stands->what == what)) alarms.end(about, t, events);
    raise(about, AlarmKind::Threshold, p, t, what, t);
}

void Monitor::State::stateAlarms(std::int64_t t)
{
    for (const PointNo p : m_dirty) {
        if (bound->points[p].measure == bindings::Measure::Xid) gpuAlarm(p, t);
        if (m_plans.points[p].criterion != Criterion::Leak) continue;
        const std::string about = aboutOf("leak", p), name = nameOf(bound->points[p].entity); // no text: a key
        const bool good = m_readings.good[p] != 0;
        if (m_readings.values[p] >= 0.5f) // also of a source that does not trust it: a leak is looked at, not waited for
            raise(about, AlarmKind::Threshold, p, t,
                  good ? i18n("{}: coolant leak detected", name)
                       : i18n("{}: coolant leak detected (value marked as bad quality by its source)", name),
                  t);
        else if (good)
            alarms.end(about, t, events);
    }
    for (const auto& [channel, leaks] : m_unboundLeaks) {
        const std::string about = "leak:" + channel; // no text: a key
        if (!leaks) {
            alarms.end(about, t, events);
        } else if (!alarms.stands(about)) {
            Alarm alarm;
            alarm.sinceMs = t, alarm.what = i18n("coolant leak detected by {}, which is not bound to an object of the design; bind it", channel);
            alarms.raise(about, std::move(alarm), t, events);
        }
    }
    m_unboundLeaks.clear();
}

/// Whether it is a port of what a cause tells to be dead, or told so of late.
bool Monitor::State::isOfDead(EntityRef entity, std::int64_t heardMs) const
{
    const Snapshot& s = *figures->snapshot;
    if (!m_causes || entity.kind != EntityKind::Port || !s.ports.contains(PortId(entity.id))) return false;
    const EntityRef owner = ref(s.ports.device[PortId(entity.id)]);
    if (m_causes->names(owner)) return true;
    auto at = std::ranges::lower_bound(bound->points, owner, {}, &bindings::Point::entity);
    for (; at != bound->points.end() && at->entity == owner; ++at) {
        const auto p = PointNo(at - bound->points.begin());
        if (m_causes->stops(p) || m_causes->explained(p, heardMs)) return true;
    }
    return false;
}

bool Monitor::State::isMissingExplained(EntityRef entity, const std::set<PointNo>& points) const
{
    return isOfDead(entity, m_silence.lastMs(*points.begin())) || std::ranges::any_of(points, [&](PointNo p) {
               return m_flowFaults->shutsDown(p) || m_detectedPoints.contains(p) ||
                      (m_causes && (m_causes->explains(p) || m_causes->explained(p, m_silence.lastMs(p))));
           });
}

void Monitor::State::tellMissing(EntityRef entity, std::int64_t sinceMs, const std::set<PointNo>& points, std::int64_t t)
{
    const std::string about = "missing:" + nameOf(entity); // no text: a key
    if (alarms.stands(about)) return;
    raise(about, AlarmKind::MissingData, *points.begin(), sinceMs,
          i18np(std::int64_t(points.size()), "{1}: {0} reading missing", "{1}: {0} readings missing", nameOf(entity)), t);
}

/// Elements whose points fell silent together: their source, or what is between, and one alarm.
void Monitor::State::tellMissingTogether(std::int64_t t)
{
    constexpr std::int64_t kSettledMs = 30'000;   // between two words of it
    const std::string about = "missing-together"; // no text: a key
    MissingTogether& all = *m_missingTogether;
    std::erase_if(all.elements, [&](EntityRef entity) {
        const auto at = m_missing.find(entity);
        return at == m_missing.end() || at->second.second.empty() || isMissingExplained(entity, at->second.second);
    });
    if (all.elements.empty()) {
        alarms.end(about, t, events);
        m_missingTogether.reset();
        return;
    }
    if (all.told > 0 && (all.elements.size() <= all.told || t - all.toldMs < kSettledMs)) return;
    std::size_t readings = 0;
    for (const EntityRef entity : all.elements) readings += m_missing[entity].second.size();
    Alarm alarm;
    alarm.kind = AlarmKind::MissingData, alarm.sinceMs = all.sinceMs;
    alarm.symptoms.assign(all.elements.begin(), all.elements.end());
    alarm.what = i18np(std::int64_t(readings), "{0:L} reading of {1:L} elements missing at the same time, including {2}: check the source",
                       "{0:L} readings of {1:L} elements missing at the same time, including {2}: check their source",
                       std::int64_t(all.elements.size()), nameOf(alarm.symptoms.front()));
    all.told == 0 ? alarms.raise(about, std::move(alarm), t, events) : alarms.change(about, alarm, t, events);
    all.told = all.elements.size(), all.toldMs = t;
}

/// An entity whose points fall silent while its source speaks; once no cause tells why.
void Monitor::State::missingAlarms(std::int64_t t)
{
    const std::string deaf = "no-telemetry"; // no text: a key
    if (m_absence.deafMs() < 0) {
        alarms.end(deaf, t, events);
    } else if (!alarms.stands(deaf)) {
        Alarm alarm;
        alarm.kind = AlarmKind::MissingData, alarm.sinceMs = m_absence.deafMs();
        alarm.what = i18n("no telemetry since {}: check sources and network", timeText(m_absence.deafMs()));
        alarms.raise(deaf, std::move(alarm), t, events);
    }
    for (const PointNo p : m_silence.back()) {
        const EntityRef entity = bound->points[p].entity;
        const auto at = m_missing.find(entity);
        if (at == m_missing.end()) continue;
        at->second.second.erase(p);
        if (!at->second.second.empty()) continue;
        m_missing.erase(at);
        alarms.end("missing:" + nameOf(entity), t, events); // no text: a key
    }
    for (const PointNo p : m_absence.missed())
        if (!bindings::isSetpoint(bound->points[p]))
            m_missing.try_emplace(bound->points[p].entity, std::pair(t, std::set<PointNo>())).first->second.second.insert(p);
    std::vector<EntityRef> due;
    std::size_t lately = 0; // that fell silent with what is due
    for (const auto& [entity, missing] : m_missing) {
        const auto& [since, points] = missing;
        if (points.empty() || (m_missingTogether && m_missingTogether->elements.contains(entity))) continue;
        if (isMissingExplained(entity, points)) {
            alarms.end("missing:" + nameOf(entity), t, events); // no text: a key
            continue;
        }
        lately += t - since < m_limits.togetherMs;
        if (t - since >= m_limits.causeHoldMs + 3000) due.push_back(entity);
    }
    if (!due.empty() && (m_missingTogether || double(lately) >= m_limits.together)) {
        if (!m_missingTogether) m_missingTogether = MissingTogether{{}, t, 0, 0};
        for (const EntityRef entity : due) {
            if (t - m_missing[entity].first >= m_limits.togetherMs) continue; // by itself, before
            m_missingTogether->elements.insert(entity);
            m_missingTogether->sinceMs = std::min(m_missingTogether->sinceMs, m_missing[entity].first);
            alarms.end("missing:" + nameOf(entity), t, events); // no text: a key
        }
    }
    for (const EntityRef entity : due)
        if (!m_missingTogether || !m_missingTogether->elements.contains(entity))
            tellMissing(entity, m_missing[entity].first, m_missing[entity].second, t);
    if (m_missingTogether) tellMissingTogether(t);
}

/// Once, however many channels jump.
void Monitor::State::tellClock(std::int64_t t)
{
    constexpr std::int64_t kJoinMs = 3000, kOverMs = 60'000, kSettledMs = 30'000; // others follow; it is over; between two words
    const std::string about = "clock";                                            // no text: a key
    if (clock.channels > 0) {
        if (m_clockSinceMs < 0) m_clockSinceMs = t;
        m_clockLastMs = t;
        if (clock.channels >= m_clockSaid.channels) m_clockSaid = clock;
    }
    if (m_clockSinceMs < 0) return;
    if (clock.channels == 0 && t - m_clockLastMs >= kOverMs) {
        alarms.end(about, t, events);
        m_clockSinceMs = -1, m_clockTold = 0, m_clockSaid = {};
        return;
    }
    const bool isNew = m_clockTold == 0;
    const ClockShift& said = m_clockSaid;
    if (t - m_clockSinceMs < kJoinMs || (!isNew && said.channels < 2 * m_clockTold)) return;
    if (!isNew && (t - m_clockSinceMs) % kSettledMs != 0) return;
    Alarm alarm;
    alarm.kind = AlarmKind::Condition, alarm.sinceMs = m_clockSinceMs;
    const auto seconds = std::abs(said.byMs) / 1000;
    alarm.what =
        said.byMs > 0
            ? i18np(std::int64_t(said.channels), "clock jump at a source: timestamps of {0:L} channel are {1:L} s ahead, {2}; arrival time is used",
                    "clock jump at a source: timestamps of {0:L} channels are {1:L} s ahead, including {2}; arrival time is used", seconds,
                    said.channel)
            : i18np(std::int64_t(said.channels), "clock jump at a source: timestamps of {0:L} channel are {1:L} s behind, {2}; arrival time is used",
                    "clock jump at a source: timestamps of {0:L} channels are {1:L} s behind, including {2}; arrival time is used", seconds,
                    said.channel);
    isNew ? alarms.raise(about, std::move(alarm), t, events) : alarms.change(about, alarm, t, events);
    m_clockTold = said.channels;
}

} // namespace hw::monitoring
