// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "simulation/fairshare/certificate.h"
#include "simulation/fairshare/exact_sum.h"
#include "simulation/fairshare/live_rates.h"
#include "simulation/fairshare/max_min.h"
#include "tests/bench/flowgen.h"

using namespace hw::sim;
using hw::bench::FlowGenOptions;
using hw::bench::FlowSize;
using hw::bench::Traffic;

namespace {

/// A rational number; its parts stay far below 2^127 for the small problems here.
struct Fraction {
    __extension__ using Int = __int128;
    Int top = 0, bottom = 1;

    Fraction(Int t = 0, Int b = 1) : top(t), bottom(b)
    {
        Int x = t < 0 ? -t : t, y = b;
        while (y != 0) x = std::exchange(y, x % y);
        if (x > 1) {
            top /= x;
            bottom /= x;
        }
    }
    Fraction operator-(const Fraction& o) const { return {top * o.bottom - o.top * bottom, bottom * o.bottom}; }
    Fraction operator*(Int n) const { return {top * n, bottom}; }
    Fraction operator/(Int n) const { return {top, bottom * n}; }
    bool operator<(const Fraction& o) const { return top * o.bottom < o.top * bottom; }
    bool operator==(const Fraction& o) const { return top == o.top && bottom == o.bottom; }
    double value() const { return static_cast<double>(top) / static_cast<double>(bottom); }
};

/// Progressive filling by the book, in rational arithmetic: find the lowest share, fix the flows on its links, repeat.
/// Capacities and weights are integers.
std::vector<double> exactRates(const FlowProblem& p)
{
    std::vector<Fraction> rest, rate(p.flowCount());
    for (const double c : p.capacity) rest.emplace_back(static_cast<Fraction::Int>(c));
    std::vector<bool> fixed(p.flowCount());
    for (size_t left = p.flowCount(); left > 0;) {
        std::vector<int> weight(p.linkCount());
        for (uint32_t f = 0; f < p.flowCount(); ++f)
            for (const uint32_t l : p.linksOf(f)) weight[l] += fixed[f] ? 0 : static_cast<int>(p.weightOf(f));
        Fraction lowest(std::numeric_limits<int>::max());
        for (size_t l = 0; l < p.linkCount(); ++l)
            if (weight[l] > 0) lowest = std::min(lowest, rest[l] / weight[l]);
        std::vector<uint32_t> now;
        for (uint32_t f = 0; f < p.flowCount(); ++f)
            if (!fixed[f] && std::ranges::any_of(p.linksOf(f), [&](uint32_t l) { return rest[l] / weight[l] == lowest; })) now.push_back(f);
        for (const uint32_t f : now) {
            fixed[f] = true;
            rate[f] = lowest * static_cast<int>(p.weightOf(f));
            for (const uint32_t l : p.linksOf(f)) rest[l] = rest[l] - rate[f];
        }
        left -= now.size();
    }
    std::vector<double> result;
    for (const Fraction& r : rate) result.push_back(r.value());
    return result;
}

using Random = std::mt19937_64;

size_t below(Random& random, size_t n) { return random() % n; }

FlowProblem randomProblem(Random& random, size_t links, size_t flows, size_t mostHops, bool weighted)
{
    FlowProblem p;
    for (size_t l = 0; l < links; ++l) p.capacity.push_back(1 + static_cast<double>(below(random, 12)));
    std::vector<uint32_t> all(links);
    for (uint32_t l = 0; l < links; ++l) all[l] = l;
    for (size_t f = 0; f < flows; ++f) {
        const size_t hops = 1 + below(random, std::min(mostHops, links));
        for (size_t i = 0; i < hops; ++i) std::swap(all[i], all[i + below(random, links - i)]);
        p.addFlow(1 + static_cast<double>(below(random, 9)), {all.data(), hops});
        if (weighted) p.weight.push_back(1 + static_cast<double>(below(random, 4)));
    }
    return p;
}

double worstDifference(std::span<const double> a, std::span<const double> b)
{
    double worst = a.size() == b.size() ? 0 : std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < a.size() && i < b.size(); ++i)
        if (a[i] != b[i]) worst = std::max(worst, std::fabs(a[i] - b[i]) / std::max(std::fabs(a[i]), std::fabs(b[i])));
    return worst;
}

FlowProblem mediumProblem(uint64_t seed, Traffic traffic = Traffic::Mix)
{
    FlowGenOptions o;
    o.flows = 4000;
    o.traffic = traffic;
    o.seed = seed;
    o.degraded = 0.05;
    o.size = FlowSize::Exponential;
    return hw::bench::generateFlows(o);
}

std::vector<double> solved(const FlowProblem& p)
{
    MaxMinSolver solver(p);
    const auto rates = solver.solve();
    return {rates.begin(), rates.end()};
}

} // namespace

class SolverTest : public QObject {
    Q_OBJECT

private slots:
    void knownRates_data();
    void knownRates();
    void generatorGivesKnownProblem();
    void threeFlowsByHand();
    void randomAgainstRational_data();
    void randomAgainstRational();
    void mediumIsCertified_data();
    void mediumIsCertified();
    void longLinkKeepsDigits();
    void emptyProblem();
    void repeatedSolvesAgree();
    void capacitiesScaleRates();
    void addingAFlowNeverRaisesTheMinimum();
    void otherCapacities();
    void everyScale();
    void bottlenecksHoldTheirFlowsBack();
    void leavesOutWhatCannotFill();
    void certificateFails_data();
    void certificateFails();
    void liveRatesFollow_data();
    void liveRatesFollow();
};

void SolverTest::knownRates_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"s1_perm_1k", "s2_ring_1k", "s4_incast_1k"}) QTest::newRow(name) << QString(name);
}

/// The stored answers come from rational arithmetic.
void SolverTest::knownRates()
{
    QFETCH(QString, name);
    const auto problem = readProblem(QFINDTESTDATA("../../data/flows/" + name + ".mmf").toStdString());
    const auto expected = readValues(QFINDTESTDATA("../../data/flows/" + name + ".exact").toStdString());
    QVERIFY(problem && expected);
    const auto rates = solved(*problem);
    QCOMPARE(rates.size(), expected->size());
    QVERIFY(worstDifference(rates, *expected) < 1e-9);
    const Certificate c = certify(*problem, rates);
    QVERIFY(c.ok);
    QVERIFY(c.overload < 1e-12 && c.worstGap < 1e-12);
    QVERIFY(c.saturatedLinks > 0 && c.distinctRates > 1);
}

/// s2_ring_1k carries the arguments it was made with.
void SolverTest::generatorGivesKnownProblem()
{
    const auto problem = readProblem(QFINDTESTDATA("../../data/flows/s2_ring_1k.mmf").toStdString());
    QVERIFY(problem);
    FlowGenOptions o;
    o.flows = 1024;
    o.traffic = Traffic::Ring;
    o.seed = 102;
    o.degraded = 0.01;
    o.size = FlowSize::LogNormal;
    const FlowProblem made = hw::bench::generateFlows(o);
    QVERIFY(worstDifference(made.capacity, problem->capacity) < 1e-13); // made with fused multiply-add
    QCOMPARE(made.link, problem->link);
    QCOMPARE(made.offset, problem->offset);
    QVERIFY(worstDifference(made.size, problem->size) < 1e-12); // and another C library
}

/// Links of 10 and 4; flow 0 crosses both, flow 1 the first, flow 2 the second. The second link gives 2 to flows 0 and 2,
/// the first leaves 8 for flow 1. With weight 3 for flow 0 the second link gives it 3 and flow 2 one, flow 1 gets 7.
void SolverTest::threeFlowsByHand()
{
    FlowProblem p;
    p.capacity = {10, 4};
    p.addFlow(1, std::array<uint32_t, 2>{0, 1});
    p.addFlow(1, std::array<uint32_t, 1>{0});
    p.addFlow(1, std::array<uint32_t, 1>{1});
    QCOMPARE(solved(p), (std::vector<double>{2, 8, 2}));
    p.weight = {3, 1, 1};
    QCOMPARE(solved(p), (std::vector<double>{3, 7, 1}));
}

void SolverTest::randomAgainstRational_data()
{
    QTest::addColumn<bool>("weighted");
    QTest::newRow("plain") << false;
    QTest::newRow("weighted") << true;
}

void SolverTest::randomAgainstRational()
{
    QFETCH(bool, weighted);
    Random random(weighted ? 2 : 1);
    for (int i = 0; i < 2000; ++i) {
        const FlowProblem p = randomProblem(random, 1 + below(random, 8), 1 + below(random, 9), 4, weighted);
        const auto rates = solved(p);
        QVERIFY(worstDifference(rates, exactRates(p)) < 1e-12);
        QVERIFY(certify(p, rates).ok);
    }
}

void SolverTest::mediumIsCertified_data()
{
    QTest::addColumn<int>("traffic");
    QTest::addColumn<bool>("weighted");
    for (const bool weighted : {false, true}) {
        const auto name = [&](const char* n) { return QString(n) + (weighted ? " weighted" : ""); };
        QTest::newRow(qPrintable(name("permutation"))) << int(Traffic::Permutation) << weighted;
        QTest::newRow(qPrintable(name("ring"))) << int(Traffic::Ring) << weighted;
        QTest::newRow(qPrintable(name("all to all"))) << int(Traffic::AllToAll) << weighted;
        QTest::newRow(qPrintable(name("incast"))) << int(Traffic::Incast) << weighted;
        QTest::newRow(qPrintable(name("mix"))) << int(Traffic::Mix) << weighted;
    }
}

/// Big enough for buckets and several stages.
void SolverTest::mediumIsCertified()
{
    QFETCH(int, traffic);
    QFETCH(bool, weighted);
    for (uint64_t seed = 1; seed <= 5; ++seed) {
        FlowProblem p = mediumProblem(seed, Traffic(traffic));
        Random random(seed);
        if (weighted)
            for (size_t f = 0; f < p.flowCount(); ++f) p.weight.push_back(std::exp2(static_cast<double>(below(random, 21)) - 10));
        const Certificate c = certify(p, solved(p));
        QVERIFY2(c.ok, qPrintable(QString("overload %1 gap %2").arg(c.overload).arg(c.worstGap)));
    }
}

/// 40,000 flows share link 0, nearly all of them held just below its share by links of their own: what is left for the
/// last one is the small difference of large numbers, and must still be right.
void SolverTest::longLinkKeepsDigits()
{
    const uint32_t flows = 40'000;
    FlowProblem p;
    p.capacity = {1.0};
    ExactSum rest(1.0);
    for (uint32_t f = 0; f + 1 < flows; ++f) {
        const double own = (1 - 1e-3 * (f % 97) / 97) / flows;
        p.capacity.push_back(own);
        p.addFlow(1, std::array<uint32_t, 2>{0, f + 1});
        rest.add(-own);
    }
    p.addFlow(1, std::array<uint32_t, 1>{0});
    const auto rates = solved(p);
    QVERIFY(std::fabs(rates.back() / rest.value() - 1) < 1e-10);
    QVERIFY(certify(p, rates).ok);
}

void SolverTest::emptyProblem()
{
    FlowProblem p;
    QVERIFY(solved(p).empty());
    QVERIFY(certify(p, {}).ok);
    p.capacity.assign(1000, 1.0);
    QVERIFY(solved(p).empty());
}

void SolverTest::repeatedSolvesAgree()
{
    const FlowProblem p = mediumProblem(11);
    MaxMinSolver solver(p);
    const auto first = solver.solve();
    const std::vector<double> once(first.begin(), first.end());
    const auto second = solver.solve();
    QVERIFY(std::equal(once.begin(), once.end(), second.begin(), second.end()));
    QCOMPARE(solved(p), once);
}

void SolverTest::capacitiesScaleRates()
{
    Random random(5);
    FlowProblem p = mediumProblem(12);
    const auto before = solved(p);
    for (const double factor : {3.0, 1e-200, 1e200}) {
        FlowProblem scaled = p;
        for (double& c : scaled.capacity) c *= factor;
        auto rates = solved(scaled);
        for (double& r : rates) r /= factor;
        QVERIFY(worstDifference(before, rates) < 1e-12);
    }
}

void SolverTest::addingAFlowNeverRaisesTheMinimum()
{
    Random random(6);
    for (int i = 0; i < 500; ++i) {
        FlowProblem p = randomProblem(random, 6, 6, 4, false);
        const double before = std::ranges::min(solved(p));
        p.addFlow(1, std::array<uint32_t, 2>{static_cast<uint32_t>(below(random, 3)), static_cast<uint32_t>(3 + below(random, 3))});
        QVERIFY(std::ranges::min(solved(p)) <= before * (1 + 1e-12));
    }
}

void SolverTest::otherCapacities()
{
    const FlowProblem p = mediumProblem(13);
    MaxMinSolver solver(p);
    solver.solve();
    std::vector<double> capacity = p.capacity;
    for (size_t l = 0; l < capacity.size(); ++l) capacity[l] *= l % 50 == 0 ? 0 : 1 + static_cast<double>(l % 7);
    const auto rates = solver.solve(capacity);
    QVERIFY(certify(p, rates, kCertificateTolerance, capacity).ok);
    for (uint32_t f = 0; f < p.flowCount(); ++f)
        if (std::ranges::any_of(p.linksOf(f), [](uint32_t l) { return l % 50 == 0; })) QCOMPARE(rates[f], 0.0);
}

/// Bounds are kept in single precision: capacities far apart, very small or very large, and dead links change nothing.
void SolverTest::everyScale()
{
    Random random(23);
    for (int i = 0; i < 300; ++i) {
        FlowProblem p = randomProblem(random, 60, 120, 5, i % 3 == 0);
        for (double& c : p.capacity) {
            c *= std::pow(10.0, static_cast<double>(below(random, 14)) - 6) * (i % 5 == 1 ? 1e-30 : i % 5 == 2 ? 1e120 : 1);
            if (below(random, 20) == 0) c = 0;
        }
        MaxMinSolver solver(p);
        const Certificate c = certify(p, solver.solve(), 1e-12);
        QVERIFY2(c.ok, qPrintable(QString("problem %1 overload %2 gap %3").arg(i).arg(c.overload).arg(c.worstGap)));
    }
}

/// The link that the solver names is full, and nobody on it has a higher level.
void SolverTest::bottlenecksHoldTheirFlowsBack()
{
    const FlowProblem p = mediumProblem(24);
    FairFill fill;
    std::vector<double> rate(p.flowCount()), load(p.linkCount()), top(p.linkCount());
    std::vector<uint32_t> bottleneck(p.flowCount());
    fill.prepare({p.capacity, p.offset, p.link, p.weight});
    fill.solve(rate, bottleneck);
    for (uint32_t f = 0; f < p.flowCount(); ++f)
        for (const uint32_t l : p.linksOf(f)) {
            load[l] += rate[f];
            top[l] = std::max(top[l], rate[f]);
        }
    for (uint32_t f = 0; f < p.flowCount(); ++f) {
        const uint32_t l = bottleneck[f];
        QVERIFY(std::ranges::count(p.linksOf(f), l) == 1);
        QVERIFY(load[l] > p.capacity[l] * (1 - 1e-12) && rate[f] > top[l] * (1 - 1e-12));
    }
}

/// Flows that have the narrowest link of their way to themselves need no filling, links that cannot fill no lists.
void SolverTest::leavesOutWhatCannotFill()
{
    FlowProblem p;
    p.capacity = {100, 3, 5, 4, 4};
    p.addFlow(1, std::array<uint32_t, 2>{0, 1});
    p.addFlow(1, std::array<uint32_t, 2>{0, 2});
    MaxMinSolver own(p);
    QCOMPARE(own.solve()[0], 3.0);
    QCOMPARE(own.solve()[1], 5.0);
    QCOMPARE(own.counters().decidedFlows, size_t{2});
    QCOMPARE(own.counters().keptLinks, size_t{0});
    p.addFlow(1, std::array<uint32_t, 2>{0, 3});
    p.addFlow(1, std::array<uint32_t, 2>{0, 3});
    MaxMinSolver shared(p);
    QCOMPARE(shared.solve()[3], 2.0);
    QCOMPARE(shared.counters().keptLinks, size_t{1});
    QCOMPARE(shared.counters().keptHops, size_t{2});
    QCOMPARE(shared.counters().bottlenecks, size_t{1});
}

void SolverTest::certificateFails_data()
{
    QTest::addColumn<double>("factor");
    QTest::newRow("one rate too high") << 1 + 1e-6;
    QTest::newRow("one rate too low") << 1 - 1e-6;
    QTest::newRow("negative") << -1.0;
    QTest::newRow("not a number") << std::numeric_limits<double>::quiet_NaN();
}

void SolverTest::certificateFails()
{
    QFETCH(double, factor);
    const FlowProblem p = mediumProblem(15);
    const auto rates = solved(p);
    for (uint32_t f = 0; f < p.flowCount(); f += 97) {
        auto wrong = rates;
        wrong[f] *= factor;
        QVERIFY(!certify(p, wrong).ok);
    }
    auto tooFew = rates;
    tooFew.pop_back();
    QVERIFY(!certify(p, tooFew).ok);
}

void SolverTest::liveRatesFollow_data()
{
    QTest::addColumn<bool>("medium");
    QTest::addColumn<bool>("weighted");
    QTest::newRow("small") << false << false;
    QTest::newRow("small weighted") << false << true;
    QTest::newRow("medium") << true << false;
    QTest::newRow("medium weighted") << true << true;
}

/// After any change the rates are certified as those of the active flows, which alone make a problem.
void SolverTest::liveRatesFollow()
{
    QFETCH(bool, medium);
    QFETCH(bool, weighted);
    Random random(7);
    for (int problem = 0; problem < (medium ? 1 : 60); ++problem) {
        FlowProblem p = medium ? mediumProblem(16) : randomProblem(random, 8, 12, 4, weighted);
        if (medium && weighted)
            for (size_t f = 0; f < p.flowCount(); ++f) p.weight.push_back(1 + static_cast<double>(f % 5));
        LiveRates live(p.capacity);
        for (uint32_t f = 0; f < p.flowCount(); ++f) live.addFlow(p.weightOf(f));
        std::vector<double> capacity = p.capacity;
        for (int step = 0; step < 120; ++step) {
            for (size_t i = 0; i < (medium && step == 0 ? 3000u : 1 + below(random, 3)); ++i) {
                const auto flow = static_cast<uint32_t>(below(random, p.flowCount()));
                if (step > 0 && live.isActive(flow))
                    live.setWay(flow, {});
                else
                    live.setWay(flow, p.linksOf(flow));
            }
            if (step % 5 == 4) {
                const auto link = static_cast<uint32_t>(below(random, p.linkCount()));
                capacity[link] = p.capacity[link] * static_cast<double>(below(random, 3));
                live.setCapacity(link, capacity[link]);
            }
            live.update();
            FlowProblem active;
            active.capacity = p.capacity;
            std::vector<double> rates;
            for (uint32_t f = 0; f < p.flowCount(); ++f)
                if (live.isActive(f)) {
                    active.addFlow(1, p.linksOf(f), p.weightOf(f));
                    rates.push_back(live.rate(f));
                }
            const Certificate c = certify(active, rates, 1e-10, capacity);
            QVERIFY2(c.ok, qPrintable(QString("step %1 overload %2 gap %3").arg(step).arg(c.overload).arg(c.worstGap)));
        }
    }
}

QTEST_APPLESS_MAIN(SolverTest)
#include "solver_test.moc"
