// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/history/columns.h"

#include "core/operations/history/varint.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hw::history {

namespace {

/// Where the bytes of one column lie.
struct Place {
    ChannelId channel = 0;
    std::size_t count = 0;
    std::string_view first, second;
};

/// What a block of columns has in front, and where each of them is; `first` of all, then `second` of all.
bool takePlaces(std::string_view in, std::vector<Place>& places)
{
    std::uint64_t columns = 0, channel = 0;
    if (!takeVarint(in, columns) || columns > in.size()) return false;
    std::vector<std::array<std::uint64_t, 2>> sizes(columns);
    places.resize(columns);
    for (std::size_t i = 0; i < columns; ++i) {
        std::uint64_t difference = 0, count = 0;
        if (!takeVarint(in, difference) || !takeVarint(in, count) || !takeVarint(in, sizes[i][0]) || !takeVarint(in, sizes[i][1])) return false;
        if (count > (1U << 28)) return false;
        channel += difference;
        places[i].channel = ChannelId(channel);
        places[i].count = count;
    }
    for (const int part : {0, 1})
        for (std::size_t i = 0; i < columns; ++i) {
            if (sizes[i][std::size_t(part)] > in.size()) return false;
            (part == 0 ? places[i].first : places[i].second) = in.substr(0, sizes[i][std::size_t(part)]);
            in.remove_prefix(sizes[i][std::size_t(part)]);
        }
    return in.empty();
}

/// Puts columns together from the two parts of each; `put` appends them to two strings.
template <class Columns, class Put>
std::string packed(const Columns& columns, const Put& put)
{
    std::string out, first, second;
    putVarint(out, columns.size());
    ChannelId before = 0;
    for (const auto& column : columns) {
        const std::size_t firstAt = first.size(), secondAt = second.size();
        const std::size_t count = put(column, first, second);
        putVarint(out, column.channel - before);
        putVarint(out, count);
        putVarint(out, first.size() - firstAt);
        putVarint(out, second.size() - secondAt);
        before = column.channel;
    }
    return squeezed(out + first + second);
}

/// Takes the wanted columns apart; `take` reads one from its place.
template <class Column, class Take>
std::optional<std::vector<Column>> unpacked(std::string_view block, const std::vector<ChannelId>* wanted, const Take& take)
{
    thread_local std::string bytes;
    thread_local std::vector<Place> places;
    if (!unsqueeze(block, bytes) || !takePlaces(bytes, places)) return std::nullopt;
    std::vector<Column> columns;
    for (const auto& place : places) {
        if (wanted && !std::ranges::binary_search(*wanted, place.channel)) continue;
        auto& column = columns.emplace_back();
        column.channel = place.channel;
        if (!take(place, column)) return std::nullopt;
    }
    return columns;
}

std::size_t putColumn(const Column& column, std::string& times, std::string& values)
{
    std::int64_t before = 0, step = 0;
    thread_local std::vector<double> numbers;
    numbers.clear();
    for (const auto& held : column.held) {
        const std::int64_t difference = minus(held.key, before);
        putVarint(times, zigzag(minus(difference, step)));
        step = difference;
        before = held.key;
        numbers.push_back(held.value);
    }
    putNumbers(values, numbers);
    return column.held.size();
}

/// Only what lies in the span gets memory of its own: a moment needs a few samples of each hour that is read.
bool takeColumn(const Place& place, const Span& span, Column& column)
{
    thread_local std::vector<double> numbers;
    std::string_view times = place.first, values = place.second;
    if (!takeNumbers(values, place.count, numbers) || !values.empty()) return false;
    std::int64_t key = 0, step = 0;
    std::uint64_t digits = 0;
    thread_local std::vector<Held> within;
    within.clear();
    for (std::size_t i = 0; i < place.count; ++i) {
        if (!takeVarint(times, digits)) return false;
        step = plus(step, unzigzag(digits));
        key = plus(key, step);
        const Held held{key, numbers[i]};
        if (held.timeMs() >= span.fromMs && held.timeMs() <= span.toMs) within.push_back(held);
    }
    column.held.assign(within.begin(), within.end());
    return times.empty();
}

constexpr double Minute::*kFigures[] = {&Minute::sum, &Minute::least, &Minute::most};

std::size_t putMinuteColumn(const MinuteColumn& column, std::string& times, std::string& values)
{
    std::int64_t before = 0;
    for (const auto& minute : column.minutes) {
        putVarint(times, zigzag(minute.minute - before));
        before = minute.minute;
    }
    for (const auto& minute : column.minutes) putVarint(times, minute.count);
    std::vector<double> numbers(column.minutes.size());
    for (const auto figure : kFigures) {
        std::ranges::transform(column.minutes, numbers.begin(), figure);
        putNumbers(values, numbers);
    }
    return column.minutes.size();
}

bool takeMinuteColumn(const Place& place, MinuteColumn& column)
{
    std::string_view times = place.first, values = place.second;
    column.minutes.resize(place.count);
    std::int64_t at = 0;
    std::uint64_t digits = 0;
    for (auto& minute : column.minutes) {
        if (!takeVarint(times, digits)) return false;
        minute.minute = at = plus(at, unzigzag(digits));
    }
    for (auto& minute : column.minutes)
        if (!takeVarint(times, minute.count)) return false;
    std::vector<double> numbers;
    for (const auto figure : kFigures) {
        if (!takeNumbers(values, place.count, numbers)) return false;
        for (std::size_t i = 0; i < place.count; ++i) column.minutes[i].*figure = numbers[i];
    }
    return times.empty() && values.empty();
}

Minute together(const Minute& a, const Minute& b)
{
    return {a.minute, a.count + b.count, a.sum + b.sum, std::min(a.least, b.least), std::max(a.most, b.most)};
}

} // namespace

std::string packColumns(std::span<const Column> columns) { return packed(columns, putColumn); }

std::optional<std::vector<Column>> unpackColumns(std::string_view block, const std::vector<ChannelId>* wanted, const Span& span)
{
    return unpacked<Column>(block, wanted, [&](const Place& place, Column& column) { return takeColumn(place, span, column); });
}

std::string packMinutes(std::span<const MinuteColumn> columns) { return packed(columns, putMinuteColumn); }

std::optional<std::vector<MinuteColumn>> unpackMinutes(std::string_view block, const std::vector<ChannelId>* wanted)
{
    return unpacked<MinuteColumn>(block, wanted, takeMinuteColumn);
}

std::string packLoose(std::span<const Loose> samples)
{
    std::string out;
    std::vector<double> numbers;
    putVarint(out, samples.size());
    std::int64_t before = 0;
    for (const auto& sample : samples) {
        putVarint(out, zigzag(std::int64_t(sample.channel) - before));
        before = sample.channel;
    }
    before = 0;
    for (const auto& sample : samples) {
        putVarint(out, zigzag(minus(sample.held.key, before)));
        before = sample.held.key;
        numbers.push_back(sample.held.value);
    }
    putNumbers(out, numbers);
    return squeezed(out);
}

std::optional<std::vector<Loose>> unpackLoose(std::string_view block)
{
    std::string bytes;
    if (!unsqueeze(block, bytes)) return std::nullopt;
    std::string_view in = bytes;
    std::uint64_t count = 0, digits = 0;
    if (!takeVarint(in, count) || count > in.size()) return std::nullopt;
    std::vector<Loose> samples(count);
    std::int64_t at = 0;
    for (auto& sample : samples) {
        if (!takeVarint(in, digits)) return std::nullopt;
        at = plus(at, unzigzag(digits));
        sample.channel = ChannelId(at);
    }
    at = 0;
    for (auto& sample : samples) {
        if (!takeVarint(in, digits)) return std::nullopt;
        sample.held.key = at = plus(at, unzigzag(digits));
    }
    std::vector<double> numbers;
    if (!takeNumbers(in, count, numbers) || !in.empty()) return std::nullopt;
    for (std::size_t i = 0; i < count; ++i) samples[i].held.value = numbers[i];
    return samples;
}

std::vector<Minute> minutesOf(std::span<const Held> held)
{
    std::vector<Minute> minutes;
    for (const auto& sample : held) {
        if (!sample.good() || std::isnan(sample.value)) continue;
        const Minute one{sample.timeMs() / 60'000, 1, sample.value, sample.value, sample.value};
        if (!minutes.empty() && minutes.back().minute == one.minute)
            minutes.back() = together(minutes.back(), one);
        else
            minutes.push_back(one);
    }
    std::vector<double> values(held.size());
    std::ranges::transform(held, values.begin(), &Held::value);
    if (const int decimals = decimalsOf(values); decimals >= 0)
        for (auto& minute : minutes) minute.sum = std::round(minute.sum * std::pow(10, decimals)) / std::pow(10, decimals);
    return minutes;
}

std::vector<Minute> joined(std::span<const Minute> a, std::span<const Minute> b)
{
    std::vector<Minute> all;
    std::ranges::merge(a, b, std::back_inserter(all), {}, &Minute::minute, &Minute::minute);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (kept > 0 && all[kept - 1].minute == all[i].minute)
            all[kept - 1] = together(all[kept - 1], all[i]);
        else
            all[kept++] = all[i];
    all.resize(kept);
    return all;
}

} // namespace hw::history
