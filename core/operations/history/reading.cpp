// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/history/reading.h"

#include "core/operations/history/telemetry_file.h"

#include <cmath>

namespace hw::history {

namespace {

constexpr double kMostRead = 3e6; ///< samples that are taken apart to be drawn as steps
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// Gathers values, ascending by step, into one of each step.
class Steps {
public:
    void add(std::int64_t beginMs, double sum, double least, double most, std::uint64_t count)
    {
        if (m_series.timesMs.empty() || m_series.timesMs.back() != beginMs) {
            m_series.timesMs.push_back(beginMs);
            m_series.values.push_back(0);
            m_series.least.push_back(least);
            m_series.most.push_back(most);
            m_counts.push_back(0);
        }
        m_series.values.back() += sum;
        m_series.least.back() = std::min(m_series.least.back(), least);
        m_series.most.back() = std::max(m_series.most.back(), most);
        m_counts.back() += count;
    }
    [[nodiscard]] Series means() &&
    {
        for (std::size_t i = 0; i < m_counts.size(); ++i) m_series.values[i] /= double(m_counts[i]);
        return std::move(m_series);
    }

private:
    Series m_series;
    std::vector<std::uint64_t> m_counts;
};

/// Steps of `stepMs`, where there is a number.
Series stepsOf(std::span<const Held> held, std::int64_t stepMs)
{
    Steps steps;
    for (const auto& sample : held)
        if (!std::isnan(sample.value) && sample.good()) steps.add(sample.timeMs() / stepMs * stepMs, sample.value, sample.value, sample.value, 1);
    return std::move(steps).means();
}

Series stepsOf(std::span<const Minute> minutes, std::int64_t minutesOfStep)
{
    Steps steps;
    for (const auto& minute : minutes)
        steps.add(minute.minute / minutesOfStep * minutesOfStep * kMinute, minute.sum, minute.least, minute.most, minute.count);
    return std::move(steps).means();
}

Series asTheyCame(std::span<const Held> held)
{
    Series series;
    series.timesMs.reserve(held.size());
    series.values.reserve(held.size());
    for (const auto& sample : held) {
        series.timesMs.push_back(sample.timeMs());
        series.values.push_back(sample.value);
    }
    return series;
}

/// Those of [fromMs, toMs].
std::span<const Held> within(std::span<const Held> held, std::int64_t fromMs, std::int64_t toMs)
{
    const auto first = std::ranges::lower_bound(held, fromMs, {}, &Held::timeMs);
    const auto last = std::ranges::upper_bound(held, toMs, {}, &Held::timeMs);
    return first < last ? std::span<const Held>(first, last) : std::span<const Held>();
}

std::int64_t floored(std::int64_t value, std::int64_t step) { return value - ((value % step) + step) % step; }

/// Steps of a span so that there are at most `most`.
std::int64_t stepsFor(std::int64_t span, std::size_t most) { return std::max<std::int64_t>(1, (span + std::int64_t(most) - 1) / std::int64_t(most)); }

} // namespace

class Reading::Hold {
public:
    explicit Hold(storage::Database& database) : m_database(database) {}
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;
    ~Hold() { (void)m_database.run("ROLLBACK"); }

private:
    storage::Database& m_database;
};

Result<Reading::View> Reading::view(std::span<const std::string> names, std::int64_t fromMs, std::int64_t toMs)
{
    View view;
    const std::lock_guard lock(m_contents.mutex);
    for (const auto& name : names) {
        const auto found = m_contents.ids.find(name);
        const ChannelId id = found == m_contents.ids.end() ? 0 : found->second;
        view.ids.push_back(id);
        if (id == 0 || view.memory.contains(id)) continue;
        auto& memory = view.memory[id];
        const auto frozen = within(m_contents.frozen.of(id), fromMs, toMs), active = within(m_contents.active.of(id), fromMs, toMs);
        std::ranges::merge(frozen, active, std::back_inserter(memory), {}, &Held::key, &Held::key);
        if (const PlaceId place = m_contents.channels[id].place) {
            view.places[place].push_back(id);
            const auto held = m_contents.inPlace.find(place);
            view.channels[place] = held == m_contents.inPlace.end() ? 1 : held->second; // a damaged file may not count them
        }
    }
    for (auto& [place, ids] : view.places) std::ranges::sort(ids);
    if (auto begun = m_database.run("BEGIN"); !begun) return tl::unexpected(begun.error());
    const auto rawFrom = m_database.integer("SELECT raw_from_ms FROM kept"); // from here on the file stands still for this connection // no text
    if (!rawFrom) return tl::unexpected(rawFrom.error());
    view.rawFromMs = *rawFrom;
    view.oldestMs = m_contents.oldestMs;
    return view;
}

Result<std::vector<Series>> Reading::read(std::span<const std::string> names, std::int64_t fromMs, std::int64_t toMs, std::size_t most)
{
    const std::lock_guard lock(m_mutex);
    most = std::max<std::size_t>(most, 1);
    fromMs = std::max<std::int64_t>(fromMs, 0);
    const Hold hold(m_database);
    auto view = this->view(names, floored(fromMs, kMinute), toMs);
    if (!view) return tl::unexpected(view.error());
    const auto steps = inSteps(*view, fromMs, toMs, most);
    if (!steps) return tl::unexpected(steps.error());
    return *steps ? this->steps(*view, fromMs, toMs, most) : samples(std::move(*view), fromMs, toMs, most);
}

/// Minutes are read where samples are gone, or where those are more than asked for and minutes are fine enough, or all that is quick enough.
Result<bool> Reading::inSteps(const View& view, std::int64_t fromMs, std::int64_t toMs, std::size_t most)
{
    const double minutes = double(toMs - fromMs) / kMinute;
    for (const auto& [place, ids] : view.places) {
        if (fromMs < view.rawFromMs) {
            auto old = m_database.prepare("SELECT 1 FROM minute WHERE place = ? AND hour BETWEEN ? AND ? LIMIT 1");
            if (!old) return tl::unexpected(old.error());
            const auto row = old->bind(1, place).bind(2, fromMs / kHour).bind(3, std::min(toMs, view.rawFromMs - 1) / kHour).step();
            if (!row) return tl::unexpected(row.error());
            if (*row) return true;
        }
        auto sum = m_database.prepare("SELECT sum(samples) FROM chunk WHERE place = ? AND hour BETWEEN ? AND ? AND start <= ? AND finish >= ?");
        if (!sum) return tl::unexpected(sum.error());
        sum->bind(1, place).bind(2, fromMs / kHour).bind(3, toMs / kHour).bind(4, toMs).bind(5, fromMs);
        if (auto row = sum->step(); !row) return tl::unexpected(row.error());
        const auto held = view.channels.find(place);
        const double each = double(sum->integer(0)) / (held == view.channels.end() ? 1.0 : std::max<double>(held->second, 1));
        if (each > double(most) && (minutes * 4 >= double(most) || each * double(ids.size()) > kMostRead)) return true;
    }
    return false;
}

Result<std::vector<Series>> Reading::samples(View view, std::int64_t fromMs, std::int64_t toMs, std::size_t most)
{
    Samples found;
    for (const auto& [place, ids] : view.places) {
        auto rows = m_database.prepare("SELECT data FROM chunk WHERE place = ? AND hour BETWEEN ? AND ? AND start <= ? AND finish >= ?"
                                       " ORDER BY hour, start");
        if (!rows) return tl::unexpected(rows.error());
        rows->bind(1, place).bind(2, fromMs / kHour).bind(3, toMs / kHour).bind(4, toMs).bind(5, fromMs);
        for (;;) {
            const auto more = rows->step();
            if (!more) return tl::unexpected(more.error());
            if (!*more) break;
            const auto columns = unpackColumns(rows->blob(0), &ids, {fromMs, toMs});
            if (!columns) return tl::unexpected(damagedRow(m_path));
            for (const auto& column : *columns) {
                auto& all = found[column.channel];
                all.insert(all.end(), column.held.begin(), column.held.end());
            }
        }
    }
    std::vector<Series> series;
    const std::int64_t step = stepsFor(toMs - fromMs + 1, most);
    for (const auto id : view.ids) {
        auto& all = found[id];
        const auto memory = within(view.memory[id], fromMs, toMs);
        all.insert(all.end(), memory.begin(), memory.end());
        if (!std::ranges::is_sorted(all, {}, &Held::key)) std::ranges::sort(all, {}, &Held::key);
        series.push_back(all.size() > most ? stepsOf(all, step) : asTheyCame(all));
        view.memory[id].clear(); // asked for twice: `found` has it
    }
    return series;
}

Result<Reading::Minutes> Reading::minutes(const View& view, std::int64_t fromMs, std::int64_t toMs)
{
    Minutes found;
    for (const auto& [place, ids] : view.places) {
        auto rows = m_database.prepare("SELECT data FROM minute WHERE place = ? AND hour BETWEEN ? AND ? ORDER BY hour");
        if (!rows) return tl::unexpected(rows.error());
        rows->bind(1, place).bind(2, fromMs / kHour).bind(3, toMs / kHour);
        for (;;) {
            const auto more = rows->step();
            if (!more) return tl::unexpected(more.error());
            if (!*more) break;
            const auto columns = unpackMinutes(rows->blob(0), &ids);
            if (!columns) return tl::unexpected(damagedRow(m_path));
            for (const auto& column : *columns)
                for (const auto& minute : column.minutes)
                    if (minute.minute >= fromMs / kMinute && minute.minute <= toMs / kMinute) found[column.channel].push_back(minute);
        }
    }
    for (const auto& [id, held] : view.memory)
        if (!held.empty()) found[id] = joined(found[id], minutesOf(held));
    return found;
}

Result<std::vector<Series>> Reading::steps(const View& view, std::int64_t fromMs, std::int64_t toMs, std::size_t most)
{
    auto found = minutes(view, fromMs, toMs);
    if (!found) return tl::unexpected(found.error());
    const std::int64_t step = stepsFor(toMs / kMinute - fromMs / kMinute + 1, most);
    std::vector<Series> series;
    for (const auto id : view.ids) series.push_back(stepsOf((*found)[id], step));
    return series;
}

/// The newest samples of channels of a place in [fromMs, timeMs], where they are newer than those found.
Result<void> Reading::newest(PlaceId place, std::vector<ChannelId> wanted, std::int64_t fromMs, std::int64_t timeMs,
                             std::unordered_map<ChannelId, Held>& found)
{
    auto rows = m_database.prepare("SELECT data, finish FROM chunk WHERE place = ? AND hour = ? AND start <= ? AND finish >= ? ORDER BY finish DESC");
    if (!rows) return tl::unexpected(rows.error());
    for (std::int64_t hour = timeMs / kHour; hour >= fromMs / kHour && !wanted.empty(); --hour) {
        rows->bind(1, place).bind(2, hour).bind(3, timeMs).bind(4, fromMs);
        for (;;) {
            const auto more = rows->step();
            if (!more) return tl::unexpected(more.error());
            if (!*more) break;
            const std::int64_t finish = rows->integer(1);
            std::erase_if(wanted, [&](ChannelId id) {
                const auto known = found.find(id);
                return known != found.end() && known->second.timeMs() >= finish;
            });
            if (wanted.empty()) continue; // steps to the end of the rows
            const auto columns = unpackColumns(rows->blob(0), &wanted, {fromMs, timeMs});
            if (!columns) return tl::unexpected(damagedRow(m_path));
            for (const auto& column : *columns) {
                if (column.held.empty()) continue;
                const Held& last = column.held.back();
                auto& known = found.try_emplace(column.channel, last).first->second;
                if (known.key < last.key) known = last;
            }
        }
        std::erase_if(wanted, [&](ChannelId id) {
            const auto known = found.find(id);
            return known != found.end() && known->second.timeMs() >= hour * kHour;
        });
    }
    return {};
}

Result<std::vector<double>> Reading::at(std::span<const std::string> names, std::int64_t timeMs, std::int64_t maxAgeMs)
{
    const std::lock_guard lock(m_mutex);
    const std::int64_t fromMs = std::max<std::int64_t>(timeMs - maxAgeMs, 0);
    const Hold hold(m_database);
    auto view = this->view(names, floored(fromMs, kMinute), timeMs);
    if (!view) return tl::unexpected(view.error());
    std::unordered_map<ChannelId, Held> found;
    for (const auto& [id, held] : view->memory)
        if (const auto here = within(held, fromMs, timeMs); !here.empty()) found[id] = here.back();
    for (const auto& [place, ids] : view->places)
        if (auto done = newest(place, ids, std::max(fromMs, view->oldestMs), timeMs, found); !done) return tl::unexpected(done.error());
    Minutes old; // where samples are gone
    if (fromMs < view->rawFromMs) {
        auto minutes = this->minutes(*view, fromMs, timeMs);
        if (!minutes) return tl::unexpected(minutes.error());
        old = std::move(*minutes);
    }
    std::vector<double> values;
    for (const auto id : view->ids) {
        const auto known = found.find(id);
        const auto minutes = old.find(id);
        if (known != found.end())
            values.push_back(known->second.value);
        else if (minutes != old.end() && !minutes->second.empty())
            values.push_back(minutes->second.back().sum / double(minutes->second.back().count));
        else
            values.push_back(kNothing);
    }
    return values;
}

} // namespace hw::history
