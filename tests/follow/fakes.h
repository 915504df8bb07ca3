// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/following/follower.h"

#include <atomic>
#include <mutex>
#include <thread>

#include <fmt/format.h>

namespace hw::test {

/// Writes down what it is asked, and says something at every whole second that follows from all that came before.
class FakeJudge final : public follow::Judge {
public:
    explicit FakeJudge(std::vector<std::string>& log) : m_log(log) {}
    void design(FiguresPtr, live::BoundPtr bound) override
    {
        m_bound = std::move(bound);
        m_log.push_back(fmt::format("bound {} of {}", m_bound->bound, m_bound->channels.size()));
    }
    void take(std::span<const live::PointSample> samples) override
    {
        for (const auto& sample : samples) // one line for each: how they are cut into calls does not matter
            m_log.push_back(fmt::format("{} {} {} {}", m_bound->points[sample.point].element, sample.timeMs, sample.value, sample.good));
    }
    void gap(const live::Gap& gap) override { m_log.push_back(fmt::format("gap {} {} {}", gap.source, gap.fromMs, gap.toMs)); }
    void answer(const watch::Answer& answer, std::int64_t atMs) override { m_log.push_back(fmt::format("answer {} {}", answer.alarm, atMs)); }
    std::vector<watch::Event> advance(std::int64_t atMs) override
    {
        m_log.push_back(fmt::format("judged {}", atMs));
        watch::Event event;
        event.atMs = atMs;
        event.alarm.id = fmt::format("{}", m_log.size());
        return {event};
    }
    watch::FramePtr frame() const override { return std::make_shared<watch::Frame>(); }

private:
    std::vector<std::string>& m_log;
    live::BoundPtr m_bound;
};

/// A recording in memory.
struct Recorded {
    struct Line {
        std::int64_t atMs = 0;
        live::ChannelNo number = 0;
        std::optional<live::ChannelText> channel;
        std::optional<live::Gap> gap;
        std::vector<live::Sample> samples;
    };
    std::vector<Line> lines;
    std::int64_t endMs = 0;
};
class FakeRecorder final : public live::Recorder {
public:
    explicit FakeRecorder(Recorded& to) : m_to(to) {}
    void channel(live::ChannelNo number, const live::ChannelText& text) override { m_to.lines.push_back({0, number, text, {}, {}}); }
    void take(std::int64_t at, std::span<const live::Sample> samples) override
    {
        m_to.lines.push_back({at, 0, {}, {}, {samples.begin(), samples.end()}});
    }
    void gap(std::int64_t at, const live::Gap& gap) override { m_to.lines.push_back({at, 0, {}, gap, {}}); }
    Result<void> finish(std::int64_t at) override
    {
        m_to.endMs = at;
        return {};
    }

private:
    Recorded& m_to;
};

/// Plays a function on a thread of its own.
class FakeSource final : public live::Source {
public:
    using Play = std::function<void(live::Intake&, const std::atomic<bool>& stopped)>;
    explicit FakeSource(Play play) : m_play(std::move(play)) {}
    std::string name() const override { return "fake"; }
    Result<void> start(live::Intake& intake) override
    {
        m_thread = std::thread([this, &intake] {
            m_play(intake, m_stopped);
            m_ended = true;
        });
        return {};
    }
    void stop() override
    {
        m_stopped = true;
        if (m_thread.joinable()) m_thread.join();
    }
    ~FakeSource() override { stop(); }
    bool ended() const override { return m_ended; }
    Text trouble() const override { return {}; }

private:
    Play m_play;
    std::thread m_thread;
    std::atomic<bool> m_stopped = false, m_ended = false;
};

/// "p7", "c7" (a counter) have the point 7; other names have none. `calls` counts.
inline follow::Binder fakeBinder(std::atomic<int>* calls = nullptr)
{
    return [calls](const FiguresPtr&, std::span<const live::ChannelText> channels, std::span<const live::ChannelNo>) {
        if (calls) ++*calls;
        auto bound = std::make_shared<live::Bound>();
        bound->channels.resize(channels.size());
        for (std::size_t i = 0; i < channels.size(); ++i) {
            const std::string& name = channels[i].name;
            if (name[0] != 'p' && name[0] != 'c') {
                ++bound->unbound;
                continue;
            }
            bound->channels[i].reason = live::Bound::Reason::Bound;
            bound->channels[i].point = live::PointNo(bound->points.size());
            bound->channels[i].conversion = {channels[i].unit == "kW" ? 1000.0 : 1.0, 0, name[0] == 'c'};
            bound->points.push_back({{}, live::Measure::ActivePower, name});
            ++bound->bound;
        }
        return live::BoundPtr(bound);
    };
}

} // namespace hw::test
