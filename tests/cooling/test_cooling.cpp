// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling_hall.h"
#include "core/derived/cooling/facility.h"
#include "core/derived/cooling/pipe_runs.h"
#include "core/foundation/catalog/rejection.h"
#include "core/foundation/settings/registry.h"
#include "core/physics/coolant/library.h"
#include "core/physics/hydraulics/head_loss.h"
#include "tests/cooling/cooling_without.h"

#include <QtTest>

#include <cmath>
#include <map>

using namespace hw;

namespace {

const CoolingLoop& loopNamed(const CoolingChain& chain, const std::string& name)
{
    for (const CoolingLoop& loop : chain.loops)
        if (loop.name == name) return loop;
    throw std::runtime_error("not connected to a loop" + name);
}
std::size_t placeOf(const CoolingChain& chain, const std::string& name) { return std::size_t(&loopNamed(chain, name) - chain.loops.data()); }

bool near(double a, double b, double share) { return std::abs(a - b) <= share * std::max(std::abs(a), std::abs(b)); }

/// Compares what is carried after a loss with the chain of the design without what is lost.
std::string differs(const CoolingChain& chain, const std::vector<LoopAfterLoss>& after, const CoolingChain& without)
{
    const auto full = test::coolingWithout(without, {});
    for (std::size_t l = 0; l < without.loops.size(); ++l) {
        const auto known = std::ranges::find(chain.loops, without.loops[l].name, &CoolingLoop::name);
        if (known == chain.loops.end() && full[l].heatW == 0) continue; // what is left behind lost pumps
        const auto& now = after[placeOf(chain, without.loops[l].name)];
        if (!near(now.carriedW, full[l].carriedW, 1e-9) || (full[l].heatW > 0 && now.cutOff.empty() && !near(now.heatW, full[l].heatW, 1e-9)))
            return without.loops[l].name + ": " + std::to_string(now.carriedW) + " of " + std::to_string(now.heatW) + ", not " +
                   std::to_string(full[l].carriedW) + " of " + std::to_string(full[l].heatW);
    }
    return {};
}

} // namespace

class CoolingTest : public QObject {
    Q_OBJECT
private slots:
    /// 28 cabinets of 112 kW on four CDUs of 1.3 MW: 3.14 MW, 3,927 L/min at 12 K, N+1, 1,309 L/min each with three running.
    void twentyEightCabinets()
    {
        CoolingHall h;
        const CoolingChain& chain = h.chain();
        QCOMPARE(chain.loops.size(), std::size_t(3));
        const CoolingLoop& loop = loopNamed(chain, "hall liquid");
        QVERIFY(loop.kind == LoopKind::Liquid);
        QCOMPARE(loop.heatW, 3'136'000.0);
        QVERIFY2(near(loop.lpm, 3927, 0.007), std::to_string(loop.lpm).c_str());
        QCOMPARE(loop.units, 4);
        QCOMPARE(loop.running, 3);
        QCOMPARE(loop.redundancy(), std::string("N+1"));
        QVERIFY(near(loop.lpm / double(loop.running), 1309, 0.007));
        QCOMPARE(loop.returnC - loop.supplyC, chain.at.deltaK);
        QVERIFY(loop.fits);
        QCOMPARE(loop.worstW, loop.heatW);
        QVERIFY(chain.unfed.empty());
        QCOMPARE(loopNamed(chain, "hall air").redundancy(), std::string("N+1"));
        QCOMPARE(loopNamed(chain, "hall facility").redundancy(), std::string("N+1"));
    }

    /// 15.0 / ΔT liters a minute for a kilowatt, within 0.6 % from 10 to 65 °C.
    void flowOverTemperature()
    {
        for (const int supply : {10, 20, 30, 39, 53}) {
            CoolingHall h({2, 2, 2, 1, 1});
            h.change("c-cabinet", "  flow_need: {points: [20/0.75, 40/0.75, 45/2.0], source: t, confidence: A}\n", "");
            h.s.putSetting("cooling.coolant_supply_c", std::to_string(supply));
            const CooledLoad& taker = h.chain().takers.front();
            QVERIFY2(near(taker.lpm / (taker.liquidW / 1000), 15.0 / 12, 0.006), std::to_string(supply).c_str());
        }
    }

    /// The table of a cabinet asks for more than the rise of temperature once the supply is warm.
    void flowByTable()
    {
        CoolingHall h({2, 2, 2, 1, 1});
        h.s.putSetting("cooling.coolant_supply_c", "45");
        const CooledLoad& taker = h.chain().takers.front();
        QCOMPARE(taker.leastLpm, 224.0);
        QCOMPARE(taker.lpm, 224.0);
        QVERIFY(near(taker.returnC - taker.supplyC, 15.0 / 2.0, 0.006));
        QCOMPARE(taker.warmestC, 45.0);
    }

    /// 815 L of PG25 take 2 MW for 24.4 s at 15 K.
    void rideThrough()
    {
        CoolingHall h;
        const CoolingLoop& loop = loopNamed(h.chain(), "hall liquid");
        QCOMPARE(loop.flowingLiters, loop.liters);
        QCOMPARE(loop.limitK, 15.0);
        QVERIFY(near(loop.rideThroughS * loop.heatW / loop.liters * 815 / 2e6, 24.4, 0.01));
        // Cabinets 28 x (15 + 12), two headers of 370 L, four CDUs of 90 L, and the pipes.
        QVERIFY(loop.liters > 28 * 27 + 740 + 360 && loop.liters < 28 * 27 + 740 + 360 + 800);
    }

    /// A tank on a branch of its own carries no flow: neither it nor its pipes last any longer. Between two headers all flows through it.
    void waterThatStandsDoesNotCount()
    {
        CoolingHall h;
        const CoolingLoop before = loopNamed(h.chain(), "hall facility");
        const auto tank = [](CoolingHall& in) {
            (void)in.part("tank-30m3");
            return in.add("tank", in.coolingTier, "tank-30m3");
        };
        CoolingHall branch = h;
        const DeviceId aside = tank(branch);
        (void)branch.connect(branch.plantHeader, aside, "pipe-dn200", 40'000);
        const CoolingLoop& beside = loopNamed(branch.chain(), "hall facility");
        QVERIFY(beside.liters > before.liters + 30'000 && near(beside.flowingLiters, before.flowingLiters, 1e-9));
        QVERIFY(near(beside.rideThroughS, before.rideThroughS, 1e-6));
        CoolingHall inLine = h;
        const DeviceId between = tank(inLine);
        (void)inLine.connect(inLine.pumps[0], between, "pipe-dn200", 40'000);
        (void)inLine.connect(between, inLine.plantHeader, "pipe-dn200", 40'000);
        const CoolingLoop& all = loopNamed(inLine.chain(), "hall facility");
        QCOMPARE(all.flowingLiters, all.liters);
        QVERIFY(all.liters > before.liters + 30'000 && all.rideThroughS > before.rideThroughS + 10);
    }

    /// Facility water may warm up by what the air behind it bears; without air units by what coolant does. Coolant not beyond what cabinets bear.
    void limitsFollowWhatIsCooled()
    {
        CoolingHall h;
        QCOMPARE(loopNamed(h.chain(), "hall facility").limitK, 10.0);
        QCOMPARE(loopNamed(h.chain(), "hall air").limitK, 10.0);
        h.s.putSetting("cooling.coolant_supply_c", "38"); // of 45 °C at most
        QCOMPARE(loopNamed(h.chain(), "hall liquid").limitK, 7.0);
        QCOMPARE(loopNamed(h.chain(), "hall facility").limitK, 7.0);
        CoolingHall liquid({28, 4, 0, 2, 4});
        QCOMPARE(loopNamed(liquid.chain(), "hall facility").limitK, 15.0);
    }

    /// The loss of every element equals the design without it.
    void lossesEqualRecompute()
    {
        const CoolingHall sound({12, 3, 2, 2, 3});
        CoolingHall h = sound;
        const CoolingChain chain = h.chain();
        std::vector<DeviceId> elements;
        for (const auto* list : {&h.cdus, &h.fans, &h.pumps, &h.chillers}) elements.insert(elements.end(), list->begin(), list->end());
        for (const DeviceId id : elements) {
            CoolingHall without = sound;
            without.erase(id);
            const std::string wrong = differs(chain, test::coolingWithout(chain, {&id, 1}), without.chain());
            QVERIFY2(wrong.empty(), (sound.s.devices.name[id] + " lost: " + wrong).c_str());
        }
        for (std::size_t a = 0; a < elements.size(); ++a)
            for (std::size_t b = a + 1; b < elements.size(); ++b) {
                CoolingHall without = sound;
                without.erase(elements[a]), without.erase(elements[b]);
                const DeviceId both[] = {elements[a], elements[b]};
                const std::string wrong = differs(chain, test::coolingWithout(chain, both), without.chain());
                QVERIFY2(wrong.empty(), (sound.s.devices.name[both[0]] + ", " + sound.s.devices.name[both[1]] + " lost: " + wrong).c_str());
            }
        for (const auto* list : {&h.hoses, &h.cduPipes})
            for (const LinkId id : *list) {
                CoolingHall without = sound;
                without.erase(id);
                const std::string wrong = differs(chain, test::coolingWithout(chain, {}, {&id, 1}), without.chain());
                QVERIFY2(wrong.empty(), wrong.c_str());
            }
    }

    /// What is short stays short for every single loss, and the worst of them is named.
    void worstIsTheWorst()
    {
        CoolingHall h({28, 3, 2, 1, 3});
        const CoolingChain& chain = h.chain();
        const CoolingLoop& loop = loopNamed(chain, "hall liquid");
        QCOMPARE(loop.redundancy(), std::string("N"));
        QVERIFY(!loop.fits);
        double worst = loop.heatW;
        for (const auto* list : {&h.cdus, &h.fans, &h.pumps, &h.chillers})
            for (const DeviceId id : *list)
                worst = std::min(worst, loop.heatW - test::coolingWithout(chain, {&id, 1})[placeOf(chain, "hall liquid")].shortW());
        QCOMPARE(loop.worstW, std::max(worst, 0.0));
        QCOMPARE(loop.worstLost, std::vector{h.pumps.front()}); // the only one: nothing flows without it
        QCOMPARE(loop.worstW, 0.0);
    }

    /// A loss further out reaches the cabinets: with all chillers lost no CDU cools.
    void cascade()
    {
        CoolingHall h;
        const CoolingChain& chain = h.chain();
        const auto after = test::coolingWithout(chain, h.chillers);
        const LoopAfterLoss& loop = after[placeOf(chain, "hall liquid")];
        QCOMPARE(loop.carriedW, 0.0);
        QCOMPARE(loop.cutOff.size(), std::size_t(28));
        QCOMPARE(after[placeOf(chain, "hall facility")].cutOff.size(), h.cdus.size() + h.fans.size());
        // Of four chillers two carry less than all: everything is short by the same share.
        const DeviceId two[] = {h.chillers[0], h.chillers[1]};
        const auto half = test::coolingWithout(chain, two);
        const auto share = [&](const char* name) { return half[placeOf(chain, name)].carriedW / half[placeOf(chain, name)].heatW; };
        QVERIFY(share("hall facility") < 1 && share("hall facility") > 0.5);
        QVERIFY(near(share("hall facility"), share("hall liquid"), 1e-9));
        QVERIFY(near(share("hall facility"), share("hall air"), 1e-9));
    }

    /// Two of four CDUs on one board: its loss leaves less than all, and is named. With a second way none does.
    void lossOfPower()
    {
        CoolingHall h;
        const TierId tier = h.s.tiers.insert();
        h.s.tiers.kind.set(tier, TierKind::Power);
        const DeviceId utility = h.add("utility", tier, "utility-20kv-25mva");
        std::array<DeviceId, 2> boards;
        for (std::size_t b = 0; b < 2; ++b) {
            boards[b] = h.add("board" + std::to_string(b + 1), tier, "switchboard-6300a");
            h.feed(boards[b], utility);
        }
        for (std::size_t c = 0; c < 4; ++c) h.feed(h.cdus[c], boards[c / 2]);
        const CoolingChain& chain = h.chain();
        const CoolingLoop& loop = loopNamed(chain, "hall liquid");
        QCOMPARE(loop.redundancy(), std::string("N+1"));
        QCOMPARE(loop.worstLost, std::vector{utility});
        QCOMPARE(loop.worstW, 0.0);
        QVERIFY(!loop.fits);
        const auto two = test::coolingWithout(chain, std::span<const DeviceId>(h.cdus).first(2))[placeOf(chain, "hall liquid")];
        QVERIFY(two.shortW() > 0 && two.carriedW > 0);
        const DeviceId second = h.add("utility2", tier, "utility-20kv-25mva");
        for (std::size_t b = 0; b < 2; ++b) h.feed(boards[b], second);
        const CoolingChain& twoWays = h.chain();
        QVERIFY(!loopNamed(twoWays, "hall liquid").fits); // a board still takes two
        QCOMPARE(loopNamed(twoWays, "hall liquid").worstLost, std::vector{boards[0]});
        for (std::size_t c = 0; c < 4; ++c) h.feed(h.cdus[c], boards[1 - c / 2]);
        QVERIFY(loopNamed(h.chain(), "hall liquid").fits);
    }

    /// One cabinet on one CDU over one hose: what the formulas say.
    void headByHand()
    {
        CoolingHall h({1, 1, 1, 1, 1});
        h.erase(h.joint);
        h.s.cables.length.set(*h.s.links.cable[h.cduPipes[0]], Millimeters(10'000));
        h.change("c-header", "  inner_diameter: {value: 161.5, unit: \"mm\", source: t, confidence: A}\n", "");
        const CoolingChain& chain = h.chain();
        const CooledLoad& taker = chain.takers.front();
        const auto fluid = coolant::shippedProperties("pg25", 36).value();
        const auto pair = [&](double lpm, double innerMm, double roughnessMm, double lengthM, double kv) {
            const double q = lpm / 60'000, d = innerMm / 1000, v = hydraulics::velocity(q, d);
            const double f = hydraulics::frictionFactor(q, d, roughnessMm / 1000, fluid.kinematicViscosity()).f;
            const double couplings = kv > 0 ? 1e5 * std::pow(q * 3600 / kv, 2) * fluid.density / 1000 : 0;
            return 2 * ((f * lengthM / d + 3) * fluid.density * v * v / 2 + couplings) / 1000;
        };
        const CableSpec hose = ProjectParts::of(h.s.partTypes).value()->cable(h.part("hose-lqc-1in"));
        const CableSpec pipe = ProjectParts::of(h.s.partTypes).value()->cable(h.part("pipe-dn100"));
        const double path = pair(taker.lpm / 2, hose.innerMm.value, hose.roughnessMm.value, 2, hose.kv.value) + // two hoses, half the flow each
                            pair(taker.lpm, pipe.innerMm.value, pipe.roughnessMm.value, 10, pipe.kv.value);
        QVERIFY2(near(taker.pathKpa, path, 1e-3), (std::to_string(taker.pathKpa) + " not " + std::to_string(path)).c_str());
        QVERIFY(near(taker.lossKpa, 60 * std::pow(taker.lpm / 140, 2), 1e-6));
        QVERIFY(near(taker.marginKpa, 244 - taker.pathKpa - taker.lossKpa, 1e-6));
        QCOMPARE(taker.availableLpm, taker.lpm);
        const CoolingLoop& loop = loopNamed(chain, "hall liquid");
        QVERIFY(near(loop.neededKpa, taker.pathKpa + taker.lossKpa, 1e-6));
        QCOMPARE(loop.headKpa, 244.0);
    }

    /// The hoses and couplings from a cabinet's devices to its manifold are in the list of cables and in its loss.
    void hosesToTheManifoldCount()
    {
        CoolingHall h({1, 1, 1, 1, 1});
        const double before = h.chain().takers.front().lossKpa;
        h.change("c-cabinet", "cooling:\n", "cooling:\n  ports: [{name: coolant, connector: uqd-08}]\n");
        (void)h.part("hose-uqd-08");
        const CoolingChain& chain = h.chain();
        const CooledLoad& taker = chain.takers.front();
        QCOMPARE(chain.hoses.size(), std::size_t(1));
        const CoolantHose& hose = chain.hoses.front();
        QCOMPARE(hose.lengthM, 1.0); // the next that is sold
        QCOMPARE(hose.lpm, taker.lpm);
        QCOMPARE(hose.ratedLpm, 17.8);
        const auto fluid = coolant::shippedProperties("pg25", 36).value();
        const double q = taker.lpm / 60'000, d = 0.0127, v = hydraulics::velocity(q, d);
        const double one = hydraulics::frictionFactor(q, d, 1.5e-6, fluid.kinematicViscosity()).f / d * fluid.density * v * v / 2 +
                           1e5 * std::pow(q * 3600 / 2.16, 2) * fluid.density / 1000;
        QVERIFY2(near(hose.lossKpa, 2 * one / 1000, 1e-6), std::to_string(hose.lossKpa).c_str());
        QVERIFY(near(taker.lossKpa, before + hose.lossKpa, 1e-9));
    }

    /// Flow is neither lost nor made: into headers as much as out of them, at equal shares of the CDUs.
    void flowsBalance()
    {
        CoolingHall h;
        const CoolingChain& chain = h.chain();
        const CoolingLoop& loop = loopNamed(chain, "hall liquid");
        double in = 0, out = 0;
        for (const CoolantPath& way : chain.ways) {
            if (way.loop != std::int32_t(placeOf(chain, "hall liquid"))) continue;
            if (chain.unit(way.feeder)->element == CoolingElement::Cdu) {
                in += way.lpm;
                QVERIFY(near(way.lpm, loop.lpm / 4, 1e-6));
            }
            if (chain.taker(way.taker)) out += way.lpm;
        }
        QVERIFY(near(in, loop.lpm, 1e-6) && near(out, loop.lpm, 1e-6));
        for (const CooledLoad& taker : chain.takers) QVERIFY(taker.marginKpa >= 0 && taker.pathKpa > 0);
        QVERIFY(loop.neededKpa > 60 && loop.neededKpa < 244);
    }

    /// Along a pipe the supply loses over the return what the pipe loses, and each cabinet is left with its own loss and its margin; through headers
    /// flows what their branches leave, to where the pressure is less.
    void pressureAlongPipes()
    {
        CoolingHall h;
        const auto figures = h.figures();
        const CoolingChain& chain = figures->get<CoolingChainNode>();
        const auto runs = cooling::pipeRuns(*figures);
        std::map<LinkId, const CoolantPath*> ways;
        for (const CoolantPath& way : chain.ways)
            if (way.link) ways.emplace(*way.link, &way);
        std::size_t pipes = 0, sections = 0;
        std::map<DeviceId, double> fastest;
        for (const cooling::PipeRun& run : runs) {
            QVERIFY(run.fromKpa >= run.toKpa - 1e-6);
            if (run.entity.kind != EntityKind::Link) {
                ++sections;
                double& most = fastest[DeviceId(run.entity.id)];
                most = std::max(most, run.velocityMs);
                continue;
            }
            ++pipes;
            const CoolantPath& way = *ways.at(LinkId(run.entity.id));
            QCOMPARE(run.lpm, way.lpm);
            QVERIFY2(near(run.fromKpa - run.toKpa, way.lossKpa, 1e-4) || way.lossKpa < 1e-3, std::to_string(run.fromKpa - run.toKpa).c_str());
            const CooledLoad* load = chain.taker(way.taker);
            if (load && load->loop == way.loop)
                QVERIFY2(near(run.toKpa, load->lossKpa + load->marginKpa, 1e-3), std::to_string(run.toKpa - load->lossKpa - load->marginKpa).c_str());
            if (run.entity != ref(h.hoses.front())) continue;
            QVERIFY(run.path.size() >= 2); // from the header to the cabinet
            const Box rack = figures->placement->rack(h.racks.front());
            QVERIFY(run.path.back().x >= rack.low.x && run.path.back().x <= rack.high.x);
            QVERIFY(near(run.returnC - run.supplyC, chain.at.deltaK, 0.01) && run.velocityMs > 0);
        }
        QVERIFY(pipes > h.cabinets.size() && sections > 20);
        for (const DeviceId header : h.headers) QVERIFY(near(fastest[header], chain.unit(header)->velocityMs, 1e-6)); // as the chain solved it
    }

    void headersShowAllThatPasses()
    {
        CoolingHall h;
        const CoolingChain& chain = h.chain();
        const CoolingLoop& facility = loopNamed(chain, "hall facility");
        double taken = 0; // by all that takes facility water; the loop's own flow is that and what its pumps' heat asks for
        for (const CoolingUnit& unit : chain.units)
            if (unit.parts() && unit.takes >= 0 && &chain.loops[std::size_t(unit.takes)] == &facility) taken += unit.takesLpm;
        QVERIFY(taken > 0.95 * facility.lpm && taken <= facility.lpm * (1 + 1e-9));
        for (const DeviceId id : {h.hallHeader, h.plantHeader}) {
            QVERIFY(near(chain.unit(id)->lpm, taken, 1e-6));
            QVERIFY(chain.unit(id)->sectionLpm > 0 && chain.unit(id)->sectionLpm < taken * (1 + 1e-9));
        }
        double cabinets = 0; // either row header passes its cabinets' flow, and what crosses to the other one
        for (const DeviceId id : h.headers) cabinets += chain.unit(id)->lpm;
        double crosses = 0;
        for (const CoolantPath& way : chain.ways)
            if (way.link && *way.link == h.joint) crosses = way.lpm;
        QVERIFY(near(cabinets, loopNamed(chain, "hall liquid").lpm + crosses, 1e-6));
    }

    /// What cooling draws at its heat: three of four CDUs, chillers by their coefficient of performance, and never more than its feeds are for.
    void drawAtLoad()
    {
        CoolingHall h;
        const CoolingChain& chain = h.chain();
        for (const DeviceId id : h.cdus) QVERIFY(near(coolingDraw(chain, *chain.unit(id)), chain.unit(id)->ownW * 3 / 4, 1e-9));
        double chillers = 0, heat = 0;
        for (const DeviceId id : h.chillers) chillers += coolingDraw(chain, *chain.unit(id)), heat += chain.unit(id)->heatW;
        const double cop = chain.unit(h.chillers.front())->cop;
        QVERIFY(cop > 0 && near(chillers, heat / cop, 1e-9));
        CoolingHall cool;
        cool.s.putSetting("site.ambient_c", "20");
        const CoolingChain& cooler = cool.chain();
        double mild = 0;
        for (const DeviceId id : cool.chillers) mild += coolingDraw(cooler, *cooler.unit(id));
        QVERIFY(mild < chillers);
        const auto& air = loopNamed(chain, "hall air");
        for (const DeviceId id : h.fans)
            QVERIFY(near(coolingDraw(chain, *chain.unit(id)), chain.unit(id)->ownW * double(air.runningSources) / double(h.fans.size()), 1e-9));
    }

    void warmFacilityWaterLeavesNoApproach()
    {
        CoolingHall h;
        double before = 4 * 1'300'000.0;
        for (const char* supply : {"21", "20.6", "20.2"}) {
            h.s.putSetting("cooling.coolant_supply_c", supply);
            const double capacity = loopNamed(h.chain(), "hall liquid").capacityW;
            QVERIFY2(capacity < before && capacity > 0, supply);
            before = capacity;
        }
        QCOMPARE(loopNamed(h.chain(), "hall liquid").redundancy(), std::string("short"));
        h.s.putSetting("cooling.coolant_supply_c", "20");
        const CoolingLoop& none = loopNamed(h.chain(), "hall liquid");
        QCOMPARE(none.capacityW, 0.0);
        QCOMPARE(none.redundancy(), std::string("short"));
        QVERIFY(!none.fits);
    }

    /// Chillers carry what their table says of the outdoor air and the supply; beyond it nothing is known of them.
    void rejection()
    {
        const std::vector<RejectionPoint> points{{25, 10, 1.1, 4}, {25, 20, 1.2, 5}, {35, 10, 1.0, 3}, {35, 20, 1.1, 4}};
        QCOMPARE(rejectionAt(points, 30, 15).share, 1.1);
        QCOMPARE(rejectionAt(points, 30, 15).cop, 4.0);
        QCOMPARE(rejectionAt(points, 35, 10).share, 1.0);
        QCOMPARE(rejectionAt(points, 10, 20).share, 1.2);
        QCOMPARE(rejectionAt(points, 25, 40).share, 1.2);
        QCOMPARE(rejectionAt(points, 36, 20).share, 0.0);
        QCOMPARE(rejectionAt(points, 25, 9).share, 0.0);
        CoolingHall h;
        h.s.putSetting("site.ambient_c", "40");
        QCOMPARE(loopNamed(h.chain(), "hall facility").capacityW, 4 * 1'500'000.0);
    }

    void withoutLinksARoomIsOneLoop()
    {
        CoolingHall h;
        for (const LinkId id : h.cduPipes) h.erase(id);
        const CoolingLoop& cut = loopNamed(h.chain(), "hall liquid"); // the headers with their hoses: nothing cools them
        QVERIFY(!cut.implied && cut.sources.empty() && !cut.carries());
        CoolingHall bare;
        std::vector<LinkId> all;
        bare.s.links.forEach([&](LinkId id) { all.push_back(id); });
        for (const LinkId id : all) bare.erase(id);
        const CoolingLoop& implied = loopNamed(bare.chain(), "hall liquid");
        QVERIFY(implied.implied);
        QCOMPARE(implied.redundancy(), std::string("N+1"));
        QCOMPARE(implied.heatW, 3'136'000.0);
    }

    void unfedWithoutManifold()
    {
        CoolingHall h;
        h.erase(h.manifolds[3]);
        QCOMPARE(h.chain().unfed, std::vector{h.cabinets[3]});
    }
};

QTEST_MAIN(CoolingTest)
#include "test_cooling.moc"
