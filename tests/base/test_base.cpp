// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/foundation/base/disjoint_sets.h"
#include "core/foundation/base/parallel.h"

#include <atomic>
#include <random>
#include <set>
#include <stdexcept>

using namespace hw;

class TestBase : public QObject {
    Q_OBJECT
private slots:
    void setsAreNamedByTheirLowestMember();
    void setsGrowAndAreReset();
    void everyNumberIsTakenOnce();
    void eachThreadHasAScratchOfItsOwn();
    void anExceptionReachesTheCaller();
    void anExceptionOfTheScratchReachesTheCaller();
    void aStopKeepsNumbersFromBeingTaken();
};

void TestBase::setsAreNamedByTheirLowestMember()
{
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
        const std::uint32_t n = 1 + random() % 40;
        DisjointSets sets(n);
        std::vector<std::uint32_t> lowest(n); // the plain way: every member is renamed
        for (std::uint32_t i = 0; i < n; ++i) lowest[i] = i;
        for (std::uint32_t k = random() % (2 * n); k > 0; --k) {
            const std::uint32_t a = random() % n, b = random() % n;
            const auto [low, high] = std::minmax(lowest[a], lowest[b]);
            QCOMPARE(sets.join(a, b), low != high);
            std::ranges::replace(lowest, std::uint32_t(high), std::uint32_t(low));
        }
        for (std::uint32_t i = 0; i < n; ++i) QCOMPARE(sets.find(i), lowest[i]);
        QCOMPARE(sets.count(), std::set(lowest.begin(), lowest.end()).size());
    }
}

void TestBase::setsGrowAndAreReset()
{
    DisjointSets sets;
    QCOMPARE(sets.size(), std::size_t(0));
    sets.grow(3);
    sets.join(2, 1);
    sets.grow(5);
    sets.grow(4); // nothing to add
    QCOMPARE(sets.size(), std::size_t(5));
    QCOMPARE(sets.find(2), 1u);
    QCOMPARE(sets.find(4), 4u);
    QCOMPARE(sets.count(), std::size_t(4));
    DisjointSets copy = sets;
    copy.join(0, 2);
    QCOMPARE(copy.find(2), 0u);
    QCOMPARE(sets.find(2), 1u);
    sets.reset(3);
    QCOMPARE(sets.find(2), 2u);
    QCOMPARE(sets.count(), std::size_t(3));
}

void TestBase::everyNumberIsTakenOnce()
{
    for (const std::size_t count : {0u, 1u, 7u, 64u, 1000u})
        for (const std::size_t block : {0u, 1u, 16u, 5000u})
            for (const unsigned threads : {0u, 1u, 5u}) {
                std::vector<std::atomic<int>> taken(count);
                QVERIFY(parallelFor(count, {.threads = threads, .block = block}, [&](std::size_t i) { ++taken[i]; }));
                for (const auto& times : taken) QCOMPARE(times.load(), 1);
            }
}

void TestBase::eachThreadHasAScratchOfItsOwn()
{
    struct Scratch {
        unsigned thread;
        std::thread::id id = std::this_thread::get_id();
    };
    const auto caller = std::this_thread::get_id();
    std::atomic<int> foreign{0}, made{0};
    parallelFor(
        400, {.threads = 4, .block = 3}, [&](unsigned thread) { return ++made, Scratch{thread}; },
        [&](const Scratch& scratch, std::size_t) {
            foreign += scratch.id != std::this_thread::get_id() || (scratch.thread == 0) != (scratch.id == caller) || scratch.thread > 3;
        });
    QCOMPARE(foreign.load(), 0);
    QVERIFY(made >= 1 && made <= 4);
}

void TestBase::anExceptionReachesTheCaller()
{
    for (const unsigned threads : {1u, 4u}) {
        std::atomic<int> after{0};
        try {
            parallelFor(100'000, {.threads = threads}, [&](std::size_t i) {
                if (i >= 10) throw std::runtime_error(std::to_string(i));
                ++after;
            });
            QFAIL("the exception was lost");
        } catch (const std::runtime_error& error) {
            QVERIFY(std::stoi(error.what()) < 10 + int(threads)); // the rest was not taken
        }
        QVERIFY(after <= 10);
    }
    std::atomic<int> waiting{0}; // four throw at once: that of the lowest number is thrown on
    try {
        parallelFor(4, {.threads = 4}, [&](std::size_t i) {
            for (++waiting; waiting < 4;) std::this_thread::yield();
            throw std::runtime_error(std::to_string(i));
        });
        QFAIL("the exception was lost");
    } catch (const std::runtime_error& error) {
        QCOMPARE(std::string(error.what()), std::string("0"));
    }
}

void TestBase::anExceptionOfTheScratchReachesTheCaller()
{
    std::atomic<int> bodies{0};
    const auto scratch = [](unsigned) -> int { throw std::bad_alloc(); };
    QVERIFY_EXCEPTION_THROWN(parallelFor(10, {.threads = 3}, scratch, [&](int, std::size_t) { ++bodies; }), std::bad_alloc);
    QCOMPARE(bodies.load(), 0);
}

void TestBase::aStopKeepsNumbersFromBeingTaken()
{
    std::stop_source source;
    std::atomic<int> taken{0};
    QVERIFY(!parallelFor(100'000, {.threads = 2, .stop = source.get_token()}, [&](std::size_t i) {
        ++taken;
        if (i == 5) source.request_stop();
    }));
    QVERIFY(taken < 100'000);
    taken = 0;
    QVERIFY(!parallelFor(3, {.stop = source.get_token()}, [&](std::size_t) { ++taken; }));
    QCOMPARE(taken.load(), 0);
    std::stop_source late; // all were taken by then
    QVERIFY(parallelFor(3, {.threads = 1, .stop = late.get_token()}, [&](std::size_t i) {
        if (i == 2) late.request_stop();
    }));
}

QTEST_APPLESS_MAIN(TestBase)
#include "test_base.moc"
