// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/faults/fault_trial.h"

#include "core/foundation/catalog/entity.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace hw::bench {

using monitoring::Alarm;
using monitoring::AlarmKind;
using monitoring::Event;

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
    bool condition = false;
};

/// Whether a statement on an entity concerns an element: the entity itself, or a port of it.
bool isOf(const impact::Model& m, EntityRef told, const std::string& name)
{
    if (entityName(*m.s, *m.parts, told) == name) return true;
    return told.kind == EntityKind::Port && m.s->devices.name[m.s->ports.device[PortId(told.id)]] == name;
}

Told toldBy(const monitoring::Frame& frame, const Trial& trial, const Names& names, const impact::Model& m)
{
    Told told;
    for (const Alarm& alarm : frame.alarms) {
        if (alarm.kind == AlarmKind::Condition) {
            const bool its = !trial.condition.empty() && alarm.id.starts_with(trial.condition + ":");
            const auto symptom = [&](EntityRef e) { return entityName(*m.s, *m.parts, e) == trial.names.front(); };
            if (trial.expect == Trial::Expect::Sensor) // "meters swapped"
                for (const std::string& name : trial.names)
                    if (std::ranges::any_of(alarm.symptoms, [&](EntityRef e) { return entityName(*m.s, *m.parts, e) == name; }))
                        told.named.insert(name);
            told.condition = told.condition ||
                             (its && (trial.names.empty() || names.of(alarm) == trial.names.front() || std::ranges::any_of(alarm.symptoms, symptom)));
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
        for (const std::string& name : trial.names)
            if ((d.kind == monitoring::DeviationKind::BadSensor && trial.expect == Trial::Expect::Sensor) || trial.expect == Trial::Expect::Told)
                if (isOf(m, d.entity, name)) told.named.insert(name);
    if (trial.expect == Trial::Expect::Told)
        for (const Alarm& alarm : frame.alarms)
            for (const std::string& name : trial.names)
                if (isOf(m, alarm.cause, name)) told.named.insert(name);
    return told;
}

/// Sensors of what fails that are missing: what nobody could read.
std::string unread(const impact::Model& m, const FollowedHall& hall, const Trial& trial)
{
    std::string out;
    for (const std::string& name : trial.names) {
        const auto its = impact::findFailing(m, name.substr(0, name.find(":gpu")));
        if (!its) continue;
        for (const emulation::Sensor& sensor : hall.hall().sensors())
            if (sensor.entity == its->entity && !hall.speaks(sensor.entity, sensor.reading, sensor.part))
                out += fmt::format(" {}.{}{}", name, wordOf(sensor.reading), sensor.part ? fmt::format("[{}]", sensor.part) : "");
    }
    return out.empty() ? out : "      not read:" + out + '\n';
}

} // namespace

TrialResult tryIt(const impact::Model& model, FollowedHall& hall, const Trial& trial, int slower, int standsS)
{
    const Names names(model);
    TrialResult out;
    hall.act(trial.actions);
    std::set<std::string> wrong;
    const auto say = [&](int second, const std::string& what) { out.text += fmt::format("      {:>4} s  {}\n", second, what); };
    for (int s = 1; s <= trial.failS + (trial.mostS - trial.failS) * slower; ++s) {
        int said = 0;
        for (const Event& e : hall.watch(1)) {
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
            const bool wanted = trial.expect == Trial::Expect::Sensor || trial.expect == Trial::Expect::Told;
            const bool sensor = e.kind == Event::Kind::Deviation && wanted &&
                                std::ranges::any_of(trial.names, [&](const std::string& name) { return isOf(model, e.deviation.entity, name); });
            said += !its && !sensor;
            out.found = out.found || e.kind != Event::Kind::AlarmEnds;
        }
        out.others += said;
        const auto frame = hall.frame();
        if (!frame) continue;
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
        case Trial::Expect::Sensor: out.named = out.alike = told.named.size() == trial.names.size(); break;
        case Trial::Expect::Told: out.named = out.alike = !told.named.empty(); break;
        case Trial::Expect::Quiet: out.named = out.alike = out.others <= 1 && told.causes == 0; break;
        }
        if (!out.alike && trial.expect != Trial::Expect::Quiet)
            out.seconds = -1;
        else if (out.seconds < 0)
            out.seconds = trial.expect == Trial::Expect::Quiet ? 0 : std::max(0, s - trial.failS);
        if (trial.expect != Trial::Expect::Quiet && out.seconds >= 0 && s - trial.failS - out.seconds >= standsS * slower) break; // it stands
    }
    out.wrong = int(wrong.size());
    if (!out.alike) out.text += unread(model, hall, trial);
    for (const std::string& name : wrong) out.text += "      none: " + name + "\n";
    return out;
}

HealthyResult watchHealthy(FollowedHall& hall, int seconds)
{
    HealthyResult out;
    out.seconds = seconds;
    const FiguresPtr& figures = hall.figures();
    for (int s = 1; s <= seconds; ++s)
        for (const Event& e : hall.watch(1)) {
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
