// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/reliability/spot.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace hw::sim;

namespace {

const InstanceType kType{"gpu", 2, 0.5, 1};

SpotCase calm()
{
    SpotCase c;
    c.workH = 320, c.machines = 32, c.volatility = 0, c.reclaimedPerH = 0, c.checkpointH = 0, c.restartH = 0, c.draws = 100, c.stepH = 0.1;
    return c;
}

} // namespace

/// A job on spot instances: known answers without chance, and what chance costs.
class SpotTest : public QObject {
    Q_OBJECT
private slots:
    void withoutInterruptions()
    {
        const auto r = simulateSpot(kType, calm());
        QVERIFY(r && r->finishedShare == 1 && r->interruptions == 0);
        QVERIFY(std::abs(r->finishH.p50 - 10) < 1e-6 && std::abs(r->onDemandH - 10) < 1e-9);
        QVERIFY(std::abs(r->costUsd.mean - 10 * 32 * 0.5) < 2 && r->onDemandUsd == 640); // up to a started step
        QCOMPARE(r->costUsd.p5, r->costUsd.p95);
    }
    void scaling()
    {
        QCOMPARE(speedup(1, 32), 32.0);
        QVERIFY(std::abs(speedup(0.5, 1e9) - 2) < 1e-6);
        SpotCase c = calm();
        c.parallelShare = 0.99;
        QVERIFY(std::abs(simulateSpot(kType, c)->finishH.p50 - 320 / speedup(0.99, 32)) < 1e-6);
    }
    /// Five cheap steps, five above the bid: every loss goes back to the last checkpoint.
    void recordedPrices()
    {
        SpotCase c = calm();
        c.pricesPerH = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9};
        c.checkpointEveryH = 0.5;
        const auto r = simulateSpot(kType, c);
        QVERIFY(r->finishedShare == 1 && r->interruptions >= 8);
        QVERIFY(r->finishH.p50 > 18);
        c.holdingH = 1e6; // never taken away: it pays the bid at most
        const auto held = simulateSpot(kType, c);
        QVERIFY(held->interruptions == 0 && held->costUsd.mean > 10 * 32 * 1.2);
        c.bid = 0.1; // never starts
        QVERIFY(simulateSpot(kType, c)->finishedShare == 0);
    }
    /// Any of the machines stops all.
    void reclaimedMachines()
    {
        SpotCase c = calm();
        c.reclaimedPerH = 0.01, c.draws = 400, c.restartH = 0.1;
        const auto r = simulateSpot(kType, c);
        QVERIFY(r->interruptions > 0.01 * 32 * 10 * 0.9); // and those of the work done again
        QVERIFY(r->lostH > 0 && r->finishH.mean > 10.5 && r->finishH.p95 > r->finishH.p5);
        c.capUsd = 100;
        QVERIFY(simulateSpot(kType, c)->finishedShare == 0);
        for (const double cap : {100.0, 57.3, 0.01}) { // never above the cap, and less than a step below it
            c.capUsd = cap;
            const auto capped = simulateSpot(kType, c);
            QVERIFY(capped->finishedShare == 0 && capped->costUsd.p95 <= cap && capped->costDeciles.back() <= cap);
            QVERIFY(capped->costUsd.p5 > cap - 32 * 0.5 * 0.1 - 1e-9);
            QVERIFY(capped->finishDeciles.empty());
        }
    }
    /// The walk returns to its mean, the same draws for the same seed.
    void walk()
    {
        SpotCase c = calm();
        c.volatility = 0.3, c.draws = 400;
        const auto a = simulateSpot(kType, c), b = simulateSpot(kType, c);
        QCOMPARE(a->costUsd.mean, b->costUsd.mean);
        QVERIFY(a->costUsd.p95 > 1.2 * a->costUsd.p5);
        QCOMPARE(a->costDeciles.size(), std::size_t(9));
        QCOMPARE(a->costDeciles[4], a->costUsd.p50);
        QVERIFY(std::ranges::is_sorted(a->costDeciles) && std::ranges::is_sorted(a->finishDeciles));
        c.seed = 2;
        QVERIFY(simulateSpot(kType, c)->costUsd.mean != a->costUsd.mean);
        std::stop_source source;
        source.request_stop();
        QCOMPARE(simulateSpot(kType, c, hw::Progress{source.get_token(), {}}).error().code, hw::ErrorCode::Canceled);
    }
};

QTEST_APPLESS_MAIN(SpotTest)
#include "spot_test.moc"
