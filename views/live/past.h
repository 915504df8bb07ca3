// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/live/frame_ring.h"

#include "core/operations/history/store.h"

#include <map>
#include <optional>
#include <set>
#include <span>

namespace hw::views {

/// What the watch said since the beginning, so that a moment of the past has the deviations and alarms that stood then.
class EventLog {
public:
    void add(const monitoring::Event& event);
    void clear();
    [[nodiscard]] std::vector<monitoring::Deviation> deviationsAt(std::int64_t timeMs) const; ///< worst first
    [[nodiscard]] std::vector<monitoring::Alarm> alarmsAt(std::int64_t timeMs) const;         ///< newest first
    [[nodiscard]] const std::vector<bindings::Gap>& gaps() const { return m_gaps; }
    [[nodiscard]] const std::vector<monitoring::Event>& events() const { return m_events; } ///< without gaps, in the order of their times
    /// Every alarm as it was said last, by the time at which it began.
    [[nodiscard]] std::vector<monitoring::Alarm> alarms() const;

private:
    static constexpr std::size_t kMost = 200'000;
    std::vector<monitoring::Event> m_events; ///< in the order of their times
    std::vector<bindings::Gap> m_gaps;
    std::map<std::string, monitoring::Alarm> m_alarms;
};

/// Which channels have to be read to show a moment.
struct Wanted {
    std::set<bindings::Measure> measures; ///< of what is colored
    EntityRef entity;                     ///< of which all is shown
};
/// Numbers of the channels that are bound to what is wanted; all of them where they are few.
[[nodiscard]] std::vector<bindings::ChannelNo> channelsOf(const bindings::Bound& bound, const Wanted& wanted);
/// Channels of the points, in their order; kNoPoint where nothing is bound to one.
[[nodiscard]] std::vector<bindings::ChannelNo> channelsOf(const bindings::Bound& bound, std::span<const bindings::Point> points);

/// A moment as the history has it. Values older than five minutes count as none. Errors are those of the reader.
[[nodiscard]] Result<monitoring::FramePtr> pastFrame(const history::Reader& reader, const FiguresPtr& design, const bindings::BoundPtr& bound,
                                                     const std::vector<std::string>& names, std::span<const bindings::ChannelNo> channels,
                                                     std::int64_t timeMs);

/// What a channel's history says in the unit of its measure; counters become rises per second.
[[nodiscard]] PointSeries converted(const history::Series& series, const bindings::Conversion& conversion);

} // namespace hw::views
