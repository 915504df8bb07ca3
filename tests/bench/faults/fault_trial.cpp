// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/faults/fault_trial.h"

#include "core/foundation/catalogue/entity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

namespace hw::bench {

using monitoring::Alarm;
using monitoring::AlarmKind;
using monitoring::Event;

ReadHall::ReadHall(FiguresPtr figures, const emulation::Options& options, ReadBy by, double missingPercent)
    : m_hall(std::move(figures), options), m_by(by)
{
    if (missingPercent > 0) m_hall.missing(missingPercent);
    const auto& points = m_hall.bound()->points;
    const Snapshot& s = *m_hall.figures()->snapshot;
    m_last.resize(points.size());
    for (bindings::PointNo p = 0; p < points.size(); ++p) {
        m_last[p] = {p, 0, std::numeric_limits<double>::quiet_NaN(), true};
        const EntityRef entity = points[p].entity;
        const bool device = entity.kind == EntityKind::Device;
        const TierKind kind = device ? s.tiers.kind[s.devices.tier[DeviceId(entity.id)]] : TierKind::Power;
        m_facility.push_back(entity.kind != EntityKind::Port && (kind == TierKind::Power || kind == TierKind::Cooling));
    }
}

std::vector<monitoring::PointSample> ReadHall::read()
{
    std::vector<monitoring::PointSample> now = m_hall.step(), out;
    const std::int64_t second = m_hall.nowMs() / 1000;
    if (m_by == ReadBy::Change) {
        out = std::move(now);
    } else {
        for (const auto& sample : now) {
            m_last[sample.point] = sample;
            if (!m_facility[sample.point]) out.push_back(sample);
        }
        for (const bindings::PointNo p : m_hall.fellSilent()) m_last[p].value = std::numeric_limits<double>::quiet_NaN();
        constexpr std::array<std::int64_t, 5> kPaces{10, 15, 20, 30, 60};
        for (monitoring::PointSample sample : m_last) {
            if (!m_facility[sample.point] || std::isnan(sample.value)) continue;
            const EntityRef entity = m_hall.bound()->points[sample.point].entity;
            const std::uint64_t hash = (std::uint64_t(entity.kind) * 1'000'003 + entity.id) * 0x9e3779b97f4a7c15ULL;
            const std::int64_t pace = kPaces[(hash >> 40) % kPaces.size()];
            if (m_by == ReadBy::Polls && (second + std::int64_t((hash >> 20) % 60)) % pace != 0) continue;
            sample.timeMs = m_hall.nowMs();
            out.push_back(sample);
        }
    }
    if (m_ahead)
        for (auto& sample : out)
            if (m_hall.bound()->points[sample.point].entity.id % 10 == 3) sample.timeMs += 3'600'000;
    return out;
}

std::vector<Event> ReadHall::watch(monitoring::Monitor& monitor, int seconds)
{
    std::vector<Event> events;
    for (int i = 0; i < seconds; ++i) {
        monitor.take(read());
        auto more = monitor.advance(m_hall.nowMs());
        events.insert(events.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    }
    return events;
}

namespace {

/// Names are alike where their failure is the same: a link, and the breaker at its end.
class Names {
public:
    explicit Names(const impact::Model& model) : m(model) {}
    [[nodiscard]] bool same(const std::string& a, const std::string& b) const
    {
        if (a == b) return true;
        const auto at = [&](const std::string& name) { // a link by either of its ends
            return impact::findFailing(m, name.substr(0, name.find(" – ")));
        };
        const auto x = at(a), y = at(b);
        if (!x || !y) return false;
        const auto one = impact::failedBy(m, {&*x, 1}), other = impact::failedBy(m, {&*y, 1});
        return one.devices == other.devices && one.links == other.links && one.ways == other.ways && one.pumps == other.pumps &&
               one.stalled == other.stalled;
    }
    [[nodiscard]] std::string of(const Alarm& alarm) const
    {
        const std::string name = entityName(*m.s, *m.parts, alarm.cause);
        return alarm.element.empty() ? name : name + ":" + alarm.element;
    }
    /// Whether a power feed or a pipe ends at a device.
    [[nodiscard]] bool touches(const std::string& name, EntityRef device) const
    {
        const auto f = impact::findFailing(m, name);
        if (!f || device.kind != EntityKind::Device || f->entity.kind == EntityKind::Device) return false;
        const auto failed = impact::failedBy(m, {&*f, 1});
        const auto ends = [&](LinkId link) {
            return s().ports.device[s().links.from[link]].value == device.id || s().ports.device[s().links.to[link]].value == device.id;
        };
        return std::ranges::any_of(failed.links, ends) || std::ranges::any_of(failed.ways, [&](const auto& way) {
                   return way.consumer == device.id || m.feeds->of(DeviceId(way.consumer))[way.feed].supplier.value == device.id;
               });
    }

private:
    [[nodiscard]] const Snapshot& s() const { return *m.s; }
    const impact::Model& m;
};

struct Told {
    std::set<std::string> named, alike; ///< of the wanted names
    int causes = 0, wrong = 0;
    bool sensor = false, condition = false;
};

Told toldBy(const monitoring::Frame& frame, const Trial& trial, const Names& names, const impact::Model& m)
{
    Told told;
    for (const Alarm& alarm : frame.alarms) {
        if (alarm.kind == AlarmKind::Condition) {
            const bool its = !trial.condition.empty() && alarm.id.starts_with(trial.condition + ":");
            const auto symptom = [&](EntityRef e) { return entityName(*m.s, *m.parts, e) == trial.names.front(); };
            told.condition = told.condition || (its && (names.of(alarm) == trial.names.front() || std::ranges::any_of(alarm.symptoms, symptom)));
            for (const std::string& name : trial.names) {
                if (names.touches(name, alarm.cause)) told.named.insert(name);
                if (std::ranges::any_of(alarm.alike, [&](const std::string& other) { return names.same(name, other); })) told.alike.insert(name);
            }
        }
        if (alarm.kind != AlarmKind::Cause) continue;
        ++told.causes;
        bool right = trial.expect == Trial::Expect::Condition; // what fails is named as well
        for (const std::string& name : trial.names) {
            const auto isIt = [&](const std::string& other) { return names.same(name, other); };
            if (isIt(names.of(alarm)) || std::ranges::any_of(alarm.together, [&](EntityRef e) { return isIt(entityName(*m.s, *m.parts, e)); }))
                told.named.insert(name), right = true;
            else if (std::ranges::any_of(alarm.alike, isIt))
                told.alike.insert(name), right = true;
        }
        told.wrong += !right;
    }
    for (const monitoring::Deviation& d : frame.deviations)
        if (d.kind == monitoring::DeviationKind::BadSensor && trial.expect == Trial::Expect::Sensor)
            told.sensor = told.sensor || entityName(*m.s, *m.parts, d.entity) == trial.names.front();
    return told;
}

} // namespace

TrialResult tryIt(const impact::Model& model, ReadHall& hall, monitoring::Monitor& monitor, const Trial& trial, int slower)
{
    const Names names(model);
    TrialResult out;
    for (const std::string& action : trial.actions) hall.hall().deed(action);
    std::set<std::string> wrong;
    const auto say = [&](int second, const std::string& what) { out.text += fmt::format("      {:>4} s  {}\n", second, what); };
    for (int s = 1; s <= trial.mostS * slower; ++s) {
        hall.clocksAhead(trial.clock && s <= 60);
        int said = 0;
        for (const Event& e : hall.watch(monitor, 1)) {
            if (e.kind == Event::Kind::Deviation)
                say(s, entityName(*model.s, *model.parts, e.deviation.entity) + ": " + words(e.deviation.what));
            else if (e.kind == Event::Kind::Alarm)
                say(s, std::string(wordOf(e.alarm.kind)) + ": " + words(e.alarm.what));
            else if (e.kind == Event::Kind::AlarmEnds)
                say(s, "ends: " + words(e.alarm.what));
            else
                continue;
            const bool its = e.kind == Event::Kind::AlarmEnds ||
                             (e.kind == Event::Kind::Alarm && (e.alarm.kind == AlarmKind::Cause || e.alarm.kind == AlarmKind::Condition));
            const bool sensor = e.kind == Event::Kind::Deviation && trial.expect == Trial::Expect::Sensor &&
                                entityName(*model.s, *model.parts, e.deviation.entity) == trial.names.front();
            said += !its && !sensor;
            out.found = out.found || e.kind != Event::Kind::AlarmEnds;
        }
        out.others += said;
        const auto frame = monitor.frame();
        const Told told = toldBy(*frame, trial, names, model);
        for (const Alarm& alarm : frame->alarms) {
            if (alarm.kind != AlarmKind::Cause || told.wrong == 0) continue;
            const auto isIt = [&](const std::string& name) {
                return names.same(name, names.of(alarm)) ||
                       std::ranges::any_of(alarm.alike, [&](const std::string& a) { return names.same(name, a); }) ||
                       std::ranges::any_of(alarm.together, [&](EntityRef e) { return names.same(name, entityName(*model.s, *model.parts, e)); });
            };
            if (std::ranges::none_of(trial.names, isIt)) wrong.insert(names.of(alarm));
        }
        std::set<std::string> all = told.named;
        all.insert(told.alike.begin(), told.alike.end());
        switch (trial.expect) {
        case Trial::Expect::Cause: out.named = told.named.size() == trial.names.size(), out.alike = all.size() == trial.names.size(); break;
        case Trial::Expect::Condition: out.named = out.alike = told.condition; break;
        case Trial::Expect::Sensor: out.named = out.alike = told.sensor; break;
        case Trial::Expect::Quiet: out.named = out.alike = out.others <= 1 && told.causes == 0; break;
        }
        if (!out.alike && trial.expect != Trial::Expect::Quiet)
            out.seconds = -1;
        else if (out.seconds < 0)
            out.seconds = trial.expect == Trial::Expect::Quiet ? 0 : s;
    }
    out.wrong = int(wrong.size());
    for (const std::string& name : wrong) out.text += "      none: " + name + "\n";
    return out;
}

HealthyResult watchHealthy(ReadHall& hall, monitoring::Monitor& monitor, int seconds)
{
    HealthyResult out;
    out.seconds = seconds;
    const FiguresPtr& figures = hall.hall().figures();
    for (int s = 1; s <= seconds; ++s)
        for (const Event& e : hall.watch(monitor, 1)) {
            const bool alarm = e.kind == Event::Kind::Alarm;
            if (!alarm && e.kind != Event::Kind::Deviation) continue;
            out.causes += alarm && e.alarm.kind == AlarmKind::Cause, out.deviations += !alarm || e.alarm.kind != AlarmKind::Cause;
            out.text += fmt::format("      {:>4} s  {}\n", s,
                                    alarm ? words(e.alarm.what)
                                          : entityName(*figures->snapshot, *figures->parts, e.deviation.entity) + ": " + words(e.deviation.what));
        }
    return out;
}

} // namespace hw::bench
