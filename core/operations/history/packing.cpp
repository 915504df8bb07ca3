// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/history/packing.h"

#include <map>

namespace hw::history {

namespace {

/// What lies in one row.
struct Part {
    std::vector<Column> columns;
    std::vector<MinuteColumn> minutes;
};

/// The samples of channels of one place, by hour.
std::map<std::int64_t, Part> byHour(const Contents& contents, std::span<const ChannelId> channels)
{
    std::map<std::int64_t, Part> parts;
    for (const auto channel : channels) {
        auto rest = contents.frozen.of(channel);
        while (!rest.empty()) {
            const std::int64_t hour = rest.front().timeMs() / kHour;
            const auto end = std::ranges::lower_bound(rest, (hour + 1) * kHour, {}, &Held::timeMs);
            const auto here = rest.first(std::size_t(end - rest.begin()));
            Part& part = parts[hour];
            part.columns.push_back({channel, {here.begin(), here.end()}});
            if (auto minutes = minutesOf(here); !minutes.empty()) part.minutes.push_back({channel, std::move(minutes)});
            rest = rest.subspan(here.size());
        }
    }
    return parts;
}

/// Both ascending by channel.
std::vector<MinuteColumn> joinedColumns(std::vector<MinuteColumn> a, std::vector<MinuteColumn> b)
{
    std::vector<MinuteColumn> all;
    auto left = a.begin();
    for (auto& column : b) {
        while (left != a.end() && left->channel < column.channel) all.push_back(std::move(*left++));
        if (left != a.end() && left->channel == column.channel) column.minutes = joined((left++)->minutes, column.minutes);
        all.push_back(std::move(column));
    }
    all.insert(all.end(), std::make_move_iterator(left), std::make_move_iterator(a.end()));
    return all;
}

Result<PackedChunk> chunkOf(TelemetryFile& file, PlaceId place, std::int64_t hour, Part part)
{
    PackedChunk chunk{place, hour, part.columns[0].held.front().timeMs(), part.columns[0].held.back().timeMs(), 0, {}, {}};
    for (const auto& column : part.columns) {
        chunk.startMs = std::min(chunk.startMs, column.held.front().timeMs());
        chunk.finishMs = std::max(chunk.finishMs, column.held.back().timeMs());
        chunk.samples += column.held.size();
    }
    chunk.data = packColumns(part.columns);
    const auto there = file.minutes(place, hour);
    if (!there) return tl::unexpected(there.error());
    if (!there->empty()) {
        auto minutes = unpackMinutes(*there);
        if (!minutes) return tl::unexpected(damagedRow(file.path()));
        part.minutes = joinedColumns(std::move(*minutes), std::move(part.minutes));
    }
    chunk.minutes = packMinutes(part.minutes);
    return chunk;
}

} // namespace

Result<Packed> pack(Contents& contents, TelemetryFile& file, const std::function<void()>& between)
{
    Packed packed;
    auto channels = contents.frozen.channels();
    std::ranges::sort(channels);
    for (const auto channel : channels)
        if (contents.channels[channel].place == 0) {
            const std::lock_guard lock(contents.mutex);
            contents.place(channel);
            packed.placed.push_back(channel);
        }
    std::ranges::stable_sort(channels, {}, [&](ChannelId channel) { return contents.channels[channel].place; });
    for (std::size_t first = 0; first < channels.size();) {
        const PlaceId place = contents.channels[channels[first]].place;
        std::size_t last = first;
        while (last < channels.size() && contents.channels[channels[last]].place == place) ++last;
        for (auto& [hour, part] : byHour(contents, std::span(channels).subspan(first, last - first))) {
            auto chunk = chunkOf(file, place, hour, std::move(part));
            if (!chunk) return tl::unexpected(chunk.error());
            packed.chunks.push_back(std::move(*chunk));
        }
        first = last;
        between();
    }
    return packed;
}

} // namespace hw::history
