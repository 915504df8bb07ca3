// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/live/live_session.h"

#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>

namespace hw::test {

/// A history that knows a formula: the value of channel i at a time.
class FormulaHistory final : public history::Reader {
public:
    explicit FormulaHistory(std::size_t channels) : m_channels(channels) {}
    static double value(std::size_t channel, std::int64_t timeMs) { return 1000.0 * double(channel + 1) + double(timeMs / 1000 % 997); }
    static std::string name(std::size_t channel) { return "channel/" + std::to_string(channel); }
    std::size_t channelOf(const std::string& text) const
    {
        for (std::size_t i = 0; i < m_channels; ++i)
            if (name(i) == text) return i;
        return m_channels;
    }
    Result<std::vector<history::Series>> read(std::span<const std::string> channels, std::int64_t fromMs, std::int64_t toMs,
                                              std::size_t) const override
    {
        std::vector<history::Series> out(channels.size());
        for (std::size_t i = 0; i < channels.size(); ++i)
            for (std::int64_t t = fromMs; t <= toMs && channelOf(channels[i]) < m_channels; t += 1000) {
                out[i].timesMs.push_back(t);
                out[i].values.push_back(value(channelOf(channels[i]), t));
            }
        return out;
    }
    Result<std::vector<double>> at(std::span<const std::string> channels, std::int64_t timeMs, std::int64_t) const override
    {
        ++asked;
        std::vector<double> out;
        for (const std::string& channel : channels) {
            const std::size_t i = channelOf(channel);
            out.push_back(i < m_channels ? value(i, timeMs) : std::numeric_limits<double>::quiet_NaN());
        }
        return out;
    }
    mutable std::atomic<int> asked{0};

private:
    std::size_t m_channels;
};

/// A feed whose frames the test makes.
class FakeFeed final : public views::Feed {
public:
    FakeFeed(std::vector<bindings::Point> points, Callbacks heard) : m_heard(std::move(heard))
    {
        auto bound = std::make_shared<bindings::Bound>();
        std::ranges::sort(points);
        bound->points = points;
        bound->channels.resize(points.size());
        for (std::size_t i = 0; i < points.size(); ++i) {
            bound->channels[i].reason = bindings::Bound::Reason::Bound;
            bound->channels[i].point = bindings::PointNo(i);
        }
        bound->bound = points.size();
        m_bound = std::move(bound);
        m_history = std::make_shared<FormulaHistory>(points.size());
    }
    ~FakeFeed() override { stop(); }
    void stop() override { stopped = true; }
    bool ended() const override { return over; }
    void design(FiguresPtr design) override { m_design = std::move(design), ++designs; }
    void answer(const monitoring::Answer& answer) override { answers.push_back(answer); }
    void simulated(std::vector<float> loads, impact::LoadsAfter after) override { gbps = std::move(loads), loadsAfter = std::move(after); }
    monitoring::FramePtr frame() const override
    {
        const std::scoped_lock lock(m_guard);
        return m_frame;
    }
    following::Counts counts() const override
    {
        following::Counts counts;
        counts.received = 1000;
        counts.channels = counts.bound = m_bound->points.size();
        return counts;
    }
    std::vector<bindings::ChannelText> channels() const override
    {
        std::vector<bindings::ChannelText> out;
        for (std::size_t i = 0; i < m_bound->channels.size(); ++i) out.push_back({FormulaHistory::name(i), {}, {}});
        return out;
    }
    std::shared_ptr<const history::Reader> history() const override { return keeps ? m_history : nullptr; }
    std::int64_t oldestMs() const override { return keeps ? oldest : 0; }
    std::vector<Text> troubles() const override { return {}; }
    std::shared_ptr<const jobs::JobTelemetry> jobs() const override { return telemetry; }

    void put(monitoring::Frame frame)
    {
        frame.bound = m_bound;
        frame.values.resize(m_bound->points.size(), std::numeric_limits<float>::quiet_NaN());
        frame.times.assign(m_bound->points.size(), frame.atMs);
        const std::scoped_lock lock(m_guard);
        m_frame = std::make_shared<const monitoring::Frame>(std::move(frame));
    }
    void say(const monitoring::Event& event) { m_heard.event(event); }
    const bindings::BoundPtr& bound() const { return m_bound; }
    const FiguresPtr& lastDesign() const { return m_design; }
    const FormulaHistory& kept() const { return *m_history; }

    std::shared_ptr<jobs::JobTelemetry> telemetry = std::make_shared<jobs::JobTelemetry>();
    std::vector<float> gbps; ///< that links should carry
    impact::LoadsAfter loadsAfter;
    std::atomic<bool> stopped{false}, over{false};
    std::atomic<int> designs{0};
    std::vector<monitoring::Answer> answers;
    bool keeps = true;
    std::int64_t oldest = 0;

private:
    Callbacks m_heard;
    bindings::BoundPtr m_bound;
    std::shared_ptr<FormulaHistory> m_history;
    FiguresPtr m_design;
    mutable std::mutex m_guard;
    monitoring::FramePtr m_frame;
};

} // namespace hw::test
