// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/physics/power/survey.h"
#include "simulation/random.h"
#include "tests/cooling/cooling_hall.h"
#include "tests/emulation/pod.h"
#include "tests/rules/power_hall.h"

#include <cmath>

using namespace hw;
using namespace hw::emulation;

namespace {

using Index = power::Index;

bool near(double a, double b, double share = 1e-9) { return std::abs(a - b) <= share * std::max({std::abs(a), std::abs(b), 1.0}); }

/// Where a flow does not add up; empty: it does.
std::string unbalanced(const Hall& hall)
{
    const power::Network& network = hall.network();
    const power::Flow& flow = hall.flow();
    std::int64_t sources = 0, ends = 0, losses = 0;
    for (Index i = 0; i < network.size(); ++i) {
        power::Phases children = power::Phases::even(network[i].draw);
        for (const auto& use : network.uses(i)) children += flow.shares[network.firstFeed(use.consumer) + use.feed];
        const std::string name = i < hall.model().s->devices.nextId() ? hall.model().s->devices.name[DeviceId(i)] : "battery";
        if (!flow.live[i]) {
            if (flow.intake[i].total().count() != 0) return name + " takes something and is dead";
            continue;
        }
        if (!(children == flow.through[i])) return name + ": children and through differ";
        const std::int64_t lost = network[i].loss.at(flow.through[i].total()).count();
        if (flow.intake[i].total().count() != flow.through[i].total().count() + lost) return name + ": intake is not through and loss";
        ends += network[i].draw.count(), losses += lost;
        if (network[i].source) {
            bool fed = false;
            for (const auto& feed : network.feeds(i)) fed = fed || flow.live[feed.from];
            if (!fed) sources += flow.intake[i].total().count();
        }
    }
    return sources == ends + losses ? std::string() : "sources give " + std::to_string(sources) + ", " + std::to_string(ends + losses) + " are used";
}

} // namespace

class TestHall : public QObject {
    Q_OBJECT
private slots:
    void seedDecides()
    {
        Options options;
        options.startMs = 1'767'600'000'000, options.pollS = 5;
        Pod a(options), b(options);
        options.seed = 2;
        Pod c(options);
        std::size_t same = 0, other = 0;
        for (int i = 0; i < 90; ++i) {
            if (i == 30) QCOMPARE(a.act("fail hall1-c1-cdu1-1") + b.act("fail hall1-c1-cdu1-1") + c.act("fail hall1-c1-cdu1-1"), std::string());
            const auto va = a.hall->advance(1000 * (i + 1)), vb = b.hall->advance(1000 * (i + 1)), vc = c.hall->advance(1000 * (i + 1));
            QVERIFY(!va.empty());
            QVERIFY(std::ranges::equal(va, vb));
            same += va.size(), other += std::ranges::equal(va, vc);
        }
        QVERIFY(same > 10'000);
        QCOMPARE(other, std::size_t(0));
    }

    /// A parent is the sum of its children and its own loss, whatever has failed.
    void powerAddsUp()
    {
        Pod pod;
        sim::Random random(5);
        const auto names = pod.hall->failable("");
        for (int round = 0; round < 40; ++round) {
            if (round % 8 == 7)
                QCOMPARE(pod.act("restore"), std::string());
            else
                QCOMPARE(pod.act("fail " + names[random.below(names.size())]), std::string());
            pod.run(1 + int(random.below(15)));
            QCOMPARE(unbalanced(*pod.hall), std::string());
        }
    }

    /// What meters say follows from it: a busway against what depends on it, a rack against its devices.
    void metersAgree()
    {
        Pod pod;
        pod.run(20);
        const impact::Model& m = pod.hall->model();
        const power::Network& network = pod.hall->network();
        const DeviceId busway = pod.device("hall1-c1-row1-busway1");
        double children = 0;
        for (const auto& use : network.uses(busway.value))
            children += pod.truth(m.s->devices.name[DeviceId(use.consumer)], Reading::ActivePower); // each on one side alone
        const double loss = toWatts(network[busway.value].loss.at(pod.hall->flow().through[busway.value].total()));
        QVERIFY(loss > 0 && children > 100'000);
        QVERIFY(near(pod.truth("hall1-c1-row1-busway1", Reading::ActivePower), children + loss));
        const double volts = pod.truth("hall1-c1-row1-busway1", Reading::Voltage), amperes = pod.truth("hall1-c1-row1-busway1", Reading::Current);
        QVERIFY(near(std::sqrt(3.0) * volts * amperes, pod.truth("hall1-c1-row1-busway1", Reading::ApparentPower)));
        double rack = 0;
        m.s->devices.forEach([&](DeviceId id) {
            if (m.s->devices.rack[id] == RackId(pod.entity("hall1-c1-r1-01").id) && m.s->tiers.kind[m.s->devices.tier[id]] != TierKind::Power)
                rack += toWatts(network[id.value].draw);
        });
        QVERIFY(rack > 40'000 && rack < 132'001);
        QVERIFY(near(pod.truth("hall1-c1-r1-01", Reading::ActivePower), rack));
    }

    void racksBreatheWithTheirJobs()
    {
        Pod pod;
        double least = 1e12, most = 0;
        const double design =
            toWatts(pod.hall->model().figures->get<PowerNode>().rack(RackId(pod.entity("hall1-c1-r1-01").id)).at(PowerBasis::Design));
        pod.run(120, [&](const auto&) {
            const double w = pod.truth("hall1-c1-r1-01", Reading::ActivePower);
            least = std::min(least, w), most = std::max(most, w);
        });
        QVERIFY(most <= design && least >= 0.25 * design && most - least > 0.1 * design);
    }

    /// The other side takes the load, as core/physics/power says for the same draws.
    void lostBuswayMovesItsLoad()
    {
        Pod pod;
        pod.run(30);
        const double before = pod.truth("hall1-c1-row1-busway2", Reading::ActivePower);
        QCOMPARE(pod.act("fail hall1-c1-row1-busway1"), std::string());
        pod.run(1);
        const Index lost[] = {pod.device("hall1-c1-row1-busway1").value};
        const power::Flow said = power::flowOf(pod.hall->network(), lost);
        QCOMPARE(pod.hall->flow().through, said.through);
        QCOMPARE(pod.hall->flow().live, said.live);
        QCOMPARE(pod.truth("hall1-c1-row1-busway1", Reading::ActivePower), 0.0);
        QCOMPARE(pod.truth("hall1-c1-row1-busway1", Reading::Voltage), 0.0);
        QCOMPARE(pod.truth("g01-rack1-shelf1", Reading::ActivePower), 0.0);
        QVERIFY(pod.truth("g01-rack1-shelf2", Reading::ActivePower) > 10'000);
        QVERIFY(pod.truth("hall1-c1-row1-busway2", Reading::ActivePower) > 1.4 * before);
        QVERIFY(pod.truth("hall1-c1-r1-01", Reading::ActivePower) > 40'000); // nothing went dark
        QVERIFY(pod.hall->isUp(pod.device("g01-rack1-tray01")));
        QCOMPARE(pod.act("restore hall1-c1-row1-busway1"), std::string());
        pod.run(1);
        QVERIFY(pod.truth("hall1-c1-row1-busway1", Reading::ActivePower) > 100'000);
    }

    /// Batteries bridge the start of the generators; without those they drain as they are loaded.
    void batteriesAct()
    {
        Pod pod;
        pod.run(10);
        QCOMPARE(pod.act("fail utility-a", "fail utility-b"), std::string());
        bool dipped = false;
        pod.run(9, [&](const auto&) { dipped = dipped || !pod.hall->isUp(pod.device("g01-rack1-tray01")); });
        QVERIFY(!dipped);
        QCOMPARE(pod.truth("building1-generator1-1", Reading::ActivePower), 0.0);
        QCOMPARE(pod.truth("building1-generator1-1", Reading::Voltage), 0.0); // it stands still
        QCOMPARE(pod.truth("building1-generator1-1", Reading::Frequency), 0.0);
        QCOMPARE(pod.truth("building1-generator_switchgear1-1", Reading::Voltage), 0.0);
        const double left = pod.truth("ups1-1-1", Reading::StateOfCharge);
        QVERIFY(left < 100 && left > 80);
        pod.run(3);
        QVERIFY(pod.truth("building1-generator1-1", Reading::ActivePower) > 50'000);
        QVERIFY(pod.truth("building1-generator1-1", Reading::Voltage) > 300 && pod.truth("building1-generator1-1", Reading::Frequency) > 49);
        QCOMPARE(pod.act("restore", "fail switchboard1-1"), std::string()); // two UPS are left with their batteries
        const auto& plant = *pod.hall->model().plant;
        const DeviceId ups = pod.device("ups1-1-1");
        const Index battery = plant.batteryOf[ups.value];
        double energy = double(plant.energy[battery - plant.devices]) * pod.truth("ups1-1-1", Reading::StateOfCharge) / 100; // a sum of its own
        int lasts = 0;
        for (; lasts < 4 * 3600 && energy > 0; ++lasts) {
            QVERIFY(pod.truth("ups1-1-1", Reading::StateOfCharge) > 0);
            pod.run(1);
            energy -= double(pod.hall->flow().through[battery].total().count()) * 1000;
        }
        QVERIFY(lasts > 60 && lasts < 4 * 3600);
        pod.run(2);
        QCOMPARE(pod.truth("ups1-1-1", Reading::StateOfCharge), 0.0);
        QVERIFY(!pod.hall->flow().live[ups.value]);
        QVERIFY(pod.truth("ups1-2-1", Reading::ActivePower) > 200'000); // the other side has it all
        QVERIFY(pod.hall->isUp(pod.device("g01-rack1-tray01")));
    }

    /// One long way is the short ones after each other; sensors are read at its end.
    void longStepsAreShortOnes()
    {
        Pod a, b;
        QCOMPARE(a.act("fail hall1-c1-cdu1-1") + b.act("fail hall1-c1-cdu1-1"), std::string());
        a.run(60);
        QVERIFY(!b.hall->advance(60'000).empty());
        QCOMPARE(a.hall->nowMs(), b.hall->nowMs());
        QCOMPARE(a.hall->flow().intake, b.hall->flow().intake);
        for (SensorNo no = 0; no < a.hall->sensors().size(); ++no) QCOMPARE(a.hall->truth(no), b.hall->truth(no));
    }

    /// Noise takes no reading where it cannot be.
    void percentagesStayInside()
    {
        Options options;
        options.pollS = 1, options.noise = 20;
        Pod pod(options);
        std::size_t full = 0;
        pod.run(30, [&](const auto& values) {
            for (const Value& value : values) {
                const Reading r = pod.hall->sensors()[value.sensor].reading;
                if (r != Reading::GpuUtilization && r != Reading::PumpSpeed && r != Reading::FanSpeed && r != Reading::Humidity) continue;
                QVERIFY(value.value >= 0 && value.value <= 100);
                full += value.value == 100;
            }
        });
        QVERIFY(full > 100);
    }

    /// Every sensor of a design says a number, or nothing where nobody answers; also in halls without this or that.
    void everySensorAnswers_data()
    {
        QTest::addColumn<int>("which");
        for (int i = 0; i < 4; ++i) QTest::addRow("%d", i) << i;
    }
    void everySensorAnswers()
    {
        QFETCH(int, which);
        Options options;
        options.pollS = 1;
        PowerHall power;
        CoolingHall cooling;
        const auto figures = which == 0   ? power.figures()
                             : which == 1 ? cooling.figures()
                             : which == 2 ? podFigures("hpn", {{"segments", 1}})
                                          : podFigures();
        Pod pod(options, figures);
        pod.run(40);
        std::size_t silent = 0;
        for (SensorNo no = 0; no < pod.hall->sensors().size(); ++no) {
            const double value = pod.hall->truth(no);
            QVERIFY(!std::isinf(value));
            silent += std::isnan(value);
        }
        QVERIFY(pod.hall->sensors().size() > 20);
        QCOMPARE(silent, std::size_t(0));
    }
};

QTEST_GUILESS_MAIN(TestHall)
#include "test_hall.moc"
