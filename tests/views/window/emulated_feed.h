// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/monitoring/emulated.h"
#include "views/live/live_session.h"

#include <QTest>

#include <mutex>

namespace hw::test {

/// An emulated hall with the real watch behind it; time goes on when the test says so.
class EmulatedFeed final : public views::Feed {
public:
    EmulatedFeed(FiguresPtr figures, std::int64_t startMs, Callbacks heard) : m_hall(figures, options(startMs)), m_heard(std::move(heard))
    {
        m_watch.design(std::move(figures), m_hall.bound());
    }
    ~EmulatedFeed() override = default;
    void goOn(int seconds)
    {
        for (int i = 0; i < seconds; ++i) {
            const auto samples = m_hall.step();
            m_received += samples.size();
            m_watch.take(samples);
            for (const monitoring::Event& event : m_watch.advance(m_hall.nowMs())) m_heard.event(event);
            const std::scoped_lock lock(m_guard);
            m_frame = m_watch.frame();
        }
    }
    void deed(const std::string& line) { m_hall.deed(line); }
    const bindings::BoundPtr& bound() const { return m_hall.bound(); }

    void stop() override {}
    bool ended() const override { return false; }
    void design(FiguresPtr) override {}
    void answer(const monitoring::Answer& answer) override { m_watch.answer(answer, m_hall.nowMs()); }
    monitoring::FramePtr frame() const override
    {
        const std::scoped_lock lock(m_guard);
        return m_frame;
    }
    following::Counts counts() const override
    {
        following::Counts counts;
        counts.received = counts.stored = m_received;
        counts.channels = counts.bound = m_hall.bound()->points.size();
        return counts;
    }
    std::vector<bindings::ChannelText> channels() const override { return {}; }
    std::shared_ptr<const history::Reader> history() const override { return nullptr; }
    std::int64_t oldestMs() const override { return 0; }
    std::vector<Text> troubles() const override { return {}; }

private:
    static emulation::Options options(std::int64_t startMs)
    {
        emulation::Options options;
        options.startMs = startMs;
        return options;
    }
    Emulated m_hall;
    monitoring::Monitor m_watch;
    Callbacks m_heard;
    mutable std::mutex m_guard;
    monitoring::FramePtr m_frame;
    std::uint64_t m_received = 0;
};

/// Lets the window follow an emulated hall of the design that is shown; null: it does not begin.
inline std::shared_ptr<EmulatedFeed> followEmulated(views::LiveSession& live, std::int64_t startMs)
{
    auto feed = std::make_shared<std::shared_ptr<EmulatedFeed>>();
    live.open("emulated", [feed, startMs](const FiguresPtr& figures, const views::Feed::Callbacks& heard) -> Result<std::shared_ptr<views::Feed>> {
        *feed = std::make_shared<EmulatedFeed>(figures, startMs, heard);
        return std::shared_ptr<views::Feed>(*feed);
    });
    return QTest::qWaitFor([&] { return live.on(); }, 60000) ? *feed : nullptr;
}

} // namespace hw::test
