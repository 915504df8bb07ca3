// SPDX-License-Identifier: GPL-3.0-or-later
// Plants that nobody chose: what the study of failures foretells of flows is what the emulated hall shows.
#include "core/derived/impact/study.h"
#include "core/design/template/template.h"
#include "core/operations/monitoring/causes/prediction.h"
#include "tests/monitoring/emulated.h"

#include <QTest>

#include <random>

#include <fmt/format.h>

using namespace hw;

namespace {

/// Rack groups with a plant of any kind, size and redundancy.
FiguresPtr plantOf(std::mt19937& random, std::string& described)
{
    static const Catalog catalog = Catalog::load(HW_RESOURCES "/catalog").value();
    const auto any = [&](const auto& from) { return from[random() % from.size()]; };
    const std::string plant = any(std::array{"valve: valve-dn150", "chiller: chiller-water-1500kw, valve: valve-dn150",
                                             "chiller: exchanger-2000kw, facility_supply_c: 33, valve: valve-dn150"});
    const std::string redundancy = any(std::array{"n+1", "2n"});
    const std::string racks = std::to_string(2 + random() % 5);
    described = fmt::format("{}, redundancy {}, {} racks", plant, redundancy, racks);
    const auto design = Template::parse(fmt::format("template: any\nextends: nvl72\ntitle: Any\nlayout: {{{}, redundancy: {}}}\n", plant, redundancy),
                                        "any", HW_RESOURCES "/templates");
    if (!design) throw std::runtime_error(design.error().text());
    const auto made = instantiate(*design, design->complete({{"segments", "1"}, {"racks", racks}, {"networks", "backend"}}).value(), catalog);
    if (!made) throw std::runtime_error(made.error().text());
    Snapshot s(**made);
    if (plant.find("33") != plant.npos) s.putSetting("cooling.coolant_supply_c", "40");
    return computeFigures(std::make_shared<const Snapshot>(std::move(s))).value();
}

} // namespace

class TestRandomPlants : public QObject {
    Q_OBJECT
private slots:
    void flows_data()
    {
        QTest::addColumn<unsigned>("seed");
        for (const unsigned seed : {1u, 2u, 3u, 4u}) QTest::newRow(fmt::format("seed {}", seed).c_str()) << seed;
    }
    /// One element of cooling, or a pipe, is lost. What is foretold to stop does; what is not goes on.
    void flows()
    {
        QFETCH(unsigned, seed);
        std::mt19937 random(seed);
        std::string described;
        const FiguresPtr figures = plantOf(random, described);
        const impact::ModelPtr model = impact::Model::of(figures).value();
        const CoolingChain& chain = *model->coolant.chain;
        const Snapshot& s = *figures->snapshot;
        emulation::Options options;
        options.noise = 0, options.gpus = options.ports = false;
        std::size_t compared = 0, stopped = 0;
        for (int i = 0; i < 6; ++i) {
            const CoolantPath& way = chain.ways[random() % chain.ways.size()];
            std::string name = s.devices.name[chain.units[random() % chain.units.size()].device];
            if (i % 2 == 1 && way.link)
                name = entityName(s, *figures->parts,
                                  ref(s.ports.device[s.links.from[*way.link]] == way.taker ? s.links.from[*way.link] : s.links.to[*way.link]));
            Emulated hall(figures, options);
            const auto plans = monitoring::Plans::of(*figures, *hall.bound());
            const auto run = [&] {
                for (int second = 0; second < 5; ++second) (void)hall.step();
                std::vector<double> all;
                for (emulation::SensorNo no = 0; no < hall.hall().sensors().size(); ++no) all.push_back(hall.hall().truth(no));
                return all;
            };
            const auto before = run();
            hall.deed("fail " + name);
            const auto after = run();
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
                const std::string where = described + ": " + name + ": " + entityName(s, *figures->parts, sensor.entity);
                QVERIFY2(!dies || after[no] < 0.1 * before[no], (where + " was expected to stop").c_str());
                QVERIFY2(may || after[no] > 0.02 * before[no], (where + " stopped").c_str());
                ++compared, stopped += after[no] < 0.02 * before[no];
            }
        }
        QVERIFY2(compared > 40 && stopped > 0, described.c_str());
    }
};

QTEST_GUILESS_MAIN(TestRandomPlants)
#include "test_random_plants.moc"
