// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/live/past_reader.h"

#include "core/foundation/base/fence.h"

namespace hw::views {

namespace {

using ChannelNames = std::shared_ptr<const std::vector<std::string>>;

/// Names of the channels by their numbers, made again only where there are more channels than `known` has.
ChannelNames namesOf(const Feed& feed, const ChannelNames& known, std::size_t channels)
{
    if (known && known->size() >= channels) return known;
    auto made = std::make_shared<std::vector<std::string>>();
    for (auto& channel : feed.channels()) made->push_back(std::move(channel.name));
    return made;
}

} // namespace

void PastReader::follow(std::shared_ptr<Feed> feed)
{
    for (const char* slot : {"live.past", "live.compared"}) m_bridge.jobs().cancelSlot(slot);
    m_feed = std::move(feed);
    m_names = nullptr;
}

bool PastReader::moment(const char* slot, const monitoring::FramePtr& newest, const Wanted& wanted, std::int64_t timeMs, const EventLog& log,
                        std::function<void(monitoring::FramePtr)> done)
{
    const auto reader = m_feed ? m_feed->history() : nullptr;
    if (!reader || !newest || !newest->bound) return false;
    m_bridge.jobs().start<Result<Moment>>(
        slot, {},
        [reader, names = m_names, feed = m_feed, newest, wanted, timeMs](const Progress&) -> Result<Moment> {
            Moment moment;
            Result<monitoring::FramePtr> frame;
            const auto fault = faultIn([&] { // whoever waits for it is to hear that nothing comes
                moment.names = namesOf(*feed, names, newest->bound->channels.size());
                frame = pastFrame(*reader, newest->design, newest->bound, *moment.names, channelsOf(*newest->bound, wanted), timeMs);
            });
            if (fault) return fail(ErrorCode::Fault, "history", i18n("internal error: {}", *fault), i18n("please report it")); // no text: a place
            if (!frame) return tl::unexpected(frame.error());
            moment.frame = std::move(*frame);
            return moment;
        },
        [this, feed = m_feed, done = std::move(done), timeMs, &log](Result<Moment> moment) {
            if (feed != m_feed) return; // of what is not followed any more
            if (!moment) {
                m_bridge.report(moment.error());
                return done(nullptr);
            }
            m_names = moment->names;
            auto frame = std::make_shared<monitoring::Frame>(*moment->frame);
            frame->deviations = log.deviationsAt(timeMs);
            frame->alarms = log.alarmsAt(timeMs);
            done(std::move(frame));
        });
    return true;
}

void PastReader::series(const QString& slot, const monitoring::FramePtr& newest, std::vector<bindings::Point> points, std::int64_t fromMs,
                        std::int64_t toMs, std::vector<PointSeries> memory, std::function<void(std::vector<PointSeries>)> done)
{
    const auto reader = m_feed ? m_feed->history() : nullptr;
    if (!reader || !newest || !newest->bound) return done(std::move(memory));
    constexpr std::size_t kMostSamples = 2000;
    m_bridge.jobs().start<Result<std::vector<PointSeries>>>(
        "live.series." + slot, {},
        [reader, known = m_names, feed = m_feed, bound = newest->bound, points = std::move(points), fromMs,
         toMs](const Progress&) -> Result<std::vector<PointSeries>> {
            const auto numbers = channelsOf(*bound, points);
            const auto all = namesOf(*feed, known, bound->channels.size());
            std::vector<std::string> names;
            for (const bindings::ChannelNo no : numbers) names.push_back(no < all->size() ? (*all)[no] : std::string());
            const auto read = reader->read(names, fromMs, toMs, kMostSamples);
            if (!read) return tl::unexpected(read.error());
            std::vector<PointSeries> out(points.size());
            for (std::size_t i = 0; i < points.size() && i < read->size(); ++i)
                if (numbers[i] < bound->channels.size()) out[i] = converted((*read)[i], bound->channels[numbers[i]].conversion);
            return out;
        },
        [this, feed = m_feed, done = std::move(done), memory = std::move(memory)](Result<std::vector<PointSeries>> read) mutable {
            if (feed != m_feed) return;
            if (!read) return m_bridge.report(read.error());
            for (std::size_t i = 0; i < read->size(); ++i) { // what is not in the store yet
                PointSeries& whole = (*read)[i];
                const std::int64_t last = whole.timesMs.empty() ? 0 : whole.timesMs.back();
                for (std::size_t k = 0; k < memory[i].timesMs.size(); ++k)
                    if (memory[i].timesMs[k] > last) whole.timesMs.push_back(memory[i].timesMs[k]), whole.values.push_back(memory[i].values[k]);
            }
            done(std::move(*read));
        });
}

} // namespace hw::views
