// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hw::history {

using ChannelId = std::uint32_t; ///< of a file, from 1

/// A sample as the store holds it: its time and whether the source trusts it in one number, so that a column is sorted by it.
struct Held {
    std::int64_t key = 0; ///< time in ms · 2, and 1 where it is not trusted
    double value = 0;

    static Held of(std::int64_t timeMs, double value, bool good) { return {timeMs * 2 + (good ? 0 : 1), value}; }
    [[nodiscard]] std::int64_t timeMs() const { return key >> 1; }
    [[nodiscard]] bool good() const { return (key & 1) == 0; }
    friend bool operator==(const Held&, const Held&) = default;
};

/// The samples of one channel, ascending by time, no time twice.
struct Column {
    ChannelId channel = 0;
    std::vector<Held> held;
};

/// What is written of values of any kind:
///   numbers  flags (1 byte: 1 some are NaN, 4 as they are, and decimals · 16), a bit for each NaN, then for the others either
///            value · 10^decimals as differences (zigzag, base 128), where that gives back every bit, or all bits,
///            XORed with the value before, byte by byte: first bytes together, then second bytes …
/// Measured values have few decimals; their differences are short, and zstd shortens them again.
void putNumbers(std::string& out, std::span<const double> values);
/// The decimals that all values have at most, 0 to 9; -1: they have more, or are too large.
[[nodiscard]] int decimalsOf(std::span<const double> values);
/// Takes `count` of them off the front; false: damaged.
[[nodiscard]] bool takeNumbers(std::string_view& in, std::size_t count, std::vector<double>& values);

/// Columns of a group of channels over a time, ascending by channel, as one compressed block:
///   zstd of: number of columns; of each: channel (difference), samples, bytes of times, bytes of values; then times of all, then values of all.
///   times    first · 2 + flag, then differences of differences (zigzag, base 128), both of `Held::key`
///   values   numbers
/// Whole numbers are base 128, low first. zstd's checksum tells damage.
[[nodiscard]] std::string packColumns(std::span<const Column> columns);
/// A time, both ends in it.
struct Span {
    std::int64_t fromMs = std::numeric_limits<std::int64_t>::min(), toMs = std::numeric_limits<std::int64_t>::max();
};
/// Those of `wanted` (ascending), each in its place, or all where `wanted` is null, with what they have in `span`; nothing: damaged.
[[nodiscard]] std::optional<std::vector<Column>> unpackColumns(std::string_view block, const std::vector<ChannelId>* wanted = nullptr,
                                                               const Span& span = {});

/// Samples in the order in which they came: channels, keys, values; for the tail.
struct Loose {
    ChannelId channel = 0;
    Held held;
    friend bool operator==(const Loose&, const Loose&) = default;
};
[[nodiscard]] std::string packLoose(std::span<const Loose> samples);
[[nodiscard]] std::optional<std::vector<Loose>> unpackLoose(std::string_view block);

/// Mean, least and most of the trusted numbers of a minute.
struct Minute {
    std::int64_t minute = 0; ///< since 1970
    std::uint64_t count = 0;
    double sum = 0, least = 0, most = 0;
    friend bool operator==(const Minute&, const Minute&) = default;
};
struct MinuteColumn {
    ChannelId channel = 0;
    std::vector<Minute> minutes; ///< ascending
};
/// Sums of values with few decimals have no more of them: rounding them so takes away what adding up put in.
[[nodiscard]] std::vector<Minute> minutesOf(std::span<const Held> held);
/// Of the same channel: those of a minute become one.
[[nodiscard]] std::vector<Minute> joined(std::span<const Minute> a, std::span<const Minute> b);
/// As columns: minutes as differences, counts, then sums, least, most as numbers.
[[nodiscard]] std::string packMinutes(std::span<const MinuteColumn> columns);
[[nodiscard]] std::optional<std::vector<MinuteColumn>> unpackMinutes(std::string_view block, const std::vector<ChannelId>* wanted = nullptr);

} // namespace hw::history
