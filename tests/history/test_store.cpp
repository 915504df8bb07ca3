// SPDX-License-Identifier: GPL-3.0-or-later
// The store against a map: random streams, late and doubled samples, gaps, packing and restarts in between.
#include "core/foundation/storage/sqlite.h"
#include "core/operations/history/embedded_store.h"
#include "tests/history/failing_new.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <csignal>
#include <map>
#include <random>

#include <sys/resource.h>

using namespace hw;
using namespace hw::history;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t kStart = 1'700'000'000'000 / kHour * kHour;

std::vector<bindings::ChannelText> channelsOf(int count)
{
    std::vector<bindings::ChannelText> channels;
    for (int i = 0; i < count; ++i) channels.push_back({"meter/" + std::to_string(i), {}, {}});
    return channels;
}

std::vector<std::string> namesOf(std::span<const bindings::ChannelText> channels)
{
    std::vector<std::string> names;
    for (const auto& channel : channels) names.push_back(channel.name);
    return names;
}

using Reference = std::vector<std::map<std::int64_t, double>>; ///< by channel: value by time

bool same(double a, double b) { return std::isnan(a) ? std::isnan(b) : a == b; }

void compareAll(Store& store, std::span<const bindings::ChannelText> channels, const Reference& reference, std::int64_t fromMs, std::int64_t toMs)
{
    const auto read = store.read(namesOf(channels), fromMs, toMs, 10'000'000);
    QVERIFY(read);
    for (std::size_t c = 0; c < channels.size(); ++c) {
        const auto& series = (*read)[c];
        auto expected = reference[c].lower_bound(fromMs);
        const auto end = reference[c].upper_bound(toMs);
        QCOMPARE(std::int64_t(series.timesMs.size()), std::int64_t(std::distance(expected, end)));
        QVERIFY(series.least.empty());
        for (std::size_t i = 0; i < series.timesMs.size(); ++i, ++expected) {
            QCOMPARE(series.timesMs[i], expected->first);
            QVERIFY(same(series.values[i], expected->second));
        }
    }
}

void compareMoments(Store& store, std::span<const bindings::ChannelText> channels, const Reference& reference, std::mt19937_64& random,
                    std::int64_t span)
{
    for (int i = 0; i < 20; ++i) {
        const std::int64_t at = kStart + std::int64_t(random() % std::uint64_t(span)), age = std::int64_t(random() % 4'000'000);
        const auto values = store.at(namesOf(channels), at, age);
        QVERIFY(values);
        for (std::size_t c = 0; c < channels.size(); ++c) {
            auto last = reference[c].upper_bound(at);
            const bool none = last == reference[c].begin() || std::prev(last)->first < at - age;
            QVERIFY(same((*values)[c], none ? NAN : std::prev(last)->second));
        }
    }
}

} // namespace

class TestStore : public QObject {
    Q_OBJECT
private slots:
    void againstAMap_data();
    void againstAMap();
    void addsUp();
    void minutes();
    void retention();
    void replayIntoTheSameStore();
    void fullDisk();
    void slowDisk();
    void besidesTheProject();
    void writerWithoutMemory();

private:
    QTemporaryDir m_folder;
    int m_files = 0;
    std::filesystem::path fresh() { return m_folder.filePath(QString::number(++m_files) + ".telemetry").toStdString(); }
};

void TestStore::againstAMap_data()
{
    QTest::addColumn<int>("packAt");
    QTest::addColumn<bool>("grouped");
    QTest::newRow("never packed") << 1'000'000 << false;
    QTest::newRow("packed often") << 700 << true;
    QTest::newRow("packed always") << 1 << false;
}

void TestStore::againstAMap()
{
    QFETCH(int, packAt);
    QFETCH(bool, grouped);
    const auto path = fresh();
    const auto channels = channelsOf(90);
    std::mt19937_64 random(std::uint64_t(packAt) + 5);
    Reference reference(channels.size());
    std::uint64_t duplicates = 0, stored = 0;
    std::int64_t now = kStart;
    constexpr std::int64_t span = 3 * kHour;
    for (int run = 0; run < 4; ++run) {
        auto store = EmbeddedStore::open(path, {}, {2ms, 600s, std::size_t(packAt), 1'000'000});
        QVERIFY2(store, store ? "" : store.error().text().c_str());
        QCOMPARE((*store)->figures().samples, stored);
        if (grouped) (*store)->together(std::vector<std::uint32_t>(channels.size(), 5));
        std::uint64_t appended = 0, doubled = 0;
        for (int batch = 0; batch < 120; ++batch) {
            std::vector<bindings::Sample> samples;
            for (int i = int(random() % 60); i >= 0; --i) {
                const auto channel = bindings::ChannelNo(random() % channels.size());
                now += std::int64_t(random() % 700);
                const bool late = random() % 5 == 0; // some of these were there
                const std::int64_t time = late ? kStart + std::int64_t(random() % std::uint64_t(now - kStart + 1)) / 1000 * 1000 : now / 1000 * 1000;
                const double value = random() % 20 == 0 ? NAN : double(random() % 1000) / 10;
                samples.push_back({channel, time, value, true});
                if (!reference[channel].emplace(time, value).second) ++doubled;
            }
            appended += samples.size();
            (*store)->append(samples, channels);
            if (batch % 40 == 39) {
                QVERIFY((*store)->flush());
                compareAll(**store, channels, reference, kStart, kStart + span);
                compareMoments(**store, channels, reference, random, now - kStart + 1000);
                compareAll(**store, channels, reference, kStart + span / 7, kStart + span / 3);
            }
        }
        QVERIFY((*store)->flush());
        duplicates += doubled;
        stored += appended - doubled;
        const auto figures = (*store)->figures();
        QCOMPARE(figures.duplicate, doubled);
        QCOMPARE(figures.stored, appended - doubled);
        QCOMPARE(figures.lost + figures.waiting, std::uint64_t(0));
        QCOMPARE(figures.samples, stored);
        QVERIFY(figures.trouble.empty());
    }
    QVERIFY(duplicates > 50);
    auto store = Store::open(path, {});
    compareAll(**store, channels, reference, kStart, kStart + span);
}

void TestStore::addsUp()
{
    auto store = EmbeddedStore::open(fresh(), {}, {1ms, 600s, 5000, 1'000'000});
    const auto channels = channelsOf(50);
    std::mt19937_64 random(8);
    for (int i = 0; i < 300; ++i) {
        std::vector<bindings::Sample> samples;
        for (int n = 0; n < 100; ++n) samples.push_back({bindings::ChannelNo(random() % 50), kStart + std::int64_t(random() % 100'000), 1, true});
        samples.push_back({0, -5, 1, true}); // no time that can be
        (*store)->append(samples, channels);
        const auto figures = (*store)->figures();
        QCOMPARE(figures.appended, figures.stored + figures.duplicate + figures.lost + figures.waiting);
    }
    QVERIFY((*store)->flush());
    const auto figures = (*store)->figures();
    QCOMPARE(figures.waiting, std::uint64_t(0));
    QCOMPARE(figures.lost, std::uint64_t(300));
    QVERIFY(figures.trouble == "300 samples with timestamps outside 1970 to 9999 were discarded");
}

/// A day each ten seconds, asked for in few points: means, least and most are those of the samples.
void TestStore::minutes()
{
    auto store = EmbeddedStore::open(fresh(), {}, {1ms, 600s, 3000, 100'000});
    const auto channels = channelsOf(3);
    std::mt19937_64 random(9);
    Reference reference(3);
    for (std::int64_t at = kStart; at < kStart + 24 * kHour; at += 10'000)
        for (bindings::ChannelNo c = 0; c < 3; ++c) {
            const bindings::Sample sample{c, at + c, random() % 50 == 0 ? NAN : double(random() % 1000) / 8, true};
            reference[c].emplace(sample.timeMs, sample.value);
            (*store)->append({&sample, 1}, channels);
        }
    QVERIFY((*store)->flush());
    for (const std::size_t most : {1440u, 100u, 7u}) {
        const auto read = (*store)->read(namesOf(channels), kStart, kStart + 24 * kHour - 1, most);
        QVERIFY(read);
        for (std::size_t c = 0; c < 3; ++c) {
            const auto& series = (*read)[c];
            QVERIFY(series.values.size() <= most + 1 && series.values.size() > most / 2);
            QCOMPARE(series.least.size(), series.values.size());
            const std::int64_t step = series.timesMs[1] - series.timesMs[0];
            QCOMPARE(step % kMinute, std::int64_t(0));
            for (std::size_t i = 0; i < series.values.size(); ++i) {
                double sum = 0, least = INFINITY, most_ = -INFINITY;
                int count = 0;
                for (auto at = reference[c].lower_bound(series.timesMs[i]); at != reference[c].end() && at->first < series.timesMs[i] + step; ++at)
                    if (!std::isnan(at->second)) sum += at->second, least = std::min(least, at->second), most_ = std::max(most_, at->second), ++count;
                QVERIFY(std::abs(series.values[i] - sum / count) < 1e-9);
                QCOMPARE(series.least[i], least);
                QCOMPARE(series.most[i], most_);
            }
        }
    }
    const auto unknown = (*store)->read(std::vector<std::string>{"meter/0", "nothing", "meter/0"}, kStart, kStart + kHour, 10'000);
    QVERIFY((*unknown)[1].values.empty() && !(*unknown)[0].values.empty());
    QCOMPARE((*unknown)[0].timesMs, (*unknown)[2].timesMs);
}

void TestStore::retention()
{
    const auto path = fresh();
    const auto channels = channelsOf(2);
    const auto names = namesOf(channels);
    std::uint64_t before = 0;
    {
        auto store = EmbeddedStore::open(path, {}, {1ms, 600s, 1000, 100'000});
        for (std::int64_t at = 0; at < 10 * kHour; at += 10'000)
            (*store)->append(std::vector<bindings::Sample>{{0, kStart + at, double(at / 10'000 % 6), true}, {1, kStart + at, 5, true}}, channels);
        QVERIFY((*store)->flush());
        before = (*store)->figures().samples;
        QCOMPARE(before, std::uint64_t(7200));
    }
    auto store = EmbeddedStore::open(path, {4 * kHour, 8 * kHour}, {});
    const auto figures = (*store)->figures();
    QVERIFY(figures.samples < before / 2 + 800 && figures.samples > before / 3); // four hours, and the one that they begin in
    QCOMPARE(figures.oldestMs, kStart + 5 * kHour);
    const auto recent = (*store)->read(names, kStart + 6 * kHour, kStart + 7 * kHour, 100'000);
    QCOMPARE((*recent)[1].values.size(), std::size_t(361));
    const auto old = (*store)->read(names, kStart + 3 * kHour, kStart + 4 * kHour - 1, 100'000); // minutes are left
    QCOMPARE((*old)[0].values, std::vector<double>(60, 2.5));
    QCOMPARE((*old)[0].most, std::vector<double>(60, 5));
    QVERIFY((*(*store)->read(names, kStart, kStart + kHour - 1, 100'000))[0].values.empty()); // nothing is
    QCOMPARE((*store)->at(names, kStart + 3 * kHour + 100'000, 300'000)->at(1), 5.0);
    QVERIFY(std::isnan((*store)->at(names, kStart + 100'000, 300'000)->at(1)));
}

void TestStore::replayIntoTheSameStore()
{
    const auto path = fresh();
    const auto channels = channelsOf(200);
    std::vector<bindings::Sample> samples;
    for (int s = 0; s < 100; ++s)
        for (bindings::ChannelNo c = 0; c < 200; ++c) samples.push_back({c, kStart + s * 1000, double(s), true});
    for (int run = 0; run < 3; ++run) {
        auto store = EmbeddedStore::open(path, {}, {1ms, 600s, 3000, 100'000});
        (*store)->append(samples, channels);
        QVERIFY((*store)->flush());
        QCOMPARE((*store)->figures().stored, std::uint64_t(run == 0 ? samples.size() : 0));
        QCOMPARE((*store)->figures().duplicate, std::uint64_t(run == 0 ? 0 : samples.size()));
        QCOMPARE((*store)->figures().samples, std::uint64_t(samples.size()));
    }
}

/// Another connection holds the file for a while, as a disk does that does not answer: whoever appends is not held up for longer than a
/// second, what does not fit is counted, and afterward it goes on.
void TestStore::slowDisk()
{
    const auto path = fresh();
    auto store = EmbeddedStore::open(path, {}, {1ms, 600s, 1'000'000, 5'000});
    const auto channels = channelsOf(10);
    auto other = storage::Database::open(path.string(), false);
    QVERIFY(other && other->run("BEGIN IMMEDIATE"));
    for (int s = 0; s < 100; ++s) {
        std::vector<bindings::Sample> samples;
        for (int i = 0; i < 1000; ++i) samples.push_back({bindings::ChannelNo(i % 10), kStart + s * 1000 + i / 10, 1, true});
        (*store)->append(samples, channels);
    }
    const auto slow = (*store)->figures();
    QVERIFY(slow.lost > 0 && slow.stored == 0);
    QVERIFY(!slow.trouble.empty());
    QCOMPARE(slow.appended, slow.lost + slow.waiting);
    QVERIFY(other->run("ROLLBACK"));
    for (int i = 0; i < 20 && !(*store)->flush(); ++i) {}
    QVERIFY((*store)->flush());
    const auto figures = (*store)->figures();
    QVERIFY(figures.trouble.empty());
    QCOMPARE(figures.appended, figures.stored + figures.lost);
    QVERIFY(figures.stored >= 5000);
}

void TestStore::besidesTheProject() { QCOMPARE(Store::besides("/a/b.c/hall.hall"), std::filesystem::path("/a/b.c/hall.telemetry")); }

/// Files may not grow beyond a size for a while: the store says so, loses what it cannot keep in mind, counts that, and goes on afterward.
void TestStore::fullDisk()
{
    std::signal(SIGXFSZ, SIG_IGN);
    const auto path = fresh();
    auto store = EmbeddedStore::open(path, {}, {1ms, 600s, 1'000'000, 20'000});
    const auto channels = channelsOf(100);
    const auto append = [&](int from, int to) {
        std::vector<bindings::Sample> samples;
        for (int s = from; s < to; ++s)
            for (bindings::ChannelNo c = 0; c < 100; ++c) samples.push_back({c, kStart + s * 1000, std::sqrt(double(s * 100) + c), true});
        (*store)->append(samples, channels);
    };
    append(0, 100);
    QVERIFY((*store)->flush());
    rlimit old{};
    ::getrlimit(RLIMIT_FSIZE, &old);
    const rlimit small{std::filesystem::file_size(path.string() + "-wal"), old.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
    append(100, 200);
    const auto failed = (*store)->flush();
    const Text trouble = (*store)->figures().trouble;
    for (int s = 200; s < 600; s += 100) append(s, s + 100); // 40 000; half of that may wait
    const auto full = (*store)->figures();
    ::setrlimit(RLIMIT_FSIZE, &old);
    QVERIFY(!failed);
    QVERIFY2(words(trouble).starts_with("history cannot be written"), words(trouble).c_str());
    QVERIFY(full.lost > 0);
    QCOMPARE(full.appended, full.stored + full.duplicate + full.lost + full.waiting);
    QVERIFY((*store)->flush()); // there is room again
    append(600, 700);
    QVERIFY((*store)->flush());
    const auto figures = (*store)->figures();
    QVERIFY(figures.trouble.empty());
    QCOMPARE(figures.waiting, std::uint64_t(0));
    QCOMPARE(figures.lost, full.lost);
    QCOMPARE(figures.appended, figures.stored + figures.lost);
    store->reset();
    auto again = Store::open(path, {});
    QCOMPARE((*again)->figures().samples, figures.stored);
    const auto read = (*again)->read(namesOf(channels), kStart, kStart + kHour, 100'000);
    std::uint64_t count = 0;
    for (const auto& series : *read) count += series.values.size();
    QCOMPARE(count, figures.stored);
    QCOMPARE((*read)[7].timesMs.back(), kStart + 699 * 1000);
}

/// The writer's thread meets std::bad_alloc, wherever it is just then: it goes on, says so, and every sample is stored or counted as lost.
void TestStore::writerWithoutMemory()
{
    const auto path = fresh();
    const auto channels = channelsOf(50);
    auto store = EmbeddedStore::open(path, {}, Pace{10ms, 200ms, 5'000, 1'000'000});
    QVERIFY(store);
    const auto append = [&](int from, int to) {
        std::vector<bindings::Sample> samples;
        for (int s = from; s < to; ++s)
            for (bindings::ChannelNo c = 0; c < 50; ++c) samples.push_back({c, kStart + s * 1000, double(s) + c, true});
        (*store)->append(samples, channels);
    };
    append(0, 50);
    QVERIFY((*store)->flush());
    for (int round = 1; round <= 6; ++round) {
        failing_new::begin(1, round % 2 ? 64 : 4096);
        append(round * 100, round * 100 + 100);
        (void)(*store)->flush();
        for (int i = 0; i < 100 && failing_new::left() > 0; ++i) append(round * 100 + 100, round * 100 + 101), std::this_thread::sleep_for(10ms);
        QCOMPARE(failing_new::left(), 0);
        failing_new::end();
    }
    append(1000, 1100);
    QVERIFY((*store)->flush()); // it lives
    const auto figures = (*store)->figures();
    QVERIFY2(figures.faults >= 1 && figures.faults <= 6, qPrintable(QString::number(figures.faults)));
    QVERIFY(QString::fromStdString(figures.fault).contains("bad_alloc"));
    QVERIFY(figures.trouble.empty());
    QCOMPARE(figures.waiting, std::uint64_t(0));
    QCOMPARE(figures.appended, figures.stored + figures.duplicate + figures.lost);
    store->reset();
    auto again = Store::open(path, {});
    QVERIFY(again);
    QVERIFY((*again)->figures().samples >= figures.stored);
    const auto read = (*again)->read(namesOf(channels), kStart + 1'000'000, kStart + 1'099'000, 100'000);
    QVERIFY(read);
    for (const auto& series : *read) QCOMPARE(series.values.size(), std::size_t(100));
}

QTEST_GUILESS_MAIN(TestStore)
#include "test_store.moc"
