// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/history/memory.h"

#include <deque>
#include <limits>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace hw::history {

/// A few channels whose samples lie in the same rows; 0: not given yet.
using PlaceId = std::int64_t;
inline constexpr std::int64_t kHour = 3'600'000, kMinute = 60'000;

/// What the store knows without looking into its file. The writer changes it under the mutex, and alone may read it without.
/// Holding the mutex, memory and the last committed state of the file fit each other: no sample in both, none in neither.
struct Contents {
    struct Channel {
        PlaceId place = 0;
        std::uint32_t group = 0;                                          ///< those of one are to lie together
        std::int64_t newestMs = std::numeric_limits<std::int64_t>::max(); ///< of this run; until then every sample may be there already
    };
    struct Row {
        PlaceId place = 0;
        std::int64_t hour = 0;
        friend bool operator==(const Row&, const Row&) = default;
    };
    struct RowHash {
        std::size_t operator()(const Row& row) const { return std::size_t(row.place) * 0x9E3779B97F4A7C15ULL ^ std::size_t(row.hour); }
    };

    mutable std::mutex mutex;
    std::deque<std::string> names;                            ///< of channels, from id 1
    std::unordered_map<std::string_view, ChannelId> ids;      ///< views of `names`
    std::vector<Channel> channels{1};                         ///< by id
    std::unordered_map<std::uint32_t, std::uint32_t> inGroup; ///< channels that have a place, by group
    std::unordered_map<PlaceId, std::uint32_t> inPlace;       ///< channels
    std::unordered_map<Row, std::int64_t, RowHash> finish;    ///< newest sample that is packed there
    Memory active, frozen;                                    ///< what is not packed yet; frozen: is being packed
    std::int64_t rawFromMs = 0;                               ///< earlier samples are no longer kept
    std::int64_t oldestMs = 0, newestMs = 0;
    std::uint64_t samples = 0; ///< kept, in memory too

    ChannelId add(std::string name);
    /// Gives a channel its place: the last of its group, or a new one when that is full.
    PlaceId place(ChannelId channel);
    void hasPlace(ChannelId channel, PlaceId place);
};

/// Channels of a place: of a rack, and of what nobody knows anything about.
inline constexpr std::uint32_t kGrouped = 512, kUngrouped = 64;

} // namespace hw::history
