// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cooling/chain.h"
#include "core/derived/headroom/supply.h"
#include "core/foundation/catalog/entity.h"
#include "core/operations/monitoring/evidence/silence.h"
#include "core/operations/monitoring/incident/alarm_book.h"
#include "core/operations/monitoring/incident/alarm_texts.h"
#include "core/operations/monitoring/incident/capacity.h"
#include "core/operations/monitoring/incident/event_output.h"
#include "core/operations/monitoring/plan/plan.h"
#include "core/output/incident/incident.h"
#include "tests/monitoring/emulated.h"
#include "tests/monitoring/small_monitor.h"

#include <QTest>

#include <random>

#include <nlohmann/json.hpp>

using namespace hw;
using namespace hw::monitoring;
using bindings::Measure;
using Spot = bindings::Point;

namespace {

std::size_t countOf(const std::vector<Event>& events, Event::Kind kind) { return std::size_t(std::ranges::count(events, kind, &Event::kind)); }

std::string said(const std::vector<Event>& events, const Figures& figures)
{
    std::string out;
    for (const Event& event : events) out += eventJson(event, figures).dump() + '\n';
    return out;
}

} // namespace

/// Judging by plan and limits, on the little hall of the power rules: rack1 with three hosts of 2 kW, strips of 20 kW, busways of 60 kW.
class TestMonitoring : public QObject {
    Q_OBJECT
private slots:
    /// Planned are 6 kW: 6.6 kW are let pass, 7 kW stand after five seconds, and end five seconds after they are 3 % below the threshold.
    void rackOverBudget()
    {
        const Spot rack{ref(PowerHall().racks[0]), Measure::ActivePower, ""};
        SmallWatch w({rack});
        QCOMPARE(countOf(w.seconds(20, {{rack, 6500}}), Event::Kind::Deviation), std::size_t(0));
        QCOMPARE(countOf(w.seconds(5, {{rack, 7000}}), Event::Kind::Deviation), std::size_t(0));
        const auto begins = w.seconds(2, {{rack, 7000}});
        QCOMPARE(countOf(begins, Event::Kind::Deviation), std::size_t(1));
        const Deviation& d = begins.front().deviation;
        QCOMPARE(d.kind, DeviationKind::OverBudget);
        QCOMPARE(d.entity, rack.entity);
        QCOMPARE(d.measured, 7000.0);
        QCOMPARE(d.expected, 6000.0);
        QVERIFY(std::abs(d.share - 1.0 / 6) < 1e-6);
        QVERIFY2(!d.risk.empty(), "what is lost with the rack");
        QCOMPARE(w.watch.frame()->deviations.size(), std::size_t(1));
        QCOMPARE(countOf(w.seconds(20, {{rack, 6500}}), Event::Kind::DeviationEnds), std::size_t(0)); // within the threshold, not by 3 %
        QCOMPARE(countOf(w.seconds(5, {{rack, 6300}}), Event::Kind::DeviationEnds), std::size_t(0));
        QCOMPARE(countOf(w.seconds(2, {{rack, 6300}}), Event::Kind::DeviationEnds), std::size_t(1));
        QVERIFY(w.watch.frame()->deviations.empty());
    }

    /// Noise around a threshold begins at most one deviation and ends none.
    void noiseMakesNoFlicker()
    {
        const Spot rack{ref(PowerHall().racks[0]), Measure::ActivePower, ""};
        SmallWatch w({rack});
        std::mt19937 random(3);
        std::size_t began = 0, ended = 0;
        for (int i = 0; i < 600; ++i) {
            const auto events = w.seconds(1, {{rack, 6620 + double(random() % 200) - 100}});
            began += countOf(events, Event::Kind::Deviation), ended += countOf(events, Event::Kind::DeviationEnds);
        }
        QVERIFY(began <= 1);
        QCOMPARE(ended, std::size_t(0));
    }

    /// A strip beyond its 20 kW is an alarm; it can be acknowledged and shelved, and the shelf ends by itself.
    void feedOverCapacity()
    {
        const Spot strip{ref(PowerHall().strips[0][0]), Measure::ActivePower, ""};
        SmallWatch w({strip}, {{"watch.capacity_percent", "80"}});
        (void)w.seconds(3, {{strip, 3000}});
        const auto events = w.seconds(7, {{strip, 17'000}});
        QCOMPARE(countOf(events, Event::Kind::Alarm), std::size_t(1));
        const Alarm alarm = w.watch.frame()->alarms.at(0);
        QCOMPARE(alarm.kind, AlarmKind::Threshold);
        QCOMPARE(alarm.symptoms, std::vector<EntityRef>{strip.entity});
        w.watch.answer({Answer::Kind::Acknowledge, alarm.id, 0, "me"}, w.now);
        w.watch.answer({Answer::Kind::Shelve, alarm.id, w.now + 4000, "me"}, w.now);
        QCOMPARE(countOf(w.seconds(1, {{strip, 17'000}}), Event::Kind::AlarmChanges), std::size_t(2));
        QVERIFY(w.watch.frame()->alarms.at(0).acknowledged);
        QCOMPARE(w.watch.frame()->alarms.at(0).shelvedUntilMs, alarm.sinceMs == 0 ? 0 : w.now + 3000);
        QCOMPARE(countOf(w.seconds(4, {{strip, 17'000}}), Event::Kind::AlarmChanges), std::size_t(1));
        QCOMPARE(w.watch.frame()->alarms.at(0).shelvedUntilMs, std::int64_t(0));
        QCOMPARE(countOf(w.seconds(8, {{strip, 3000}}), Event::Kind::AlarmEnds), std::size_t(1));
    }

    void phasesUneven()
    {
        const EntityRef strip = ref(PowerHall().strips[0][0]);
        const Spot l1{strip, Measure::Current, "l1"}, l2{strip, Measure::Current, "l2"}, l3{strip, Measure::Current, "l3"};
        std::vector<std::pair<Spot, double>> hosts; // all of them draw the same
        for (const DeviceId host : PowerHall().hosts) hosts.push_back({{ref(host), Measure::ActivePower, ""}, 2000});
        SmallWatch w({l1, l2, l3, hosts[0].first, hosts[1].first, hosts[2].first});
        const auto saying = [&](double one, double two, double three) {
            std::vector<std::pair<Spot, double>> said{{l1, one}, {l2, two}, {l3, three}};
            said.insert(said.end(), hosts.begin(), hosts.end());
            return said;
        };
        QCOMPARE(countOf(w.seconds(90, saying(20, 21, 19)), Event::Kind::Deviation), std::size_t(0));
        const auto events = w.seconds(240, saying(20, 30, 10));
        QCOMPARE(countOf(events, Event::Kind::Deviation), std::size_t(1));
        QCOMPARE(events.front().deviation.kind, DeviationKind::PhaseImbalance);
        QCOMPARE(events.front().deviation.element, std::string("l2"));
        QVERIFY(events.front().deviation.measured > 22 && events.front().deviation.measured <= 30); // the mean of two minutes
        QVERIFY(w.watch.frame()->deviations.at(0).measured > 28);
    }

    /// A server without work is idle and as it should be; one that says it works and draws little waits for something.
    void idleThatShouldNotBe()
    {
        PowerHall names;
        const Spot one{ref(names.hosts[0]), Measure::ActivePower, ""}, two{ref(names.hosts[1]), Measure::ActivePower, ""},
            three{ref(names.hosts[2]), Measure::ActivePower, ""}, busy{ref(names.hosts[0]), Measure::Utilization, "gpu0"};
        SmallWatch w({one, two, three, busy});
        QCOMPARE(countOf(w.seconds(90, {{one, 200}, {two, 2000}, {three, 2000}, {busy, 0}}), Event::Kind::Deviation), std::size_t(0));
        QCOMPARE(countOf(w.seconds(55, {{one, 200}, {two, 2000}, {three, 2000}, {busy, 100}}), Event::Kind::Deviation), std::size_t(0));
        const auto events = w.seconds(10, {{one, 200}, {two, 2000}, {three, 2000}, {busy, 100}});
        QCOMPARE(countOf(events, Event::Kind::Deviation), std::size_t(1));
        QCOMPARE(events.front().deviation.kind, DeviationKind::Idle);
        QCOMPARE(events.front().deviation.entity, one.entity);
        QCOMPARE(countOf(w.seconds(10, {{one, 200}, {two, 2000}, {three, 2000}, {busy, 0}}), Event::Kind::DeviationEnds), std::size_t(1));
    }

    /// Where no GPU says how busy it is: those that fall idle together had a job that ended, until one of them alone stays behind.
    void idleTogetherIsAJobsEnd()
    {
        PowerHall names;
        const Spot one{ref(names.hosts[0]), Measure::ActivePower, ""}, two{ref(names.hosts[1]), Measure::ActivePower, ""},
            three{ref(names.hosts[2]), Measure::ActivePower, ""};
        SmallWatch w({one, two, three});
        QCOMPARE(countOf(w.seconds(90, {{one, 300}, {two, 300}, {three, 3500}}), Event::Kind::Deviation), std::size_t(0));
        const auto events = w.seconds(10, {{one, 300}, {two, 2000}, {three, 3500}});
        const auto idle = std::ranges::find(events, DeviationKind::Idle, [](const Event& e) { return e.deviation.kind; });
        QVERIFY(idle != events.end() && idle->deviation.entity == one.entity);
        SmallWatch alone({one, two, three});
        QVERIFY(countOf(alone.seconds(70, {{one, 200}, {two, 2000}, {three, 2000}}), Event::Kind::Deviation) == 1);
    }

    /// Ports that are read one after the other: before it is reported where frames are lost, the other links of the switch are waited for.
    void aSwitchIsWaitedFor()
    {
        PowerHall names;
        const Snapshot& s = names.s;
        const DeviceId tor = names.tor[0];
        std::vector<Spot> drops;
        s.links.forEach([&](LinkId id) {
            const PortId from = s.links.from[id], to = s.links.to[id];
            if (s.ports.medium[from] != Medium::Data || (s.ports.device[from] != tor && s.ports.device[to] != tor)) return;
            drops.push_back({ref(s.ports.device[from] == tor ? to : from), Measure::Drops, ""});
        });
        QVERIFY(drops.size() >= 4);
        const auto say = [&](double first, double others) {
            std::vector<std::pair<Spot, double>> said;
            for (std::size_t i = 0; i < drops.size(); ++i)
                if (const double value = i < 2 ? first : others; value >= 0) said.emplace_back(drops[i], value);
            return said;
        };
        const auto placesOf = [](const std::vector<Event>& events) {
            std::set<EntityRef> places;
            for (const Event& e : events)
                if (e.kind == Event::Kind::Deviation) places.insert(e.deviation.entity);
            return places;
        };
        for (const double later : {100.0, 0.0, -1.0}) { // they lose frames, too; they do not; nothing comes of them
            SmallWatch w(drops);
            (void)w.seconds(10, say(0, 0));
            QVERIFY(placesOf(w.seconds(12, say(100, -1))).empty());
            const auto places = placesOf(w.seconds(later < 0 ? 25 : 10, say(100, later)));
            if (later > 0)
                QCOMPARE(places, std::set<EntityRef>{ref(tor)});
            else
                QCOMPARE(places, (std::set<EntityRef>{drops[0].entity, drops[1].entity}));
        }
    }

    /// Codes of the hardware are alarms, those of programs are none; one that comes in the place of another is another alarm.
    void errorCodesOfGpus()
    {
        const Spot code{ref(PowerHall().hosts[0]), Measure::Xid, "gpu3"};
        SmallWatch w({code});
        const auto standing = [&] {
            std::vector<Alarm> of;
            std::ranges::copy_if(w.watch.frame()->alarms, std::back_inserter(of), [](const Alarm& a) { return a.id.starts_with("xid:"); });
            return of;
        };
        for (const double program : {0.0, 13.0, 31.0, 45.0}) {
            (void)w.seconds(3, {{code, program}});
            QVERIFY(standing().empty());
        }
        (void)w.seconds(3, {{code, 48}});
        QCOMPARE(standing().size(), std::size_t(1));
        QVERIFY(words(standing()[0].what).find("gpu3: XID 48") != std::string::npos);
        QCOMPARE(standing()[0].symptoms, std::vector<EntityRef>{code.entity});
        const auto events = w.seconds(1, {{code, 74}});
        QCOMPARE(countOf(events, Event::Kind::AlarmEnds), std::size_t(1));
        QCOMPARE(countOf(events, Event::Kind::Alarm), std::size_t(1));
        QCOMPARE(countOf(w.seconds(60, {{code, 74}}), Event::Kind::Alarm), std::size_t(0));
        (void)w.seconds(2, {{code, 79}}); // a cause of its own
        QVERIFY(standing().empty());
    }

    /// A leak is reported at once, wherever its detector is: in a room, of a source that does not trust it, and without a name in the design.
    void leaks()
    {
        const HallId hall = SmallWatch({}).figures->snapshot->halls.ids().front();
        const Spot room{ref(hall), Measure::Leak, ""}, rack{ref(PowerHall().racks[0]), Measure::Leak, "gpu3"};
        SmallWatch w({rack, room});
        QCOMPARE(countOf(w.seconds(3, {{room, 0}, {rack, 0}}), Event::Kind::Alarm), std::size_t(0));
        w.say(room, 1), w.say(rack, 1, false);
        const auto events = w.second();
        QCOMPARE(countOf(events, Event::Kind::Alarm), std::size_t(2));
        QVERIFY2(said(events, *w.figures).find("leak") != std::string::npos, said(events, *w.figures).c_str());
        QCOMPARE(countOf(w.seconds(2, {{room, 0}, {rack, 0}}), Event::Kind::AlarmEnds), std::size_t(2));
        w.watch.unboundLeak("plant/cdu9/leak", true);
        const auto unbound = w.second();
        QCOMPARE(countOf(unbound, Event::Kind::Alarm), std::size_t(1));
        QVERIFY(said(unbound, *w.figures).find("plant/cdu9/leak") != std::string::npos);
        w.watch.unboundLeak("plant/cdu9/leak", true);
        QCOMPARE(countOf(w.second(), Event::Kind::Alarm), std::size_t(0));
        w.watch.unboundLeak("plant/cdu9/leak", false);
        QCOMPARE(countOf(w.second(), Event::Kind::AlarmEnds), std::size_t(1));
    }

    /// What an event bus says twice within ten seconds, and then not for 90 s, is not missed in between.
    void repeatsAtOddTimes()
    {
        const Spot pressure{ref(PowerHall().racks[0]), Measure::Pressure, ""}, other{ref(PowerHall().racks[1]), Measure::Pressure, ""};
        SmallWatch w({pressure, other});
        std::size_t alarms = 0;
        for (int s = 0; s < 600; ++s) {
            if (s % 98 == 0 || s % 98 == 9) w.say(pressure, 324.7);
            w.say(other, 300 + s % 7);
            alarms += countOf(w.second(), Event::Kind::Alarm);
        }
        QCOMPARE(alarms, std::size_t(0));
    }

    /// One meter that is silent is missing; all of a source at once with a gap are not, and nothing is reported as dead.
    void missingAndGap()
    {
        PowerHall names;
        std::vector<Spot> points;
        for (const auto& pair : names.strips)
            for (const DeviceId id : pair) points.push_back({ref(id), Measure::ActivePower, ""});
        std::vector<std::pair<Spot, double>> all, others;
        for (const Spot& p : points) all.emplace_back(p, 2000);
        others.assign(all.begin() + 1, all.end());
        SmallWatch w(points);
        (void)w.seconds(30, all);
        const auto events = w.seconds(40, others);
        QCOMPARE(countOf(events, Event::Kind::Alarm), std::size_t(1));
        QCOMPARE(w.watch.frame()->alarms.at(0).kind, AlarmKind::MissingData);
        QCOMPARE(countOf(w.seconds(3, all), Event::Kind::AlarmEnds), std::size_t(1));
        w.watch.gap({"broker", w.now, 0, Text()});
        const auto away = w.seconds(120, {});
        QCOMPARE(countOf(away, Event::Kind::Gap), std::size_t(1));
        QCOMPARE(countOf(away, Event::Kind::Alarm), std::size_t(0));
        QVERIFY(std::isnan(w.watch.frame()->values.at(0)));
    }

    /// Of two sources one is away: what the other goes on to say, and then does not, is missed at once; what was away and does not come back,
    /// when the gap is long over.
    void gapOfOneOfTwoSources()
    {
        PowerHall names;
        std::vector<Spot> points;
        for (const auto& pair : names.strips)
            for (const DeviceId id : pair) points.push_back({ref(id), Measure::ActivePower, ""});
        std::vector<std::pair<Spot, double>> all, ofOther, left;
        for (const Spot& p : points) all.emplace_back(p, 2000);
        ofOther.assign(all.begin(), all.begin() + 3), left.assign(all.begin() + 1, all.begin() + 3);
        SmallWatch w(points);
        (void)w.seconds(30, all);
        w.watch.gap({"broker", w.now, 0, Text()});
        const std::int64_t from = w.now;
        QCOMPARE(countOf(w.seconds(40, ofOther), Event::Kind::Alarm), std::size_t(0));
        const auto events = w.seconds(40, left);
        QCOMPARE(countOf(events, Event::Kind::Alarm), std::size_t(1));
        QCOMPARE(w.watch.frame()->alarms.at(0).kind, AlarmKind::MissingData);
        QCOMPARE(w.watch.frame()->alarms.at(0).symptoms.front(), points[0].entity);
        w.watch.gap({"broker", from, w.now, Text()});
        std::vector<std::pair<Spot, double>> back(all.begin(), all.end() - 1);
        QCOMPARE(countOf(w.seconds(110, back), Event::Kind::Alarm), std::size_t(0));
        const auto late = w.seconds(30, back);
        QCOMPARE(countOf(late, Event::Kind::Alarm), std::size_t(1));
        QCOMPARE(w.watch.frame()->alarms.at(0).symptoms.front(), points.back().entity);
    }

    /// A meter that speaks when it changes, and dies, is missed once it is known that its bus repeats every 100 s what does not change.
    void silentOnChange()
    {
        PowerHall names;
        std::vector<Spot> points;
        for (const auto& pair : names.strips)
            for (const DeviceId id : pair) points.push_back({ref(id), Measure::Voltage, ""});
        SmallWatch w(points);
        const auto bus = [&](int seconds, bool meter) {
            std::size_t alarms = 0;
            for (int s = 0; s < seconds; ++s) {
                const std::int64_t second = w.now / 1000;
                for (std::size_t i = 1; i < points.size(); ++i)
                    if (second % 100 == std::int64_t(i)) w.say(points[i], 230);
                if (meter && second % 7 == 0) w.say(points[0], 229 + double(second % 20) / 10);
                alarms += countOf(w.second(), Event::Kind::Alarm);
            }
            return alarms;
        };
        QCOMPARE(bus(1000, true), std::size_t(0));
        QCOMPARE(bus(120, false), std::size_t(0));
        QCOMPARE(bus(40, false), std::size_t(1));
        QCOMPARE(w.watch.frame()->alarms.at(0).symptoms.front(), points[0].entity);
    }

    void flapping()
    {
        const Spot link{ref(PowerHall().strips[0][0]), Measure::BreakerClosed, ""};
        SmallWatch w({link});
        std::vector<Event> events;
        for (int i = 0; i < 8; ++i)
            for (auto& e : w.seconds(2, {{link, double(i % 2)}})) events.push_back(std::move(e));
        QVERIFY(std::ranges::any_of(events, [](const Event& e) { return e.kind == Event::Kind::Alarm && e.alarm.kind == AlarmKind::Flapping; }));
    }

    /// Both strips of a busway read nothing, those of the other side took over: the busway, whose own meter is missing, is named.
    void buswayOfFourRacks()
    {
        PowerHall names;
        std::vector<Spot> points;
        std::vector<std::pair<Spot, double>> before, after;
        for (const auto& pair : names.strips)
            for (const int side : {0, 1}) {
                const Spot p{ref(pair[std::size_t(side)]), Measure::ActivePower, ""};
                points.push_back(p);
                before.emplace_back(p, 1500), after.emplace_back(p, side == 0 ? 0 : 3000);
            }
        SmallWatch w(points);
        (void)w.seconds(30, before);
        QVERIFY(w.watch.frame()->alarms.empty());
        (void)w.seconds(8, after);
        const auto frame = w.watch.frame();
        const auto cause = std::ranges::find(frame->alarms, AlarmKind::Cause, &Alarm::kind);
        QVERIFY(cause != frame->alarms.end());
        QCOMPARE(cause->cause, ref(names.busway[0]));
        QVERIFY(cause->symptoms.size() >= 4);
        QVERIFY(!cause->compared.empty());
        (void)w.seconds(20, before);
        QVERIFY(std::ranges::none_of(w.watch.frame()->alarms, [](const Alarm& a) { return a.kind == AlarmKind::Cause; }));
    }

    /// However samples and seconds are handed over, the same is said.
    void anyChunking()
    {
        const auto figures = designOf("nvl72", {{"segments", "1"}, {"networks", "backend"}});
        emulation::Options options;
        options.pollS = 4, options.startMs = 1'800'000'000'000;
        Emulated hall(figures, options);
        std::vector<std::vector<PointSample>> steps;
        for (int s = 0; s < 60; ++s) {
            if (s == 40) hall.deed("fail hall1-c1-row1-busway1");
            steps.push_back(hall.step());
        }
        std::vector<std::string> heard;
        for (const unsigned seed : {0u, 1u, 2u}) {
            std::mt19937 random(seed);
            Monitor watch;
            watch.design(figures, hall.bound());
            std::vector<Event> events = watch.advance(options.startMs);
            std::int64_t at = options.startMs;
            for (const auto& samples : steps) {
                for (std::size_t i = 0; i < samples.size();) {
                    const std::size_t n = seed == 0 ? samples.size() : std::min(samples.size() - i, std::size_t(1 + random() % 500));
                    watch.take(std::span(samples).subspan(i, n));
                    i += n;
                    if (seed > 0 && random() % 4 == 0)
                        for (auto& e : watch.advance(at + std::int64_t(random() % 1000))) events.push_back(std::move(e));
                }
                at += 1000;
                for (auto& e : watch.advance(at)) events.push_back(std::move(e));
            }
            heard.push_back(said(events, *figures));
        }
        QVERIFY(heard[0].find("hall1-c1-row1-busway1 has probably failed (inferred from telemetry)") != std::string::npos);
        QCOMPARE(heard[1], heard[0]);
        QCOMPARE(heard[2], heard[0]);
    }

    /// A rebinding that adds points and so moves their numbers changes nothing of what is known.
    void newNumbers()
    {
        const Spot rack{ref(PowerHall().racks[1]), Measure::ActivePower, ""};
        SmallWatch w({rack});
        (void)w.seconds(8, {{rack, 9000}});
        QCOMPARE(w.watch.frame()->deviations.size(), std::size_t(1));
        auto more = std::make_shared<bindings::Bound>();
        more->points = {{ref(w.hall.racks[0]), Measure::ActivePower, ""}, rack};
        std::ranges::sort(more->points);
        w.bound = more;
        w.watch.design(w.figures, w.bound);
        QCOMPARE(w.watch.frame()->deviations.size(), std::size_t(1));
        QCOMPARE(w.watch.frame()->values.at(w.bound->find(rack)), 9000.0f);
        QCOMPARE(countOf(w.seconds(12, {{rack, 400}}), Event::Kind::DeviationEnds), std::size_t(1));
    }

    /// Peaks and percentiles over time, and what they leave room for: half the planned load makes room where the plan has little.
    void capacityFromLife()
    {
        PowerHall names;
        std::vector<Spot> points;
        std::vector<std::pair<Spot, double>> values;
        for (const RackId rack : names.racks) points.push_back({ref(rack), Measure::ActivePower, ""}), values.emplace_back(points.back(), 1000);
        SmallWatch w(points);
        (void)w.seconds(60, values);
        const auto frame = w.watch.frame();
        QVERIFY(frame->life && frame->life->size() == 4);
        QCOMPARE(frame->life->front().peak, 1000.0f);
        const MeasuredCapacity c = lifeCapacity(*w.figures, *w.bound, *frame->life);
        QCOMPARE(c.racks, std::size_t(4));
        QCOMPARE(c.plannedW, 10'000.0);
        QVERIFY(std::abs(c.peaksW - 4000) < 1 && std::abs(c.p99W - 4000) < 1);
        QVERIFY(std::abs(c.realDiversity() - 0.4) < 1e-3);
        QVERIFY(capacityJson(c, *w.figures)["stranded_power_w"].get<int>() >= 5000);
        QVERIFY(!capacityText(c).empty());
    }

    /// By hand arithmetic: heat that passes two stages of cooling is stranded once, at the stage with less to spare, and what limits how many
    /// racks a row still carries is what they share, not the shelves that each brings along.
    void capacityByHand()
    {
        const auto figures = designOf("nvl72", {{"segments", "1"}, {"networks", "backend"}});
        const Snapshot& s = *figures->snapshot;
        const CoolingChain& cooling = figures->get<CoolingChainNode>();
        const PowerChain& chain = powerChain(*figures, powerBasisOf(s));
        bindings::Bound bound;
        std::map<Spot, float> half; // of what is planned, everywhere
        s.devices.forEach([&](DeviceId id) {
            if (s.tiers.kind[s.devices.tier[id]] == TierKind::Power) half[{ref(id), Measure::ActivePower, ""}] = float(toWatts(chain.load(id)) / 2);
            if (const CoolingUnit* unit = cooling.unit(id); unit && unit->lpm > 0) half[{ref(id), Measure::Flow, ""}] = float(unit->lpm / 2);
        });
        std::vector<Life> life;
        for (const auto& [point, value] : half) {
            life.push_back({bindings::PointNo(bound.points.size()), 100, value, value, value});
            bound.points.push_back(point);
        }
        const MeasuredCapacity c = lifeCapacity(*figures, bound, life);
        const double margin = 1 + Limits::of(s).margin;
        double rooms = 0, facility = 0;
        for (const MeasuredCapacity::Line& line : c.loops) {
            const auto loop = std::ranges::find(cooling.loops, line.name, &CoolingLoop::name);
            double heat = 0;
            for (const DeviceId id : loop->sources) heat += cooling.unit(id)->heatW;
            QVERIFY(std::abs(line.p99W / (heat / 2) - 1) < 1e-3);
            (loop->kind == LoopKind::Facility ? facility : rooms) += loop->capacityW - line.p99W * margin;
        }
        QVERIFY(rooms > 0 && facility > 0);
        QVERIFY(std::abs(c.strandedCoolingW - std::min(rooms, facility)) < 1);
        const auto row = std::ranges::find(c.rooms, std::string("hall1-c1-row1"), &MeasuredCapacity::Room::name);
        QVERIFY(row != c.rooms.end());
        QCOMPARE(row->limit, std::string("hall1-c1-row1-busway1"));
        const auto busway = findEntity(s, *figures->parts, "hall1-c1-row1-busway1");
        const double rating = toWatts(figures->parts->device(s.devices.type[DeviceId(busway->id)]).capacity.value);
        const double worst = toWatts(worstPower(*figures, powerBasisOf(s)).through(DeviceId(busway->id)));
        QCOMPARE(row->measured, std::int64_t((rating - worst * 0.5 * margin) / row->rackW));
        // By the plan what its loops and its feeds have to spare bounds it, too: units are as large as their load.
        double planned = std::floor((rating - worst) / row->rackW);
        bool any = false;
        for (const CooledLoad& taker : cooling.takers) {
            if (!taker.rack || taker.loop < 0 || s.rows.name[s.racks.row[*taker.rack]] != row->name) continue;
            const auto& power = figures->power->rack(*taker.rack);
            if (std::abs(toWatts(power.at(powerBasisOf(s))) - row->rackW) > 1) continue;
            const double liquid = toWatts(power.liquid[std::size_t(powerBasisOf(s))]);
            const CoolingLoop& coolant = cooling.loops[std::size_t(taker.loop)];
            const CoolingLoop& air = cooling.loops[std::size_t(cooling.airOf[s.rows.hall[s.racks.row[*taker.rack]].value])];
            planned = std::min(planned, std::floor((coolant.capacityW - coolant.heatW) / liquid));
            planned = std::min(planned, std::floor((air.capacityW - air.heatW) / (row->rackW - liquid)));
            const PowerSupply supply = PowerSupply::of(*figures, powerBasisOf(s));
            for (const PowerSupply::Part& part : supply.ofRack[(*taker.rack).value])
                if (!s.devices.rack[part.element])
                    planned = std::min(planned, std::floor(double(supply.spareMw[part.element.value]) / 1000 / (row->rackW * part.share)));
            any = true;
        }
        QVERIFY(any);
        QCOMPARE(row->planned, std::int64_t(std::max(0.0, planned)));
    }

    /// Planned current follows from the voltage of the place, and a phase from what depends on it: 20 kV at the utility, one phase at a strip.
    void plannedCurrents()
    {
        const auto figures = designOf("nvl72", {{"segments", "1"}});
        const Snapshot& s = *figures->snapshot;
        const auto at = [&](const char* name) { return *findEntity(s, *figures->parts, name); };
        bindings::Bound bound;
        for (const char* name : {"utility-a", "hall1-c1-r1-12-pdu1"})
            for (const auto& [measure, element] : std::vector<std::pair<Measure, const char*>>{{Measure::ActivePower, ""},
                                                                                               {Measure::Current, ""},
                                                                                               {Measure::Current, "l1"},
                                                                                               {Measure::Current, "l2"},
                                                                                               {Measure::Current, "l3"}})
                bound.points.push_back({at(name), measure, element});
        std::ranges::sort(bound.points);
        const Plans plans = Plans::of(*figures, bound);
        const auto planned = [&](const char* name, Measure m, const char* element) {
            return double(plans.points[bound.find({at(name), m, element})].planned);
        };
        const double factor = powerFactorOf(s), grid = planned("utility-a", Measure::ActivePower, "");
        QVERIFY(std::abs(planned("utility-a", Measure::Current, "") / (grid / (std::sqrt(3.0) * 20'000 * factor)) - 1) < 1e-3);
        for (const char* name : {"utility-a", "hall1-c1-r1-12-pdu1"}) { // what is said of all three is the mean of their conductors
            double sum = 0;
            for (const char* phase : {"l1", "l2", "l3"}) sum += planned(name, Measure::Current, phase);
            QVERIFY(std::abs(sum / 3 / planned(name, Measure::Current, "") - 1) < 1e-3);
        }
        const double strip = planned("hall1-c1-r1-12-pdu1", Measure::ActivePower, "");
        int loaded = 0; // all of the rack is on one phase, the least loaded of its side
        for (const char* phase : {"l1", "l2", "l3"}) {
            const double current = planned("hall1-c1-r1-12-pdu1", Measure::Current, phase);
            if (current == 0) continue;
            ++loaded;
            QVERIFY(std::abs(current / (strip / (230 * factor)) - 1) < 1e-3);
        }
        QCOMPARE(loaded, 1);
    }

    /// What is compared for a cause is what this cause changes, each quantity once.
    void comparedOfEachCause()
    {
        const auto figures = designOf("nvl72", {{"segments", "1"}, {"networks", "backend"}});
        emulation::Options options;
        options.startMs = 1'800'000'000'000, options.gpus = options.ports = false;
        Emulated hall(figures, options);
        Monitor watch;
        watch.design(figures, hall.bound());
        (void)hall.watch(watch, 60);
        hall.deed("fail hall1-c1-row1-busway1");
        (void)hall.watch(watch, 30);
        hall.deed("fail hall1-c1-cdu1-1");
        (void)hall.watch(watch, 30);
        const EntityRef cdu = *findEntity(*figures->snapshot, *figures->parts, "hall1-c1-cdu1-1");
        std::size_t causes = 0;
        const auto frame = watch.frame();
        for (const Alarm& alarm : frame->alarms) {
            if (alarm.kind != AlarmKind::Cause) continue;
            ++causes;
            QVERIFY(!alarm.compared.empty());
            for (const Compared& c : alarm.compared) {
                QVERIFY(c.measure != Measure::ApparentPower && c.measure != Measure::Current);
                QVERIFY(alarm.cause != cdu || c.measure == Measure::Flow || std::abs(c.predicted / c.planned - 1) > 0.01);
            }
        }
        QCOMPARE(causes, std::size_t(2));
    }

    /// Sources that repeat what does not change every 100 s say nothing of a port that is read every 180 s.
    void whatIsReadLessOftenIsNotMissing()
    {
        Silence silence;
        silence.resize(30);
        const auto at = [&](std::int64_t s) {
            for (bindings::PointNo p = 0; p < 29; ++p)
                if (s % 100 == 0) {
                    silence.seen(p, s * 1000, false);
                    if (s > 0) silence.repeated(100'000);
                }
            if (s % 180 == 0 && s < 900) silence.seen(29, s * 1000, false);
            silence.second(s * 1000, 30'000);
        };
        for (std::int64_t s = 0; s < 900; ++s) {
            at(s);
            QCOMPARE(silence.nowSilent(), std::size_t(0));
        }
        for (std::int64_t s = 900; s < 1000; ++s) at(s); // last heard at 720 s: 1.3 times 180 s and 5 s later it is
        QVERIFY(silence.isSilent(29));
        QCOMPARE(silence.nowSilent(), std::size_t(1));
    }

    /// What has ended is said in words of its own: what was wrong, not that it is.
    void clearedWords()
    {
        Alarm alarm;
        alarm.kind = AlarmKind::Cause, alarm.what = i18n("{} has probably failed.", "cdu1");
        QCOMPARE(words(endedText(alarm, "cdu1")), "probable failure of cdu1");
        alarm.id = "flow:hall1 liquid@0";
        QCOMPARE(words(endedText(alarm, "cdu1")), "low coolant flow from cdu1");
        alarm.kind = AlarmKind::Condition;
        QCOMPARE(words(endedText(alarm, "cdu1")), "cdu1 has probably failed.");
        Deviation d;
        d.kind = DeviationKind::LowPerformance, d.measure = Measure::Transmit;
        QCOMPARE(words(endedText(d, "host1:nic1")), "low throughput of host1:nic1");
        d.measure = Measure::ActivePower;
        QCOMPARE(words(endedText(d, "host1")), "low performance of host1");
        d.kind = DeviationKind::BadSensor;
        QCOMPARE(words(endedText(d, "rack1")), "implausible reading of rack1");
    }

    /// Deviations come in the order in which they began, whenever they were confirmed.
    void deviationsInOrder()
    {
        const auto figures = designOf("nvl72", {{"segments", "1"}, {"networks", "backend"}});
        Monitor watch;
        watch.design(figures, std::make_shared<bindings::Bound>());
        static_cast<void>(watch.advance(1'800'000'000'000));
        std::vector<Event> events(2);
        events[0].atMs = events[1].atMs = 1'800'000'300'000;
        events[0].deviation.sinceMs = 1'800'000'290'000, events[0].deviation.what = i18n("began second");
        events[1].deviation.sinceMs = 1'800'000'180'000, events[1].deviation.what = i18n("began first");
        for (Event& e : events) e.deviation.entity = *findEntity(*figures->snapshot, *figures->parts, "hall1-c1-row1-busway1");
        const std::string text = documentText(incidentDocument(incidentOf(events, watch.frame()), DesignStamp::of(*figures->snapshot)));
        const auto deviations = text.find("incident.deviations"), first = text.find("began first", deviations),
                   second = text.find("began second", deviations);
        QVERIFY(deviations != std::string::npos && first != std::string::npos && second != std::string::npos);
        QVERIFY(first < second);
    }

    /// What is left counts down: it becomes more only where less is lost, or a battery gives much less.
    void secondsLeftDoNotGrow()
    {
        AlarmBook book;
        std::vector<Event> events;
        Alarm alarm;
        alarm.kind = AlarmKind::Cause, alarm.together = {EntityRef{EntityKind::Device, 1}, EntityRef{EntityKind::Device, 2}};
        const auto ends = [&](std::int64_t s) { alarm.rideThroughEndsMs = s * 1000, alarm.rideThroughS = double(s); };
        const auto left = [&] { return events.back().alarm.rideThroughEndsMs / 1000; };
        ends(400), book.raise("cause:a", alarm, 0, events);
        ends(500), alarm.gpusLost = 1, book.change("cause:a", alarm, 10'000, events);
        QCOMPARE(left(), std::int64_t(400));
        ends(300), book.change("cause:a", alarm, 20'000, events);
        QCOMPARE(left(), std::int64_t(300));
        ends(600), alarm.together.pop_back(), book.change("cause:a", alarm, 30'000, events); // one of two is mended
        QCOMPARE(left(), std::int64_t(600));
        alarm.kind = AlarmKind::Condition;
        ends(1000), book.raise("on-battery:u", alarm, 0, events);
        ends(1100), alarm.gpusLost = 2, book.change("on-battery:u", alarm, 0, events);
        QCOMPARE(left(), std::int64_t(1000));
        ends(1300), book.change("on-battery:u", alarm, 0, events);
        QCOMPARE(left(), std::int64_t(1300));
    }

    /// Clocks that jump are one alarm, however many channels do, and it ends a minute after the last of them is right.
    void clocksThatJump()
    {
        const Spot spot{EntityRef{EntityKind::Hall, 0}, Measure::AirInlet, ""};
        SmallWatch small({spot});
        std::size_t alarms = 0, ends = 0;
        std::string said;
        const auto run = [&](int seconds, std::size_t channels) {
            small.watch.clock({channels, channels > 0 ? 3'600'000 : 0, channels > 0 ? "ahu/7" : ""});
            for (const Event& e : small.seconds(seconds, {{spot, 22}})) {
                if (e.kind == Event::Kind::Alarm) ++alarms, said = words(e.alarm.what);
                ends += e.kind == Event::Kind::AlarmEnds;
            }
        };
        run(5, 0);
        QCOMPARE(alarms, std::size_t(0));
        for (const std::size_t channels : {1, 3, 40, 40}) run(2, channels);
        QCOMPARE(alarms, std::size_t(1));
        QVERIFY2(said.find("3,600 s ahead") != said.npos && said.find("ahu/7") != said.npos, said.c_str());
        run(30, 0);
        run(2, 5); // one comes back
        run(50, 0);
        QVERIFY(alarms == 1 && ends == 0 && small.watch.frame()->alarms.size() == 1);
        run(20, 0);
        QVERIFY(alarms == 1 && ends == 1 && small.watch.frame()->alarms.empty());
    }

    /// The report of an incident names the cause and goes through its file unchanged.
    void incidentReport()
    {
        const auto figures = designOf("nvl72", {{"segments", "1"}, {"networks", "backend"}});
        emulation::Options options;
        options.startMs = 1'800'000'000'000, options.gpus = options.ports = false;
        Emulated hall(figures, options);
        Monitor watch;
        watch.design(figures, hall.bound());
        std::vector<Event> events = hall.watch(watch, 60);
        hall.deed("fail hall1-c1-row1-busway1");
        for (auto& e : hall.watch(watch, 30)) events.push_back(std::move(e));
        const Incident incident = incidentOf(events, watch.frame());
        const auto document = incidentDocument(incident, DesignStamp::of(*figures->snapshot));
        const std::string text = documentText(document);
        QVERIFY(text.find("hall1-c1-row1-busway1 has probably failed (inferred from telemetry)") != std::string::npos);
        QVERIFY(text.find("cannot distinguish it from its feeder breaker (") != std::string::npos);
        QVERIFY(text.find("Most loaded remaining power shelf: ") != std::string::npos);
        QVERIFY(text.find("Planned, before the failure") != std::string::npos);
        QVERIFY(text.find("\"chart\"") != std::string::npos);
        const auto back = documentFromText(text, figures, "test");
        QVERIFY(back.has_value());
        QCOMPARE(documentText(*back), text);
        QVERIFY(!documentFromText("{}", figures, "test").has_value());
    }

    /// Air that is supplied rises: in a room, at a rack, out of what cools it. What comes back to that follows the load, and is no alarm.
    void airThatRises()
    {
        const auto figures = designOf("rail-optimized-2", {{"segments", "1"}, {"networks", "backend"}});
        const EntityRef wall = *findEntity(*figures->snapshot, *figures->parts, "fanwall1-01"),
                        rack = *findEntity(*figures->snapshot, *figures->parts, "c01-r1-01");
        const Spot back{wall, Measure::AirInlet, ""}, supply{wall, Measure::AirOutlet, ""}, inlet{rack, Measure::AirInlet, ""};
        auto bound = std::make_shared<bindings::Bound>();
        bound->points = {back, supply, inlet};
        std::ranges::sort(bound->points);
        for (const Spot& spot : {back, supply, inlet}) {
            Monitor watch;
            watch.design(figures, bound);
            std::size_t rises = 0;
            for (int s = 0; s < 90; ++s) {
                const PointSample sample{bound->find(spot), s * 1000, 20 + s / 6.0, true}; // 10 K a minute
                watch.take({&sample, 1});
                for (const Event& e : watch.advance((s + 1) * 1000)) rises += e.kind == Event::Kind::Alarm && e.alarm.kind == AlarmKind::RateOfChange;
            }
            QCOMPARE(rises, std::size_t(spot == back ? 0 : 1));
        }
    }
};

QTEST_GUILESS_MAIN(TestMonitoring)
#include "test_monitoring.moc"
