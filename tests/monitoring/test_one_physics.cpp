// SPDX-License-Identifier: GPL-3.0-or-later
// Water-cooled plants and breakers: what the watch names agrees with the study of failures and with the emulated hall.
#include "core/derived/impact/study.h"
#include "core/design/template/template.h"
#include "core/operations/monitoring/causes/prediction.h"
#include "tests/monitoring/emulated.h"
#include "tests/monitoring/reported.h"

#include <QTest>

#include <random>
#include <set>

using namespace hw;

namespace {

FiguresPtr cooledBy(const std::string& layout, const std::string& supplyC = {})
{
    static const Catalog catalog = Catalog::load(HW_RESOURCES "/catalog").value();
    const auto design =
        Template::parse("template: cooled\nextends: nvl72\ntitle: Cooled\nlayout: {headers: single, cdu_rejector: none, " + layout + "}\n", "cooled",
                        HW_RESOURCES "/templates")
            .value();
    Snapshot s(*instantiate(design, design.complete({{"segments", "1"}, {"networks", "backend"}}).value(), catalog).value());
    if (!supplyC.empty()) s.putSetting("cooling.coolant_supply_c", supplyC);
    return computeFigures(std::make_shared<const Snapshot>(std::move(s))).value();
}

FiguresPtr waterCooled() { return cooledBy("chiller: chiller-water-1500kw, valve: valve-dn150"); }

emulation::Options quiet()
{
    emulation::Options options;
    options.noise = 0, options.gpus = options.ports = false;
    return options;
}

} // namespace

class TestOnePhysics : public QObject {
    Q_OBJECT
private slots:
    void flows_data()
    {
        QTest::addColumn<QString>("layout");
        QTest::addColumn<QString>("supply");
        QTest::newRow("chillers cooled by water") << "chiller: chiller-water-1500kw, valve: valve-dn150"
                                                  << "";
        QTest::newRow("plates and towers") << "chiller: exchanger-2000kw, facility_supply_c: 33, valve: valve-dn150"
                                           << "40";
        QTest::newRow("chillers cooled by air") << "valve: valve-dn150"
                                                << "";
    }
    /// One element of cooling, or a pipe, is lost: what the watch expects of each flow is what the emulated hall shows, and the other way round.
    void flows()
    {
        QFETCH(QString, layout);
        QFETCH(QString, supply);
        const FiguresPtr figures = cooledBy(layout.toStdString(), supply.toStdString());
        const impact::ModelPtr model = impact::Model::of(figures).value();
        const CoolingChain& chain = *model->coolant.chain;
        const Snapshot& s = *figures->snapshot;
        std::vector<std::string> names;
        std::set<std::string> tiers;
        for (const CoolingUnit& unit : chain.units)
            if (tiers.insert(s.tiers.name[s.devices.tier[unit.device]]).second) names.push_back(s.devices.name[unit.device]);
        std::mt19937 random(5);
        for (int i = 0; i < 8; ++i) {
            const CoolantPath& way = chain.ways[random() % chain.ways.size()];
            if (way.link)
                names.push_back(entityName(
                    s, *figures->parts, ref(s.ports.device[s.links.from[*way.link]] == way.taker ? s.links.from[*way.link] : s.links.to[*way.link])));
        }
        std::size_t compared = 0, stopped = 0;
        for (const std::string& name : names) {
            Emulated hall(figures, quiet());
            const auto plans = monitoring::Plans::of(*figures, *hall.bound());
            for (int i = 0; i < 5; ++i) (void)hall.step();
            const auto flowsNow = [&] {
                std::vector<double> all;
                for (emulation::SensorNo no = 0; no < hall.hall().sensors().size(); ++no) all.push_back(hall.hall().truth(no));
                return all;
            };
            const auto before = flowsNow();
            hall.deed("fail " + name);
            for (int i = 0; i < 5; ++i) (void)hall.step();
            const auto after = flowsNow();
            monitoring::Predictor predictor(model, plans, *hall.bound());
            const monitoring::Suspect lost{*impact::findFailing(*model, name)};
            const auto forecasts = predictor.of({&lost, 1}, 5000);
            for (emulation::SensorNo no = 0; no < after.size(); ++no) {
                const emulation::Sensor& sensor = hall.hall().sensors()[no];
                if (sensor.reading != emulation::Reading::Flow || !(before[no] > 0)) continue;
                const bindings::PointNo p = hall.bound()->find({sensor.entity, bindings::Measure::Flow, sensor.part == 1 ? "primary" : ""});
                const auto at = std::ranges::find(forecasts, p, &monitoring::Forecast::point);
                using enum monitoring::Predicted;
                const bool dies = at != forecasts.end() && (at->what == Dead || at->what == Empties);
                const bool may = dies || (at != forecasts.end() && (at->what == MayDie || at->what == MayStop));
                const std::string where = name + ": " + entityName(s, *figures->parts, sensor.entity) + (sensor.part == 1 ? " primary" : "");
                QVERIFY2(!dies || after[no] < 0.1 * before[no], (where + " was expected to stop").c_str());
                QVERIFY2(may || after[no] > 0.02 * before[no], (where + " stopped").c_str());
                ++compared, stopped += after[no] < 0.02 * before[no];
            }
        }
        QVERIFY(compared > 100 && stopped > 10);
    }

    /// Condensers give off what evaporators take and what compressors draw; no sensor of a healthy hall is called bad for it.
    void heatOfCompressors()
    {
        const FiguresPtr figures = waterCooled();
        Emulated hall(figures, {});
        monitoring::Monitor monitor;
        monitor.design(figures, hall.bound());
        Reported told;
        note(told, hall.watch(monitor, 200), *figures, 200);
        QVERIFY2(told.empty(), listOf(told).c_str());
    }

    void named_data()
    {
        QTest::addColumn<std::string>("fails");
        QTest::addColumn<std::string>("named"); // or beside what cannot be told apart
        for (const char* name : {"facility_header1", "condenser_header1", "tower_header1", "chiller1-02:condenser", "hall1-c1-cdu1-2:facility"})
            QTest::newRow(name) << std::string(name) << std::string(name);
    }
    /// Headers of facility and condenser water, and valves: each is named alone, with the time that its impact states.
    void named()
    {
        QFETCH(std::string, fails);
        QFETCH(std::string, named);
        const FiguresPtr figures = waterCooled();
        emulation::Options options;
        options.gpus = options.ports = false;
        Emulated hall(figures, options);
        monitoring::Monitor monitor;
        monitor.design(figures, hall.bound());
        (void)hall.watch(monitor, 130);
        hall.deed("fail " + fails);
        Reported told;
        note(told, hall.watch(monitor, 60), *figures, 60);
        const auto frame = monitor.frame();
        std::vector<monitoring::Alarm> causes;
        for (const monitoring::Alarm& alarm : frame->alarms)
            if (alarm.kind == monitoring::AlarmKind::Cause) causes.push_back(alarm);
        QVERIFY2(causes.size() == 1, listOf(told).c_str());
        std::vector<std::string> names = causes.front().alike;
        names.push_back(entityName(*figures->snapshot, *figures->parts, causes.front().cause));
        QVERIFY2(std::ranges::find(names, named) != names.end(), listOf(told).c_str());
        impact::Study study(impact::Model::of(figures).value());
        const impact::Failing failing = *impact::findFailing(study.model(), fails);
        const auto ridesMs = study.lose({&failing, 1}).rideThroughMs();
        QCOMPARE(causes.front().rideThroughS, ridesMs ? double(*ridesMs) / 1000 : -1.0);
    }

    /// A breaker opens: at first it cannot be told from what it feeds; once the generator carries that, it is named until it is closed.
    void aBreakerIsNamed()
    {
        const FiguresPtr figures = cooledBy("generators: board");
        emulation::Options options;
        options.gpus = options.ports = false;
        Emulated hall(figures, options);
        monitoring::Monitor monitor;
        monitor.design(figures, hall.bound());
        (void)hall.watch(monitor, 130);
        hall.deed("fail transformer1-2:LV1");
        const auto says = [&] {
            const auto frame = monitor.frame();
            for (const monitoring::Alarm& alarm : frame->alarms) {
                if (alarm.kind != monitoring::AlarmKind::Cause) continue;
                const std::string name = entityName(*figures->snapshot, *figures->parts, alarm.cause);
                return name == "transformer1-2:LV1"                                                             ? std::string("named")
                       : std::ranges::find(alarm.alike, std::string("transformer1-2:LV1")) != alarm.alike.end() ? std::string("alike")
                                                                                                                : name;
            }
            return std::string("nothing");
        };
        (void)hall.watch(monitor, 10);
        QVERIFY2(says() == "alike" || says() == "named", says().c_str());
        (void)hall.watch(monitor, 30);
        QCOMPARE(says(), std::string("named"));
        (void)hall.watch(monitor, 300);
        QCOMPARE(says(), std::string("named"));
        hall.deed("restore");
        (void)hall.watch(monitor, 60);
        QCOMPARE(says(), std::string("nothing"));
    }
};

QTEST_GUILESS_MAIN(TestOnePhysics)
#include "test_one_physics.moc"
