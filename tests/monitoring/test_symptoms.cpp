// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/catalog/entity.h"
#include "tests/monitoring/emulated.h"
#include "tests/monitoring/reported.h"

#include <QTest>

#include <cmath>
#include <set>

using namespace hw;

/// What is no hard failure, on the sample pod: sensors that lie, halls that are not as they should be. Each is reported as what it is, and
/// nothing else is reported.
class TestSymptoms : public QObject {
    Q_OBJECT
    FiguresPtr m_pod;

private slots:
    void initTestCase() { m_pod = designOf("nvl72", {{"segments", "1"}, {"networks", "backend"}}); }

    void whatIsTold_data()
    {
        QTest::addColumn<std::vector<std::string>>("deeds");
        QTest::addColumn<std::set<std::string>>("told");
        QTest::addColumn<int>("within"); // seconds
        using FaultActions = std::vector<std::string>;
        using Set = std::set<std::string>;
        const std::string rack = "hall1-c1-r1-02", cdu = "hall1-c1-cdu1-1", busway = "hall1-c1-row1-busway1", shelf = "g01-rack1-shelf1";
        const auto row = [](const char* name, const FaultActions& deeds, const Set& told, int within) {
            QTest::newRow(name) << deeds << told << within;
        };
        row("flow meter halved", {"sensor-scale " + rack + " reading=flow by=0.5"}, {"bad-sensor " + rack + " flow"}, 120);
        row("flow really halved", {"clog " + rack + " percent=50"}, {"low-flow " + rack + " flow", "threshold of " + rack}, 60);
        row("flow meter of a CDU halved", {"sensor-scale " + cdu + " reading=flow part=0 by=0.5"}, {"bad-sensor " + cdu + " flow"}, 15);
        row("a CDU clogged", {"clog " + cdu + " percent=50"}, {"low-flow " + cdu + " flow", "cause of " + cdu}, 60);
        row("rack meter 20 % high", {"sensor-scale " + rack + " reading=active-power by=1.2"}, {"bad-sensor " + rack + " active-power"}, 15);
        row("rack meter in other units", {"sensor-scale " + rack + " reading=active-power by=1000"}, {"bad-sensor " + rack + " active-power"}, 15);
        row("flow of a CDU in m³/h from now on", {"sensor-scale " + cdu + " reading=flow part=0 by=0.06"}, {"bad-sensor " + cdu + " flow"}, 15);
        row("rack meter says nothing flows", {"sensor-scale " + rack + " reading=active-power by=0"}, {"bad-sensor " + rack + " active-power"}, 15);
        row("busway meter 20 % low", {"sensor-scale " + busway + " reading=active-power by=0.8"}, {"bad-sensor " + busway + " active-power"}, 15);
        row("shelf meter 20 % low", {"sensor-scale " + shelf + " reading=active-power by=0.8"}, {"bad-sensor " + shelf + " active-power"}, 15);
        row("supply of a rack 4 K high", {"sensor-offset " + rack + " reading=supply-temperature by=4"},
            {"bad-sensor " + rack + " supply-temperature"}, 15);
        for (const char* by : {"3", "6"})
            row(("both supplies of a CDU " + std::string(by) + " K high").c_str(), {"sensor-offset " + cdu + " reading=supply-temperature by=" + by},
                {"bad-sensor " + cdu + " supply-temperature", "bad-sensor " + cdu + " supply-temperature primary"}, 15);
        row("return of a rack 4 K high", {"sensor-offset " + rack + " reading=return-temperature by=4"},
            {"bad-sensor " + rack + " return-temperature"}, 200);
        row("rack meter leaps", {"sensor-jump " + rack + " reading=active-power by=26000"}, {"bad-sensor " + rack + " active-power"}, 60);
        row("supply leaps", {"sensor-jump " + rack + " reading=supply-temperature by=4"}, {"bad-sensor " + rack + " supply-temperature"}, 30);
        row("rack meter stuck", {"sensor-stuck " + rack + " reading=active-power"}, {"bad-sensor " + rack + " active-power"}, 150);
        row("supply drifts by a kelvin a minute", {"sensor-drift " + rack + " reading=supply-temperature by=1"},
            {"bad-sensor " + rack + " supply-temperature"}, 150);
        row("two of one place", {"sensor-scale " + rack + " reading=flow by=0.5", "sensor-offset " + rack + " reading=supply-temperature by=4"},
            {"bad-sensor " + rack + " flow", "bad-sensor " + rack + " supply-temperature"}, 120);
        row("a CDU fails, its supply says 3 K too much", {"sensor-offset " + cdu + " reading=supply-temperature part=0 by=3", "fail " + cdu},
            {"cause of " + cdu}, 15); // nothing flows past that sensor
        row("rack over its budget", {"overload " + rack + " percent=130"},
            {"over-budget " + rack + " active-power", "low-flow " + rack + " flow", "threshold of " + rack}, 90);
    }
    void whatIsTold()
    {
        QFETCH(std::vector<std::string>, deeds);
        QFETCH(std::set<std::string>, told);
        QFETCH(int, within);
        emulation::Options options;
        options.ports = options.gpus = false;
        Emulated hall(m_pod, options);
        monitoring::Monitor watch;
        watch.design(m_pod, hall.bound());
        Reported all;
        note(all, hall.watch(watch, 150), *m_pod, 0);
        QVERIFY2(all.empty(), listOf(all).c_str());
        for (const std::string& deed : deeds) hall.deed(deed);
        for (int second = 1; second <= 200; ++second) note(all, hall.watch(watch, 1), *m_pod, second);
        std::set<std::string> names;
        for (const auto& [what, second] : all) {
            names.insert(what);
            QVERIFY2(second <= within, listOf(all).c_str());
        }
        QVERIFY2(names == told, listOf(all).c_str());
        hall.deed("restore");
        note(all, hall.watch(watch, 300), *m_pod, 201);
        QVERIFY2(all.size() == told.size(), listOf(all).c_str()); // nothing else, also afterward
        QVERIFY2(watch.frame()->deviations.empty() && watch.frame()->alarms.empty(), "what is mended stands no longer");
    }

    /// The pod as it is shipped, with dual headers and a warm loop: meters in another unit, sensors that are off, an open breaker that leaves
    /// next to nothing to measure, a filter where no air flow is measured. Each is one line.
    void onTheShippedPod_data()
    {
        QTest::addColumn<std::vector<std::string>>("before");
        QTest::addColumn<std::vector<std::string>>("deeds");
        QTest::addColumn<std::set<std::string>>("told");
        using Deeds = std::vector<std::string>;
        using Set = std::set<std::string>;
        const std::string cdu = "hall1-c1-cdu1-1", fan = "hall1-fanwall1-1";
        const auto row = [](const char* name, const Deeds& before, const Deeds& deeds, const Set& told) {
            QTest::newRow(name) << before << deeds << told;
        };
        row("flow of a CDU taken for m³/h", {}, {"sensor-scale " + cdu + " reading=flow part=0 by=16.7"}, {"bad-sensor " + cdu + " flow"});
        row("flow of a CDU in m³/h", {}, {"sensor-scale " + cdu + " reading=flow part=0 by=0.06"}, {"bad-sensor " + cdu + " flow"});
        row("its facility flow in m³/h", {}, {"sensor-scale " + cdu + " reading=flow part=1 by=0.06"}, {"bad-sensor " + cdu + " flow primary"});
        row("both supplies of a CDU 3 K high", {}, {"sensor-offset " + cdu + " reading=supply-temperature by=3"},
            {"bad-sensor " + cdu + " supply-temperature", "bad-sensor " + cdu + " supply-temperature primary"});
        row("supply of a chiller 4 K high", {}, {"sensor-offset chiller1-01 reading=supply-temperature part=0 by=4"},
            {"bad-sensor chiller1-01 supply-temperature"});
        row("breaker of a transformer", {}, {"fail transformer1-2:LV1"}, {"cause of transformer1-2:LV1", "condition of ups1-2-1"});
        row("filter", {"sensor-missing " + fan + " reading=air-flow"}, {"clog " + fan + " percent=50"}, {"condition of " + fan});
        row("one of two facility headers", {}, {"fail facility_header1-01"}, {"cause of facility_header1-01"});
        row("one of two headers of pumps", {}, {"fail plant_header-warm1-02"}, {"cause of plant_header-warm1-02"});
        row("a header, the meter of the other is missing", {"sensor-missing facility_header1-02 reading=flow"}, {"fail facility_header1-01"},
            {"cause of facility_header1-01"});
    }
    void onTheShippedPod()
    {
        QFETCH(std::vector<std::string>, before);
        QFETCH(std::vector<std::string>, deeds);
        QFETCH(std::set<std::string>, told);
        static const FiguresPtr shipped = shippedDesign("nvl72", {{"segments", "1"}, {"networks", "backend"}});
        emulation::Options options;
        options.ports = options.gpus = false;
        Emulated hall(shipped, options);
        monitoring::Monitor watch;
        watch.design(shipped, hall.bound());
        for (const std::string& deed : before) hall.deed(deed);
        Reported all;
        note(all, hall.watch(watch, 140), *shipped, 0);
        QVERIFY2(all.empty(), listOf(all).c_str());
        for (const std::string& deed : deeds) hall.deed(deed);
        for (int second = 1; second <= 150; ++second) note(all, hall.watch(watch, 1), *shipped, second);
        std::set<std::string> names;
        for (const auto& [what, second] : all) names.insert(what);
        QVERIFY2(names == told, listOf(all).c_str());
    }

    /// Thirty strips that are read in turn, each with a small swing of the same job: a busway is not held against what they said before.
    void manyMetersReadInTurn()
    {
        static const FiguresPtr shipped = shippedDesign("nvl72", {{"segments", "1"}, {"networks", "backend"}});
        emulation::Options options;
        options.ports = options.gpus = false, options.seed = 3, options.metersFromS = options.metersToS = 10;
        Emulated hall(shipped, options);
        monitoring::Monitor watch;
        watch.design(shipped, hall.bound());
        Reported all;
        for (int second = 1; second <= 400; ++second) note(all, hall.watch(watch, 1), *shipped, second);
        QVERIFY2(all.empty(), listOf(all).c_str());
    }

    /// A loop with too little flow is one alarm: what brings it short, the racks that are, their GPUs. No rack stands beside it, also with 5 %
    /// of the sensors missing, where units are clogged one after the other, and while it recovers.
    void aLoopShortOfFlow_data()
    {
        QTest::addColumn<std::vector<std::string>>("units");
        QTest::addColumn<int>("percent");
        QTest::addColumn<std::size_t>("racks"); // at least, under their need
        const std::vector<std::string> cdus{"hall1-c1-cdu1-1", "hall1-c1-cdu1-2", "hall1-c1-cdu2-1", "hall1-c1-cdu2-2"},
            chillers{"chiller1-01", "chiller1-02", "chiller1-03", "chiller1-04"};
        QTest::newRow("CDUs") << cdus << 10 << std::size_t(6); // each alone could move all of it: a tenth of that from four is too little
        QTest::newRow("chillers") << chillers << 35 << std::size_t(0);
        QTest::newRow("chillers, so that racks shut down") << chillers << 10 << std::size_t(0);
    }
    void aLoopShortOfFlow()
    {
        QFETCH(std::vector<std::string>, units);
        QFETCH(int, percent);
        QFETCH(std::size_t, racks);
        for (const unsigned seed : racks > 0 ? std::vector{1U, 2U} : std::vector{1U}) {
            emulation::Options options;
            options.seed = seed, options.ports = options.gpus = false;
            Emulated hall(m_pod, options);
            monitoring::Monitor watch;
            watch.design(m_pod, hall.bound());
            hall.missing(5);
            Reported all;
            note(all, hall.watch(watch, 80), *m_pod, 0);
            QVERIFY2(all.empty(), listOf(all).c_str());
            for (std::size_t i = 0; i < units.size(); ++i) {
                hall.deed("clog " + units[i] + " percent=" + std::to_string(percent));
                note(all, hall.watch(watch, 2), *m_pod, int(i));
            }
            note(all, hall.watch(watch, 240), *m_pod, 9);
            QVERIFY2(all.size() == 1 && std::ranges::any_of(units, [&](const std::string& u) { return all.contains("cause of " + u); }),
                     listOf(all).c_str());
            const auto frame = watch.frame();
            QCOMPARE(frame->alarms.size(), std::size_t(1));
            const monitoring::Alarm& alarm = frame->alarms.front();
            const auto isRack = [](EntityRef e) { return e.kind == EntityKind::Rack; };
            const auto measured = std::size_t(std::ranges::count_if(units, [&](const std::string& unit) { // of some the flow is among what is missing
                const EntityRef entity = findEntity(*m_pod->snapshot, *m_pod->parts, unit).value();
                for (const char* element : {"", "secondary"})
                    if (const auto p = hall.bound()->find({entity, bindings::Measure::Flow, element}); p != bindings::kNoPoint)
                        return !std::isnan(frame->values[p]);
                return false;
            }));
            QVERIFY2(measured >= 2 && alarm.together.size() == measured && alarm.together.front() == alarm.cause, words(alarm.what).c_str());
            QVERIFY(std::size_t(std::ranges::count_if(alarm.symptoms, isRack)) >= racks && (racks == 0 || alarm.gpusDegraded >= 72 * racks));
            QVERIFY2(words(alarm.what).find("504 GPUs depend on it") != std::string::npos, words(alarm.what).c_str());
            hall.deed("restore");
            hall.missing(5);
            note(all, hall.watch(watch, 400), *m_pod, 10);
            QVERIFY2(all.size() == 1 && watch.frame()->alarms.empty() && watch.frame()->deviations.empty(), listOf(all).c_str());
        }
    }

    /// A link that lost half of its lanes has half of its rate and damages frames: one deviation, at the link, gone after it is mended. So is
    /// a wrong rate, which both ends say one after the other; and a server that says it is busy and draws what it does without work.
    void aFaultIsToldOnce_data()
    {
        QTest::addColumn<std::string>("deed");
        QTest::addColumn<std::string>("told");
        const std::string link = "g01-rack1-tray01:nic1 – g01-leaf-rail1-1:port1";
        QTest::newRow("lanes") << std::string("degrade g01-rack1-tray01:nic1 lanes=2") << "low-performance " + link + " link-lanes";
        QTest::newRow("rate") << std::string("misconfigure g01-rack1-tray01:nic1 gbps=200") << "wrong-setting " + link + " link-rate";
        QTest::newRow("busy, at idle power") << std::string("throttle g01-rack1-tray01 percent=0")
                                             << std::string("low-performance g01-rack1-tray01 active-power");
    }
    void aFaultIsToldOnce()
    {
        QFETCH(std::string, deed);
        QFETCH(std::string, told);
        emulation::Options options;
        options.pollS = 10;
        Emulated hall(m_pod, options);
        monitoring::Monitor watch;
        watch.design(m_pod, hall.bound());
        Reported all;
        note(all, hall.watch(watch, 100), *m_pod, 0);
        watch.design(m_pod, std::make_shared<bindings::Bound>(*hall.bound())); // bound again: the lanes that it had are not forgotten
        note(all, hall.watch(watch, 50), *m_pod, 0);
        hall.deed(deed);
        for (int second = 1; second <= 300; ++second) note(all, hall.watch(watch, 1), *m_pod, second);
        QVERIFY2(all.size() == 1 && all.begin()->first == told && all.begin()->second <= 70, listOf(all).c_str());
        QVERIFY(!watch.frame()->deviations.empty());
        hall.deed("restore");
        note(all, hall.watch(watch, 300), *m_pod, 301);
        QVERIFY2(all.size() == 1, listOf(all).c_str());
        QVERIFY2(watch.frame()->deviations.empty() && watch.frame()->alarms.empty(), "what is mended stands no longer");
    }

    /// A link that goes down and comes back is told to flap, once: by its states where they are read fast, by the counter of its host where
    /// they are read every 90 s, between which it comes and goes.
    void aLinkFlaps_data()
    {
        QTest::addColumn<double>("pollS");
        QTest::addColumn<int>("within");
        QTest::newRow("fast") << 1.0 << 75;
        QTest::newRow("slow") << 30.0 << 190;
    }
    void aLinkFlaps()
    {
        QFETCH(double, pollS);
        QFETCH(int, within);
        emulation::Options options;
        options.pollS = pollS;
        Emulated hall(m_pod, options);
        monitoring::Monitor watch;
        watch.design(m_pod, hall.bound());
        Reported all;
        note(all, hall.watch(watch, 200), *m_pod, 0);
        QVERIFY2(all.empty(), listOf(all).c_str());
        hall.deed("flap g01-rack1-tray01:nic1 every_s=5 for_s=300");
        std::size_t flapping = 0, causes = 0;
        for (int second = 1; second <= 300; ++second) {
            const auto events = hall.watch(watch, 1);
            for (const auto& event : events)
                if (event.kind == monitoring::Event::Kind::Alarm)
                    flapping += event.alarm.kind == monitoring::AlarmKind::Flapping, causes += event.alarm.kind == monitoring::AlarmKind::Cause;
            note(all, events, *m_pod, second);
        }
        QVERIFY2(flapping == 1 && causes <= 3, listOf(all).c_str()); // that it has failed, before it is known to come back again and again
        for (const auto& [what, second] : all) QVERIFY2(!what.starts_with("flapping") || second <= within, listOf(all).c_str());
        (void)hall.watch(watch, 400);
        QVERIFY2(watch.frame()->deviations.empty() && watch.frame()->alarms.empty(), "what is mended stands no longer");
    }

    /// Racks of few servers have uneven phases while one of these has no work: that is as it must be. A server whose cords are all in one
    /// phase's outlets is reported at its strip, and not a second time at its busway, until they are where they belong.
    void phasesOfAStrip()
    {
        const auto figures = designOf("dcn-plus", {{"pods", "1"}, {"segments", "1"}});
        emulation::Options options;
        options.seed = 4, options.ports = options.gpus = false;
        Emulated hall(figures, options);
        monitoring::Monitor watch;
        watch.design(figures, hall.bound());
        Reported all;
        note(all, hall.watch(watch, 1700), *figures, 0);
        QVERIFY2(all.empty(), listOf(all).c_str());
        hall.deed("replug c01-b1-r1-1 phase=1");
        for (int second = 1; second <= 300; ++second) note(all, hall.watch(watch, 1), *figures, second);
        QVERIFY2(!all.empty() && all.size() <= 2, listOf(all).c_str());
        for (const auto& [what, second] : all)
            QVERIFY2(what.starts_with("phase-imbalance c01-b1-r1-1-pdu") && what.ends_with(" current l1"), listOf(all).c_str());
        const std::size_t told = all.size();
        hall.deed("restore");
        note(all, hall.watch(watch, 400), *figures, 301);
        QVERIFY2(all.size() == told && watch.frame()->deviations.empty(), listOf(all).c_str());
    }

    /// How much heat a rack has nobody says where its power is not measured: nothing is held against what it would be at full load.
    void flowsWhoseHeatIsNotMeasured()
    {
        emulation::Options options;
        options.ports = false;
        Emulated hall(m_pod, options);
        for (const char* rack : {"hall1-c1-r1-01", "hall1-c1-r1-02", "hall1-c1-r1-03", "hall1-c1-r1-04", "hall1-c1-r1-05"})
            hall.deed(std::string("sensor-missing ") + rack + " reading=active-power");
        hall.deed("overload hall1-c1-r1-02 percent=25"); // hardly anything to cool
        monitoring::Monitor watch;
        watch.design(m_pod, hall.bound());
        Reported all;
        note(all, hall.watch(watch, 400), *m_pod, 0);
        for (const auto& [what, second] : all) QVERIFY2(!what.starts_with("low-flow") && !what.starts_with("threshold"), listOf(all).c_str());
    }

    /// A hall behind two dead busways is dark, and none of its sensors is bad.
    void darkRacksHaveSoundSensors()
    {
        emulation::Options options;
        options.ports = options.gpus = false;
        Emulated hall(m_pod, options);
        monitoring::Monitor watch;
        watch.design(m_pod, hall.bound());
        (void)hall.watch(watch, 150);
        hall.deed("fail hall1-c1-row1-busway1");
        hall.deed("fail hall1-c1-row1-busway2");
        Reported all;
        note(all, hall.watch(watch, 200), *m_pod, 1);
        hall.deed("restore");
        note(all, hall.watch(watch, 400), *m_pod, 2);
        for (const auto& [what, second] : all) QVERIFY2(!what.starts_with("bad-sensor"), listOf(all).c_str());
        QVERIFY(all.contains("cause of hall1-c1-row1-busway1") && all.contains("cause of hall1-c1-row1-busway2"));
    }
};

QTEST_GUILESS_MAIN(TestSymptoms)
#include "test_symptoms.moc"
