// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest> // first: moc reads the others on its own

#include "core/derived/cooling/heat_course.h"

#include <cmath>
#include <random>
#include <set>

using namespace hw;
using namespace hw::cooling;

namespace {

constexpr Heat kJoule = 1'000'000;

Milliwatts kilowatts(double kw) { return Milliwatts(std::llround(kw * 1e6)); }

/// The same, a millisecond at a time and in joules, written for nothing but to be read.
struct SlowHeat {
    std::vector<HeatLoop> loops;
    std::vector<HeatCabinet> cabinets;
    std::vector<double> loop, cabinet; ///< taken up
    std::vector<char> stood;

    /// Facility loops and what depends on them, however far.
    std::set<std::size_t> groupOf(std::size_t facility, const std::vector<LoopNow>& now) const
    {
        std::set<std::size_t> group{facility};
        for (std::size_t round = 0; round < loops.size(); ++round)
            for (std::size_t a = 0; a < loops.size(); ++a)
                for (const auto& onward : loops[a].onward) {
                    if (group.contains(onward.loop) && now[a].flows) group.insert(a);
                    if (group.contains(a) && loops[a].kind == HeatLoop::Kind::Facility && now[onward.loop].flows) group.insert(onward.loop);
                }
        return group;
    }
    void pass(const std::vector<LoopNow>& now, const std::vector<CabinetNow>& standing, std::int64_t ms)
    {
        const auto before = loop;
        for (std::size_t c = 0; c < cabinets.size(); ++c) {
            const std::size_t l = cabinets[c].loop;
            if (standing[c].stands && !stood[c]) {
                const double part = before[l] * double(cabinets[c].most) / double(loops[l].most);
                cabinet[c] = std::min(part, loop[l]), loop[l] -= cabinet[c];
            } else if (!standing[c].stands && stood[c]) {
                loop[l] = std::min(loop[l] + cabinet[c], std::max(loop[l], double(loops[l].most))), cabinet[c] = 0;
            }
            stood[c] = standing[c].stands;
        }
        for (std::int64_t i = 0; i < ms; ++i) {
            for (std::size_t c = 0; c < cabinets.size(); ++c)
                if (standing[c].stands) cabinet[c] += double(standing[c].heat.count());
            for (std::size_t l = 0; l < loops.size(); ++l) {
                loop[l] += double(now[l].own.count());
                for (const auto& onward : loops[l].onward) {
                    const auto group = groupOf(onward.loop, now);
                    double whole = 0;
                    for (const std::size_t g : group) whole += loops[g].kind == HeatLoop::Kind::Air ? 0 : double(loops[g].most) / loops[g].limitK;
                    for (const std::size_t g : group)
                        loop[g] += double(now[l].upstream.count()) * onward.gives / double(loops[l].onward.size()) * double(loops[g].most) /
                                   loops[g].limitK / whole;
                }
            }
        }
    }
};

} // namespace

class TestHeatCourse : public QObject {
    Q_OBJECT
private slots:
    /// 815 L of PG25 take 2 MW for 24.4 s at 15 K: 4.0 MJ/m3K (COOLANT.md).
    void aLoopWithoutHeatRejection()
    {
        const auto most = Heat(std::llround(0.815 * 4.0e6 * 15)) * kJoule;
        HeatTransient clock({{HeatLoop::Kind::Liquid, most, {}}}, {});
        QVERIFY(!clock.soonest());
        clock.settle(std::vector<LoopNow>{{kilowatts(2000), {}, true}}, {});
        QCOMPARE(*clock.soonest(), std::int64_t(24'450));
        clock.passTo(10'000);
        QVERIFY(!clock.loopHot(0));
        clock.settle(std::vector<LoopNow>{{kilowatts(1000), {}, true}}, {}); // half of it is back
        QCOMPARE(*clock.soonest(), std::int64_t(10'000 + 2 * 14'450));
        clock.settle(std::vector<LoopNow>{{}}, {}); // all of it: what has warmed up stays warm
        QVERIFY(!clock.soonest());
        clock.passTo(60'000);
        clock.settle(std::vector<LoopNow>{{kilowatts(2000), {}, true}}, {});
        QCOMPARE(*clock.soonest(), std::int64_t(60'000 + 14'450));
        clock.passTo(74'450);
        QVERIFY(clock.loopHot(0));
        clock.restart();
        QVERIFY(!clock.loopHot(0) && clock.loopTaken(0) == 0);
    }

    /// Air that bears 10 K is too hot before coolant that bears 15 K: all become warmer by the same kelvins, also by the heat of the fans.
    void theLeastLimitComesFirst()
    {
        const Heat kelvin = 2'000'000 * kJoule;
        HeatTransient clock({{HeatLoop::Kind::Liquid, 15 * kelvin, {{1, 1.0}}, 15},
                             {HeatLoop::Kind::Facility, 30 * kelvin, {}, 10},
                             {HeatLoop::Kind::Air, kelvin, {{1, 1.0, 1.25}}, 10}},
                            {});
        clock.settle(std::vector<LoopNow>{{{}, kilowatts(600), true}, {}, {{}, kilowatts(320), true}}, {});
        QCOMPARE(*clock.soonest(), std::int64_t(80'000)); // 1 + 3 stores of 2 MJ/K, 10 K, 1 MW
        clock.passTo(80'000);
        QVERIFY(clock.loopHot(2) && !clock.loopHot(0));
        QCOMPARE(clock.loopTaken(0), 10 * kelvin);
    }

    /// Facility water that still flows adds its liters; the loop and the water are at their limits together.
    void facilityWaterRidesAlong()
    {
        const Heat one = 30'000'000 * kJoule;
        HeatTransient clock(
            {{HeatLoop::Kind::Liquid, one, {{1, 1.0}}}, {HeatLoop::Kind::Facility, 3 * one, {}}, {HeatLoop::Kind::Air, one, {{1, 1.0}}}}, {});
        clock.settle(std::vector<LoopNow>{{{}, kilowatts(1000), true}, {}, {{}, {}, true}}, {});
        QCOMPARE(*clock.soonest(), std::int64_t(120'000)); // 120 MJ at 1 MW; the air gets warm with the water, and takes up nothing of it
        QCOMPARE(clock.loopRate(0), kilowatts(250));
        QCOMPARE(clock.loopRate(2), kilowatts(250));
        clock.settle(std::vector<LoopNow>{{kilowatts(1000), {}, true}, {}, {}}, {}); // for want of its own units: alone
        QCOMPARE(*clock.soonest(), std::int64_t(30'000));
    }

    /// Coolant that stands takes up its own cabinet's heat, starts as warm as the loop was, and brings its warmth back.
    void cabinetsOnTheirOwn()
    {
        const Heat loop = 1'000'000 * kJoule, cabinet = 100'000 * kJoule;
        HeatTransient clock({{HeatLoop::Kind::Liquid, loop, {}}}, {{0, cabinet}, {0, cabinet}});
        clock.settle(std::vector<LoopNow>{{kilowatts(50), {}, true}}, std::vector<CabinetNow>(2));
        clock.passTo(10'000); // half of the loop's margin
        clock.settle(std::vector<LoopNow>{{{}, {}, false}}, std::vector<CabinetNow>{{kilowatts(10), true}, {kilowatts(5), true}});
        QCOMPARE(*clock.cabinetLasts(0), std::int64_t(5'000));
        QCOMPARE(*clock.cabinetLasts(1), std::int64_t(10'000));
        QCOMPARE(clock.loopTaken(0), 400'000 * kJoule);
        clock.passTo(14'000);
        clock.settle(std::vector<LoopNow>{{}}, std::vector<CabinetNow>(2));
        QCOMPARE(clock.loopTaken(0), (400 + 90 + 70) * 1000 * kJoule);
        QVERIFY(!clock.cabinetHot(0) && !clock.soonest());
    }

    /// Random states, against a millisecond at a time.
    void equalsAMillisecondAtATime()
    {
        std::mt19937 random(7);
        int limits = 0;
        for (int round = 0; round < 60; ++round) {
            std::vector<HeatLoop> loops;
            const auto n = 2 + random() % 3;
            for (unsigned i = 0; i < n; ++i) {
                const auto kind = i == 0 ? HeatLoop::Kind::Facility : random() % 3 ? HeatLoop::Kind::Liquid : HeatLoop::Kind::Air;
                loops.push_back({kind, Heat(1'000'000 + random() % 9'000'000), {}});
                loops.back().limitK = 5 + double(random() % 11);
                if (i > 0 && random() % 3) loops.back().onward.push_back({0, 1.0, 1 + double(random() % 20) / 100});
            }
            std::vector<HeatCabinet> cabinets;
            for (unsigned i = 0; i < n; ++i)
                if (loops[i].kind == HeatLoop::Kind::Liquid) cabinets.push_back({i, Heat(100'000 + random() % 500'000)});
            HeatTransient clock(loops, cabinets);
            SlowHeat slow{loops, cabinets, std::vector<double>(n, 0), std::vector<double>(cabinets.size(), 0), std::vector<char>(cabinets.size(), 0)};
            std::int64_t now = 0;
            for (int state = 0; state < 6; ++state) {
                std::vector<LoopNow> loopNow(n);
                for (unsigned i = 1; i < n; ++i)
                    loopNow[i] = {Milliwatts(random() % 3 ? 0 : random() % 9'000),
                                  Milliwatts(loops[i].onward.empty() || random() % 2 ? 0 : random() % 9'000), random() % 4 != 0};
                std::vector<CabinetNow> cabinetNow;
                for (const HeatCabinet& cabinet : cabinets)
                    cabinetNow.push_back({Milliwatts(random() % 900), !loopNow[cabinet.loop].flows || random() % 4 == 0});
                const std::int64_t ms = 1 + std::int64_t(random() % 400);
                clock.settle(loopNow, cabinetNow);
                const auto limit = clock.soonest();
                const std::int64_t passes = limit ? std::min(ms, *limit - now) : ms;
                limits += passes < ms;
                clock.passTo(now += passes);
                slow.pass(loopNow, cabinetNow, passes);
                for (unsigned i = 0; i < n; ++i) {
                    if (loops[i].kind == HeatLoop::Kind::Facility) continue;                                       // has no limit of its own
                    const double apart = 2000 + (clock.loopHot(i) ? 10.0 * double(clock.loopRate(i).count()) : 0); // limits within 10 ms are one
                    if (std::abs(slow.loop[i] - double(loops[i].most)) > apart) QCOMPARE(clock.loopHot(i), slow.loop[i] >= double(loops[i].most));
                    QVERIFY(std::abs(double(clock.loopTaken(i)) - std::min(slow.loop[i], double(loops[i].most))) < apart);
                }
                for (std::size_t c = 0; c < cabinets.size(); ++c) {
                    const double apart = 2000 + (clock.cabinetHot(c) ? 10.0 * double(clock.cabinetRate(c).count()) : 0);
                    QVERIFY(std::abs(double(clock.cabinetTaken(c)) - std::min(slow.cabinet[c], double(cabinets[c].most))) < apart);
                }
                if (limit && passes == *limit - (now - passes)) break; // what is at its limit is off
            }
        }
        QVERIFY(limits > 5);
    }
};

QTEST_GUILESS_MAIN(TestHeatCourse)
#include "test_heat_course.moc"
