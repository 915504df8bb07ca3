// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/live/scrub_bench.h"

#include "core/operations/history/store.h"
#include "tests/bench/live/telemetrygen.h"
#include "views/live/time_bar.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <cstdio>

namespace hw::bench {

namespace {

constexpr std::int64_t kStartMs = 1'790'000'000'000, kDayMs = 86'400'000;
constexpr int kChannels = 300; ///< of the rack

/// A rack whose day is in a store, and its newest moment.
class DayFeed final : public views::Feed {
public:
    DayFeed(const std::filesystem::path& file, EntityRef rack, FiguresPtr design)
    {
        m_store = std::move(*history::Store::open(file, {}));
        auto bound = std::make_shared<bindings::Bound>();
        for (int i = 0; i < kChannels; ++i) {
            char element[16];
            std::snprintf(element, sizeof element, "e%03d", i);
            bound->points.push_back({rack, bindings::Measure::ActivePower, i == 0 ? std::string() : std::string(element)});
            m_channels.push_back({"day/channel" + std::to_string(i), {}, "W"});
        }
        bound->channels.resize(kChannels);
        for (std::uint32_t i = 0; i < kChannels; ++i) bound->channels[i].reason = bindings::Bound::Reason::Bound, bound->channels[i].point = i;
        bound->bound = kChannels;
        std::vector<bindings::Sample> samples;
        m_store->together(std::vector<std::uint32_t>(kChannels, 1));
        for (int s = 0; s < kDayMs / 1000; ++s) {
            samples.clear();
            for (std::uint32_t c = 0; c < kChannels; ++c) samples.push_back({c, kStartMs + s * 1000LL + c % 20, sensor(c, s), true});
            m_store->append(samples, m_channels);
            if (s % 2000 == 0) (void)m_store->flush();
        }
        (void)m_store->flush();
        auto frame = std::make_shared<monitoring::Frame>();
        frame->atMs = kStartMs + kDayMs, frame->design = std::move(design), frame->bound = bound;
        frame->values.assign(kChannels, 1000), frame->times.assign(kChannels, frame->atMs);
        m_frame = frame;
    }
    void stop() override {}
    bool ended() const override { return false; }
    void design(FiguresPtr) override {}
    void answer(const monitoring::Answer&) override {}
    monitoring::FramePtr frame() const override { return m_frame; }
    following::Counts counts() const override { return {}; }
    std::vector<bindings::ChannelText> channels() const override { return m_channels; }
    std::shared_ptr<const history::Reader> history() const override { return m_store; }
    std::int64_t oldestMs() const override { return kStartMs; }
    std::vector<Text> troubles() const override { return {}; }

private:
    std::shared_ptr<history::Store> m_store;
    std::vector<bindings::ChannelText> m_channels;
    monitoring::FramePtr m_frame;
};

} // namespace

void benchScrub(app::MainWindow& window, const std::filesystem::path& folder)
{
    auto& bridge = window.session().bridge();
    const EntityRef rack = ref(bridge.snapshot()->racks.ids().front());
    auto feed = std::make_shared<DayFeed>(folder / "day.telemetry", rack, bridge.figures());
    window.live().open("day", [feed](const FiguresPtr&, const views::Feed::Callbacks&) -> Result<std::shared_ptr<views::Feed>> {
        return std::shared_ptr<views::Feed>(feed);
    });
    (void)QTest::qWaitFor([&] { return window.live().on() && window.live().newest(); }, 60'000);
    bridge.select(rack);
    auto* canvas = window.timeBar()->canvas();
    canvas->setSpan(kDayMs);
    QTest::qWait(1000);
    std::vector<double> took;
    for (int i = 0; i < 100; ++i) {
        const QPoint at(1 + int(mixed(std::uint64_t(i)) % std::uint64_t(canvas->width() * 9 / 10)), canvas->height() / 3);
        QElapsedTimer clock;
        clock.start();
        QTest::mouseClick(canvas, Qt::LeftButton, {}, at);
        const bool there = QTest::qWaitFor([&] { return window.live().shown()->atMs == window.live().wantedMs(); }, 5000);
        took.push_back(there ? double(clock.nsecsElapsed()) * 1e-6 : 5000);
    }
    std::ranges::sort(took);
    QElapsedTimer clock;
    clock.start();
    bool read = false;
    std::size_t values = 0;
    window.live().readSeries("bench", window.live().newest()->bound->points, kStartMs, kStartMs + kDayMs,
                             [&](const std::vector<views::PointSeries>& all) {
                                 for (const auto& one : all) values += one.values.size();
                                 read = true;
                             });
    (void)QTest::qWaitFor([&] { return read; }, 20'000);
    std::printf("a day of a rack, %d channels each second; a click on the time bar until all views have that moment: median %.1f ms, "
                "9 of 10 in %.1f ms, worst %.1f ms; the day as series of all channels: %lld ms, %zu values\n",
                kChannels, took[50], took[90], took.back(), static_cast<long long>(clock.elapsed()), values);
    std::fflush(stdout);
    window.live().close();
}

} // namespace hw::bench
