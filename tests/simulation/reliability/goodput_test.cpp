// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/simulation/near.h"

#include "simulation/reliability/checkpoint.h"
#include "simulation/reliability/goodput.h"
#include "simulation/reliability/goodput_target.h"

#include <numeric>

using namespace hw::sim;

namespace {

GoodputCase job(double gpus, double interval = 0, double save = 100, double recovery = 600)
{
    GoodputCase c;
    c.mtbfS = mtbfS({}, gpus);
    c.intervalS = interval;
    c.saveS = save;
    c.recovery = {0, recovery, 0, 0};
    return c;
}

} // namespace

/// CHECKS S9: table P7 by Monte-Carlo within ±1 percentage point of the closed form, from at least 2,000 failures.
class GoodputTest : public QObject {
    Q_OBJECT
private slots:
    void table_data()
    {
        QTest::addColumn<double>("gpus");
        QTest::addColumn<double>("interval");
        QTest::addColumn<double>("save");
        QTest::addColumn<double>("recovery");
        QTest::addColumn<double>("expected");
        struct Row {
            double gpus, save, recovery, best, at2h, at4h;
        };
        for (const Row& r :
             {Row{1024, 100, 600, 0.9636, 0.963, 0.950}, Row{3000, 100, 600, 0.9345, 0.919, 0.871}, Row{15360, 100, 600, 0.8325, 0.679, 0.482},
              Row{15360, 10, 180, 0.9451, 0.715, 0.505}, Row{1e5, 100, 600, 0.506, 0.053, 0.002}, Row{1e5, 10, 180, 0.814, 0.070, 0.003}}) {
            const auto add = [&](const char* name, double interval, double expected) {
                QTest::addRow("%.0f GPUs, %.0f s, %s", r.gpus, r.save, name) << r.gpus << interval << r.save << r.recovery << expected;
            };
            add("optimum", 0, r.best);
            add("2 h", 7200, r.at2h);
            add("4 h", 14400, r.at4h);
        }
    }
    void table()
    {
        QFETCH(double, gpus);
        QFETCH(double, interval);
        QFETCH(double, save);
        QFETCH(double, recovery);
        QFETCH(double, expected);
        const auto result = simulateGoodput(job(gpus, interval, save, recovery), {});
        QVERIFY(result.has_value());
        QVERIFY(result->stoppingFaults >= 2000);
        QWITHIN(result->goodput, expected, 0.01);
        QWITHIN(result->closedForm, expected, 0.0006);
        QVERIFY(result->standardError < 0.0034); // three of them are within the point
        QWITHIN(result->goodput, result->closedForm, 4.5 * result->standardError + 1e-6);
        qInfo("simulated %.4f ± %.4f, closed %.4f, expected %.4f", result->goodput, result->standardError, result->closedForm, expected);
    }

    void closedFormIsDalys()
    {
        for (const double gpus : {64.0, 1024.0, 15360.0, 100000.0})
            for (const double tau : {300.0, 3600.0, 14400.0})
                QNEAR(goodputClosed(job(gpus, tau)), goodputExact({mtbfS({}, gpus), 100, 600}, tau), 1e-9);
    }

    /// The closed form holds for the wider model too; ±1 point (5 standard errors where it is exact).
    void extensions_data()
    {
        QTest::addColumn<bool>("twoStage");
        QTest::addColumn<double>("drain");
        QTest::addColumn<double>("tolerated");
        QTest::addColumn<double>("recall");
        QTest::addColumn<double>("precision");
        QTest::newRow("two-stage") << true << 300.0 << 0.0 << 0.0 << 1.0;
        QTest::newRow("two-stage, drain longer than the interval") << true << 2500.0 << 0.0 << 0.0 << 1.0;
        QTest::newRow("ridden out") << false << 0.0 << 0.4 << 0.0 << 1.0;
        QTest::newRow("predicted") << false << 0.0 << 0.0 << 0.6 << 0.5;
        QTest::newRow("predicted, all") << false << 0.0 << 0.0 << 1.0 << 0.9;
        QTest::newRow("all together") << true << 200.0 << 0.2 << 0.7 << 0.8;
    }
    void extensions()
    {
        QFETCH(bool, twoStage);
        QFETCH(double, drain);
        QFETCH(double, tolerated);
        QFETCH(double, recall);
        QFETCH(double, precision);
        GoodputCase c = job(15360, 1500, twoStage ? 5 : 100);
        c.twoStage = twoStage;
        c.drainS = drain;
        c.toleratedShare = tolerated;
        c.toleratedStallS = 60;
        c.recall = recall;
        c.precision = precision;
        const auto r = simulateGoodput(c, {});
        QVERIFY(r.has_value());
        QWITHIN(r->goodput, r->closedForm, 0.01);
        if (!(twoStage && recall > 0)) QWITHIN(r->goodput, r->closedForm, 5 * r->standardError + 1e-6);
        QNEAR(std::accumulate(r->share.begin(), r->share.end(), 0.0), 1.0, 1e-9);
        qInfo("simulated %.4f ± %.4f, closed %.4f", r->goodput, r->standardError, r->closedForm);
    }

    void everyRemedyHelps()
    {
        const auto of = [](const GoodputCase& c) { return simulateGoodput(c, {})->goodput; };
        const GoodputCase plain = job(15360);
        const double base = of(plain);
        GoodputCase staged = plain, ridden = plain, predicted = plain, fewHosts = plain;
        staged.twoStage = true;
        staged.saveS = 5;
        staged.drainS = 100;
        ridden.toleratedShare = 0.3;
        predicted.recall = 0.6;
        predicted.precision = 0.8;
        fewHosts.backupHosts = 2;
        QVERIFY(of(staged) > base + 0.05);
        QVERIFY(of(ridden) > base + 0.03);
        QVERIFY(of(predicted) > base + 0.05);
        const auto waits = simulateGoodput(fewHosts, {});
        QVERIFY(waits->goodput < base - 0.2); // 7.3 faults a day and 2 hosts a day
        QVERIFY(waits->of(JobTime::WaitingForHost) > 0.3);
        fewHosts.backupHosts = 100;
        QWITHIN(of(fewHosts), base, 0.01);
    }

    /// No bias: the mean over seeds lies within three of its standard errors.
    void unbiased()
    {
        const GoodputCase c = job(15360, 14400);
        double sum = 0, variance = 0;
        constexpr int kSeeds = 20;
        for (int seed = 0; seed < kSeeds; ++seed) {
            MonteCarloSettings s;
            s.seed = std::uint64_t(seed) + 100;
            const auto r = simulateGoodput(c, s);
            sum += r->goodput / kSeeds;
            variance += r->standardError * r->standardError / (kSeeds * kSeeds);
        }
        qInfo("mean of %d seeds %.5f ± %.5f, closed %.5f", kSeeds, sum, std::sqrt(variance), goodputClosed(c));
        QWITHIN(sum, goodputClosed(c), 3 * std::sqrt(variance));
    }

    void sameForAnyNumberOfThreads()
    {
        GoodputCase c = job(15360);
        c.recall = 0.3;
        c.precision = 0.7;
        MonteCarloSettings s;
        s.failures = 20000;
        s.threads = 1;
        const auto one = simulateGoodput(c, s);
        s.threads = 7;
        const auto seven = simulateGoodput(c, s);
        QCOMPARE(seven->goodput, one->goodput);
        QCOMPARE(seven->standardError, one->standardError);
        QVERIFY(seven->share == one->share);
        s.seed = 2;
        QVERIFY(simulateGoodput(c, s)->goodput != one->goodput);
    }

    /// Spans follow each other without a gap, and what is lost is work behind a save.
    void timeline()
    {
        GoodputCase c = job(15360);
        c.twoStage = true;
        c.saveS = 10;
        c.drainS = 200;
        c.recovery = {120, 420, 5, 55};
        MonteCarloSettings s;
        s.failures = 2560;
        s.timelineS = 5 * 86400;
        const auto r = simulateGoodput(c, s);
        QVERIFY(r.has_value());
        QVERIFY(r->timeline.size() > 100);
        double at = 0;
        bool lost = false, detecting = false;
        for (const auto& span : r->timeline) {
            QWITHIN(span.fromS, at, 1e-6);
            QVERIFY(span.toS > span.fromS);
            if (span.kind == JobTime::Lost) QVERIFY(span.toS - span.fromS <= r->intervalS + c.drainS + 1e-6);
            lost = lost || span.kind == JobTime::Lost;
            detecting = detecting || span.kind == JobTime::Detecting;
            at = span.toS;
        }
        QVERIFY(lost && detecting);
        QWITHIN(at, s.timelineS, 1e-6);
        // watching changes nothing
        s.timelineS = 0;
        QCOMPARE(simulateGoodput(c, s)->goodput, r->goodput);
    }

    void refuses_data()
    {
        QTest::addColumn<int>("what");
        QTest::addColumn<QByteArray>("key");
        QTest::newRow("no mtbf") << 0 << QByteArray("mtbf");
        QTest::newRow("recall") << 1 << QByteArray("recall");
        QTest::newRow("precision") << 2 << QByteArray("precision");
        QTest::newRow("never runs") << 3 << QByteArray("recovery");
        QTest::newRow("few failures") << 4 << QByteArray("failures");
        QTest::newRow("no time between saves") << 5 << QByteArray("save");
    }
    void refuses()
    {
        QFETCH(int, what);
        QFETCH(QByteArray, key);
        GoodputCase c = job(15360);
        MonteCarloSettings s;
        if (what == 0) c.mtbfS = 0;
        if (what == 1) c.recall = 1.5;
        if (what == 2) c.recall = 0.5, c.precision = 0;
        if (what == 3) c.recovery.restartS = 1e6;
        if (what == 4) s.failures = 10;
        if (what == 5) c.saveS = 0;
        const auto r = simulateGoodput(c, s);
        QVERIFY(!r.has_value());
        QCOMPARE(r.error().code, hw::ErrorCode::Refused);
        QCOMPARE(r.error().where, key.toStdString());
    }

    /// The inverse: what reaches a target is what gives it.
    void target()
    {
        GoodputCase c = job(3000, 0, 1.2, 165);
        const IntervalRange range = intervalsFor(c, 0.99);
        QVERIFY(range.reached);
        c.intervalS = range.bestS;
        QWITHIN(goodputClosed(c), range.bestGoodput, 1e-12);
        QWITHIN(range.bestS, std::sqrt(2 * 1.2 * c.mtbfS), 0.02 * range.bestS); // first order
        for (const double edge : {range.fromS, range.toS}) {
            c.intervalS = edge;
            QWITHIN(goodputClosed(c), 0.99, 1e-9);
        }
        const auto budget = recoveryBudgetS(c, 0.99);
        QVERIFY(budget && *budget > 165);
        c.recovery = {0, *budget, 0, 0};
        QWITHIN(intervalsFor(c, 0.99).bestGoodput, 0.99, 1e-5);
        // First order: 1 - sqrt(2 save / M) - R / M
        QWITHIN(*budget, c.mtbfS * (0.01 - std::sqrt(2 * 1.2 / c.mtbfS)), 0.03 * *budget);
    }
    void targetOutOfReach()
    {
        const GoodputCase c = job(3000); // 100 s of saving: 5.7 % by itself
        QVERIFY(!intervalsFor(c, 0.99).reached);
        QVERIFY(!recoveryBudgetS(c, 0.99));
        GoodputCase drained = job(3000, 0, 1.2, 0);
        drained.twoStage = true, drained.drainS = 3000;
        QVERIFY(intervalsFor(drained, 0.5).fromS >= 2999.9); // no save before the last one is durable
    }

    void stops()
    {
        std::stop_source source;
        source.request_stop();
        QCOMPARE(simulateGoodput(job(15360), {}, hw::Progress{source.get_token(), {}}).error().code, hw::ErrorCode::Canceled);
    }
};

QTEST_APPLESS_MAIN(GoodputTest)
#include "goodput_test.moc"
