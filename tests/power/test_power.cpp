// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/physics/power/conductor.h"
#include "core/physics/power/survey.h"
#include "core/physics/power/trip_curve.h"

#include <cmath>
#include <random>

using namespace hw;
using namespace hw::power;

namespace {

constexpr Milliwatts kw(double n) { return Milliwatts(std::int64_t(n * 1e6)); }

/// Elements by hand: `add` returns the number, feeds are given from above.
struct Made {
    std::vector<Element> elements;
    std::vector<std::vector<Feed>> feeds;
    Index add(Element element, std::vector<Feed> ways = {})
    {
        elements.push_back(std::move(element));
        feeds.push_back(std::move(ways));
        return Index(elements.size() - 1);
    }
    [[nodiscard]] Network network() const { return {elements, feeds}; }
};

/// A tree of two sides with random cross feeds, transfers, losses, phases and short power supplies.
Made randomPlant(std::mt19937& random)
{
    const auto pick = [&](std::int64_t from, std::int64_t to) { return std::uniform_int_distribution<std::int64_t>(from, to)(random); };
    Made made;
    std::vector<std::vector<Index>> levels(1);
    for (std::int64_t i = pick(1, 3); i-- > 0;) levels[0].push_back(made.add({.source = true}));
    for (int level = 1; level <= 4; ++level) {
        auto& now = levels.emplace_back();
        for (std::int64_t i = pick(1, 6); i-- > 0;) {
            Element e;
            e.intake = Intake(pick(0, 2));
            if (pick(0, 1)) e.loss = {.fixed = Milliwatts(pick(0, 5000)), .atRating = Milliwatts(pick(0, 90000)), .rating = kw(100)};
            if (pick(0, 3) == 0) e.loss = {.fixed = {}, .atRating = {}, .rating = kw(100), .curve = {{0.25, 0.9}, {0.5, 0.95}, {1, 0.94}}};
            if (pick(0, 5) == 0) e.source = true; // a generator beside the way
            if (pick(0, 5) == 0) e.draw = Milliwatts(pick(0, 9000));
            std::vector<Feed> ways;
            for (std::int64_t w = pick(0, 3); w-- > 0;) {
                const auto& above = levels[std::size_t(pick(0, level - 1))];
                ways.push_back({above[std::size_t(pick(0, std::int64_t(above.size()) - 1))], std::uint8_t(pick(0, 3)),
                                pick(0, 2) ? Milliwatts() : kw(4), std::uint8_t(pick(0, 1))});
            }
            if (pick(0, 4) == 0) e.least = Milliwatts(pick(0, 9'000'000));
            now.push_back(made.add(e, ways));
        }
    }
    for (std::int64_t i = pick(1, 20); i-- > 0;) {
        std::vector<Feed> ways;
        const bool supplies = pick(0, 1);
        for (std::int64_t w = pick(0, 6); w-- > 0;) {
            const auto& above = levels[std::size_t(pick(1, 4))];
            ways.push_back(
                {above[std::size_t(pick(0, std::int64_t(above.size()) - 1))], std::uint8_t(pick(0, 3)), supplies ? kw(3.3) : Milliwatts()});
        }
        made.add({.draw = Milliwatts(pick(0, 14'300'000))}, ways);
    }
    return made;
}

} // namespace

class TestPower : public QObject {
    Q_OBJECT
private slots:
    /// IEC 60898-1, table 7: curve C of 16 A.
    void miniatureBreakersTripInTheirBand()
    {
        const TripCurve c = TripCurve::miniature('C', 16);
        QVERIFY(!c.at(0.8).earliestMs && !c.at(1).earliestMs && !c.at(1.13).earliestMs); // conventional non-tripping current
        QVERIFY(c.at(1.131).earliestMs && !c.at(1.44).latestMs);
        QCOMPARE(*c.at(1.45).latestMs, std::int64_t(3'600'000)); // within an hour
        QVERIFY(*c.at(1.2).earliestMs > 1'800'000);
        QCOMPARE(*c.at(2.55).earliestMs, std::int64_t(1000));
        QCOMPARE(*c.at(2.55).latestMs, std::int64_t(60'000));
        QCOMPARE(*c.at(5).earliestMs, std::int64_t(100)); // not at once at 5 In
        QVERIFY(*c.at(5.1).earliestMs < 100 && *c.at(9.9).latestMs == 15'000);
        QCOMPARE(*c.at(10).latestMs, std::int64_t(100)); // at once at 10 In
        const TripCurve large = TripCurve::miniature('C', 80);
        QCOMPARE(*large.at(1.45).latestMs, std::int64_t(7'200'000));
        QCOMPARE(*large.at(2.55).latestMs, std::int64_t(120'000));
        const TripCurve b = TripCurve::miniature('B', 16), d = TripCurve::miniature('D', 16);
        QCOMPARE(*b.at(5).latestMs, std::int64_t(100));
        QVERIFY(*d.at(10).earliestMs == 100 && *d.at(19).latestMs == 4000 && *d.at(20).latestMs == 100);
        // Longer currents never take longer, and the band is one.
        for (const TripCurve& curve : {b, c, d, large, TripCurve::electronic({}, 1600), TripCurve::electronic({0.5, 10, 0, 2}, 40)}) {
            std::int64_t earliest = INT64_MAX, latest = INT64_MAX;
            for (double multiple = 1; multiple < 25; multiple *= 1.01) {
                const TripBand band = curve.at(multiple);
                QVERIFY(!band.latestMs || band.earliestMs);
                QVERIFY(band.earliestMs.value_or(INT64_MAX) <= earliest && band.latestMs.value_or(INT64_MAX) <= latest);
                QVERIFY(band.earliestMs.value_or(INT64_MAX) <= band.latestMs.value_or(INT64_MAX));
                earliest = band.earliestMs.value_or(earliest), latest = band.latestMs.value_or(latest);
            }
        }
    }

    /// IEC 60947-2 with a release of 12 s at 6 Ir: I²t, 0.8 of it at the earliest; Isd 8, Ii 12.
    void electronicReleasesFollowTheSquare()
    {
        const TripCurve acb = TripCurve::electronic({}, 1600);
        QVERIFY(!acb.at(1.05).earliestMs && acb.at(1.06).earliestMs && !acb.at(1.29).latestMs);
        QCOMPARE(*acb.at(1.5).latestMs, std::int64_t(192'000)); // 12 s x 36 / 2.25
        QCOMPARE(*acb.at(1.5).earliestMs, std::int64_t(153'600));
        QCOMPARE(*acb.at(6).latestMs, std::int64_t(12'000));
        QCOMPARE(*acb.at(7.3).earliestMs, std::int64_t(160)); // 0.9 x 8: the short time may act, after 0.8 x 0.2 s
        QCOMPARE(*acb.at(8.9).latestMs, std::int64_t(240));
        QVERIFY(*acb.at(13.3).latestMs <= 50 && *acb.at(10.9).earliestMs == 10);
        QCOMPARE(acb.carries(TripBound::Earliest), 1.05);
        QCOMPARE(*acb.opensMs(1.5, TripBound::Latest), std::int64_t(192'000));
    }

    /// 240 mm² copper, 90 °C: 0.0961 mΩ/m and 0.086 mΩ/m in trefoil; 607 A over 100 m of 400 V at 0.95 lose 12.4 V, 3.1 % (IEC 60364-5-52, Annex G).
    void aFeederLosesVoltageByTheFormula()
    {
        const Impedance line{9.61, 8.6}; // 100 m
        const double watts = std::sqrt(3.0) * 400 * 607 * 0.95;
        QVERIFY(std::abs(lineAmps(watts, 400, 0.95, LinePhases::Three) - 607) < 1e-9);
        const double share = voltageDrop(line, watts, 400, 0.95, LinePhases::Three);
        QVERIFY(std::abs(share * 400 - 12.42) < 0.02 && std::abs(share - 0.031) < 1e-4);
        QVERIFY(std::abs(lineLossW(line, watts, 400, 0.95, LinePhases::Three) - 3 * 607 * 607 * 0.00961) < 1e-6);
        QVERIFY(std::abs(voltageDrop(line, 800 * 100, 800, 0.95, LinePhases::Direct) - 2 * 100 * 0.00961 / 800) < 1e-12);
        QVERIFY(std::abs(voltageDrop({9.61, 0}, 230 * 16, 230, 1, LinePhases::One) - 2 * 16 * 0.00961 / 230) < 1e-12);
        QVERIFY(std::abs(lineLossW({9.61, 0}, 230 * 16, 230, 1, LinePhases::One) - 2 * 16 * 16 * 0.00961) < 1e-9);
        QVERIFY(std::abs(resistanceAt(0.0961, 20) - 0.0754) < 0.0005); // 240 mm² cold, without skin effect
        QVERIFY(std::abs(copperResistance(120) - 0.1951) < 0.004);
    }

    void parentIsTheSumOfItsChildrenAndItsLoss()
    {
        std::mt19937 random(7);
        for (int round = 0; round < 200; ++round) {
            const Network net = randomPlant(random).network();
            const Flow flow = flowOf(net);
            for (Index i = 0; i < net.size(); ++i) {
                power::Phases sum = flow.live[i] ? power::Phases::even(net[i].draw) : power::Phases();
                for (const auto& use : net.uses(i)) sum += flow.shares[net.firstFeed(use.consumer) + use.feed];
                QVERIFY(flow.live[i] ? sum == flow.through[i] : sum == power::Phases());
                power::Phases taken;
                for (std::size_t f = 0; f < net.feeds(i).size(); ++f) taken += flow.shares[net.firstFeed(i) + std::uint32_t(f)];
                if (flow.live[i] && taken.total().count() != 0) QVERIFY(taken.total() == flow.intake[i].total());
                if (flow.live[i]) QVERIFY(flow.intake[i].total() == flow.through[i].total() + net[i].loss.at(flow.through[i].total()));
            }
        }
    }

    /// A loss told as a difference is the network computed again without the element.
    void lossesEqualTheFullRecompute()
    {
        std::mt19937 random(11);
        for (int round = 0; round < 300; ++round) {
            const Network net = randomPlant(random).network();
            Survey survey(net);
            for (Index a = 0; a < net.size(); ++a) {
                const Index b = Index(random() % net.size());
                const std::vector<Index> lost = round % 2 || a == b ? std::vector<Index>{a} : std::vector<Index>{a, b};
                const Impact impact = survey.lose(lost);
                const Flow now = flowOf(net, lost);
                Impact expected;
                for (Index i = 0; i < net.size(); ++i) {
                    if (std::ranges::find(lost, i) != lost.end()) continue;
                    if (survey.base().live[i] && !now.live[i]) expected.dark.push_back(i);
                    bool less = false;
                    for (const Feed& feed : net.feeds(i)) less = less || (survey.base().live[feed.from] && !now.live[feed.from]);
                    if (now.live[i] && less) expected.weakened.push_back(i);
                    if (now.live[i] && now.through[i] != survey.base().through[i]) expected.changed.push_back({i, now.through[i]});
                }
                QVERIFY(impact == expected);
            }
        }
    }

    void worstIsOverAllLosses()
    {
        std::mt19937 random(13);
        for (int round = 0; round < 50; ++round) {
            const Network net = randomPlant(random).network();
            Survey survey(net);
            std::vector<Index> all(net.size());
            for (Index i = 0; i < net.size(); ++i) all[i] = i;
            const Worst worst = worstOver(survey, net, all);
            std::vector<Milliwatts> most(net.size());
            for (Index i = 0; i < net.size(); ++i) most[i] = survey.base().through[i].total();
            for (const Index lost : all) {
                const Flow now = flowOf(net, {&lost, 1});
                for (Index i = 0; i < net.size(); ++i) most[i] = std::max(most[i], now.through[i].total());
            }
            for (Index i = 0; i < net.size(); ++i) QVERIFY(worst.loads[i].through == most[i]);
        }
    }

    /// Six supplies of 3.3 kW, three a side: 9.9 kW do not carry 14.3 kW, and do carry 9.5 kW.
    void halfOfTheSuppliesDoNotCarryTheirLoad()
    {
        for (const auto& [draw, dark] : {std::pair{14.3, true}, {11.44, true}, {9.5, false}}) {
            Made made;
            const Index a = made.add({.source = true}), b = made.add({.source = true});
            std::vector<Feed> ways;
            for (int i = 0; i < 6; ++i) ways.push_back({i % 2 ? b : a, std::uint8_t(i / 2 + 1), kw(3.3)});
            const Index host = made.add({.draw = kw(draw)}, ways);
            const Network net = made.network();
            Survey survey(net);
            QVERIFY(survey.base().live[host]);
            const Impact impact = survey.lose(std::vector{a});
            QCOMPARE(impact.dark == std::vector{host}, dark);
            if (!dark) QVERIFY(impact.weakened == std::vector{host} && impact.changed.size() == 1 && impact.changed[0].through.total() == kw(draw));
        }
    }

    /// A catcher: two blocks and a reserve that takes over the one that is lost, through static switches.
    void reserveCatchesOneBlock()
    {
        Made made;
        const Index utility = made.add({.source = true});
        const Index one = made.add({}, {{utility}}), two = made.add({}, {{utility}}), reserve = made.add({}, {{utility}});
        const Index s1 = made.add({.intake = Intake::Transfer}, {{one}, {reserve}}), s2 = made.add({.intake = Intake::Transfer}, {{two}, {reserve}});
        made.add({.draw = kw(100)}, {{s1}});
        made.add({.draw = kw(80)}, {{s2}});
        const Network net = made.network();
        Survey survey(net);
        QVERIFY(survey.base().through[reserve].total() == Milliwatts(0));
        const auto worst = worstOver(survey, net, std::vector{one, two, reserve});
        QVERIFY(worst.loads[reserve].through == kw(100));
        QCOMPARE(worst.loads[reserve].lost, one);
        QVERIFY(survey.lose(std::vector{one, two}).dark.empty());
        QCOMPARE(survey.lose(std::vector{one, reserve}).dark.size(), std::size_t(2)); // the switch and its load
        QVERIFY(survey.lose(std::vector{reserve}).changed.empty());
    }

    /// Three transformers on one board with two sets behind them: thirds, halves, one alone, then the sets together.
    void parallelWaysShareAndTheNextGroupTakesOver()
    {
        Made made;
        std::vector<Feed> ways;
        for (int i = 0; i < 5; ++i) ways.push_back({made.add({.source = true}), 0, {}, std::uint8_t(i < 3 ? 0 : 1)});
        const Index board = made.add({.draw = kw(90), .intake = Intake::Parallel}, ways);
        const Network net = made.network();
        const auto through = [&](std::vector<Index> lost) {
            const Flow flow = flowOf(net, lost);
            std::vector<std::int64_t> kilowatts;
            for (Index i = 0; i < 5; ++i) kilowatts.push_back(flow.through[i].total().count() / 1'000'000);
            return kilowatts;
        };
        QVERIFY(through({}) == (std::vector<std::int64_t>{30, 30, 30, 0, 0}));
        QVERIFY(through({1}) == (std::vector<std::int64_t>{45, 0, 45, 0, 0}));
        QVERIFY(through({0, 1}) == (std::vector<std::int64_t>{0, 0, 90, 0, 0}));
        QVERIFY(through({0, 1, 2}) == (std::vector<std::int64_t>{0, 0, 0, 45, 45}));
        QVERIFY(through({0, 1, 2, 3}) == (std::vector<std::int64_t>{0, 0, 0, 0, 90}));
        QVERIFY(!flowOf(net, std::vector<Index>{0, 1, 2, 3, 4}).live[board]);
        // One lost: the other two carry half instead of a third each, whatever the order of ways.
        Survey survey(net);
        const Worst worst = worstOver(survey, net, std::vector<Index>{0, 1, 2, 3, 4});
        for (const Index i : {0u, 1u, 2u}) QVERIFY(worst.loads[i].through == kw(45));
        QVERIFY(worst.loads[3].through == Milliwatts(0));
    }

    /// Three modules of 50 kW carry 120 kW: with one lost the static switch leaves them for the reserve, with 80 kW it does not.
    void overloadedModulesAreLeft()
    {
        for (const auto& [load, left] : {std::pair{120.0, true}, {80.0, false}}) {
            Made made;
            std::vector<Feed> modules;
            for (int i = 0; i < 3; ++i) modules.push_back({made.add({.source = true}), 0, kw(50)});
            const Index board = made.add({.least = kw(load)}, modules), reserve = made.add({.source = true});
            const Index sts = made.add({.intake = Intake::Transfer}, {{board}, {reserve}}), host = made.add({.draw = kw(load)}, {{sts}});
            const Network net = made.network();
            const std::vector<Index> one{0};
            const Flow flow = flowOf(net, one);
            QVERIFY(flow.live[host]);
            QCOMPARE(bool(flow.live[board]), !left);
            QVERIFY(flow.through[reserve].total() == (left ? kw(load) : Milliwatts(0)));
            QCOMPARE(flow.through[1].total().count() > 0, !left);
            QVERIFY(flowOf(net).live[board]);
        }
    }

    void lossesFollowTheCurve()
    {
        const Loss transformer{.fixed = watts(3420), .atRating = watts(22000), .rating = kw(3150)};
        QVERIFY(transformer.at(kw(3150)) == watts(25420)); // PLANT.md: 99.20 % at full load
        QVERIFY(transformer.at(kw(1575)) == watts(8920));  // 99.44 % at half
        QVERIFY(transformer.at({}) == watts(3420));
        const Loss ups{.fixed = {}, .atRating = {}, .rating = kw(1000), .curve = {{0.25, 0.965}, {0.5, 0.974}, {0.75, 0.975}, {1, 0.972}}};
        QVERIFY(ups.at({}) == watts(0));
        QCOMPARE(ups.at(kw(500)).count(), std::int64_t(std::llround(500e6 * (1 / 0.974 - 1))));
        QVERIFY(ups.at(kw(600)) > ups.at(kw(500)) && ups.at(kw(1100)) > ups.at(kw(1000)));
    }

    void loopsAreNamedAndDark()
    {
        Made made;
        const Index source = made.add({.source = true});
        const Index a = made.add({}, {{source}, {2}}), b = made.add({}, {{a}});
        made.add({.draw = kw(1)}, {{b}});
        const Network net = made.network();
        const Index other = made.add({.draw = kw(2)}, {{source}});
        const Network with = made.network();
        QVERIFY(net.looped() == (std::vector<Index>{a, b}) && with.looped() == net.looped());
        QVERIFY(!flowOf(net).live[b]);
        const Flow flow = flowOf(with); // who feeds a loop feeds the others all the same
        QVERIFY(flow.live[source] && flow.live[other]);
        QVERIFY(flow.through[source].total() == kw(2));
    }
};

QTEST_GUILESS_MAIN(TestPower)
#include "test_power.moc"
