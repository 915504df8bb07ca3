// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/coolant/exchanger.h"
#include "core/physics/coolant/flow_need.h"
#include "core/physics/coolant/heat.h"
#include "core/physics/coolant/library.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace hw;
using namespace hw::coolant;

namespace {

bool near(double value, double wanted, double relative = 1e-9)
{
    if (std::abs(value - wanted) <= relative * std::max(std::abs(wanted), 1e-12)) return true;
    qWarning("%.10g instead of %.10g", value, wanted);
    return false;
}

/// Counterflow by shooting: integrates the two temperatures along the plate and finds the cold outlet by bisection.
double integratedEffectiveness(double units, double ratio)
{
    // Hot side is Cmin: enters at 1, the cold one at 0. Along x from the hot inlet: dTh = dTc' ratio, both fall.
    const auto coldEnd = [&](double coldOut) {
        double hot = 1, cold = coldOut;
        const int steps = 20'000;
        for (int i = 0; i < steps; ++i) {
            const double d = units / steps;
            const double middle = (hot - cold) * (1 - d * (1 - ratio) / 2); // midpoint
            hot -= d * middle, cold -= ratio * d * middle;
        }
        return std::pair(cold, hot);
    };
    double low = 0, high = 1;
    for (int i = 0; i < 60; ++i) {
        const double coldOut = (low + high) / 2;
        (coldEnd(coldOut).first > 0 ? high : low) = coldOut;
    }
    return 1 - coldEnd((low + high) / 2).second;
}

/// Project Deschutes: 2 MW, 500 gpm on both sides, approach 3 K, facility at 26.8 °C.
ExchangerRating deschutes()
{
    const double gpm500 = 500 * 3.785411784 / 60'000;
    const Properties water = *shippedProperties("water", 32), pg25 = *shippedProperties("pg25", 37);
    return {2e6, 3, {gpm500 * water.density, water.specificHeat}, {gpm500 * pg25.density, pg25.specificHeat}, 1};
}

} // namespace

class TestExchanger : public QObject {
    Q_OBJECT

private slots:
    void effectiveness()
    {
        QVERIFY(near(counterflowEffectiveness(2, 0), 1 - std::exp(-2.0)));
        QVERIFY(near(counterflowEffectiveness(3, 1), 0.75));
        QVERIFY(near(counterflowEffectiveness(3, 1 - 2e-6), 0.75, 1e-5)); // no step beside the limit
        for (const double units : {0.3, 1.0, 4.0})
            for (const double ratio : {0.2, 0.7, 0.95, 1.0}) {
                QVERIFY(near(counterflowEffectiveness(units, ratio), integratedEffectiveness(units, ratio), 2e-4));
                QVERIFY(near(counterflowTransferUnits(counterflowEffectiveness(units, ratio), ratio), units));
            }
    }

    void rating()
    {
        const ExchangerRating r = deschutes();
        QVERIFY(near(r.facility.kgPerS, 31.4, 0.01)); // the maker's model has 31.48 and 32.30 kg/s
        QVERIFY(near(r.loop.kgPerS, 32.0, 0.01));
        const auto x = Exchanger::of(r);
        QVERIFY(x.has_value());
        QVERIFY(near(x->capacityW(r.facility, r.loop, 3), 2e6, 1e-9));
        QVERIFY(near(x->approachK(r.facility, r.loop, 2e6), 3, 1e-9));
        const double returned = 26.8 + 3 + 2e6 / r.loop.wattsPerKelvin();
        QVERIFY(near(x->heatW(r.facility, r.loop, 26.8, returned), 2e6, 1e-9));
        const double cold = 3, hot = returned - 26.8 - 2e6 / r.facility.wattsPerKelvin(); // at the two ends: the logarithmic mean
        QVERIFY(near(x->conductance(r.facility, r.loop), 2e6 / ((hot - cold) / std::log(hot / cold)), 1e-9));
    }

    void offRating()
    {
        const ExchangerRating r = deschutes();
        const auto x = *Exchanger::of(r);
        const double full = x.capacityW(r.facility, r.loop, 3);
        QVERIFY(near(x.capacityW(r.facility, r.loop, 6), 2 * full)); // linear in the approach
        Stream less = r.facility;
        less.kgPerS *= 0.8;
        QVERIFY(x.capacityW(less, r.loop, 3) < full);
        const Stream half{r.loop.kgPerS * 0.5, r.loop.specificHeat};
        QVERIFY(x.heatW(r.facility, half, 27, 45) < x.heatW(r.facility, r.loop, 27, 45));
        QVERIFY(x.capacityW(r.facility, half, 3) > full); // it returns hotter
        QVERIFY(near(x.conductance({r.facility.kgPerS * 0.5, 1}, {r.loop.kgPerS * 0.5, 1}), x.conductance(r.facility, r.loop) * std::pow(0.5, 0.8)));
        QCOMPARE(x.capacityW({0, 4180}, r.loop, 3), 0.0);
        QVERIFY(std::isinf(x.approachK({0, 4180}, r.loop, 1)));
        // No heat is lost, and none flows up: for any flows and temperatures.
        std::mt19937 random(7);
        std::uniform_real_distribution<double> share(0.05, 1.5), kelvin(0.5, 30);
        for (int i = 0; i < 500; ++i) {
            const Stream f{r.facility.kgPerS * share(random), 4180}, l{r.loop.kgPerS * share(random), 3950};
            const double dt = kelvin(random), heat = x.heatW(f, l, 20, 20 + dt);
            QVERIFY(heat > 0 && heat < std::min(f.wattsPerKelvin(), l.wattsPerKelvin()) * dt);
            const double approach = 20 + dt - heat / l.wattsPerKelvin() - 20;
            QVERIFY(near(x.capacityW(f, l, approach), heat, 1e-6));
            QVERIFY(near(x.approachK(f, l, heat), approach, 1e-6));
        }
    }

    void impossibleRatings()
    {
        ExchangerRating r = deschutes();
        r.facility.kgPerS = 10; // leaves hotter than the loop returns
        QCOMPARE(Exchanger::of(r).error().code, ErrorCode::Refused);
        r = deschutes();
        r.approachK = 0;
        QCOMPARE(Exchanger::of(r).error().code, ErrorCode::Refused);
        r.approachK = std::nan("");
        QCOMPARE(Exchanger::of(r).error().code, ErrorCode::Refused);
    }

    void coldPlate()
    {
        const ColdPlate& plate = *shippedLibrary()->coldPlate("ocp-1kw-oam-pg25");
        const double lpm[] = {1.0, 1.5, 2.0}, at1kw[] = {24.5, 21.7, 20.4}, at1400[] = {34.3, 30.4, 28.6};
        for (int i = 0; i < 3; ++i) {
            QVERIFY(std::abs(*plate.caseOverInletK(1000, lpm[i]) - at1kw[i]) < 0.051);
            QVERIFY(std::abs(*plate.caseOverInletK(1400, lpm[i]) - at1400[i]) < 0.051);
        }
        QVERIFY(!plate.resistance(0.3));
        QVERIFY(!plate.resistance(std::nan("")));
        QCOMPARE(*plate.resistance(9), 0.0197); // no better than the table
        for (double over = 19.8; over < 38; over += 0.37) QVERIFY(near(*plate.caseOverInletK(1000, *plate.flowFor(1000, over)), over, 1e-9));
        QCOMPARE(*plate.flowFor(1000, 60), 0.4);
        QCOMPARE(plate.flowFor(1000, 19).error().code, ErrorCode::Refused);
    }

    void flowOverSupply()
    {
        const auto need = FlowNeed::ofPlates(*shippedLibrary()->coldPlate("ocp-1kw-oam-pg25"), 1000, 65, 20, 60);
        QVERIFY(near(need.supplyC.back(), 45)); // 20 K over the inlet are the last whole step
        double last = 0;
        for (double c = 18; c <= 45; c += 0.25) {
            const auto lpm = need.lpm(100'000, c);
            QVERIFY(lpm && *lpm >= last);
            last = *lpm;
        }
        QVERIFY(near(*need.lpm(100'000, 44.0), 100 * *shippedLibrary()->coldPlate("ocp-1kw-oam-pg25")->flowFor(1000, 21)));
        QVERIFY(words(need.lpm(100'000, 46).error().what).find("supply temperature 46 °C is too high") != std::string::npos);
        QCOMPARE(FlowNeed{}.lpm(1, 20).error().code, ErrorCode::Refused);
    }
};

QTEST_GUILESS_MAIN(TestExchanger)
#include "test_exchanger.moc"
