// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/following/follower.h"

#include <atomic>
#include <mutex>
#include <thread>

#include <fmt/format.h>

namespace hw::test {

/// Writes down what it is asked, and says something at every whole second that follows from all that came before.
class FakeJudge final : public following::Judge {
public:
    explicit FakeJudge(std::vector<std::string>& log) : m_log(log) {}
    void design(FiguresPtr, bindings::BoundPtr bound) override
    {
        m_bound = std::move(bound);
        m_log.push_back(fmt::format("bound {} of {}", m_bound->bound, m_bound->channels.size()));
    }
    void take(std::span<const bindings::PointSample> samples) override
    {
        for (const auto& sample : samples) // one line for each: how they are cut into calls does not matter
            m_log.push_back(fmt::format("{} {} {} {}", m_bound->points[sample.point].element, sample.timeMs, sample.value, sample.good));
    }
    void gap(const bindings::Gap& gap) override { m_log.push_back(fmt::format("gap {} {} {}", gap.source, gap.fromMs, gap.toMs)); }
    void answer(const monitoring::Answer& answer, std::int64_t atMs) override { m_log.push_back(fmt::format("answer {} {}", answer.alarm, atMs)); }
    void clock(const monitoring::ClockShift& shift) override
    {
        m_log.push_back(fmt::format("clock {} {} {}", shift.channels, shift.byMs, shift.channel));
    }
    std::vector<monitoring::Event> advance(std::int64_t atMs) override
    {
        m_log.push_back(fmt::format("judged {}", atMs));
        monitoring::Event event;
        event.atMs = atMs;
        event.alarm.id = fmt::format("{}", m_log.size());
        return {event};
    }
    monitoring::FramePtr frame() const override { return std::make_shared<monitoring::Frame>(); }

private:
    std::vector<std::string>& m_log;
    bindings::BoundPtr m_bound;
};

/// A recording in memory.
struct Recorded {
    struct Line {
        std::int64_t atMs = 0;
        bindings::ChannelNo number = 0;
        std::optional<bindings::ChannelText> channel;
        std::optional<bindings::Gap> gap;
        std::vector<bindings::Sample> samples;
    };
    std::vector<Line> lines;
    std::int64_t endMs = 0;
};
class FakeRecorder final : public bindings::Recorder {
public:
    explicit FakeRecorder(Recorded& to) : m_to(to) {}
    void channel(bindings::ChannelNo number, const bindings::ChannelText& text) override { m_to.lines.push_back({0, number, text, {}, {}}); }
    void take(std::int64_t at, std::span<const bindings::Sample> samples) override
    {
        m_to.lines.push_back({at, 0, {}, {}, {samples.begin(), samples.end()}});
    }
    void gap(std::int64_t at, const bindings::Gap& gap) override { m_to.lines.push_back({at, 0, {}, gap, {}}); }
    Result<void> finish(std::int64_t at) override
    {
        m_to.endMs = at;
        return {};
    }

private:
    Recorded& m_to;
};

/// Plays a function on a thread of its own.
class FakeSource final : public bindings::Source {
public:
    using Play = std::function<void(bindings::Intake&, const std::atomic<bool>& stopped)>;
    explicit FakeSource(Play play) : m_play(std::move(play)) {}
    std::string name() const override { return "fake"; }
    Result<void> start(bindings::Intake& intake) override
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
inline following::Binder fakeBinder(std::atomic<int>* calls = nullptr)
{
    return [calls](const FiguresPtr&, std::span<const bindings::ChannelText> channels, std::span<const bindings::ChannelNo>) {
        if (calls) ++*calls;
        auto bound = std::make_shared<bindings::Bound>();
        bound->channels.resize(channels.size());
        for (std::size_t i = 0; i < channels.size(); ++i) {
            const std::string& name = channels[i].name;
            if (name[0] != 'p' && name[0] != 'c') {
                ++bound->unbound;
                continue;
            }
            bound->channels[i].reason = bindings::Bound::Reason::Bound;
            bound->channels[i].point = bindings::PointNo(bound->points.size());
            bound->channels[i].conversion = {channels[i].unit == "kW" ? 1000.0 : 1.0, 0, name[0] == 'c'};
            bound->points.push_back({{}, bindings::Measure::ActivePower, name});
            ++bound->bound;
        }
        return bindings::BoundPtr(bound);
    };
}

} // namespace hw::test
