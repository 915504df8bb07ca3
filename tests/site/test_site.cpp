// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest> // first: moc stumbles over <compare> as the first header

#include "core/physics/site/site.h"

using namespace hw;

/// The closed forms of power and site planning against numbers worked out by hand (±0.1 % for ratios,
/// exact for counts).
class TestSite : public QObject {
    Q_OBJECT

    static bool near(double value, double expected, double tolerance = 0.001)
    {
        if (std::abs(value - expected) <= std::abs(expected) * tolerance) return true;
        qWarning("%.6f is not %.6f", value, expected);
        return false;
    }
    static constexpr double kLimit = 18e6;

private slots:
    void wattsPerAccelerator()
    {
        QVERIFY(near(site::wattsPerAccelerator(kLimit, 15360), 1171.9));
        QVERIFY(near(8 * site::wattsPerAccelerator(kLimit, 15360), 9375));
        QVERIFY(near(100'000 * site::wattsPerAccelerator(kLimit, 15360), 117.19e6));
        QCOMPARE(site::wattsPerAccelerator(kLimit, 0), 0.0);
    }
    void hostsAtLimit()
    {
        QCOMPARE(site::hostsAtLimit(kLimit, 10200), 1764);
        QCOMPARE(8 * site::hostsAtLimit(kLimit, 10200), 14112);
        QCOMPARE(site::hostsAtLimit(kLimit, 10200, 1.2), 1470);
        QCOMPARE(8 * site::hostsAtLimit(kLimit, 10200, 1.2), 11760);
        QCOMPARE(site::hostsAtLimit(1020, 10.2), 100); // a ratio that binary fractions would put just below 100
        QCOMPARE(site::hostsAtLimit(kLimit, 0), 0);
    }
    void substations()
    {
        const site::Substations two{2, 2, 63, 1, 0.95};
        QVERIFY(near(two.capacityW(), 119.7e6));
        QVERIFY(two.capacityW() >= 117.1875e6);
        QVERIFY(near(site::spareShare(117.1875e6, two.capacityW()), 0.021, 0.01));
        // read as facility power at PUE 1.25 the same campus needs 146.5 MW, which they do not carry
        QVERIFY(near(117.1875e6 * 1.25, 146.5e6));
        QVERIFY(two.capacityW() < 117.1875e6 * 1.25);
        QCOMPARE((site::Substations{2, 1, 63, 1, 0.95}).capacityW(), 0.0);
    }
    void peak()
    {
        QVERIFY(near(site::peakFlops(2048, 312), 0.639e18));
        QVERIFY(near(site::peakFlops(2048, 624), 1.278e18));
        QVERIFY(near(site::peakFlops(2048, 989.5), 2.03e18, 0.002));
        QVERIFY(site::peakFlops(2048, 312) < 1e18); // "over 1 EFLOPS" is false for dense FP16
    }
};

QTEST_GUILESS_MAIN(TestSite)
#include "test_site.moc"
