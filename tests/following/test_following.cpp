// SPDX-License-Identifier: GPL-3.0-or-later
// The follower: one order, told by arrival; every sample counted once; a replay gives what the live run gave.
#include "core/operations/following/follower.h"
#include "core/operations/history/store.h"
#include "tests/following/fakes.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <map>
#include <random>
#include <set>

using namespace hw;
using namespace hw::following;
using namespace hw::test;
using namespace std::chrono_literals;

namespace {

std::vector<std::unique_ptr<bindings::Source>> sources(std::vector<FakeSource::Play> plays)
{
    std::vector<std::unique_ptr<bindings::Source>> made;
    for (auto& play : plays) made.push_back(std::make_unique<FakeSource>(std::move(play)));
    return made;
}

/// Ends by itself, or the test does.
void waitFor(const Follower& follower)
{
    for (int i = 0; i < 2000 && !follower.ended(); ++i) std::this_thread::sleep_for(10ms);
    QVERIFY(follower.ended());
}

FiguresPtr noDesign() { return std::make_shared<Figures>(std::make_shared<Snapshot>(), nullptr); }

struct Run {
    std::vector<std::string> log, events;
    Recorded recorded;
    Counts counts;
};

Options optionsOf(Run& run)
{
    Options options;
    options.judge = [&run] { return std::make_unique<FakeJudge>(run.log); };
    options.binder = fakeBinder();
    options.recorder = std::make_unique<FakeRecorder>(run.recorded);
    options.event = [&run](const monitoring::Event& event) {
        if (event.kind == monitoring::Event::Kind::Trouble)
            run.events.push_back(fmt::format("{} {} {}", event.atMs, event.trouble.place, event.trouble.over ? "over" : words(event.trouble.what)));
        else
            run.events.push_back(fmt::format("{} {}", event.atMs, event.alarm.id));
    };
    return options;
}

/// Fails at the moments that are reported, in `advance`, `take`, `gap` or `frame`.
struct Failing {
    std::set<std::int64_t> seconds;
    std::atomic<int> frames = 0, takes = 0, gaps = 0, made = 0, makes = 0; ///< that many times; made: `makes` times
};
class FailingJudge final : public Judge {
public:
    FailingJudge(std::vector<std::string>& log, Failing& failing) : m_judge(log), m_failing(failing)
    {
        if (++m_failing.made > 1 && m_failing.makes > 0) --m_failing.makes, throw std::runtime_error("no judge");
    }
    void design(FiguresPtr design, bindings::BoundPtr bound) override { m_judge.design(std::move(design), std::move(bound)); }
    void take(std::span<const bindings::PointSample> samples) override
    {
        if (m_failing.takes > 0) --m_failing.takes, throw 42; // no std::exception at all
        m_judge.take(samples);
    }
    void gap(const bindings::Gap& gap) override
    {
        if (m_failing.gaps > 0) --m_failing.gaps, throw std::runtime_error("gap");
        m_judge.gap(gap);
    }
    void simulated(std::span<const float> gbps, impact::LoadsAfter) override { m_seen = gbps.size(); }
    void answer(const monitoring::Answer& answer, std::int64_t atMs) override { m_judge.answer(answer, atMs); }
    std::vector<monitoring::Event> advance(std::int64_t atMs) override
    {
        if (m_failing.seconds.erase(atMs) > 0) (void)std::vector<int>().at(7); // as in a map that lacks what it should have
        auto events = m_judge.advance(atMs);
        events.front().alarm.id += fmt::format(" {}", m_seen);
        return events;
    }
    monitoring::FramePtr frame() const override
    {
        if (m_failing.frames > 0) --m_failing.frames, throw std::bad_alloc();
        return m_judge.frame();
    }

private:
    FakeJudge m_judge;
    Failing& m_failing;
    std::size_t m_seen = 0;
};

/// A minute of a recording: p1 every second, by its clock.
void aMinute(bindings::Intake& intake, int seconds = 60)
{
    const auto p = intake.channel({"p1", {}, {}});
    for (int i = 0; i < seconds; ++i) {
        intake.clock(100'500 + i * 1000);
        intake.take(std::vector<bindings::Sample>{{p, 100'400 + i * 1000, double(i), true}});
    }
}

std::size_t countOf(const std::vector<std::string>& lines, const std::string& part)
{
    return std::size_t(std::ranges::count_if(lines, [&](const std::string& line) { return line.find(part) != line.npos; }));
}

/// Plays a recording; `cut` splits what arrived together, `early` says the clock more often than needed.
void replay(const Recorded& recorded, bindings::Intake& intake, bool cut, bool early)
{
    std::vector<bindings::ChannelNo> numbers;
    for (const auto& line : recorded.lines) {
        if (line.channel) {
            const auto number = intake.channel(*line.channel);
            numbers.resize(std::max<std::size_t>(numbers.size(), line.number + 1));
            numbers[line.number] = number;
            continue;
        }
        if (early) intake.clock(line.atMs - 30);
        intake.clock(line.atMs);
        if (line.gap) intake.gap(*line.gap);
        auto samples = line.samples;
        for (auto& sample : samples) sample.channel = numbers[sample.channel];
        if (!cut) intake.take(samples);
        for (std::size_t i = 0; cut && i < samples.size(); i += 3)
            intake.take(std::span(samples).subspan(i, std::min<std::size_t>(3, samples.size() - i)));
    }
    intake.clock(recorded.endMs);
}

Run played(const Recorded& recorded, bool cut, bool early)
{
    Run run;
    Follower follower(noDesign(), optionsOf(run));
    if (!follower.start(sources({[&](bindings::Intake& intake, const std::atomic<bool>&) { replay(recorded, intake, cut, early); }}))) return run;
    waitFor(follower);
    (void)follower.stop();
    run.counts = follower.counts();
    return run;
}

} // namespace

class TestFollowing : public QObject {
    Q_OBJECT
private slots:
    /// Nothing would be bound, and a hall without readings would look healthy.
    void withoutRuleSetsNothingStarts()
    {
        Snapshot s;
        s.putSetting("telemetry.rule_sets", "dcgm, nonesuch");
        Run run;
        Follower follower(std::make_shared<Figures>(std::make_shared<Snapshot>(std::move(s)), nullptr), optionsOf(run));
        const auto started = follower.start(sources({[](bindings::Intake&, const std::atomic<bool>&) {}}));
        QVERIFY(!started && started.error().where == "telemetry.rule_sets");
        QVERIFY2(started.error().text().find("nonesuch") != std::string::npos, started.error().text().c_str());
    }

    void judgesEachSecondBeforeWhatCameAfter();
    void bindsAtWholeSeconds();
    void countersAndUnits();
    void lateAndDoubled();
    void aClockAhead();
    void aClockSetBack();
    void aYearWithoutData();
    void whatIsSaidOfChannelsInAQuietSecond();
    void replayGivesTheSame();
    void everySampleIsCounted();
    void aFullQueueWaits();
    void stopsAtOnce();
    void tellsWhatItCannotDo();
    void aJudgeThatFailsIsMadeAnew();
    void aJudgeThatAlwaysFailsIsTriedLessAndLess();
    void aBinderThatFails();
    void aRecorderAndAListenerThatFail();
};

void TestFollowing::judgesEachSecondBeforeWhatCameAfter()
{
    Run run;
    Follower follower(noDesign(), optionsOf(run));
    QVERIFY(follower.start(sources({[](bindings::Intake& intake, const std::atomic<bool>&) {
        intake.clock(9'000); // nothing has come yet: nothing is judged
        const auto p = intake.channel({"p1", {}, {}});
        const auto at = [&](std::int64_t ms, double value) {
            intake.clock(ms);
            intake.take(std::vector<bindings::Sample>{{p, ms - 5, value, true}});
        };
        at(10'400, 1);
        at(10'999, 2);
        at(11'000, 3);
        at(13'500, 4);
        intake.gap({"fake", 13'600, 0, {}});
        intake.clock(14'000);
    }})));
    waitFor(follower);
    QVERIFY(follower.stop());
    const std::vector<std::string> expected{"bound 0 of 0", "bound 1 of 1", "p1 10994 2 true", "judged 11000",     "p1 10995 3 true",
                                            "judged 12000", "judged 13000", "p1 13495 4 true", "gap fake 13600 0", "judged 14000"};
    QCOMPARE(run.log, expected);
    QCOMPARE(run.recorded.endMs, std::int64_t(14'000));
    QCOMPARE(follower.counts().gaps, std::size_t(1));
}

void TestFollowing::bindsAtWholeSeconds()
{
    Run run;
    std::atomic<int> calls = 0;
    auto options = optionsOf(run);
    options.binder = fakeBinder(&calls);
    std::size_t told = 0;
    options.boundAgain = [&](std::size_t channels) { told = channels; };
    Follower follower(noDesign(), std::move(options));
    QVERIFY(follower.start(sources({[](bindings::Intake& intake, const std::atomic<bool>&) {
        for (int i = 0; i < 50; ++i) {
            intake.clock(20'100 + i);
            const auto number = intake.channel({"p" + std::to_string(i), {}, {}});
            QCOMPARE(number, intake.channel({"p" + std::to_string(i), {}, {}}));
            intake.take(std::vector<bindings::Sample>{{number, 20'000, double(i), true}});
        }
        intake.clock(25'000);
        (void)intake.channel({"p7", {}, "kW"}); // says now in which unit it is
        intake.take(std::vector<bindings::Sample>{{3, 25'000, 5, true}});
        intake.clock(30'000);
    }})));
    waitFor(follower);
    QVERIFY(follower.stop());
    QCOMPARE(int(calls), 3); // empty, all fifty, another unit
    QCOMPARE(told, std::size_t(50));
    QCOMPARE(std::ranges::count(run.log, "p7 20000 7 true"), 1);
    QCOMPARE(std::ranges::count(run.log, "p7 20000 7000 true"), 1); // what it said last, again
    QCOMPARE(std::ranges::count(run.log, "p8 20000 8 true"), 1);
    QCOMPARE(follower.channels().at(7).unit, std::string("kW"));
    QCOMPARE(follower.counts().bound, std::size_t(50));
}

void TestFollowing::countersAndUnits()
{
    Run run;
    Follower follower(noDesign(), optionsOf(run));
    QVERIFY(follower.start(sources({[](bindings::Intake& intake, const std::atomic<bool>&) {
        const auto c = intake.channel({"c", {}, "kW"});
        const double values[] = {100, 130, 130, 20, 40, NAN, 60, 70};
        for (int i = 0; i < 8; ++i) {
            intake.clock(1'000'000 + i * 2000);
            intake.take(std::vector<bindings::Sample>{{c, 1'000'000 + i * 2000, values[i], true}});
        }
    }})));
    waitFor(follower);
    QVERIFY(follower.stop());
    std::erase_if(run.log, [](const std::string& line) { return line[0] != 'c'; });
    // 30 in 2 s, nothing, started again (as before), 20 in 2 s, no number, 20 in the 4 s around it, 10 in 2 s
    const std::vector<std::string> expected{"c 1002000 15000 true", "c 1004000 0 true",    "c 1006000 0 true",   "c 1008000 10000 true",
                                            "c 1010000 nan true",   "c 1012000 5000 true", "c 1014000 5000 true"};
    QCOMPARE(run.log, expected);
    QCOMPARE(follower.counts().notNumbers, std::uint64_t(1));
}

void TestFollowing::lateAndDoubled()
{
    Run run;
    Follower follower(noDesign(), optionsOf(run));
    QVERIFY(follower.start(sources({[](bindings::Intake& intake, const std::atomic<bool>&) {
        const auto p = intake.channel({"p", {}, {}});
        intake.clock(50'000);
        intake.take(std::vector<bindings::Sample>{{p, 1, 0, true}});
        intake.clock(51'500);
        for (const std::int64_t time : {50'000, 51'000, 51'000, 50'500, 51'100})
            intake.take(std::vector<bindings::Sample>{{p, time, double(time), true}});
        intake.take(std::vector<bindings::Sample>{{77, 51'000, 0, true}}); // never declared
    }})));
    waitFor(follower);
    QVERIFY(follower.stop());
    std::erase_if(run.log, [](const std::string& line) { return line[0] != 'p'; });
    const std::vector<std::string> expected{"p 1 0 true", "p 50000 50000 true", "p 51000 51000 true", "p 51100 51100 true"};
    QCOMPARE(run.log, expected);
    const auto counts = follower.counts();
    QCOMPARE(counts.received, std::uint64_t(6));
    QCOMPARE(counts.duplicate, std::uint64_t(1));
    QCOMPARE(counts.outOfOrder, std::uint64_t(1));
}

/// One sample from the far future does not make the rest late.
void TestFollowing::aClockAhead()
{
    Run run;
    Follower follower(noDesign(), optionsOf(run));
    QVERIFY(follower.start(sources({[](bindings::Intake& intake, const std::atomic<bool>&) {
        const auto p = intake.channel({"p", {}, {}});
        for (const std::int64_t time : {100'000L, 4'000'000'000L, 102'000L, 103'000L}) {
            intake.clock(std::min<std::int64_t>(time, time == 4'000'000'000L ? 101'000 : time));
            intake.take(std::vector<bindings::Sample>{{p, time, 1, true}});
        }
        intake.clock(106'000);
    }})));
    waitFor(follower);
    QVERIFY(follower.stop());
    for (const char* line : {"p 101000 1 true", "p 102000 1 true", "p 103000 1 true"}) QCOMPARE(std::ranges::count(run.log, line), 1); // by arrival
    QCOMPARE(std::ranges::count(run.log, "clock 1 3999899000 p"), 1);
    QCOMPARE(std::ranges::count(run.log, "clock 0 0 "), 1);
    QCOMPARE(follower.counts().outOfOrder, std::uint64_t(0));
}

/// A gateway an hour back: its first channel is followed at the third sample, the others at once, by arrival, also what they said shortly before, and
/// so is its way back. What is sent again late is not.
void TestFollowing::aClockSetBack()
{
    constexpr std::int64_t kHour = 3'600'000, kFrom = 7'200'000;
    Run run;
    Follower follower(noDesign(), optionsOf(run));
    QVERIFY(follower.start(sources({[](bindings::Intake& intake, const std::atomic<bool>&) {
        const auto p = intake.channel({"p", {}, {}}), q = intake.channel({"q", {}, {}}), late = intake.channel({"r", {}, {}}),
                   seldom = intake.channel({"p7", {}, {}});
        for (int i = 0; i < 60; ++i) {
            const std::int64_t now = kFrom + i * 1000, said = i >= 20 && i < 40 ? now - kHour : now;
            intake.clock(now);
            intake.take(std::vector<bindings::Sample>{{p, said, double(i), true}});
            if (i % 5 == 4) intake.take(std::vector<bindings::Sample>{{q, said, double(i), true}});
            if (i % 20 == 1) intake.take(std::vector<bindings::Sample>{{seldom, said, double(i), true}});
            intake.take(std::vector<bindings::Sample>{{late, now, double(i), true}, {late, now - 600'000, -1, true}}); // on two ways
        }
    }})));
    waitFor(follower);
    QVERIFY(follower.stop());
    const auto said = [&](const std::string& name, int i) {
        return std::ranges::count_if(
            run.log, [&](const std::string& line) { return line.starts_with(name + " ") && line.ends_with(fmt::format(" {} true", i)); });
    };
    for (int i = 1; i < 60; ++i) QCOMPARE(said("p", i), i == 20 || i == 21 ? 0 : 1);
    for (const int i : {1, 21, 41}) QCOMPARE(said("p7", i), 1);
}

/// A year without data is not judged second by second.
void TestFollowing::aYearWithoutData()
{
    Run run;
    Follower follower(noDesign(), optionsOf(run));
    QVERIFY(follower.start(sources({[](bindings::Intake& intake, const std::atomic<bool>&) {
        aMinute(intake);
        const auto p = intake.channel({"p1", {}, {}});
        constexpr std::int64_t kYearMs = 365LL * 86'400'000;
        for (int i = 0; i < 3; ++i) {
            intake.clock(kYearMs + i * 1000);
            intake.take(std::vector<bindings::Sample>{{p, kYearMs + i * 1000, 7, true}});
        }
    }})));
    waitFor(follower);
    QVERIFY(follower.stop());
    const auto judged = countOf(run.log, "judged ");
    QVERIFY2(judged > 3600 && judged < 4000, std::to_string(judged).c_str());
    QCOMPARE(countOf(run.log, "judged 31536001000"), std::size_t(1));
    QCOMPARE(countOf(run.log, "p1 31536001000 7 true"), std::size_t(1));
}

/// A live run of several sources over some seconds, by this machine's clock; played again in other cuts, it gives the same calls and events.
/// Metadata that come while no value does, as those of a broker may: they hold from the next value on, in the recording too, which has no time
/// for them.
void TestFollowing::whatIsSaidOfChannelsInAQuietSecond()
{
    Run run;
    Follower follower(noDesign(), optionsOf(run));
    QVERIFY(follower.start(sources({[](bindings::Intake& intake, const std::atomic<bool>&) {
        const auto p = intake.channel({"p1", {}, {}});
        intake.clock(8'600);
        intake.take(std::vector<bindings::Sample>{{p, 8'600, 1, true}});
        intake.clock(10'300);
        (void)intake.channel({"p1", {}, "kW"});
        (void)intake.channel({"p2", {}, {}});
        intake.clock(12'500);
        intake.take(std::vector<bindings::Sample>{{p, 12'500, 2, true}});
        intake.clock(14'000);
    }})));
    waitFor(follower);
    QVERIFY(follower.stop());
    QVERIFY(std::ranges::find(run.log, "p1 8600 1 true") != run.log.end()); // the unit was not known yet
    for (const bool early : {false, true}) QCOMPARE(played(run.recorded, false, early).log, run.log);
}

void TestFollowing::replayGivesTheSame()
{
    Run run;
    {
        Follower follower(noDesign(), optionsOf(run));
        const auto play = [](unsigned seed) {
            return [seed](bindings::Intake& intake, const std::atomic<bool>& stopped) {
                std::mt19937 random(seed);
                std::vector<bindings::ChannelNo> channels;
                std::this_thread::sleep_for(std::chrono::milliseconds(random() % 300));
                while (!stopped) {
                    if (random() % 4 == 0) channels.push_back(intake.channel({(random() % 3 ? "p" : "x") + std::to_string(random() % 200), {}, {}}));
                    if (random() % 100 == 0) intake.gap({"source " + std::to_string(seed), std::int64_t(random()), 0, {}});
                    std::vector<bindings::Sample> samples;
                    const auto now =
                        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
                    for (auto n = channels.empty() ? 0 : random() % 20; n > 0; --n)
                        samples.push_back(
                            {channels[random() % channels.size()], now - std::int64_t(random() % 500), double(random()), random() % 9 != 0});
                    intake.take(samples);
                    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 40));
                }
            };
        };
        QVERIFY(follower.start(sources({play(1), play(2), play(3)})));
        std::this_thread::sleep_for(4300ms);
        QVERIFY(follower.stop());
        run.counts = follower.counts();
    }
    QVERIFY(run.events.size() >= 2);
    QVERIFY(run.counts.received > 500 && run.counts.bound > 20 && run.counts.outOfOrder > 20);
    for (const bool cut : {false, true})
        for (const bool early : {false, true}) {
            const Run again = played(run.recorded, cut, early);
            QCOMPARE(again.log, run.log);
            QCOMPARE(again.events, run.events);
            QCOMPARE(again.counts, run.counts);
        }
}

/// Random streams from four threads into a store, twice: received = stored + lost + duplicate, and stored is what differs.
void TestFollowing::everySampleIsCounted()
{
    QTemporaryDir folder;
    std::set<std::pair<std::string, std::int64_t>> all;
    std::uint64_t sent = 0;
    std::mutex guard;
    std::uint64_t stored = 0;
    for (int round = 0; round < 2; ++round) {
        Run run;
        auto options = optionsOf(run);
        options.store = folder.filePath("x.telemetry").toStdString();
        options.queue = 500;
        Follower follower(noDesign(), std::move(options));
        const auto play = [&](unsigned seed) {
            return [&, seed](bindings::Intake& intake, const std::atomic<bool>&) {
                std::mt19937 random(seed);
                std::set<std::pair<std::string, std::int64_t>> mine;
                std::uint64_t count = 0;
                for (int batch = 0; batch < 400; ++batch) {
                    std::vector<bindings::Sample> samples;
                    for (auto n = random() % 120; n > 0; --n) {
                        const std::string name = "x" + std::to_string(random() % 60); // the threads share them
                        const std::int64_t time = 1'700'000'000'000 + batch * 100 + std::int64_t(random() % 3000);
                        samples.push_back({intake.channel({name, {}, {}}), time, random() % 30 == 0 ? NAN : 1.5, true});
                        mine.emplace(name, time);
                    }
                    count += samples.size();
                    intake.take(samples);
                }
                const std::lock_guard lock(guard);
                all.merge(mine);
                sent += count;
            };
        };
        sent = 0;
        QVERIFY(follower.start(sources({play(1), play(2), play(3), play(4)})));
        while (!follower.ended()) {
            const auto counts = follower.counts();
            QCOMPARE(counts.received, counts.stored + counts.lost + counts.duplicate + counts.waiting);
            std::this_thread::sleep_for(5ms);
        }
        QVERIFY(follower.stop());
        const auto counts = follower.counts();
        QCOMPARE(counts.received, sent);
        QCOMPARE(counts.waiting + counts.lost, std::uint64_t(0));
        QCOMPARE(counts.received, counts.stored + counts.duplicate);
        QVERIFY(counts.outOfOrder > 100 && counts.notNumbers > 100);
        stored += counts.stored;
        QCOMPARE(stored, std::uint64_t(all.size())); // the second round says the same again
    }
    QCOMPARE((*history::Store::open(folder.filePath("x.telemetry").toStdString(), {}))->figures().samples, std::uint64_t(all.size()));
}

/// A slow judge: sources wait, nothing is dropped, and no more than the queue holds is ahead of it.
void TestFollowing::aFullQueueWaits()
{
    struct Slow final : Judge {
        std::atomic<std::size_t>& judged;
        explicit Slow(std::atomic<std::size_t>& count) : judged(count) {}
        void design(FiguresPtr, bindings::BoundPtr) override {}
        void take(std::span<const bindings::PointSample> samples) override
        {
            std::this_thread::sleep_for(2ms);
            judged += samples.size();
        }
        void gap(const bindings::Gap&) override {}
        void answer(const monitoring::Answer&, std::int64_t) override {}
        std::vector<monitoring::Event> advance(std::int64_t) override { return {}; }
        monitoring::FramePtr frame() const override { return nullptr; }
    };
    std::atomic<std::size_t> judged = 0, sent = 0;
    std::size_t furthest = 0;
    Options options;
    options.judge = [&judged] { return std::make_unique<Slow>(judged); };
    options.binder = fakeBinder();
    options.queue = 1000;
    Follower follower(noDesign(), std::move(options));
    QVERIFY(follower.start(sources({[&](bindings::Intake& intake, const std::atomic<bool>&) {
        const auto p = intake.channel({"p", {}, {}});
        intake.clock(1'000);
        intake.take(std::vector<bindings::Sample>{{p, 0, 0, true}});
        intake.clock(2'000); // bound from here
        for (int i = 1; i <= 300; ++i) {
            std::vector<bindings::Sample> samples;
            for (int n = 0; n < 100; ++n) samples.push_back({p, i * 100 + n, 1, true});
            intake.take(samples);
            sent += samples.size();
            furthest = std::max(furthest, sent - std::min<std::size_t>(sent, judged));
        }
    }})));
    waitFor(follower);
    QVERIFY(follower.stop());
    QCOMPARE(std::size_t(judged), std::size_t(30'001));
    QVERIFY2(furthest <= 1000 + 4096 + 100, qPrintable(QString::number(furthest)));
}

void TestFollowing::stopsAtOnce()
{
    Run run;
    auto options = optionsOf(run);
    options.queue = 100;
    Follower follower(noDesign(), std::move(options));
    QVERIFY(follower.start(sources({[](bindings::Intake& intake, const std::atomic<bool>& stopped) {
        const auto x = intake.channel({"x", {}, {}});
        for (std::int64_t i = 0; !stopped; ++i) intake.take(std::vector<bindings::Sample>(50, {x, i, 1, true}));
    }})));
    std::this_thread::sleep_for(200ms);
    QVERIFY(follower.stop());
    QVERIFY(follower.stop()); // nothing more to do
    const auto counts = follower.counts();
    QVERIFY(counts.received > 0);
    follower.take(std::vector<bindings::Sample>{{0, 5, 1, true}}); // too late: not taken, and nobody waits
    QCOMPARE(follower.counts(), counts);
}

void TestFollowing::tellsWhatItCannotDo()
{
    Run run;
    auto options = optionsOf(run);
    options.store = "/no/such/folder/x.telemetry";
    Follower follower(noDesign(), std::move(options));
    QVERIFY(!follower.start({}));
    QVERIFY(follower.troubles().empty());
}

/// Wherever it throws, and whatever: the thread goes on, says so, and judges from the last values; a replay gives the same.
void TestFollowing::aJudgeThatFailsIsMadeAnew()
{
    const auto followed = [](Run& run, Failing& failing, bool slow) {
        auto options = optionsOf(run);
        options.judge = [&] { return std::make_unique<FailingJudge>(run.log, failing); };
        Follower follower(noDesign(), std::move(options));
        follower.simulated({1, 2, 3});
        QVERIFY(follower.start(sources({[slow](bindings::Intake& intake, const std::atomic<bool>&) {
            if (slow) std::this_thread::sleep_for(20ms);
            aMinute(intake);
        }})));
        waitFor(follower);
        const auto stopped = follower.stop();
        run.counts = follower.counts();
        QVERIFY(!stopped && stopped.error().code == ErrorCode::Fault);
        QVERIFY(countOf({stopped.error().text()}, "judge") == 1);
        QCOMPARE(run.counts.received, std::uint64_t(60));
        QCOMPARE(run.counts.judgedMs, std::int64_t(159'000));
        QVERIFY(!follower.troubles().empty());
    };
    Run run, again;
    for (Run* one : {&run, &again}) {
        Failing failing;
        failing.seconds = {110'000, 140'000};
        followed(*one, failing, one == &again);
    }
    QCOMPARE(again.events, run.events);
    QCOMPARE(again.log, run.log);
    QCOMPARE(run.counts.faults, std::size_t(2));
    QCOMPARE(countOf(run.events, "judge over"), std::size_t(2));
    QCOMPARE(countOf(run.events, "110000 judge vector"), std::size_t(1));
    QCOMPARE(countOf(run.events, "111000 judge over"), std::size_t(1));
    QVERIFY(countOf(run.log, "judged 159000") == 1 && countOf(run.log, "judged 110000") == 0);
    // The new one knows the bindings, the last value and what was simulated.
    const auto at = std::ranges::find(run.log, "judged 111000");
    QVERIFY(at != run.log.end() && at - run.log.begin() > 2);
    QCOMPARE(*(at - 1), std::string("p1 110400 10 true"));
    QCOMPARE(*(at - 2), std::string("bound 1 of 1"));
    QVERIFY(run.events.back().ends_with(" 3"));

    Run inTake; // 42 is no exception with words
    Failing failing;
    failing.takes = 1;
    followed(inTake, failing, false);
    QVERIFY(countOf(inTake.events, "unknown type") == 1 && countOf(inTake.log, "judged 159000") == 1);
    Run inFrame;
    failing.frames = 1, failing.made = 0, failing.makes = 1;
    followed(inFrame, failing, false);
    QVERIFY(countOf(inFrame.events, "bad_alloc") == 1 && countOf(inFrame.log, "judged 159000") == 1);
}

/// After one second, two, four, …: an event each, and no busy loop. What a source says of itself meanwhile is reported all the same.
void TestFollowing::aJudgeThatAlwaysFailsIsTriedLessAndLess()
{
    Run run;
    Failing failing;
    for (std::int64_t second = 101; second < 160; ++second) failing.seconds.insert(second * 1000);
    auto options = optionsOf(run);
    options.judge = [&] { return std::make_unique<FailingJudge>(run.log, failing); };
    std::size_t gaps = 0;
    options.event = [&, told = options.event](const monitoring::Event& event) {
        gaps += event.kind == monitoring::Event::Kind::Gap;
        told(event);
    };
    Follower follower(noDesign(), std::move(options));
    QVERIFY(follower.start(sources({[](bindings::Intake& intake, const std::atomic<bool>&) {
        aMinute(intake, 3);
        intake.gap({"fake", 102'000, 0, {}});
        aMinute(intake);
    }})));
    waitFor(follower);
    QVERIFY(!follower.stop());
    QCOMPARE(follower.counts().faults, std::size_t(6)); // at 101, then after 1, 2, 4, 8, 16 and 32 s: 102, 104, 108, 116, 132
    QCOMPARE(gaps, std::size_t(1));
    QCOMPARE(follower.counts().received, std::uint64_t(63));
}

void TestFollowing::aBinderThatFails()
{
    Run run;
    auto options = optionsOf(run);
    std::atomic<int> calls = 0;
    options.binder = [&, good = fakeBinder()](const FiguresPtr& design, std::span<const bindings::ChannelText> channels,
                                              std::span<const bindings::ChannelNo> changed) -> bindings::BoundPtr {
        if (++calls == 1 || calls == 3) throw std::out_of_range("rule 7");
        return good(design, channels, changed);
    };
    Follower follower(noDesign(), std::move(options));
    QVERIFY(follower.start(sources({[](bindings::Intake& intake, const std::atomic<bool>&) {
        aMinute(intake, 10);
        const auto second = intake.channel({"p2", {}, {}});
        intake.take(std::vector<bindings::Sample>{{second, 109'450, 5, true}});
        aMinute(intake, 30);
    }})));
    waitFor(follower);
    QVERIFY(!follower.stop());
    QCOMPARE(follower.counts().bound, std::size_t(2));
    QCOMPARE(follower.counts().faults, std::size_t(2));
    QCOMPARE(countOf(run.events, "bindings rule 7"), std::size_t(2));
    QCOMPARE(countOf(run.log, "p2 109450 5 true"), std::size_t(1)); // once it was bound, a second later
    QVERIFY(countOf(run.log, "p1 125400 25 true") == 1);
}

/// None of them ends what is followed; what is not whole is said at the end.
void TestFollowing::aRecorderAndAListenerThatFail()
{
    struct Bad final : bindings::Recorder {
        void channel(bindings::ChannelNo, const bindings::ChannelText&) override {}
        void take(std::int64_t at, std::span<const bindings::Sample>) override
        {
            if (at > 105'000) throw std::runtime_error("no memory for the line");
        }
        void gap(std::int64_t, const bindings::Gap&) override {}
        Result<void> finish(std::int64_t) override { return {}; }
    };
    {
        Run run;
        auto options = optionsOf(run);
        options.recorder = std::make_unique<Bad>();
        Follower follower(noDesign(), std::move(options));
        QVERIFY(follower.start(sources({[](bindings::Intake& intake, const std::atomic<bool>&) { aMinute(intake); }})));
        waitFor(follower);
        const auto stopped = follower.stop();
        QVERIFY(!stopped && countOf({stopped.error().text()}, "the recording is incomplete") == 1);
        QCOMPARE(countOf(run.events, "recording no memory for the line"), std::size_t(1)); // and not for each line
        QCOMPARE(countOf(run.log, "judged 159000"), std::size_t(1));
    }
    Run run;
    auto options = optionsOf(run);
    int told = 0;
    options.event = [&](const monitoring::Event&) {
        if (++told == 3) throw std::logic_error("the pipe");
    };
    options.boundAgain = [](std::size_t channels) {
        if (channels > 0) throw std::logic_error("the list");
    };
    Follower follower(noDesign(), std::move(options));
    QVERIFY(follower.start(sources({[](bindings::Intake& intake, const std::atomic<bool>&) { aMinute(intake); }})));
    waitFor(follower);
    QVERIFY(!follower.stop());
    QCOMPARE(follower.counts().faults, std::size_t(2));
    QVERIFY(told > 50);
    QCOMPARE(countOf(run.log, "judged 159000"), std::size_t(1));
}

QTEST_GUILESS_MAIN(TestFollowing)
#include "test_following.moc"
