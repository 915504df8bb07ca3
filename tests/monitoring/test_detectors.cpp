// SPDX-License-Identifier: GPL-3.0-or-later
// Each detector: what raises its one alarm, what does not, and how it is cleared.
#include "core/derived/cooling/chain.h"
#include "core/derived/figures/nodes.h"
#include "core/design/template/template.h"
#include "core/operations/monitoring/detectors/detector.h"
#include "core/operations/monitoring/incident/alarm_texts.h"
#include "tests/monitoring/emulated.h"
#include "tests/monitoring/reported.h"

#include <QTest>

#include <array>
#include <cmath>
#include <functional>
#include <ranges>
#include <set>

#include <fmt/format.h>

using namespace hw;

class TestDetectors : public QObject {
    Q_OBJECT
    FiguresPtr m_pod;

    [[nodiscard]] std::string nameOf(EntityRef entity) const { return entityName(*m_pod->snapshot, *m_pod->parts, entity); }
    [[nodiscard]] static std::optional<monitoring::Alarm> conditionOf(const monitoring::Monitor& monitor, const std::string& id)
    {
        const auto frame = monitor.frame();
        for (const monitoring::Alarm& alarm : frame->alarms)
            if (alarm.kind == monitoring::AlarmKind::Condition && alarm.id.starts_with(id + ":")) return alarm;
        return std::nullopt;
    }
    struct Run {
        std::unique_ptr<Emulated> hall;
        monitoring::Monitor monitor;
        Reported all;
    };
    [[nodiscard]] Run healthy() const
    {
        emulation::Options options;
        options.ports = false;
        Run run{std::make_unique<Emulated>(m_pod, options), {}, {}};
        run.monitor.design(m_pod, run.hall->bound());
        note(run.all, run.hall->watch(run.monitor, 150), *m_pod, 0);
        return run;
    }

    using Change = std::function<bool(monitoring::PointSample&)>; ///< false: it is not said
    /// Lets the monitor look at what comes, with a change; its events.
    static std::vector<monitoring::Event> watched(Run& run, int seconds, const Change& change)
    {
        std::vector<monitoring::Event> events;
        for (int i = 0; i < seconds; ++i) {
            auto samples = run.hall->step();
            std::erase_if(samples, [&](auto& sample) { return !change(sample); });
            run.monitor.take(samples);
            for (auto& event : run.monitor.advance(run.hall->nowMs())) events.push_back(std::move(event));
        }
        return events;
    }
    template <class Is>
    static std::size_t countOf(const std::vector<monitoring::Event>& events, Is&& is)
    {
        return std::size_t(std::ranges::count_if(events, is));
    }
    static bool isBadSensor(const monitoring::Event& e)
    {
        return e.kind == monitoring::Event::Kind::Deviation && e.deviation.kind == monitoring::DeviationKind::BadSensor;
    }
    static bool isAlarm(const monitoring::Event& e) { return e.kind == monitoring::Event::Kind::Alarm; }
    [[nodiscard]] std::string listed(const std::vector<monitoring::Event>& events) const
    {
        Reported all;
        for (const auto& event : events) note(all, {event}, *m_pod, int((event.atMs - events.front().atMs) / 1000));
        return listOf(all);
    }
    /// Racks with a flow, by what they draw.
    [[nodiscard]] std::vector<RackId> racksByPower(const Run& run) const
    {
        std::vector<std::pair<float, RackId>> all;
        m_pod->snapshot->racks.forEach([&](RackId id) {
            const auto power = run.hall->bound()->find({ref(id), bindings::Measure::ActivePower, ""});
            if (power != bindings::kNoPoint && run.hall->bound()->find({ref(id), bindings::Measure::Flow, ""}) != bindings::kNoPoint)
                all.emplace_back(run.monitor.frame()->values[power], id);
        });
        std::ranges::sort(all);
        std::vector<RackId> out;
        for (const auto& [power, id] : all) out.push_back(id);
        return out;
    }

private slots:
    /// With a set on every board: one that takes over a board is a condition here.
    void initTestCase()
    {
        const auto catalog = Catalog::load(HW_RESOURCES "/catalog").value();
        const auto design =
            Template::parse("template: boards\nextends: nvl72\ntitle: Boards\nlayout: {generators: board, headers: single, cdu_rejector: none}\n"
                            "settings: {cooling.coolant_supply_c: \"30\"}\n",
                            "boards", HW_RESOURCES "/templates")
                .value();
        m_pod = computeFigures(instantiate(design, design.complete({{"segments", "1"}}).value(), catalog).value()).value();
    }

    /// The input breaker of a UPS opens: its battery discharges, and what is left follows from the charge that is measured. The alarm stands until
    /// the breaker is closed again.
    void aBatteryThatDischarges()
    {
        Run run = healthy();
        QVERIFY2(run.all.empty(), listOf(run.all).c_str());
        run.hall->deed("fail ups1-1-1:In");
        note(run.all, run.hall->watch(run.monitor, 30), *m_pod, 30);
        const auto alarm = conditionOf(run.monitor, "on-battery");
        QVERIFY2(alarm, listOf(run.all).c_str());
        QCOMPARE(nameOf(alarm->cause), std::string("ups1-1-1"));
        QVERIFY(alarm->rideThroughS > 0);
        note(run.all, run.hall->watch(run.monitor, 120), *m_pod, 150);
        const auto later = conditionOf(run.monitor, "on-battery");
        QVERIFY(later);
        const double left = *monitoring::rideThroughLeftS(*later, run.hall->nowMs());
        const auto [first, last] = run.hall->bound()->pointsOf(later->cause);
        double charge = -1;
        for (auto p = first; p < last; ++p)
            if (run.hall->bound()->points[p].measure == bindings::Measure::StateOfCharge) charge = run.monitor.frame()->values[p];
        QVERIFY(charge > 0 && charge < 100);
        const double whole = left + 150, expected = charge / (100 - charge) * 150; // it discharges evenly
        QVERIFY2(std::abs(left - expected) < 0.15 * whole, qPrintable(QString("%1 s left, %2 expected at %3 %").arg(left).arg(expected).arg(charge)));
        run.hall->deed("restore");
        note(run.all, run.hall->watch(run.monitor, 120), *m_pod, 270);
        QVERIFY(!conditionOf(run.monitor, "on-battery"));
    }

    /// Of a battery that hardly discharges no time is shown.
    void aBatteryThatLasts()
    {
        Run run = healthy();
        bindings::PointNo charge = bindings::kNoPoint;
        for (bindings::PointNo p = 0; p < run.hall->bound()->points.size() && charge == bindings::kNoPoint; ++p)
            if (run.hall->bound()->points[p].measure == bindings::Measure::StateOfCharge) charge = p;
        QVERIFY(charge != bindings::kNoPoint);
        double now = 100, fall = 0.1;
        const auto falls = [&](monitoring::PointSample& sample) { return sample.point != charge; };
        const auto watch = [&](int seconds) {
            for (int i = 0; i < seconds; ++i) {
                now -= fall;
                const std::array sample{monitoring::PointSample{charge, run.hall->nowMs() + 1000, now, true}};
                run.monitor.take(sample);
                (void)watched(run, 1, falls);
            }
        };
        watch(10);
        auto alarm = conditionOf(run.monitor, "on-battery");
        QVERIFY(alarm && alarm->rideThroughS > 0 && alarm->rideThroughS < 3600);
        fall = 1e-4;
        watch(100);
        alarm = conditionOf(run.monitor, "on-battery");
        QVERIFY(alarm);
        QVERIFY2(alarm->rideThroughS < 0, words(alarm->what).c_str());
    }

    /// Values that differ show it.
    void nearlyAlike()
    {
        using enum bindings::Measure;
        const auto text = [](double measured, double expected) {
            return words(monitoring::deviationText(monitoring::DeviationKind::OverBudget, ActivePower, measured, expected));
        };
        QCOMPARE(text(33'040, 33'000), std::string("carries 33.04 kW; planned or rated 33.00 kW"));
        QCOMPARE(text(34'000, 33'000), std::string("carries 34.0 kW; planned or rated 33.0 kW"));
    }

    /// The breaker of a utility opens, and a plant of generators takes the switchgear: until they carry nobody can tell it from the switchgear,
    /// so both are reported; nothing else is, and the alarm is active until the supply is back.
    void aUtilityBreakerThatOpens()
    {
        const FiguresPtr figures = designOf("fat-tree-2", {});
        emulation::Options options;
        options.ports = false, options.pollS = 10;
        Emulated hall(figures, options);
        monitoring::Monitor monitor;
        monitor.design(figures, hall.bound());
        (void)hall.watch(monitor, 150);
        const std::string breaker = "utility-a:Way1";
        const auto causes = [&] {
            std::vector<monitoring::Alarm> out;
            const auto frame = monitor.frame();
            for (const monitoring::Alarm& alarm : frame->alarms)
                if (alarm.kind == monitoring::AlarmKind::Cause) out.push_back(alarm);
            return out;
        };
        hall.deed("fail " + breaker);
        for (int second = 1; second <= 120; ++second) {
            (void)hall.watch(monitor, 1);
            const auto told = causes();
            for (const monitoring::Alarm& alarm : told) {
                const bool named = entityName(*figures->snapshot, *figures->parts, alarm.cause) == breaker;
                QVERIFY2(named || std::ranges::find(alarm.alike, breaker) != alarm.alike.end(), words(alarm.what).c_str());
            }
            QVERIFY2(second < 10 || !told.empty(), std::to_string(second).c_str());
        }
        hall.deed("restore");
        (void)hall.watch(monitor, 150);
        QVERIFY(causes().empty());
    }

    /// The input of a UPS opens, and its switchboard feeds nothing else: a board without load whose voltage is read with it has not failed.
    void aBoardWithoutLoad()
    {
        const FiguresPtr figures = designOf("rail-only", {});
        emulation::Options options;
        options.ports = options.gpus = false, options.metersFromS = 10, options.metersToS = 60;
        Emulated hall(figures, options);
        monitoring::Monitor monitor;
        monitor.design(figures, hall.bound());
        (void)hall.watch(monitor, 200); // each meter is read three times
        const std::string board = "switchboard3-2";
        hall.deed("fail ups3-2-1:In");
        bool any = false;
        for (int second = 1; second <= 120; ++second) {
            (void)hall.watch(monitor, 1);
            const auto frame = monitor.frame();
            for (const monitoring::Alarm& alarm : frame->alarms) {
                any = true;
                QVERIFY2(entityName(*figures->snapshot, *figures->parts, alarm.cause) != board, words(alarm.what).c_str());
            }
        }
        QVERIFY(any);
    }

    /// All that a rack draws goes at once: the rack is listed as possible from the first second on.
    void aRackWithBothStrips()
    {
        const FiguresPtr figures = designOf("fat-tree-2", {});
        emulation::Options options;
        options.ports = false, options.pollS = 30;
        Emulated hall(figures, options);
        monitoring::Monitor monitor;
        monitor.design(figures, hall.bound());
        (void)hall.watch(monitor, 150);
        std::string rack;
        figures->snapshot->racks.forEach([&](RackId id) {
            std::size_t strips = 0;
            for (const DeviceId d : figures->get<IndexNode>().devicesOfRack[id.value])
                strips += figures->parts->device(figures->snapshot->devices.type[d]).power.element == PowerElement::Pdu;
            const auto power = hall.bound()->find({ref(id), bindings::Measure::ActivePower, ""});
            if (strips == 2 && power != bindings::kNoPoint && monitor.frame()->values[power] > 5000) rack = figures->snapshot->racks.name[id];
        });
        QVERIFY(!rack.empty());
        hall.deed("fail " + rack);
        bool any = false;
        for (int second = 1; second <= 40; ++second) {
            (void)hall.watch(monitor, 1);
            const auto frame = monitor.frame();
            for (const monitoring::Alarm& alarm : frame->alarms) {
                if (alarm.kind != monitoring::AlarmKind::Cause) continue;
                any = true;
                const bool named = entityName(*figures->snapshot, *figures->parts, alarm.cause) == rack;
                QVERIFY2(named || std::ranges::find(alarm.alike, rack) != alarm.alike.end(), words(alarm.what).c_str());
            }
        }
        QVERIFY(any);
    }

    /// Coolant units fail and come back: flows and heat contradict each other meanwhile, and no meters are exchanged.
    void flowsThatAreDisturbed()
    {
        Run run = healthy();
        std::vector<std::string> units;
        for (const CoolingUnit& unit : m_pod->get<CoolingChainNode>().units)
            if (unit.element == CoolingElement::Cdu) units.push_back(m_pod->snapshot->devices.name[unit.device]);
        QVERIFY(units.size() >= 2);
        for (const std::string& unit : units) {
            run.hall->deed("fail " + unit);
            (void)run.hall->watch(run.monitor, 5);
        }
        (void)run.hall->watch(run.monitor, 100);
        run.hall->deed("restore");
        for (int i = 0; i < 30; ++i) {
            (void)run.hall->watch(run.monitor, 10);
            QVERIFY(!conditionOf(run.monitor, "exchanged"));
        }
    }

    /// A transformer's breaker opens: the generator set takes the switchboard, and that stands until the utility supply is back.
    void aGeneratorThatCarriesLoad()
    {
        Run run = healthy();
        run.hall->deed("fail transformer1-2:LV1");
        note(run.all, run.hall->watch(run.monitor, 300), *m_pod, 300);
        const auto alarm = conditionOf(run.monitor, "on-generator");
        QVERIFY2(alarm, listOf(run.all).c_str());
        QCOMPARE(nameOf(alarm->cause), std::string("generator1-2"));
        run.hall->deed("restore");
        note(run.all, run.hall->watch(run.monitor, 120), *m_pod, 420);
        QVERIFY(!conditionOf(run.monitor, "on-generator"));
        QVERIFY(!conditionOf(run.monitor, "on-battery"));
    }

    /// The breaker between a transformer or a UPS and its switchboard opens: the load takes another path, the element stays live. It is named
    /// until the breaker is closed again; one that fails itself is no open breaker.
    void anOpenBreaker_data()
    {
        QTest::addColumn<std::string>("fails");
        QTest::addColumn<std::string>("named");
        QTest::newRow("UPS output") << std::string("ups1-1-1:Out") << std::string("ups1-1-1");
        QTest::newRow("transformer") << std::string("transformer1-2:LV1") << std::string("transformer1-2");
        QTest::newRow("the UPS itself") << std::string("ups1-1-1") << std::string();
    }
    void anOpenBreaker()
    {
        QFETCH(std::string, fails);
        QFETCH(std::string, named);
        Run run = healthy();
        run.hall->deed("fail " + fails);
        note(run.all, run.hall->watch(run.monitor, 60), *m_pod, 60);
        // As a cause, by its name; or as a condition of what feeds it, where values do not decide.
        const auto told = [&] {
            if (const auto alarm = conditionOf(run.monitor, "open-path")) return nameOf(alarm->cause);
            const auto frame = run.monitor.frame();
            for (const monitoring::Alarm& alarm : frame->alarms)
                if (alarm.kind == monitoring::AlarmKind::Cause && nameOf(alarm.cause) == fails && !named.empty()) return named;
            return std::string();
        };
        QVERIFY2(told() == named, listOf(run.all).c_str());
        note(run.all, run.hall->watch(run.monitor, 120), *m_pod, 180);
        QCOMPARE(told(), named);
        run.hall->deed("restore");
        note(run.all, run.hall->watch(run.monitor, 60), *m_pod, 240);
        QCOMPARE(told(), std::string());
    }

    void supplyQuality_data()
    {
        QTest::addColumn<std::string>("id");
        QTest::addColumn<std::string>("reading"); // of every power element of a side
        QTest::addColumn<std::string>("change");
        QTest::addColumn<std::string>("root");
        QTest::newRow("48.6 Hz") << std::string("frequency") << std::string("frequency") << std::string("sensor-offset by=-1.4")
                                 << std::string("utility-a");
        QTest::newRow("86 % of the voltage") << std::string("voltage") << std::string("voltage") << std::string("sensor-scale by=0.86")
                                             << std::string("utility-a");
        QTest::newRow("phase L2") << std::string("phase-loss") << std::string("phase-current") << std::string("sensor-scale part=2 by=0")
                                  << std::string("hall1-c1-row1-busway1");
    }
    void supplyQuality()
    {
        QFETCH(std::string, id);
        QFETCH(std::string, reading);
        QFETCH(std::string, change);
        QFETCH(std::string, root);
        Run run = healthy();
        const PowerFeeds& feeds = m_pod->get<PowerFeedsNode>();
        const Snapshot& s = *m_pod->snapshot;
        const bool side = reading == "voltage";
        std::set<std::string> names;
        s.devices.forEach([&](DeviceId device) {
            const PowerElement element = m_pod->parts->device(s.devices.type[device]).power.element;
            if (element == PowerElement::None || (side && feeds.side(device) != 'A')) return;
            const auto [first, last] = run.hall->bound()->pointsOf(ref(device));
            const auto reads = [&](const bindings::Point& p) {
                return reading == "frequency" ? p.measure == bindings::Measure::Frequency
                       : reading == "voltage" ? p.measure == bindings::Measure::Voltage
                                              : p.measure == bindings::Measure::Current && p.element == "l2";
            };
            if (std::none_of(run.hall->bound()->points.begin() + first, run.hall->bound()->points.begin() + last, reads)) return;
            const std::string name = nameOf(ref(device));
            const bool behind =
                name == root || std::ranges::any_of(feeds.of(device), [&](const PowerFeed& f) { return nameOf(ref(f.supplier)) == root; });
            if (reading != "phase-current" || behind) names.insert(name);
        });
        QVERIFY2(names.contains(root), qPrintable(QString::fromStdString(*names.begin())));
        const std::size_t at = change.find(' ');
        for (const std::string& name : names) run.hall->deed(change.substr(0, at) + " " + name + " reading=" + reading + change.substr(at));
        run.all.clear();
        note(run.all, run.hall->watch(run.monitor, 30), *m_pod, 30);
        const auto alarm = conditionOf(run.monitor, id);
        QVERIFY2(alarm, listOf(run.all).c_str());
        QVERIFY2(nameOf(alarm->cause) == root, words(alarm->what).c_str());
        const auto frame = run.monitor.frame();
        const auto conditions = std::ranges::count_if(frame->alarms, [](const auto& a) { return a.kind == monitoring::AlarmKind::Condition; });
        QCOMPARE(conditions, std::ptrdiff_t(1));
        run.hall->deed("restore");
        note(run.all, run.hall->watch(run.monitor, 30), *m_pod, 60);
        QVERIFY(!conditionOf(run.monitor, id));
    }

    /// The breaker of a rack opens: its shelves have voltage and carry nothing, its servers fall silent, and one alarm says so, also where its air is
    /// some kelvins warmer than usual. Where that is as warm as servers shut down at, it is not the breaker.
    void aRackThatGoesDark_data()
    {
        const double limitC = m_pod->get<CoolingChainNode>().at.airLimitC;
        QTest::addColumn<double>("inletC");
        QTest::addColumn<bool>("breaker");
        QTest::newRow("as usual") << 0.0 << true;
        QTest::newRow("warmer air") << limitC - 3 << true;
        QTest::newRow("air at the limit") << limitC << false;
    }
    void aRackThatGoesDark()
    {
        QFETCH(double, inletC);
        QFETCH(bool, breaker);
        Run run = healthy();
        const RackId rack = racksByPower(run).back();
        const auto warm = [&](monitoring::PointSample& sample) {
            const bindings::Point& p = run.hall->bound()->points[sample.point];
            if (inletC > 0 && p.entity == ref(rack) && p.measure == bindings::Measure::AirInlet) sample.value = inletC;
            return true;
        };
        (void)watched(run, inletC > 0 ? 120 : 0, warm); // DSX repeats what does not change after 100 s
        const auto change = [&](monitoring::PointSample& sample) {
            (void)warm(sample);
            const bindings::Point& p = run.hall->bound()->points[sample.point];
            const Snapshot& s = *m_pod->snapshot;
            const bool load = p.measure == bindings::Measure::ActivePower || p.measure == bindings::Measure::Current ||
                              p.measure == bindings::Measure::ApparentPower;
            if (p.entity == ref(rack) && load) sample.value = 0;
            if (p.entity.kind != EntityKind::Device || !(s.devices.rack[DeviceId(p.entity.id)] == rack)) return true;
            const bool strip = m_pod->parts->device(s.devices.type[DeviceId(p.entity.id)]).power.element != PowerElement::None;
            if (strip && load) sample.value = 0;
            return strip;
        };
        const auto events = watched(run, breaker ? 90 : 20, change);
        const auto alarm = conditionOf(run.monitor, "rack-dark");
        QVERIFY2(alarm.has_value() == breaker, listed(events).c_str());
        if (!breaker) return;
        QCOMPARE(nameOf(alarm->cause), nameOf(ref(rack)));
        QVERIFY2(countOf(events, isAlarm) == 1, listed(events).c_str());
        (void)watched(run, 30, [](monitoring::PointSample&) { return true; });
        QVERIFY(!conditionOf(run.monitor, "rack-dark"));
    }

    /// The meters of two racks exchanged: both are named, and no other sensor.
    void metersOfTwoRacksExchanged_data()
    {
        QTest::addColumn<int>("measure");
        QTest::newRow("power") << int(bindings::Measure::ActivePower);
        QTest::newRow("flow") << int(bindings::Measure::Flow);
    }
    void metersOfTwoRacksExchanged()
    {
        QFETCH(int, measure);
        Run run = healthy();
        const auto racks = racksByPower(run);
        const auto at = [&](RackId id) { return run.hall->bound()->find({ref(id), bindings::Measure(measure), ""}); };
        const bindings::PointNo a = at(racks.front()), b = at(racks.back());
        QVERIFY(run.monitor.frame()->values[a] < 0.8f * run.monitor.frame()->values[b]);
        const auto events = watched(run, 240, [&](monitoring::PointSample& sample) {
            sample.point = sample.point == a ? b : sample.point == b ? a : sample.point;
            return true;
        });
        const auto alarm = conditionOf(run.monitor, "exchanged");
        QVERIFY2(alarm, listed(events).c_str());
        QCOMPARE(std::set<EntityRef>(alarm->symptoms.begin(), alarm->symptoms.end()), (std::set<EntityRef>{ref(racks.front()), ref(racks.back())}));
        for (const auto& e : events) // what was called bad before it was clear: of these racks
            if (isBadSensor(e))
                QVERIFY2(e.deviation.entity == ref(racks.front()) || e.deviation.entity == ref(racks.back()), words(e.deviation.what).c_str());
        (void)watched(run, 200, [](monitoring::PointSample&) { return true; });
        QVERIFY(!conditionOf(run.monitor, "exchanged"));
    }

    /// The same of a rack of switches and one of servers where each meter is polled at its own interval: named within six minutes.
    void polledMetersOfTwoRacksExchanged()
    {
        const FiguresPtr figures = designOf("fat-tree-2", {});
        emulation::Options options;
        options.ports = options.gpus = false, options.metersFromS = 10, options.metersToS = 60;
        Emulated hall(figures, options);
        monitoring::Monitor monitor;
        monitor.design(figures, hall.bound());
        (void)hall.watch(monitor, 400);
        QVERIFY(!conditionOf(monitor, "exchanged"));
        std::vector<std::pair<float, std::string>> racks;
        figures->snapshot->racks.forEach([&](RackId id) {
            const auto power = hall.bound()->find({ref(id), bindings::Measure::ActivePower, ""});
            if (power == bindings::kNoPoint || !(monitor.frame()->values[power] > 5000)) return;
            racks.emplace_back(monitor.frame()->values[power], figures->snapshot->racks.name[id]);
        });
        const auto [low, high] = std::ranges::minmax(racks);
        QVERIFY(low.first < 0.6f * high.first);
        hall.deed(fmt::format("sensor-swap {} with={} reading=active-power", low.second, high.second));
        (void)hall.watch(monitor, 360);
        const auto alarm = conditionOf(monitor, "exchanged");
        QVERIFY(alarm);
        std::set<std::string> named;
        for (const EntityRef entity : alarm->symptoms) named.insert(entityName(*figures->snapshot, *figures->parts, entity));
        QCOMPARE(named, (std::set<std::string>{low.second, high.second}));
    }

    /// One of two racks whose meters are exchanged draws nothing: both are named.
    void metersExchangedWithARackThatDrawsNothing()
    {
        static const FiguresPtr figures = shippedDesign("fat-tree-2", {});
        emulation::Options options;
        options.ports = options.gpus = false;
        Run run{std::make_unique<Emulated>(figures, options), {}, {}};
        run.monitor.design(figures, run.hall->bound());
        const Snapshot& s = *figures->snapshot;
        const auto meterOf = [&](EntityRef entity) { return run.hall->bound()->find({entity, bindings::Measure::ActivePower, ""}); };
        const auto one = *findEntity(s, *figures->parts, "c01-r2-07"), empty = *findEntity(s, *figures->parts, "c01-r2-08");
        const auto meter = meterOf(one), none = meterOf(empty);
        std::set<bindings::PointNo> nothing{none}; // and what is measured within that rack
        s.devices.forEach([&](DeviceId id) {
            if (s.devices.rack[id] == RackId(empty.id) && meterOf(ref(id)) != bindings::kNoPoint) nothing.insert(meterOf(ref(id)));
        });
        bool swapped = false;
        double last = 0;
        const auto change = [&](monitoring::PointSample& sample) {
            if (sample.point == meter) last = sample.value;
            if (nothing.contains(sample.point)) sample.value = swapped && sample.point == none ? last : 0;
            if (swapped && sample.point == meter) sample.value = 0;
            return true;
        };
        (void)watched(run, 150, change);
        QVERIFY(!conditionOf(run.monitor, "exchanged"));
        swapped = true;
        (void)watched(run, 260, change);
        const auto alarm = conditionOf(run.monitor, "exchanged");
        QVERIFY(alarm);
        QCOMPARE((std::set<EntityRef>(alarm->symptoms.begin(), alarm->symptoms.end())), (std::set<EntityRef>{one, empty}));
    }

    /// What is found although the sensor that says it is not read, or says it in another unit.
    void withoutItsOwnSensor_data()
    {
        QTest::addColumn<QStringList>("missing"); // name, measure, element
        QTest::addColumn<QStringList>("deeds");
        QTest::addColumn<QStringList>("told");
        const auto row = [](const char* name, const QStringList& missing, const QStringList& deeds, const QStringList& told) {
            QTest::newRow(name) << missing << deeds << told;
        };
        row("a filter, no fan speed", {"fanwall1-01 fan-speed"}, {"clog fanwall1-01 percent=50"}, {"condition of fanwall1-01"});
        row("a GPU off the bus, no XID", {"host0013 xid gpu1"}, {"xid host0013 gpu=1 code=79"}, {"cause of host0013"});
        row("one of two headers, no flow meter", {"chiller_header1-02 flow"}, {"fail chiller_header1-02"}, {"cause of chiller_header1-02"});
        row("a generator that does not start, its state not read", {"generator1-1 status"}, {"fail transformer1-1", "fail generator1-1"},
            {"cause of generator1-1", "cause of transformer1-1", "condition of ups1-1-1"});
        row("a busway with little load, in kW", {}, {"sensor-scale c01-row1-busway1 reading=active-power by=0.001"},
            {"bad-sensor c01-row1-busway1 active-power"});
    }
    void withoutItsOwnSensor()
    {
        QFETCH(QStringList, missing);
        QFETCH(QStringList, deeds);
        QFETCH(QStringList, told);
        static const FiguresPtr figures = shippedDesign("fat-tree-2", {});
        emulation::Options options;
        options.ports = false, options.pollS = 10;
        Run run{std::make_unique<Emulated>(figures, options), {}, {}};
        run.monitor.design(figures, run.hall->bound());
        std::set<bindings::PointNo> unread;
        for (const QString& one : missing) {
            const QStringList words = one.split(' ');
            const auto entity = findEntity(*figures->snapshot, *figures->parts, words[0].toStdString());
            QVERIFY(entity);
            const auto measure = fromWord<bindings::Measure>(words[1].toStdString());
            QVERIFY(measure);
            const auto point = run.hall->bound()->find({*entity, *measure, words.value(2).toStdString()});
            QVERIFY(point != bindings::kNoPoint);
            unread.insert(point);
        }
        const auto read = [&](const monitoring::PointSample& sample) { return !unread.contains(sample.point); };
        Reported before, all;
        note(before, watched(run, 150, read), *figures, 150);
        QVERIFY2(before.empty(), listOf(before).c_str());
        for (const QString& deed : deeds) run.hall->deed(deed.toStdString());
        note(all, watched(run, 90, read), *figures, 90);
        QStringList names;
        for (const auto& [what, second] : all) names.push_back(QString::fromStdString(what));
        QCOMPARE(names, told);
    }

    /// The supply sensor of one of several chillers, where nothing else measures that water, and they have no power meter: it is the sensor, as the
    /// returns stay as they were; not where these follow.
    void aChillerSensorThatReadsHigh()
    {
        const auto figures = designOf("fat-tree-2", {});
        for (const bool real : {false, true}) {
            emulation::Options options;
            options.ports = options.gpus = false;
            Emulated hall(figures, options);
            monitoring::Monitor monitor;
            monitor.design(figures, hall.bound());
            (void)hall.watch(monitor, 150);
            hall.deed("sensor-offset chiller1-02 reading=supply-temperature part=0 by=4");
            for (int i = 1; real && i <= 6; ++i) // as if warmer water went round
                if (const auto chiller = findEntity(*figures->snapshot, *figures->parts, fmt::format("chiller1-0{}", i)))
                    hall.deed(fmt::format("sensor-offset chiller1-0{} reading=return-temperature by=1.5", i));
            std::set<std::string> sensors, others;
            for (const auto& event : hall.watch(monitor, 150)) {
                if (isBadSensor(event))
                    sensors.insert(entityName(*figures->snapshot, *figures->parts, event.deviation.entity) + " " +
                                   std::string(wordOf(event.deviation.measure)));
                else if (event.kind == monitoring::Event::Kind::Deviation || event.kind == monitoring::Event::Kind::Alarm)
                    others.insert(words(event.kind == monitoring::Event::Kind::Alarm ? event.alarm.what : event.deviation.what));
            }
            QCOMPARE(sensors.contains("chiller1-02 supply-temperature"), !real);
            QVERIFY2(real || (sensors.size() == 1 && others.empty()), others.empty() ? "" : others.begin()->c_str());
        }
    }

    /// The exporters of two hosts exchanged: each tells of the other one. Told once, without a cause, until they are right.
    void telemetryOfTwoHostsExchanged()
    {
        const FiguresPtr hall = designOf("fat-tree-2", {});
        const Snapshot& s = *hall->snapshot;
        emulation::Options options;
        options.pollS = 5, options.facility = false;
        Emulated emulated(hall, options);
        monitoring::Monitor monitor;
        monitor.design(hall, emulated.bound());
        Reported before;
        note(before, emulated.watch(monitor, 150), *hall, 150);
        QVERIFY2(before.empty(), listOf(before).c_str());
        std::map<DeviceId, double> sent; // hosts, by what they send
        const auto frame = monitor.frame();
        for (bindings::PointNo p = 0; p < frame->values.size(); ++p) {
            const bindings::Point& point = emulated.bound()->points[p];
            if (point.measure != bindings::Measure::Transmit || std::isnan(frame->values[p])) continue;
            const DeviceId device = s.ports.device[PortId(point.entity.id)];
            if (s.tiers.kind[s.devices.tier[device]] == TierKind::Server) sent[device] += double(frame->values[p]);
        }
        QVERIFY(sent.size() > 10);
        const double full = std::ranges::max(sent | std::views::values);
        std::erase_if(sent, [&](const auto& entry) { return entry.second < 0.2 * full; }); // idle: nothing is said of what does not change
        const auto [least, most] = std::ranges::minmax_element(sent, {}, [](const auto& entry) { return entry.second; });
        QVERIFY(least->second < 0.7 * most->second);
        const std::set<EntityRef> both{ref(least->first), ref(most->first)};
        emulated.deed("sensor-swap " + s.devices.name[least->first] + " with=" + s.devices.name[most->first]);
        Reported all;
        note(all, emulated.watch(monitor, 240), *hall, 240);
        const auto alarm = conditionOf(monitor, "exchanged");
        QVERIFY2(alarm, qPrintable(QString("%1 of %2").arg(least->second).arg(most->second)));
        QCOMPARE(std::set<EntityRef>(alarm->symptoms.begin(), alarm->symptoms.end()), both);
        QVERIFY2(all.size() == 1, listOf(all).c_str());
        emulated.deed("restore");
        (void)emulated.watch(monitor, 200);
        QVERIFY(!conditionOf(monitor, "exchanged"));
    }

    /// Two of five sensors say for 90 s that they have no value, read at once or now and then: one line, no cause, and nothing is left of it.
    void valuesThatAreNoNumbers_data()
    {
        QTest::addColumn<double>("everyS");
        QTest::newRow("on change") << 0.0;
        QTest::newRow("every 10 to 30 s") << 30.0;
    }
    void valuesThatAreNoNumbers()
    {
        QFETCH(double, everyS);
        emulation::Options options;
        options.ports = false, options.metersFromS = everyS / 3, options.metersToS = everyS;
        Run run{std::make_unique<Emulated>(m_pod, options), {}, {}};
        run.monitor.design(m_pod, run.hall->bound());
        (void)run.hall->watch(run.monitor, everyS > 0 ? 240 : 150);
        run.hall->deed("sensor-nan percent=40 for_s=90");
        const auto events = run.hall->watch(run.monitor, 180);
        QVERIFY2(countOf(events, [](const auto& e) { return e.kind == monitoring::Event::Kind::Deviation; }) == 0, listed(events).c_str());
        QVERIFY2(countOf(events, isAlarm) == 1, listed(events).c_str());
        QVERIFY2(std::ranges::find_if(events, isAlarm)->alarm.kind == monitoring::AlarmKind::MissingData, listed(events).c_str());
        QVERIFY2(run.monitor.frame()->alarms.empty(), listed(events).c_str());
    }

    /// A flow meter begins to say m³/h in place of L/min: it alone is bad.
    void aUnitThatChanges_data()
    {
        QTest::addColumn<bool>("ofRack");
        QTest::newRow("rack") << true;
        QTest::newRow("CDU") << false;
    }
    void aUnitThatChanges()
    {
        QFETCH(bool, ofRack);
        Run run = healthy();
        EntityRef entity = ref(racksByPower(run).back());
        if (!ofRack)
            for (const CoolingUnit& unit : m_pod->get<CoolingChainNode>().units)
                if (unit.element == CoolingElement::Cdu) entity = ref(unit.device);
        const auto meter = run.hall->bound()->find({entity, bindings::Measure::Flow, ""});
        QVERIFY(meter != bindings::kNoPoint);
        const auto events = watched(run, 240, [&](monitoring::PointSample& sample) {
            if (sample.point == meter) sample.value *= 0.06;
            return true;
        });
        QVERIFY2(countOf(events, isBadSensor) == 1, listed(events).c_str());
        const monitoring::Deviation d = std::ranges::find_if(events, isBadSensor)->deviation;
        QVERIFY2(d.entity == entity && d.measure == bindings::Measure::Flow, listed(events).c_str());
        QVERIFY2(countOf(events, isAlarm) == 0, listed(events).c_str());
    }

    /// A tenth of what the units of a loop supply does not arrive: coolant is lost, and no meter is called bad. Meters that differ by a little do
    /// not.
    void coolantThatIsLost()
    {
        Run run = healthy();
        const CoolingChain& chain = m_pod->get<CoolingChainNode>();
        std::map<bindings::PointNo, std::array<bindings::PointNo, 3>> of; // return and flow: flow, supply, return
        for (const CoolingUnit& unit : chain.units) {
            if (unit.element != CoolingElement::Cdu) continue;
            const auto at = [&](bindings::Measure m) { return run.hall->bound()->find({ref(unit.device), m, ""}); };
            const std::array points{at(bindings::Measure::Flow), at(bindings::Measure::SupplyTemperature), at(bindings::Measure::ReturnTemperature)};
            of[points[0]] = of[points[2]] = points;
        }
        QVERIFY(of.size() >= 4);
        double more = 1;
        std::map<bindings::PointNo, double> supply;
        const auto change = [&](monitoring::PointSample& sample) { // what is lost comes back as make-up water, as warm as the return
            for (const auto& [p, points] : of)
                if (sample.point == points[1]) supply[p] = sample.value;
            const auto at = of.find(sample.point);
            if (at == of.end()) return true;
            sample.value = at->second[0] == sample.point ? sample.value * more : supply[at->first] + (sample.value - supply[at->first]) / more;
            return true;
        };
        (void)watched(run, 150, change);
        more = 1.02;
        auto events = watched(run, 300, change);
        QVERIFY2(countOf(events, isAlarm) == 0 && countOf(events, isBadSensor) == 0, listed(events).c_str());
        more = 1.1;
        events = watched(run, 300, change);
        QVERIFY2(conditionOf(run.monitor, "lost-coolant") && countOf(events, isAlarm) == 1 && countOf(events, isBadSensor) == 0,
                 listed(events).c_str());
        more = 1;
        events = watched(run, 200, change);
        QVERIFY2(!conditionOf(run.monitor, "lost-coolant") && countOf(events, isAlarm) == 0, listed(events).c_str());
    }

    /// A loop whose flow falls short and recovers time and again is no new cause each time.
    void flowThatComesAndGoes()
    {
        Run run = healthy();
        std::vector<monitoring::Event> all;
        const CoolingChain& chain = m_pod->get<CoolingChainNode>();
        for (int i = 0; i < 9; ++i) {
            for (const CoolingUnit& unit : chain.units)
                if (unit.element == CoolingElement::Cdu) run.hall->deed("clog " + m_pod->snapshot->devices.name[unit.device] + " percent=10");
            for (auto& e : run.hall->watch(run.monitor, 40)) all.push_back(std::move(e));
            run.hall->deed("restore");
            for (auto& e : run.hall->watch(run.monitor, 60)) all.push_back(std::move(e));
        }
        const auto causes = countOf(all, [](const monitoring::Event& e) { return isAlarm(e) && e.alarm.kind == monitoring::AlarmKind::Cause; });
        QVERIFY2(causes >= 1 && causes <= 4, std::to_string(causes).c_str());
    }

    /// 40 % of all sensors say that they have no number for 90 s: one alarm, and nobody is called bad or failed.
    void manyWithoutNumbers()
    {
        Run run = healthy();
        const auto none = [](monitoring::PointSample& sample) {
            if (sample.point * 2654435761u % 5 < 2) sample.value = std::nan("");
            return true;
        };
        const auto events = watched(run, 240, none);
        QVERIFY2(countOf(events, isAlarm) == 1, listed(events).c_str());
        QVERIFY2(countOf(events, isBadSensor) == 0, listed(events).c_str());
        const auto frame = run.monitor.frame();
        QVERIFY(frame->alarms.size() == 1 && frame->alarms[0].kind == monitoring::AlarmKind::MissingData && frame->alarms[0].symptoms.size() > 20);
        const auto after = watched(run, 150, [](monitoring::PointSample&) { return true; });
        QVERIFY2(countOf(after, isAlarm) == 0 && run.monitor.frame()->alarms.empty(), listed(after).c_str());
    }

    /// Nothing is heard of any source, and no gap says why: one alarm says so, and nothing of the hall is called missing or failed.
    void nothingIsHeard()
    {
        Run run = healthy();
        const auto events = watched(run, 900, [](monitoring::PointSample&) { return false; });
        QVERIFY2(countOf(events, [](const monitoring::Event&) { return true; }) == 1, listed(events).c_str());
        QVERIFY(isAlarm(events.front()) && events.front().alarm.kind == monitoring::AlarmKind::MissingData);
        const auto after = watched(run, 150, [](monitoring::PointSample&) { return true; });
        QVERIFY2(countOf(after, isAlarm) == 0 && run.monitor.frame()->alarms.empty(), listed(after).c_str());
    }

    /// All servers of a rack are throttled: one line for the rack.
    void aThrottledRack()
    {
        emulation::Options options;
        options.ports = false, options.pollS = 10;
        Run run{std::make_unique<Emulated>(m_pod, options), {}, {}};
        run.monitor.design(m_pod, run.hall->bound());
        (void)run.hall->watch(run.monitor, 200);
        const RackId rack = racksByPower(run).back();
        const Snapshot& s = *m_pod->snapshot;
        std::size_t hosts = 0;
        s.devices.forEach([&](DeviceId id) {
            if (s.devices.rack[id] == rack && s.tiers.kind[s.devices.tier[id]] == TierKind::Server)
                run.hall->deed("throttle " + s.devices.name[id] + " percent=50"), ++hosts;
        });
        QVERIFY(hosts > 10);
        const auto events = run.hall->watch(run.monitor, 240);
        const auto slow = [](const monitoring::Event& e) {
            return e.kind == monitoring::Event::Kind::Deviation && e.deviation.kind == monitoring::DeviationKind::LowPerformance;
        };
        QVERIFY2(countOf(events, slow) == 1, listed(events).c_str());
        QVERIFY(std::ranges::find_if(events, slow)->deviation.entity == ref(rack));
    }

    /// Every detector has its row: an id of its own, and words for people.
    void theTableIsComplete()
    {
        std::set<std::string_view> ids;
        for (const monitoring::DetectorInfo& info : monitoring::detectors()) {
            QVERIFY(ids.insert(info.id).second);
            for (const TextId* text : {&info.title, &info.condition, &info.after, &info.cleared}) QVERIFY(!words(*text).empty());
        }
    }
};

QTEST_GUILESS_MAIN(TestDetectors)
#include "test_detectors.moc"
