// SPDX-License-Identifier: GPL-3.0-or-later
// What the store writes of samples: every bit comes back, and damage is seen.
#include "core/operations/history/columns.h"

#include <QTest>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

using namespace hw::history;

namespace {

bool same(double a, double b) { return std::isnan(a) ? std::isnan(b) : std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

double someValue(std::mt19937_64& random, int kind)
{
    static const double odd[] = {0.0, -0.0, 1e-320, 1e308, -1e308, 0x1p53, 0x1p63, INFINITY, -INFINITY, 0.1, 1.0 / 3, NAN};
    switch (kind) {
    case 0: return std::round(std::uniform_real_distribution(-500.0, 500.0)(random) * 100) / 100;
    case 1: return std::uniform_real_distribution(-1e6, 1e6)(random);
    case 2: return double(float(std::uniform_real_distribution(0.0, 50.0)(random)));
    case 3: return odd[random() % 12];
    default: return random() % 9 == 0 ? NAN : double(random() % 3);
    }
}

std::vector<Column> someColumns(std::mt19937_64& random)
{
    std::vector<Column> columns;
    ChannelId channel = 0;
    for (int i = int(random() % 12); i >= 0; --i) {
        Column column{channel += 1 + ChannelId(random() % 1000), {}};
        std::int64_t time = std::int64_t(random() % 2'000'000'000'000);
        const int kind = int(random() % 5), jitter = 1 + int(random() % 2000);
        for (auto n = random() % 200; n > 0; --n) {
            time += 1 + std::int64_t(random() % std::uint64_t(jitter));
            column.held.push_back(Held::of(time, someValue(random, kind), random() % 10 != 0));
        }
        columns.push_back(std::move(column));
    }
    return columns;
}

bool same(const Column& a, const Column& b)
{
    return a.channel == b.channel &&
           std::ranges::equal(a.held, b.held, [](const Held& x, const Held& y) { return x.key == y.key && same(x.value, y.value); });
}

} // namespace

class TestColumns : public QObject {
    Q_OBJECT
private slots:
    void everyBitComesBack();
    void someOfThem();
    void ofASpan();
    void looseSamples();
    void decimalsAreShort();
    void damageIsSeen();
    void minutesAgainstCounting();
    void minutesComeBackAndJoin();
};

void TestColumns::everyBitComesBack()
{
    std::mt19937_64 random(1);
    for (int i = 0; i < 300; ++i) {
        const auto columns = someColumns(random);
        const auto back = unpackColumns(packColumns(columns));
        QVERIFY(back && back->size() == columns.size());
        for (std::size_t c = 0; c < columns.size(); ++c) QVERIFY(same((*back)[c], columns[c]));
    }
    QVERIFY(unpackColumns(packColumns({}))->empty());
}

void TestColumns::someOfThem()
{
    std::mt19937_64 random(2);
    const auto columns = someColumns(random);
    const std::vector<ChannelId> wanted{columns.front().channel, columns.back().channel, columns.back().channel + 1};
    const auto back = unpackColumns(packColumns(columns), &wanted);
    QVERIFY(back);
    QCOMPARE(back->size(), std::size_t(columns.size() > 1 ? 2 : 1));
    QVERIFY(same(back->front(), columns.front()) && same(back->back(), columns.back()));
}

void TestColumns::ofASpan()
{
    std::mt19937_64 random(5);
    for (int i = 0; i < 50; ++i) {
        const auto columns = someColumns(random);
        const auto& held = columns[random() % columns.size()].held;
        if (held.empty()) continue;
        const std::int64_t a = held[random() % held.size()].timeMs(), b = held[random() % held.size()].timeMs();
        const Span span{std::min(a, b), std::max(a, b)};
        const auto back = unpackColumns(packColumns(columns), nullptr, span);
        QVERIFY(back && back->size() == columns.size());
        for (std::size_t c = 0; c < columns.size(); ++c) {
            auto expected = columns[c];
            std::erase_if(expected.held, [&](const Held& one) { return one.timeMs() < span.fromMs || one.timeMs() > span.toMs; });
            QVERIFY(same((*back)[c], expected));
        }
    }
}

void TestColumns::looseSamples()
{
    std::mt19937_64 random(3);
    for (int i = 0; i < 100; ++i) {
        std::vector<Loose> samples;
        for (auto n = random() % 300; n > 0; --n)
            samples.push_back(
                {ChannelId(random()), Held::of(std::int64_t(random() % 2'000'000'000'000), someValue(random, int(random() % 5)), random() % 2 == 0)});
        const auto back = unpackLoose(packLoose(samples));
        QVERIFY(back && back->size() == samples.size());
        for (std::size_t s = 0; s < samples.size(); ++s) {
            QVERIFY((*back)[s].channel == samples[s].channel && (*back)[s].held.key == samples[s].held.key);
            QVERIFY(same((*back)[s].held.value, samples[s].held.value));
        }
    }
}

void TestColumns::decimalsAreShort()
{
    const double mixed[] = {1.25, -3.5, 1000, NAN}, tooFine[] = {1.0 / 3}, tooLarge[] = {0.123456789, 1e12}, minusZero[] = {-0.0};
    QCOMPARE(decimalsOf(mixed), 2);
    QCOMPARE(decimalsOf(tooFine), -1);
    QCOMPARE(decimalsOf(tooLarge), -1);
    QCOMPARE(decimalsOf(minusZero), -1); // would lose its sign
    std::vector<Column> columns(1);
    columns[0].channel = 1;
    for (int i = 0; i < 1000; ++i) columns[0].held.push_back(Held::of(i * 1000, 21.5 + (i % 7) * 0.1, true));
    for (auto& held : columns[0].held) held.value = std::round(held.value * 10) / 10;
    QVERIFY(packColumns(columns).size() < 1000); // below a byte each; as they are they take 16
}

void TestColumns::damageIsSeen()
{
    std::mt19937_64 random(4);
    const auto columns = someColumns(random);
    const auto block = packColumns(columns);
    for (std::size_t cut = 0; cut < block.size(); cut += 7) QVERIFY(!unpackColumns(std::string_view(block).substr(0, cut)));
    int seen = 0, tried = 0;
    for (std::size_t at = 0; at < block.size(); at += 3) {
        auto broken = block;
        broken[at] = char(broken[at] ^ (1 << (random() % 8)));
        const auto back = unpackColumns(broken);
        ++tried;
        if (!back)
            ++seen;
        else // a bit of the frame's header that says nothing
            for (std::size_t c = 0; c < columns.size(); ++c) QVERIFY(same((*back)[c], columns[c]));
    }
    QVERIFY(seen > tried * 9 / 10);
}

void TestColumns::minutesAgainstCounting()
{
    std::vector<Held> held;
    for (int s = 0; s < 600; s += 7) held.push_back(Held::of(s * 1000, s % 5 == 0 ? NAN : s * 0.1, s % 11 != 0));
    const auto minutes = minutesOf(held);
    QCOMPARE(minutes.size(), std::size_t(10));
    for (const auto& minute : minutes) {
        double sum = 0, least = INFINITY, most = -INFINITY;
        std::uint64_t count = 0;
        for (const auto& one : held)
            if (one.timeMs() / 60'000 == minute.minute && one.good() && !std::isnan(one.value)) {
                sum += one.value;
                least = std::min(least, one.value);
                most = std::max(most, one.value);
                ++count;
            }
        QCOMPARE(minute.count, count);
        QVERIFY(std::abs(minute.sum - sum) < 1e-9);
        QCOMPARE(minute.least, least);
        QCOMPARE(minute.most, most);
    }
    QVERIFY(minutesOf({}).empty());
}

void TestColumns::minutesComeBackAndJoin()
{
    std::vector<Held> all, left, right;
    for (int s = 0; s < 900; s += 10) all.push_back(Held::of(s * 1000, s, true));
    for (std::size_t i = 0; i < all.size(); ++i) (i % 3 == 0 ? left : right).push_back(all[i]);
    QCOMPARE(joined(minutesOf(left), minutesOf(right)), minutesOf(all));
    const std::vector<MinuteColumn> columns{{3, minutesOf(left)}, {900, minutesOf(right)}};
    const auto back = unpackMinutes(packMinutes(columns));
    QVERIFY(back && back->size() == 2);
    QCOMPARE((*back)[0].minutes, columns[0].minutes);
    QCOMPARE((*back)[1].minutes, columns[1].minutes);
    const std::vector<ChannelId> wanted{900};
    QCOMPARE(unpackMinutes(packMinutes(columns), &wanted)->at(0).channel, ChannelId(900));
}

QTEST_GUILESS_MAIN(TestColumns)
#include "test_columns.moc"
