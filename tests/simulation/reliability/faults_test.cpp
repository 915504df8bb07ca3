// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/simulation/near.h"

#include "simulation/reliability/checkpoint.h"
#include "simulation/reliability/faults.h"

using namespace hw::sim;

/// CHECKS P7, closed forms ±0.1 %; table entries to their printed digits.
class FaultsTest : public QObject {
    Q_OBJECT
private slots:
    void mtbf_data()
    {
        QTest::addColumn<double>("gpus");
        QTest::addColumn<double>("minutes");
        QTest::newRow("16,384") << 16384.0 << 185.58;
        QTest::newRow("100,000") << 1e5 << 30.41;
        QTest::newRow("15,360") << 15360.0 << 197.96;
        QTest::newRow("3 minutes") << 1.0135e6 << 3.0;
    }
    void mtbf()
    {
        QFETCH(double, gpus);
        QFETCH(double, minutes);
        QNEAR(mtbfS({}, gpus) / 60, minutes, 1e-3);
        QNEAR(gpusForMtbf({}, minutes * 60), gpus, 1e-3);
    }

    void rates()
    {
        QNEAR(gpusForMtbf({}, 180), 1'013'540.0, 1e-4); // A14: the article's three minutes
        QNEAR(linkFailuresPerMonth(3000), 1.71, 1e-3);
        QNEAR(linkFailuresPerMonth(15360), 8.76, 1e-3);
        QNEAR(faultsPerMonth({}, 3000), 42.6, 1e-3); // A15
    }

    void sizes()
    {
        QNEAR(saveShare(100, 7200), 0.01389, 1e-3);
        QNEAR(saveShare(100, 14400), 0.00694, 1e-3);
        QNEAR(dumpBytes(1024, 30e9), 30.72e12, 1e-12);
        QNEAR(drainS(30.72e12, 128, 50e9), 4.8, 1e-12);
        QNEAR(drainS(30.72e12, 128, 50e9, 1e12), 30.72, 1e-12);
        QNEAR(stateBytes(7e11), 9.8e12, 1e-12);
        QNEAR(stateBytes(7e11, 16), 11.2e12, 1e-12);
        // 4 readers of 25 GB/s for 1 TB, then 7 broadcast steps of 10 GB at 50 GB/s
        QNEAR(restoreS(1e12, 4, 25e9, 128, 10e9, {0, 50e9}), 10.2, 1e-12);
    }

    void groupInit()
    {
        QNEAR(groupInitS(GroupInit::BlockingStore, 2048), 1047.0, 1e-12);
        QNEAR(groupInitS(GroupInit::AsynchronousStore, 2048), 361.0, 1e-12);
        QVERIFY(groupInitS(GroupInit::Ordered, 2048) <= 5.0);
        QVERIFY(groupInitS(GroupInit::Ordered, 10240) < 30.0);
    }

    void table_data()
    {
        QTest::addColumn<double>("gpus");
        QTest::addColumn<double>("mtbf");
        QTest::addColumn<double>("save");
        QTest::addColumn<double>("recovery");
        QTest::addColumn<double>("optimum");
        QTest::addColumn<double>("best");
        QTest::addColumn<double>("bestDigit"); // the last printed one
        QTest::addColumn<double>("at2h");
        QTest::addColumn<double>("at4h");
        QTest::newRow("1,024") << 1024.0 << 178161.0 << 100.0 << 600.0 << 5969.0 << 0.9636 << 1e-4 << 0.963 << 0.950;
        QTest::newRow("3,000") << 3000.0 << 60812.0 << 100.0 << 600.0 << 3487.0 << 0.9345 << 1e-4 << 0.919 << 0.871;
        QTest::newRow("15,360") << 15360.0 << 11877.0 << 100.0 << 600.0 << 1541.0 << 0.8325 << 1e-4 << 0.679 << 0.482;
        QTest::newRow("15,360 fast") << 15360.0 << 11877.0 << 10.0 << 180.0 << 487.0 << 0.9451 << 1e-4 << 0.715 << 0.505;
        QTest::newRow("100,000") << 1e5 << 1824.0 << 100.0 << 600.0 << 604.0 << 0.506 << 1e-3 << 0.053 << 0.002;
        QTest::newRow("100,000 fast") << 1e5 << 1824.0 << 10.0 << 180.0 << 191.0 << 0.814 << 1e-3 << 0.070 << 0.003;
    }
    void table()
    {
        QFETCH(double, gpus);
        QFETCH(double, mtbf);
        QFETCH(double, save);
        QFETCH(double, recovery);
        QFETCH(double, optimum);
        QFETCH(double, best);
        QFETCH(double, bestDigit);
        QFETCH(double, at2h);
        QFETCH(double, at4h);
        const CheckpointPlan p{mtbfS({}, gpus), save, recovery};
        QNEAR(p.mtbfS, mtbf, 1e-3);
        QNEAR(optimumIntervalS(p), optimum, 1e-3);
        QWITHIN(goodputExact(p, optimumIntervalS(p)), best, 0.5 * bestDigit + 1e-5);
        QWITHIN(goodputExact(p, 7200), at2h, 0.5e-3 + 1e-5);
        QWITHIN(goodputExact(p, 14400), at4h, 0.5e-3 + 1e-5);
        // the exact optimum is no worse, and a little shorter or longer is
        const double exact = optimumIntervalExactS(p);
        QVERIFY(goodputExact(p, exact) >= goodputExact(p, optimumIntervalS(p)));
        QVERIFY(goodputExact(p, exact) >= goodputExact(p, exact * 1.001));
        QVERIFY(goodputExact(p, exact) >= goodputExact(p, exact / 1.001));
    }

    void firstOrderMeetsExactForRareFaults()
    {
        const CheckpointPlan p{1e7, 100, 600};
        QWITHIN(1 - wasteFirstOrder(p, optimumIntervalS(p)), goodputExact(p, optimumIntervalS(p)), 1e-4);
        QVERIFY(wasteFirstOrder(p, optimumIntervalS(p)) < wasteFirstOrder(p, optimumIntervalS(p) * 1.1));
        QVERIFY(wasteFirstOrder(p, optimumIntervalS(p)) < wasteFirstOrder(p, optimumIntervalS(p) / 1.1));
    }

    /// The message: 2 to 4 h suit jobs of 1K GPUs and fail at 15K and above.
    void advice_data()
    {
        QTest::addColumn<double>("gpus");
        QTest::addColumn<double>("hours");
        QTest::addColumn<int>("verdict");
        const auto row = [](const char* name, double gpus, double hours, IntervalVerdict v) { QTest::newRow(name) << gpus << hours << int(v); };
        row("1K, 2 h", 1024, 2, IntervalVerdict::Suits);
        row("1K, 4 h", 1024, 4, IntervalVerdict::Suits);
        row("3K, 4 h", 3000, 4, IntervalVerdict::Costly);
        row("15K, 2 h", 15360, 2, IntervalVerdict::Fails);
        row("15K, 4 h", 15360, 4, IntervalVerdict::Fails);
        row("100K, 2 h", 1e5, 2, IntervalVerdict::Fails);
        row("100K, 4 h", 1e5, 4, IntervalVerdict::Fails);
    }
    void advice()
    {
        QFETCH(double, gpus);
        QFETCH(double, hours);
        QFETCH(int, verdict);
        QCOMPARE(int(adviseInterval({mtbfS({}, gpus), 100, 600}, hours * 3600).verdict), verdict);
    }

    void statement()
    {
        const IntervalReach two = intervalReach({}, {0, 100, 600}, 7200), four = intervalReach({}, {0, 100, 600}, 14400);
        QVERIFY(four.suitsUpToGpus > 1024 && four.suitsUpToGpus < 1500);
        QVERIFY(two.failsFromGpus > 3000 && two.failsFromGpus < 15360);
        QVERIFY(four.suitsUpToGpus < two.suitsUpToGpus && four.failsFromGpus < two.failsFromGpus);
        const std::string text = words(intervalStatement({}, {0, 100, 600}, 7200, 14400));
        QVERIFY2(text.find("intervals of 2 h to 4 h suit jobs up to about 1,300 GPUs") != std::string::npos, text.c_str());
        QVERIFY2(text.find("fail from about 10,000 GPUs") != std::string::npos, text.c_str());
    }
};

QTEST_APPLESS_MAIN(FaultsTest)
#include "faults_test.moc"
