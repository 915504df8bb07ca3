// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tests/emulation/pod.h"

#include <cmath>

using namespace hw;
using namespace hw::emulation;

namespace {

const std::vector<std::string> kCdus{"hall1-c1-cdu1-1", "hall1-c1-cdu1-2", "hall1-c1-cdu2-1", "hall1-c1-cdu2-2"};
const std::vector<std::string> kRacks{"hall1-c1-r1-01", "hall1-c1-r1-02", "hall1-c1-r1-03", "hall1-c1-r1-05",
                                      "hall1-c1-r1-06", "hall1-c1-r1-07", "hall1-c1-r1-08"};

bool near(double a, double b, double share = 1e-6) { return std::abs(a - b) <= share * std::max({std::abs(a), std::abs(b), 1.0}); }

const CoolingChain& chainOf(const Pod& pod) { return *pod.hall->model().coolant.chain; }
std::size_t liquidLoop(const Pod& pod)
{
    const auto& loops = chainOf(pod).loops;
    return std::size_t(std::ranges::find(loops, LoopKind::Liquid, &CoolingLoop::kind) - loops.begin());
}

/// Heat into coolant of what is in a rack, by its draws and the shares of its parts.
double liquidW(const Pod& pod, const std::string& rack)
{
    const impact::Model& m = pod.hall->model();
    double sum = 0;
    m.s->devices.forEach([&](DeviceId id) {
        if (m.s->devices.rack[id] != RackId(pod.entity(rack).id)) return;
        const Load& load = m.figures->get<PowerNode>().device(id);
        const auto basis = std::size_t(m.basis);
        if (load.power[basis].count() <= 0 || !pod.hall->flow().live[id.value]) return;
        sum += toWatts(pod.hall->network()[id.value].draw) * toWatts(load.liquid[basis]) / toWatts(load.power[basis]);
    });
    return sum;
}

double carriedW(const Pod& pod, const std::string& name, double wattsPerLpmK)
{
    return pod.truth(name, Reading::Flow) * (pod.truth(name, Reading::ReturnTemperature) - pod.truth(name, Reading::SupplyTemperature)) *
           wattsPerLpmK;
}

} // namespace

class TestHeatFlow : public QObject {
    Q_OBJECT
private slots:
    /// A hall for which the design has no unit that cools it: its heat leaves unseen, and nothing shuts down.
    void hallThatNothingCools()
    {
        Options options;
        options.gpus = options.ports = false;
        const auto catalog = Catalog::load(HW_RESOURCES "/catalog").value();
        const auto design = Template::load(HW_RESOURCES "/templates/hpn.yaml").value();
        const std::map<std::string, std::string> values{{"segments", "1"}, {"networks", "backend"}}; // its core hall has no fan wall
        Pod pod(options, figuresOf(instantiate(design, design.complete(values).value(), catalog).value()).value());
        const auto& loops = chainOf(pod).loops;
        std::vector<char> cooled(loops.size(), 0);
        for (const auto& unit : chainOf(pod).units)
            if (unit.feeds >= 0) cooled[std::size_t(unit.feeds)] = 1;
        QVERIFY(std::ranges::any_of(chainOf(pod).loops,
                                    [&](const CoolingLoop& loop) { return !cooled[std::size_t(&loop - loops.data())] && loop.heatW > 0; }));
        pod.run(300, [](const auto&) {});
        for (std::size_t l = 0; l < loops.size(); ++l) QVERIFY(pod.hall->heat()[l].risesK < 1);
    }

    /// What goes in comes out or stays, of every loop, in every step.
    void nothingIsLost()
    {
        Pod pod;
        auto before = pod.hall->heat();
        std::size_t kept = 0;
        const auto check = [&](const auto&) {
            const auto& now = pod.hall->heat();
            for (std::size_t l = 0; l < now.size(); ++l) {
                const double stays = now[l].storedJ - before[l].storedJ; // of one second
                if (!near(now[l].inW - now[l].outW, stays, 1e-6)) {
                    QFAIL(qPrintable(
                        QString("loop %1 at %2: in %3 out %4 stays %5").arg(l).arg(pod.hall->nowMs()).arg(now[l].inW).arg(now[l].outW).arg(stays)));
                }
                kept += std::abs(stays) > 1;
            }
            before = now;
        };
        pod.run(20, check);
        for (const char* line : {"fail chiller1-01", "fail chiller1-02", "fail chiller1-03", "fail chiller1-04", "fail hall1-c1-cdu1-1",
                                 "fail utility-a", "fail utility-b", "restore", "fail hall1-fanwall1-1"}) {
            QCOMPARE(pod.act(line), std::string());
            pod.run(25, check);
        }
        QCOMPARE(pod.act("restore"), std::string());
        pod.run(1800, check);
        QVERIFY(kept > 100);
        for (const auto& loop : pod.hall->heat()) QVERIFY(loop.risesK < 0.5); // chillers are back, and all is cool again
    }

    /// Water behind chillers, step by step: a condenser gives off what its evaporator takes and what its compressor draws; what leaves the towers
    /// comes to the chillers, and none flows through a header that has failed. Facility water flows on then, and chillers trip.
    void waterBehindChillers()
    {
        Options options;
        options.gpus = options.ports = false;
        const auto catalog = Catalog::load(HW_RESOURCES "/catalog").value();
        const auto design = Template::parse("template: towers\nextends: nvl72\ntitle: Towers\nlayout: {headers: single, cdu_rejector: none, chiller: "
                                            "chiller-water-1500kw, valve: valve-dn150}\n",
                                            "towers", HW_RESOURCES "/templates")
                                .value();
        Pod pod(options, figuresOf(instantiate(design, design.complete({{"segments", 1}}).value(), catalog).value()).value());
        const CoolingChain& chain = chainOf(pod);
        auto before = pod.hall->heat();
        const auto check = [&](const auto&) {
            const auto& now = pod.hall->heat();
            for (std::size_t l = 0; l < now.size(); ++l) QVERIFY(near(now[l].inW - now[l].outW, now[l].storedJ - before[l].storedJ));
            before = now;
            double towers = 0, chillers = 0;
            for (const CoolingUnit& unit : chain.units) {
                const std::string& name = pod.hall->model().s->devices.name[unit.device];
                if (unit.element == CoolingElement::Tower) towers += pod.truth(name, Reading::Flow);
                if (unit.element != CoolingElement::Chiller) continue;
                chillers += pod.truth(name, Reading::Flow, 1);
                const double in = carriedW(pod, name, chain.loops[std::size_t(unit.feeds)].wattsPerLpmK);
                const double out = pod.truth(name, Reading::Flow, 1) *
                                   (pod.truth(name, Reading::ReturnTemperature, 1) - pod.truth(name, Reading::SupplyTemperature, 1)) *
                                   chain.loops[std::size_t(unit.takes)].wattsPerLpmK;
                QVERIFY(near(in * (1 + 1 / unit.cop), out));
            }
            QVERIFY(near(towers, chillers));
        };
        pod.run(20, check);
        const double usual = pod.truth("hall1-c1-cdu1-1", Reading::Flow, 1);
        for (const char* header : {"condenser_header1", "tower_header1"}) {
            QCOMPARE(pod.act(std::string("fail ") + header), std::string());
            pod.run(20, check);
            for (const char* unit : {"tower1-01", "tower1-02", "chiller1-01", "chiller1-02"}) QCOMPARE(pod.truth(unit, Reading::Flow), 0.0);
            QCOMPARE(pod.truth("chiller1-01", Reading::Status), 0.0);
            QVERIFY(pod.truth("hall1-c1-cdu1-1", Reading::Flow, 1) > 0.5 * usual);
            QCOMPARE(pod.act("restore"), std::string());
            pod.run(60, check);
            QCOMPARE(pod.truth("chiller1-01", Reading::Status), 1.0);
        }
        QCOMPARE(pod.act("fail chiller1-01:condenser"), std::string());
        pod.run(20, check);
        QCOMPARE(pod.truth("chiller1-01", Reading::Status), 0.0);
        QCOMPARE(pod.truth("chiller1-02", Reading::Status), 1.0);
    }

    /// The water of one unit is shut: it moves what it cooled on, as warm as it comes back, and its valve opens.
    void aUnitWithoutWater()
    {
        Pod pod;
        pod.run(20);
        QCOMPARE(pod.act("fail hall1-c1-cdu1-1:facility", "fail hall1-fanwall1-1:facility"), std::string());
        pod.run(20);
        for (const char* unit : {"hall1-c1-cdu1-1", "hall1-fanwall1-1"}) QCOMPARE(pod.truth(unit, Reading::ValvePosition), 100.0);
        QCOMPARE(pod.truth(kCdus[0], Reading::Flow, 1), 0.0);
        QVERIFY(near(pod.truth(kCdus[0], Reading::SupplyTemperature), pod.truth(kCdus[0], Reading::ReturnTemperature)));
        QVERIFY(pod.truth(kCdus[0], Reading::SupplyTemperature) > pod.truth(kCdus[1], Reading::SupplyTemperature) + 5);
        QVERIFY(near(pod.truth("hall1-fanwall1-1", Reading::AirInlet), pod.truth("hall1-fanwall1-1", Reading::AirOutlet)));
        QVERIFY(pod.truth("hall1-fanwall1-1", Reading::AirFlow) > 0);
    }

    /// A filter: half the air at the speed of the fans.
    void aCloggedFilter()
    {
        Pod pod;
        pod.run(20);
        const double usual = pod.truth("hall1-fanwall1-1", Reading::AirFlow) / pod.truth("hall1-fanwall1-1", Reading::FanSpeed);
        QCOMPARE(pod.act("clog hall1-fanwall1-1 percent=50"), std::string());
        pod.run(20);
        QVERIFY(near(pod.truth("hall1-fanwall1-1", Reading::AirFlow) / pod.truth("hall1-fanwall1-1", Reading::FanSpeed), 0.5 * usual, 0.1));
    }

    /// Heat is flow times rise times rho cp, at racks and CDUs, and it is the heat of the devices.
    void flowsCarryTheHeat()
    {
        Pod pod;
        const double w = chainOf(pod).loops[liquidLoop(pod)].wattsPerLpmK;
        for (int round = 0; round < 3; ++round) {
            pod.run(17);
            double all = 0, cdus = 0;
            for (const auto& rack : kRacks) {
                const double heat = liquidW(pod, rack);
                QVERIFY(heat > 30'000);
                QVERIFY(near(carriedW(pod, rack, w), heat));
                all += heat;
            }
            for (const auto& cdu : kCdus) cdus += carriedW(pod, cdu, w);
            const CoolingLoop& loop = chainOf(pod).loops[liquidLoop(pod)];
            const double runs = double(loop.sources.size()) - round; // a CDU that failed draws nothing
            QVERIFY(near(cdus, all + loop.ownW * runs / double(loop.sources.size())));
            QCOMPARE(pod.act("fail " + kCdus[std::size_t(round)]), std::string()); // those left take it over: N+3
        }
        QCOMPARE(pod.truth(kCdus[0], Reading::Flow), 0.0);
        QCOMPARE(pod.truth(kCdus[0], Reading::Status), 0.0);
        QCOMPARE(pod.truth(kCdus[0], Reading::PumpSpeed, 1), 0.0);
        QVERIFY(pod.truth(kCdus[3], Reading::PumpSpeed, 1) > 0);
    }

    /// Without facility water coolant and air still go round, and take nothing along; water does not come to the CDUs.
    void withoutFacilityWater()
    {
        Pod pod;
        pod.run(20);
        const double rack = pod.truth(kRacks[0], Reading::Flow), air = pod.truth("hall1-fanwall1-1", Reading::AirFlow);
        QVERIFY(pod.truth(kCdus[0], Reading::Flow, 1) > 0);
        QCOMPARE(pod.act("fail facility_header1"), std::string());
        pod.run(5);
        for (const auto& cdu : kCdus) {
            QCOMPARE(pod.truth(cdu, Reading::Flow, 1), 0.0);
            QVERIFY(pod.truth(cdu, Reading::Flow, 0) > 0);
            QVERIFY(near(pod.truth(cdu, Reading::ReturnTemperature), pod.truth(cdu, Reading::SupplyTemperature), 1e-3));
        }
        QVERIFY(pod.truth(kRacks[0], Reading::Flow) > 0.5 * rack);
        QVERIFY(pod.truth("hall1-fanwall1-1", Reading::AirFlow) > 0.5 * air);
        QCOMPARE(pod.truth("chiller1-01", Reading::Flow), 0.0);
    }

    /// Chillers that are clogged move less facility water. Heat is flow times rise at each of them and at each CDU, no water gets warmer than
    /// what it cools, and what is not taken along stays in loops and rooms.
    void cloggedChillers()
    {
        for (const int percent : {60, 35, 10}) {
            Pod pod;
            pod.run(20);
            const double before = pod.truth("chiller1-01", Reading::Flow);
            for (int i = 1; i <= 4; ++i)
                QCOMPARE(pod.act("clog chiller1-0" + std::to_string(i) + " percent=" + std::to_string(percent)), std::string());
            const auto facility =
                std::size_t(std::ranges::find(chainOf(pod).loops, LoopKind::Facility, &CoolingLoop::kind) - chainOf(pod).loops.begin());
            const double w = chainOf(pod).loops[facility].wattsPerLpmK;
            auto last = pod.hall->heat();
            double warmest = 0;
            const auto check = [&](const auto&) {
                const auto& now = pod.hall->heat();
                for (std::size_t l = 0; l < now.size(); ++l) QVERIFY(near(now[l].inW - now[l].outW, now[l].storedJ - last[l].storedJ));
                last = now;
                double chillers = 0, flow = 0, taken = 0;
                for (int i = 1; i <= 4; ++i) {
                    chillers += carriedW(pod, "chiller1-0" + std::to_string(i), w);
                    flow += pod.truth("chiller1-0" + std::to_string(i), Reading::Flow);
                }
                QVERIFY(near(chillers, now[facility].outW));
                for (const auto& cdu : kCdus) {
                    const double out = pod.truth(cdu, Reading::ReturnTemperature, 1), lpm = pod.truth(cdu, Reading::Flow, 1);
                    QVERIFY2(out < pod.truth(cdu, Reading::ReturnTemperature), std::to_string(out).c_str());
                    QVERIFY(near(lpm * (out - pod.truth(cdu, Reading::SupplyTemperature, 1)) * w,
                                 carriedW(pod, cdu, chainOf(pod).loops[liquidLoop(pod)].wattsPerLpmK), 1e-3));
                    taken += lpm;
                }
                if (percent < 60) QVERIFY(taken < 1.1 * flow);
                warmest = std::max(warmest, now[liquidLoop(pod)].risesK);
            };
            pod.run(60, check);
            QVERIFY(percent == 60 || pod.truth("chiller1-01", Reading::Flow) < 0.8 * before);
            QVERIFY2(percent == 10 ? warmest > 3 : warmest < 0.5, std::to_string(warmest).c_str());
            QCOMPARE(pod.act("restore"), std::string());
            pod.run(900);
            for (const auto& loop : pod.hall->heat()) QVERIFY(loop.risesK < 0.5);
        }
    }

    /// All CDUs gone: each rack's coolant takes up its heat until the limit of core/derived/impact's cabinets, then the rack is off.
    void ridesThrough()
    {
        Pod pod;
        pod.run(20);
        for (const auto& cdu : kCdus) QCOMPARE(pod.act("fail " + cdu), std::string());
        const auto& plant = pod.hall->model().coolant;
        const auto& chain = chainOf(pod);
        std::map<std::string, double> taken, most;
        std::map<std::string, int> expected, found;
        for (std::size_t t = 0; t < chain.takers.size(); ++t)
            if (chain.takers[t].rack && chain.takers[t].loop >= 0)
                most[pod.hall->model().s->racks.name[*chain.takers[t].rack]] += double(plant.cabinets[t].most) * 1e-6;
        QCOMPARE(most.size(), kRacks.size());
        const auto first = [&](const std::string& rack) {
            DeviceId out;
            const impact::Model& m = pod.hall->model();
            m.s->devices.forEach([&](DeviceId id) {
                if (m.s->devices.rack[id] == RackId(pod.entity(rack).id) && m.gpus[id.value] > 0) out = id;
            });
            return out;
        };
        for (int second = 1; second <= 120; ++second) {
            pod.run(1);
            for (const auto& rack : kRacks) {
                taken[rack] += liquidW(pod, rack);
                if (!expected.count(rack) && taken[rack] >= most[rack]) expected[rack] = second;
                if (!found.count(rack) && !pod.hall->isUp(first(rack))) found[rack] = second;
            }
        }
        QCOMPARE(found.size(), kRacks.size());
        for (const auto& [rack, second] : found) {
            QVERIFY(second > 5);
            QVERIFY2(std::abs(second - expected[rack]) <= 1,
                     (rack + ": " + std::to_string(second) + " against " + std::to_string(expected[rack])).c_str());
        }
        QCOMPARE(pod.act("restore"), std::string());
        pod.run(200);
        for (const auto& rack : kRacks) QVERIFY(pod.hall->isUp(first(rack)));
    }

    /// GPUs follow what they do and what flows in, not at once.
    void gpusWarmUpSlowly()
    {
        Pod pod;
        pod.run(60);
        QCOMPARE(pod.act("fail g01-rack1-shelf1"), std::string()); // no load is lost
        const double before = pod.truth("g01-rack1-tray01", Reading::GpuTemperature, 0);
        QVERIFY(before > 35 && before < 75);
        QCOMPARE(pod.act("throttle g01-rack1-tray01 percent=0"), std::string());
        pod.run(2);
        const double soon = pod.truth("g01-rack1-tray01", Reading::GpuTemperature, 0);
        pod.run(60);
        const double later = pod.truth("g01-rack1-tray01", Reading::GpuTemperature, 0);
        QVERIFY(soon <= before && later < soon - 1);
        double sum = 0;
        for (int gpu = 0; gpu < 4; ++gpu) sum += pod.truth("g01-rack1-tray01", Reading::GpuPower, gpu);
        QVERIFY(near(sum, 0.75 * pod.truth("g01-rack1-tray01", Reading::HostPower), 1e-9));
    }
};

QTEST_GUILESS_MAIN(TestHeatFlow)
#include "test_heat_flow.moc"
