// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/simulation/near.h"

#include "simulation/formulas/link_sharing.h"
#include "simulation/formulas/priority.h"

#include <array>

using namespace hw::sim;

namespace {

SharedLinks twoJobs()
{
    SharedLinks s;
    s.jobs = {{"J1", 32, 2, 1, 400, {0}, 0}, {"J2", 8, 2, 2, 400, {0}, 0}};
    return s;
}

} // namespace

/// CHECKS S8: J1 32 GPUs 2 s + 1 s, J2 8 GPUs 2 s + 2 s on one link. ±1 point for priorities, ±2 points for fair.
class PriorityTest : public QObject {
    Q_OBJECT
private slots:
    void intensity()
    {
        QCOMPARE(twoJobs().jobs[0].intensity(), 64.0);
        QCOMPARE(twoJobs().jobs[1].intensity(), 8.0);
    }

    void utilization_data()
    {
        QTest::addColumn<int>("policy");
        QTest::addColumn<double>("share");
        QTest::addColumn<double>("tolerance");
        QTest::newRow("by intensity") << int(SharePolicy::ByIntensity) << 0.622 << 0.01;
        QTest::newRow("fair") << int(SharePolicy::Fair) << 0.542 << 0.02;
        QTest::newRow("reverse") << int(SharePolicy::ByReverseIntensity) << 0.500 << 0.01;
    }
    void utilization()
    {
        QFETCH(int, policy);
        QFETCH(double, share);
        QFETCH(double, tolerance);
        const auto r = simulateSharing(twoJobs(), SharePolicy(policy));
        QVERIFY(r.has_value());
        qInfo("%s: %.4f (%.4f to %.4f), J1 %.4f, J2 %.4f", name(SharePolicy(policy)), r->utilization, r->lowest, r->highest, r->jobs[0].busy,
              r->jobs[1].busy);
        QWITHIN(r->utilization, share, tolerance);
    }

    void byIntensityJobByJob()
    {
        const auto r = simulateSharing(twoJobs(), SharePolicy::ByIntensity);
        QWITHIN(r->jobs[0].busy, 0.667, 0.01);
        QWITHIN(r->jobs[1].busy, 0.444, 0.01);
        QNEAR(r->jobs[0].slowDown, 1.0, 0.001);
    }

    void ranking()
    {
        const auto of = [](SharePolicy p) { return simulateSharing(twoJobs(), p)->utilization; };
        const double first = of(SharePolicy::ByIntensity), fair = of(SharePolicy::Fair), fifo = of(SharePolicy::Fifo),
                     last = of(SharePolicy::ByReverseIntensity);
        qInfo("fifo %.4f", fifo);
        QVERIFY(first > fair && fair > last);
        QVERIFY(first > fifo && fifo >= last - 0.01);
    }

    void aloneNothingIsLost()
    {
        SharedLinks s = twoJobs();
        s.jobs.resize(1);
        for (const auto p : {SharePolicy::Fair, SharePolicy::ByIntensity, SharePolicy::Fifo})
            QNEAR(simulateSharing(s, p)->utilization, 2.0 / 3, 0.001);
        s.jobs[0].overlap = 1; // all communication hidden
        QNEAR(simulateSharing(s, SharePolicy::Fair)->utilization, 1.0, 0.001);
        s.jobs[0].overlap = 0.25; // 0.5 s of it
        QNEAR(simulateSharing(s, SharePolicy::Fair)->utilization, 2.0 / 2.5, 0.001);
    }

    void jobsOnOtherLinksDoNotMeet()
    {
        SharedLinks s = twoJobs();
        s.linkGbps = {400, 400};
        s.jobs[1].links = {1};
        const auto r = simulateSharing(s, SharePolicy::Fair);
        QNEAR(r->jobs[0].slowDown, 1.0, 0.001);
        QNEAR(r->jobs[1].slowDown, 1.0, 0.001);
    }

    /// Three jobs on two links of 100: A on both, B on the first, C (at most 30) on the second. C takes 30, A and B 50 each.
    void maxMinRates()
    {
        SharedLinks s;
        s.linkGbps = {100, 100};
        s.jobs = {{"A", 8, 1, 1, 100, {0, 1}, 0}, {"B", 8, 1, 1, 100, {0}, 0}, {"C", 8, 1, 1, 30, {1}, 0}};
        const std::size_t all[] = {0, 1, 2};
        const auto fair = rankedRates(s, all, std::array{0.0, 0.0, 0.0});
        QNEAR(fair[0], 0.5, 1e-9);
        QNEAR(fair[1], 0.5, 1e-9);
        QNEAR(fair[2], 1.0, 1e-9);
        const auto ordered = rankedRates(s, all, std::array{0.0, 1.0, 2.0});
        QNEAR(ordered[0], 1.0, 1e-9);
        QCOMPARE(ordered[1], 0.0);
        QCOMPARE(ordered[2], 0.0);
        QCOMPARE(rankedRates(s, all, std::array{3.0, 3.0, 3.0}), fair); // equals share fairly
        // C first; A and B are equal and share what it leaves: 50 each on the first link.
        const std::size_t cFirst[] = {2, 0, 1};
        const auto tied = rankedRates(s, cFirst, std::array{0.0, 1.0, 1.0});
        QNEAR(tied[0], 1.0, 1e-9);
        QNEAR(tied[1], 0.5, 1e-9);
        QNEAR(tied[2], 0.5, 1e-9);
    }

    /// Two like jobs have the same intensity: priority by it is fair sharing, whichever stands first. A third, more intense, goes before both.
    void equalsShareFairly()
    {
        SharedLinks s;
        s.linkGbps = {400};
        s.jobs = {{"A", 8, 1, 2, 400, {0}, 0}, {"B", 8, 1, 2, 400, {0}, 0}};
        const auto fair = simulateSharing(s, SharePolicy::Fair), intense = simulateSharing(s, SharePolicy::ByIntensity),
                   listed = simulateSharing(s, SharePolicy::Listed);
        QCOMPARE(intense->utilization, fair->utilization);
        QCOMPARE(listed->utilization, fair->utilization);
        s.jobs.push_back({"C", 800, 1, 0.5, 400, {0}, 0});
        s.jobs[2].priority = 1;
        QNEAR(simulateSharing(s, SharePolicy::Listed)->jobs[2].slowDown, 1.0, 1e-3);
        QNEAR(simulateSharing(s, SharePolicy::ByIntensity)->jobs[2].slowDown, 1.0, 1e-3);
    }

    void refuses()
    {
        SharedLinks s = twoJobs();
        s.jobs[1].links = {3};
        QCOMPARE(simulateSharing(s, SharePolicy::Fair).error().where, std::string("jobs[1].links"));
        s.jobs.clear();
        QCOMPARE(simulateSharing(s, SharePolicy::Fair).error().where, std::string("jobs"));
    }
};

QTEST_APPLESS_MAIN(PriorityTest)
#include "priority_test.moc"
