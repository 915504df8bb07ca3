// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/simulation/near.h"

#include "simulation/formulas/amdahl.h"
#include "simulation/formulas/collectives.h"
#include "simulation/formulas/forwarding.h"
#include "simulation/formulas/xlink.h"

using namespace hw::sim;

namespace {

constexpr double kXingmaiHostGbps = 8 * 2 * 100; // Tencent's Xingmai 1.0: eight NICs of two 100G ports (SOURCES C2)

} // namespace

/// CHECKS P5, the collectives of P8, S4 (closed part), S5, S10. Closed forms ±0.1 %, P5's curves ±1 %.
class NetworkFormulasTest : public QObject {
    Q_OBJECT
private slots:
    /// n = 16, S = 1 GB, B = 50 GB/s, α = 0 (P8); the tree carries 2 S / B, in the network S / B.
    void collectiveTimes_data()
    {
        QTest::addColumn<int>("collective");
        QTest::addColumn<double>("ms");
        QTest::addColumn<double>("busFactor");
        QTest::newRow("all-reduce") << int(Collective::AllReduce) << 37.5 << 1.875;
        QTest::newRow("reduce-scatter") << int(Collective::ReduceScatter) << 18.75 << 0.9375;
        QTest::newRow("all-gather") << int(Collective::AllGather) << 18.75 << 0.9375;
        QTest::newRow("all-to-all") << int(Collective::AllToAll) << 18.75 << 0.9375;
        QTest::newRow("broadcast") << int(Collective::Broadcast) << 20.0 << 1.0;
    }
    void collectiveTimes()
    {
        QFETCH(int, collective);
        QFETCH(double, ms);
        QFETCH(double, busFactor);
        const double t = collectiveS(Collective(collective), 16, 1e9, {0, 50e9});
        QNEAR(t * 1e3, ms, 1e-9);
        QNEAR(busBandwidthFactor(Collective(collective), 16), busFactor, 1e-12);
        QNEAR(1e9 / t * busFactor, 50e9, 1e-9); // the bus bandwidth is what the wire has
    }

    void latencyTerms()
    {
        const AlphaBeta way{1e-6, 1e30}; // α only
        QNEAR(ringAllReduceS(16, 1, way), 30e-6, 1e-9);
        QNEAR(allToAllS(16, 1, way), 15e-6, 1e-9);
        QNEAR(treeAllReduceS(16, 1, way), 8e-6, 1e-9);
        QNEAR(treeAllReduceS(17, 1, way), 10e-6, 1e-9);
        QNEAR(inNetworkAllReduceS(16, 1, 2, way), 4e-6, 1e-9);
        for (const auto c : {Collective::AllReduce, Collective::AllToAll, Collective::Broadcast, Collective::SendRecv})
            QCOMPARE(collectiveS(c, 1, 1e9, {1e-6, 1e9}), 0.0);
    }

    void hierarchical()
    {
        const HostGroup g{32, 8, {0, 300e9}, {0, 25e9}};
        const double inside = 2 * 7.0 / 8 * 1e9 / 300e9, outside = 2 * 31.0 / 32 * (1e9 / 8) / 25e9;
        QNEAR(hierarchicalAllReduceS(g, 1e9), inside + outside, 1e-12);
        QNEAR(hierarchicalAllReduceOverlappedS(g, 1e9), std::max(inside, outside), 1e-12);
    }

    /// P5: GPT-3 on 64 GPUs, 35 % communication, all-reduce 14 times as fast.
    void amdahlOfXingmai()
    {
        const SpeedUp s = amdahl(0.35, 14);
        QNEAR(s.iterationTime, 0.675, 1e-3);
        QWITHIN(s.communicationShare, 0.0370, 0.5e-4); // printed as 3.70 %
        QNEAR(s.timeSaved, 0.325, 1e-3);
        QNEAR(s.throughput, 1.4815, 1e-3);
        QNEAR(1 / (1 - 0.64), 2.778, 1e-3); // T5-MoE, -64 %
        QNEAR(minimumCommunicationShare(0.64), 0.64, 1e-12);
        QNEAR(communicationShareFor(0.64, 16), 0.683, 1e-3);
        QNEAR(communicationShareFor(0.64, 14), 0.689, 1e-3);
        QNEAR(communicationShareFor(0.64, 10), 0.711, 1e-3);
        QNEAR(amdahl(communicationShareFor(0.64, 16), 16).timeSaved, 0.64, 1e-12);
    }

    void xingmaiRatios_data()
    {
        QTest::addColumn<int>("hosts");
        QTest::addColumn<double>("ratio");
        QTest::newRow("2") << 2 << 7.92;
        QTest::newRow("8") << 8 << 10.0;
        QTest::newRow("32") << 32 << 10.36;
        QTest::newRow("256") << 256 << 10.46;
    }
    void xingmaiRatios()
    {
        QFETCH(int, hosts);
        QFETCH(double, ratio);
        QNEAR(hierarchicalRatio(hosts, 8, 300e9, kXingmaiHostGbps, 100), ratio, 0.01);
        QNEAR(networkOnlyRatio(kXingmaiHostGbps, 100), 16.0, 1e-12);
    }

    void peak()
    {
        const PeakFlops a100 = clusterPeak(2048, 312e12); // Xingmai 1.0
        QNEAR(a100.denseFlops, 0.639e18, 1e-3);
        QNEAR(a100.sparseFlops, 1.278e18, 1e-3);
        QVERIFY(!a100.denseExceeds(1e18));
        QVERIFY(a100.sparseExceeds(1e18));
        QVERIFY(clusterPeak(2048, 989e12).denseExceeds(1e18));
    }

    /// A6: 96 % on 1,024 GPUs are 983 GPUs' worth.
    void scaling() { QNEAR(scalingEfficiency(983.04, 1024, 1), 0.96, 1e-12); }

    /// S5: direct time over forwarded time, overlapped and serial; ±1 % (printed with two decimals).
    void forwarding_data()
    {
        QTest::addColumn<double>("bytes");
        QTest::addColumn<double>("overlapped");
        QTest::addColumn<double>("serial");
        QTest::newRow("8 KB") << 8e3 << 2.97 << 2.82;
        QTest::newRow("64 KiB") << 65536.0 << 1.32 << 1.23;
        QTest::newRow("256 KiB") << 262144.0 << 1.08 << 1.01;
        QTest::newRow("1 MB") << 1e6 << 1.02 << 0.95;
    }
    void forwarding()
    {
        QFETCH(double, bytes);
        QFETCH(double, overlapped);
        QFETCH(double, serial);
        const AllToAllCase c{{32, 8, {0, 300e9}, {1e-6, 25e9}}, bytes};
        QNEAR(directAllToAllS(c) / forwardedAllToAllS(c, true), overlapped, 0.01);
        QNEAR(directAllToAllS(c) / forwardedAllToAllS(c, false), serial, 0.01);
    }

    void forwardingFallsToOne()
    {
        double last = 1e9;
        for (double s = 1e2; s < 1e10; s *= 1.3) {
            const AllToAllCase c{{32, 8, {0, 300e9}, {1e-6, 25e9}}, s};
            const double gain = directAllToAllS(c) / forwardedAllToAllS(c, true);
            QVERIFY(gain < last || gain - 1 < 1e-9);
            QVERIFY(gain >= 1 - 1e-12);
            last = gain;
        }
        QNEAR(last, 1.0, 1e-3);
        const HostGroup g{32, 8, {}, {}};
        QCOMPARE(directFlows(g), 64LL * 32 * 31);
        QCOMPARE(forwardedFlows(g), 8LL * 32 * 31);
    }

    /// S4: 64 hosts in 4 segments.
    void crossing()
    {
        QNEAR(crossRailShare({64, 8, {}, {}}, false), 0.875, 1e-12);
        QCOMPARE(crossRailShare({64, 8, {}, {}}, true), 0.0);
    }

    /// S10: EP 128, 1 GB, 450 / 50 GB/s, overlapped; ±1 %.
    void domain_data()
    {
        QTest::addColumn<int>("gpus");
        QTest::addColumn<double>("ms");
        const std::pair<int, double> rows[] = {{8, 18.9}, {16, 17.6}, {32, 15.1}, {64, 10.1}, {72, 8.8}, {128, 2.22}, {256, 2.22}};
        for (const auto& [d, ms] : rows) QTest::addRow("%d", d) << d << ms;
    }
    void domain()
    {
        QFETCH(int, gpus);
        QFETCH(double, ms);
        QNEAR(xlinkAllToAll({}, gpus).timeS * 1e3, ms, 0.01);
    }

    void domainIsFlatFromExperts()
    {
        const int domains[] = {8, 16, 32, 64, 72, 128, 256, 512, 1024};
        for (const int ep : {32, 64, 128, 256}) {
            XlinkCase c;
            c.expertParallel = ep;
            const auto points = sweepDomain(c, domains);
            for (std::size_t i = 1; i < points.size(); ++i) {
                QVERIFY(points[i].timeS <= points[i - 1].timeS);
                QVERIFY((points[i].timeS == points[i - 1].timeS) == (points[i - 1].domainGpus >= ep));
            }
            QCOMPARE(flatFromDomain(c), ep);
        }
        XlinkCase sharded;
        sharded.tensorParallel = 2;
        QCOMPARE(flatFromDomain(sharded), 256);
        QNEAR(xlinkAllToAll(sharded, 128).insideShare, 63.0 / 127, 1e-12);
    }
};

QTEST_APPLESS_MAIN(NetworkFormulasTest)
#include "network_formulas_test.moc"
