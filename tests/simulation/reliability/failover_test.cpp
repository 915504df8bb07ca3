// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/simulation/near.h"

#include "simulation/reliability/failover.h"

using namespace hw::sim;

/// CHECKS S7 and the times of S2. ±1 % (deterministic).
class FailoverTest : public QObject {
    Q_OBJECT
private slots:
    void blackHole_data()
    {
        QTest::addColumn<int>("remedy");
        QTest::addColumn<double>("restored");
        QTest::addColumn<double>("lostGB");
        QTest::addColumn<double>("firstTry");
        QTest::newRow("hash dodging") << int(Remedy::HashDodging) << 11.0 << 50.0 << 1.0;
        QTest::newRow("controller") << int(Remedy::Controller) << 30.0 << 1000.0 << 1.0;
        QTest::newRow("random rehash, 60 ways") << int(Remedy::RandomRehash) << 10 + 60.0 / 59 << 50 * 60.0 / 59 << 59.0 / 60;
        QTest::newRow("none: time-out, restart") << int(Remedy::None) << 730.0 << 36000.0 << 0.0;
    }
    void blackHole()
    {
        QFETCH(int, remedy);
        QFETCH(double, restored);
        QFETCH(double, lostGB);
        QFETCH(double, firstTry);
        BlackHoleCase c;
        c.remedy = Remedy(remedy);
        c.untilS = 1000;
        const BlackHoleResult r = hw::sim::blackHole(c);
        QNEAR(r.restoredAtS, restored, 1e-9);
        QNEAR(r.lostBytes / 1e9, lostGB, 1e-9);
        QNEAR(r.firstTryShare, firstTry, 1e-9);
        QCOMPARE(r.jobLost, c.remedy == Remedy::None);
        double at = 0, undelivered = 0;
        for (const auto& span : r.timeline) {
            QCOMPARE(span.fromS, at);
            at = span.toS;
            undelivered += (c.rateGbps - span.deliveredGbps) / 8 * (span.toS - span.fromS);
        }
        QCOMPARE(at, c.untilS);
        QNEAR(undelivered, lostGB, 1e-9);
    }

    void rehash_data()
    {
        QTest::addColumn<int>("ways");
        QTest::addColumn<double>("share");
        QTest::newRow("8") << 8 << 0.875;
        QTest::newRow("60") << 60 << 0.983;
    }
    void rehash()
    {
        QFETCH(int, ways);
        QFETCH(double, share);
        BlackHoleCase c;
        c.remedy = Remedy::RandomRehash;
        c.equalPaths = ways;
        QNEAR(hw::sim::blackHole(c).firstTryShare, share, 1e-3);
        QNEAR(rehashShare(ways, 1, 20000), share, 0.02); // drawn: mean over seeds, ±2 %
    }

    void portLosses()
    {
        const PortLoss one = portLoss(8, 2, 200, 1);
        QCOMPARE(one.nicGbps, 200.0);
        QCOMPARE(one.hostGbps, 3000.0);
        QNEAR(one.hostShareLost, 0.0625, 1e-12);
        QNEAR(one.ringSlowDownStatic, 2.0, 1e-12);
        QNEAR(one.ringSlowDownRebalanced, 16.0 / 15, 1e-12);
        QCOMPARE(portLoss(8, 2, 200, 2).ringSlowDownStatic, 0.0); // stands
        QCOMPARE(portLoss(8, 1, 400, 1).ringSlowDownStatic, 0.0);
    }

    void nic_data()
    {
        QTest::addColumn<int>("ports");
        QTest::addColumn<double>("firstUp");
        QTest::addColumn<double>("secondUp"); // 0: the second port stays up
        QTest::addColumn<bool>("lost");
        QTest::addColumn<double>("rateAt50");
        QTest::newRow("dual: one port for a long time") << 2 << 800.0 << 0.0 << false << 200.0;
        QTest::newRow("dual: both, repaired at 60 s") << 2 << 60.0 << 60.0 << false << 0.0;
        QTest::newRow("dual: both, repaired at 121 s") << 2 << 121.0 << 121.0 << true << 0.0;
        QTest::newRow("single: repaired at 60 s") << 1 << 60.0 << 0.0 << false << 0.0;
        QTest::newRow("single: repaired at 120 s") << 1 << 120.0 << 0.0 << false << 0.0;
        QTest::newRow("single: repaired at 121 s") << 1 << 121.0 << 0.0 << true << 0.0;
    }
    void nic()
    {
        QFETCH(int, ports);
        QFETCH(double, firstUp);
        QFETCH(double, secondUp);
        QFETCH(bool, lost);
        QFETCH(double, rateAt50);
        NicCase c;
        c.ports = ports;
        c.portGbps = 400.0 / ports;
        c.faults = {{0, 10, 10 + firstUp}};
        if (secondUp > 0) c.faults.push_back({1, 10, 10 + secondUp});
        const NicResult r = nicFailover(c);
        QCOMPARE(r.jobLost, lost);
        double at = 0;
        for (const auto& span : r.timeline) {
            QCOMPARE(span.fromS, at);
            at = span.toS;
            if (span.fromS <= 50 && span.toS > 50) QCOMPARE(span.deliveredGbps, rateAt50);
            if (span.fromS >= 11) QCOMPARE(span.lostGbps, 0.0); // converged: nothing into the dead plane
        }
        QCOMPARE(at, c.untilS);
        QNEAR(r.blackHoledBytes, c.portGbps / 8 * 1e9 * double(c.faults.size()), 1e-9); // 1 s on each dead port
        QCOMPARE(r.timeline.back().state, std::string("full"));
        QNEAR(r.timeline.back().deliveredGbps, 400.0, 1e-12);
        if (lost) {
            QNEAR(r.lostAtS, 130, 1e-12);
            QNEAR(r.timeline.back().fromS, 131 + c.restartS, 1e-12);
        } else {
            QNEAR(r.timeline.back().fromS, 10 + firstUp, 1e-12); // full rate at once
        }
    }

    void slowConvergenceLosesTheJobOfADualToRToo()
    {
        NicCase c;
        c.convergenceS = 200;
        c.faults = {{0, 10, 600}};
        const NicResult r = nicFailover(c);
        QVERIFY(r.jobLost);
        QNEAR(r.lostAtS, 130, 1e-12);
    }
};

QTEST_APPLESS_MAIN(FailoverTest)
#include "failover_test.moc"
