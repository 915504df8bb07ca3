// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/live/past.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hw::views {

namespace {

constexpr std::int64_t kMostAgeMs = 5 * 60 * 1000, kCounterMs = 60 * 1000;
constexpr std::size_t kFew = 20'000;

bool same(const monitoring::Deviation& a, const monitoring::Deviation& b)
{
    return a.kind == b.kind && a.entity == b.entity && a.element == b.element && a.measure == b.measure;
}

} // namespace

void EventLog::add(const monitoring::Event& event)
{
    using Kind = monitoring::Event::Kind;
    if (event.kind == Kind::Gap) {
        const auto known =
            std::ranges::find_if(m_gaps, [&](const bindings::Gap& gap) { return gap.source == event.gap.source && gap.fromMs == event.gap.fromMs; });
        if (known != m_gaps.end())
            *known = event.gap; // now its end is known
        else
            m_gaps.push_back(event.gap);
        return;
    }
    if (event.kind == Kind::Trouble && event.trouble.judgedAnew)
        for (auto& [id, alarm] : m_alarms)
            if (alarm.clearedMs == 0) alarm.clearedMs = event.atMs; // what still holds is raised again
    if (event.kind == Kind::Alarm || event.kind == Kind::AlarmChanges || event.kind == Kind::AlarmEnds) {
        monitoring::Alarm& alarm = m_alarms[event.alarm.id];
        alarm = event.alarm;
        if (event.kind == Kind::AlarmEnds && alarm.clearedMs == 0) alarm.clearedMs = event.atMs;
    }
    const auto after = std::ranges::upper_bound(m_events, event.atMs, {}, &monitoring::Event::atMs);
    m_events.insert(after, event);
    if (m_events.size() > kMost) m_events.erase(m_events.begin(), m_events.begin() + kMost / 10);
}

void EventLog::clear() { *this = {}; }

std::vector<monitoring::Deviation> EventLog::deviationsAt(std::int64_t timeMs) const
{
    std::vector<monitoring::Deviation> standing;
    for (const monitoring::Event& event : m_events) {
        if (event.atMs > timeMs) break;
        if (event.kind == monitoring::Event::Kind::Trouble && event.trouble.judgedAnew) standing.clear();
        if (event.kind != monitoring::Event::Kind::Deviation && event.kind != monitoring::Event::Kind::DeviationEnds) continue;
        std::erase_if(standing, [&](const monitoring::Deviation& d) { return same(d, event.deviation); });
        if (event.kind == monitoring::Event::Kind::Deviation) standing.push_back(event.deviation);
    }
    std::ranges::stable_sort(standing, std::ranges::greater{}, [](const monitoring::Deviation& d) { return std::abs(d.share); });
    return standing;
}

std::vector<monitoring::Alarm> EventLog::alarmsAt(std::int64_t timeMs) const
{
    std::vector<monitoring::Alarm> standing;
    for (const monitoring::Event& event : m_events) {
        if (event.atMs > timeMs) break;
        if (event.kind == monitoring::Event::Kind::Trouble && event.trouble.judgedAnew) standing.clear();
        const bool ends = event.kind == monitoring::Event::Kind::AlarmEnds;
        if (!ends && event.kind != monitoring::Event::Kind::Alarm && event.kind != monitoring::Event::Kind::AlarmChanges) continue;
        std::erase_if(standing, [&](const monitoring::Alarm& alarm) { return alarm.id == event.alarm.id; });
        if (!ends) standing.push_back(event.alarm);
    }
    std::ranges::stable_sort(standing, std::ranges::greater{}, &monitoring::Alarm::sinceMs);
    return standing;
}

std::vector<monitoring::Alarm> EventLog::alarms() const
{
    std::vector<monitoring::Alarm> all;
    for (const auto& [id, alarm] : m_alarms) all.push_back(alarm);
    std::ranges::stable_sort(all, {}, &monitoring::Alarm::sinceMs);
    return all;
}

std::vector<bindings::ChannelNo> channelsOf(const bindings::Bound& bound, const Wanted& wanted)
{
    std::vector<bindings::ChannelNo> channels;
    const bool all = bound.bound <= kFew;
    for (std::size_t i = 0; i < bound.channels.size(); ++i) {
        const bindings::PointNo no = bound.channels[i].point;
        if (no >= bound.points.size()) continue;
        const bindings::Point& point = bound.points[no];
        if (all || wanted.measures.contains(point.measure) || point.entity == wanted.entity) channels.push_back(bindings::ChannelNo(i));
    }
    return channels;
}

std::vector<bindings::ChannelNo> channelsOf(const bindings::Bound& bound, std::span<const bindings::Point> points)
{
    std::map<bindings::PointNo, std::size_t> places;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (const bindings::PointNo no = bound.find(points[i]); no != bindings::kNoPoint) places[no] = i;
    std::vector<bindings::ChannelNo> channels(points.size(), bindings::kNoPoint);
    for (std::size_t i = 0; i < bound.channels.size(); ++i)
        if (const auto found = places.find(bound.channels[i].point); found != places.end()) channels[found->second] = bindings::ChannelNo(i);
    return channels;
}

Result<monitoring::FramePtr> pastFrame(const history::Reader& reader, const FiguresPtr& design, const bindings::BoundPtr& bound,
                                       const std::vector<std::string>& names, std::span<const bindings::ChannelNo> channels, std::int64_t timeMs)
{
    auto frame = std::make_shared<monitoring::Frame>();
    frame->atMs = timeMs;
    frame->design = design;
    frame->bound = bound;
    frame->values.assign(bound->points.size(), std::numeric_limits<float>::quiet_NaN());
    frame->times.assign(bound->points.size(), timeMs);
    std::vector<std::string> asked;
    std::vector<bindings::ChannelNo> known;
    for (const bindings::ChannelNo channel : channels)
        if (channel < names.size() && channel < bound->channels.size()) asked.push_back(names[channel]), known.push_back(channel);
    const auto values = reader.at(asked, timeMs, kMostAgeMs);
    if (!values) return tl::unexpected(values.error());
    std::vector<std::string> counters;
    for (std::size_t i = 0; i < known.size(); ++i)
        if (bound->channels[known[i]].conversion.counter) counters.push_back(asked[i]);
    const auto before = counters.empty() ? Result<std::vector<double>>(std::vector<double>()) : reader.at(counters, timeMs - kCounterMs, kMostAgeMs);
    if (!before) return tl::unexpected(before.error());
    std::size_t counter = 0;
    for (std::size_t i = 0; i < known.size() && i < values->size(); ++i) {
        const auto& channel = bound->channels[known[i]];
        double value = (*values)[i];
        if (channel.conversion.counter) {
            const double rise = value - (counter < before->size() ? (*before)[counter] : value);
            ++counter;
            value = rise >= 0 ? rise / (double(kCounterMs) / 1000) : std::numeric_limits<double>::quiet_NaN(); // it began again
        }
        frame->values[channel.point] = float(channel.conversion(value));
    }
    return frame;
}

PointSeries converted(const history::Series& series, const bindings::Conversion& conversion)
{
    PointSeries out;
    for (std::size_t i = 0; i < series.timesMs.size() && i < series.values.size(); ++i) {
        double value = series.values[i];
        if (conversion.counter) {
            if (i == 0) continue;
            const double seconds = double(series.timesMs[i] - series.timesMs[i - 1]) / 1000;
            value =
                seconds > 0 && value >= series.values[i - 1] ? (value - series.values[i - 1]) / seconds : std::numeric_limits<double>::quiet_NaN();
        }
        if (std::isnan(value)) continue;
        out.timesMs.push_back(series.timesMs[i]);
        out.values.push_back(conversion(value));
    }
    return out;
}

} // namespace hw::views
